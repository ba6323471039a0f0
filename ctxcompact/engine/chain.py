"""The chain over one conversation: trigger, levels in order, stop rule.

What is planned is settled together, checked, and taken over as a whole; then, unless the goal is
met, the levels are planned again on what the conversation has become.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core import laws
from ctxcompact.core.counts import counted
from ctxcompact.core.edits import Amend
from ctxcompact.core.events import Trigger
from ctxcompact.core.model import Origin
from ctxcompact.core.settings import Mode, Until
from ctxcompact.engine.acceptance import take_over
from ctxcompact.engine.outcomes import Outcome, trigger_of
from ctxcompact.engine.planning import Goal, intend
from ctxcompact.engine.settlement import Settlement, Wish
from ctxcompact.engine.settling import Settler
from ctxcompact.engine.steps import Pass, steps
from ctxcompact.levels import EARLIER, LEVELS, MICRO, Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ctxcompact.core.model import Conversation, Message
    from ctxcompact.core.settings import Settings
    from ctxcompact.core.tasks import Summarizer
    from ctxcompact.engine.draft import Draft
    from ctxcompact.engine.ports import Ports

_MOST_PASSES = 8


class Chain:
    """Runs levels over the conversations of one transcript."""

    def __init__(self, draft: Draft, settings: Settings, ports: Ports) -> None:
        self._draft = draft
        self._settings = settings
        self._staging = ports.staging
        self._summarizer = ports.summarizer
        self._why_none = ports.no_summaries
        self._no_summaries = ""
        self._settler = Settler(draft, settings, ports.staging)
        self._settlement = Settlement(draft, settings, ports)
        self._rules = draft.reading.format.rules

    def run(self, conversation: Conversation) -> Outcome:
        """Compact one conversation as the mode says."""
        settings = self._settings
        problems = laws.problems(conversation.messages, self._rules)
        tokens = conversation.tokens + settings.overhead_tokens
        levels, goal = self._levels(), None
        if settings.mode is Mode.MICRO:
            trigger = Trigger(fired=True, by=None, tokens=0, messages=0)
            levels = (MICRO,)
        else:
            trigger = trigger_of(conversation, tokens, settings)
            if settings.until is Until.TARGET:
                most = settings.msg_threshold if trigger.by == "messages" else None
                goal = Goal(settings.target_tokens, most)
        outcome = Outcome(trigger, tokens, tokens, problems, problems)
        if trigger.fired:
            self._run(conversation, levels, goal, outcome)
        if outcome.edited:
            self.recount(conversation, outcome)
        return outcome

    def _levels(self) -> tuple[Level, ...]:
        chosen = self._settings.levels
        return tuple(level for level in LEVELS if level.number in chosen)

    def _run(
        self,
        conversation: Conversation,
        levels: Sequence[Level],
        goal: Goal | None,
        outcome: Outcome,
    ) -> None:
        summarizes = any(level.summarizes for level in levels)
        summarizer = self._summarizer_for(outcome) if summarizes else None
        able = [level for level in levels if summarizer or not level.summarizes]
        if goal is None:
            self._first(conversation, levels, able, summarizer, outcome)
            return
        for number in range(_MOST_PASSES):
            done = self._pass(conversation, able, goal, summarizer, outcome)
            tried = [*(levels if number == 0 else ()), *_made(done)]
            outcome.add(steps(done, tried, self._before(done, outcome)), only_applied=number > 0)
            if done.problem or not done.settled.saved_tokens:
                return
            self._note_eased(done, outcome)
            if outcome.tokens_after <= goal.tokens and goal.messages is None:
                return

    def _note_eased(self, done: Pass, outcome: Outcome) -> None:
        """Say which settings gave way for the target."""
        if names := sorted(done.intents.eased):
            options = (
                f"--{name.replace('_', '-')} {getattr(self._settings, name)}" for name in names
            )
            outcome.notes.append(f"to come near the target, these gave way: {', '.join(options)}")

    def _first(
        self,
        conversation: Conversation,
        levels: Sequence[Level],
        able: Sequence[Level],
        summarizer: Summarizer | None,
        outcome: Outcome,
    ) -> None:
        """Try level by level, until the first that changes something."""
        for at, level in enumerate(levels):
            tried = [level] if level in able else []
            done = self._pass(conversation, tried, None, summarizer, outcome)
            outcome.add(steps(done, [level], self._before(done, outcome)), only_applied=False)
            if done.settled.saved_tokens and not done.problem:
                rest = self._pass(conversation, [], None, summarizer, outcome)
                later = steps(rest, levels[at + 1 :], outcome.tokens_after)
                outcome.add(later, only_applied=False)
                return

    def _pass(
        self,
        conversation: Conversation,
        levels: Sequence[Level],
        goal: Goal | None,
        summarizer: Summarizer | None,
        outcome: Outcome,
    ) -> Pass:
        """Plan, settle and take over once."""
        intents = intend(conversation, levels, self._settings, self._rules, goal)
        mark = self._staging.mark()
        wish = Wish(goal.tokens if goal else None, outcome.tokens_after, summarizer)
        settled = self._settlement.of(conversation, intents, wish)
        problem = take_over(conversation, settled, outcome, self._draft)
        if problem:
            self._staging.rewind(mark)
        return Pass(intents, settled, problem, self._no_summaries, conversation.line)

    def _before(self, done: Pass, outcome: Outcome) -> int:
        """Return the size before a pass."""
        return outcome.tokens_after + (0 if done.problem else done.settled.saved_tokens)

    def _summarizer_for(self, outcome: Outcome) -> Summarizer | None:
        """Return the summarizer, unless a short transcript is better off without the offline one."""
        summarizer, settings = self._summarizer, self._settings
        self._no_summaries = "" if summarizer else self._why_none
        if summarizer is None or summarizer.uses_model or settings.force:
            return summarizer
        if outcome.tokens_before < settings.floor_tokens:
            floor = settings.floor_tokens
            self._no_summaries = f"below {counted(floor, 'token')} nothing is summarized offline"
            outcome.notes.append(f"{self._no_summaries} (--force does)")
            return None
        return summarizer

    def clear(self, conversation: Conversation, outcome: Outcome) -> None:
        """Run micro alone."""
        self._run(conversation, (MICRO,), None, outcome)

    def recount(self, conversation: Conversation, outcome: Outcome) -> None:
        """Lower the recorded counts in proportion.

        Else the client would compact again at once.
        """
        if self._settings.keep_usage or not outcome.tokens_before or not conversation.counts:
            return
        settled = self._settler.begin()
        live = _records_of(conversation.messages)
        linked = {link.record for link in conversation.links}
        amends = [
            Amend(record, path, value * outcome.tokens_after // outcome.tokens_before)
            for record, path, value in conversation.counts
            if self._draft.stands(record) and (record in live or record not in linked)
        ]
        self._settler.amend(amends, settled)
        self._draft.accept(settled.records.changes, settled.records.replaced)


def _records_of(messages: Iterable[Message]) -> set[int]:
    """Return the records that messages stand in which are not ours."""
    theirs = (message for message in messages if message.origin is not Origin.SUMMARY)
    return {block.record for message in theirs for block in message.blocks}


def _made(done: Pass) -> Iterator[Level]:
    """Yield the levels that were to do something; that earlier summaries stay as they are is not worth a word."""
    for intent in done.intents.made:
        tally = done.settled.tally(intent.level)
        if intent.level is not EARLIER or tally.edits or tally.reasons:
            yield intent.level
