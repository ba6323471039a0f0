"""The chain over one conversation: trigger, levels in order, stop rule.

What is planned is settled together, checked, and taken over as a whole; then, unless the goal is
met, the levels are planned again on what the conversation has become.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core import laws
from ctxcompact.core.edits import Amend, Fold
from ctxcompact.core.events import Trigger
from ctxcompact.core.model import Origin
from ctxcompact.core.settings import Mode, Until
from ctxcompact.engine.acceptance import take_over
from ctxcompact.engine.digests import cost, scored, summarize
from ctxcompact.engine.folding import Folder, Summarized
from ctxcompact.engine.outcomes import Outcome, trigger_of
from ctxcompact.engine.planning import Edits, Goal, Intents, intend, needs_summary, plain
from ctxcompact.engine.settling import Settled, Settler
from ctxcompact.engine.spans import Entries
from ctxcompact.engine.steps import Pass, steps
from ctxcompact.levels import LEVELS, MICRO, Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ctxcompact.core.edits import Rewrite
    from ctxcompact.core.model import Conversation, Message
    from ctxcompact.core.settings import Settings
    from ctxcompact.core.tasks import Span, Summarizer, Summary
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
        self._folder = Folder(draft.reading, max(settings.min_gain_tokens, 1))
        self._entries = Entries(draft, ports.find)
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
            tried = levels if number == 0 else [intent.level for intent in done.intents.made]
            outcome.add(steps(done, tried, self._before(done, outcome)), only_applied=number > 0)
            if done.problem or not done.settled.saved_tokens:
                return
            if outcome.tokens_after <= goal.tokens and goal.messages is None:
                return

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
        settled = self._settle(conversation, intents, goal, summarizer, outcome)
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
            self._no_summaries = f"below {floor} tokens nothing is summarized offline"
            outcome.notes.append(f"{self._no_summaries} (--force does)")
            return None
        return summarizer

    def _settle(
        self,
        conversation: Conversation,
        intents: Intents,
        goal: Goal | None,
        summarizer: Summarizer | None,
        outcome: Outcome,
    ) -> Settled:
        """Settle what is to be done.

        In place first, then what needs a summary, in the room that is left.
        """
        settled = self._settler.begin()
        edits = Edits(intents)
        self._settler.rewrite(conversation, plain(edits.outer()), settled)
        digests = [pair for pair in edits.outer() if needs_summary(pair[1])]
        if not digests or summarizer is None:
            return settled
        room = None
        if goal:
            rest = outcome.tokens_after - settled.saved_tokens
            rest -= cost([edit for _, edit in digests], conversation)
            room = goal.tokens - rest
        found = summarize(
            [edit for _, edit in digests],
            conversation,
            self._entries,
            summarizer,
            self._settings,
            room,
            self._draft.reading.gauge.count,
        )
        folds = self._put(conversation, zip(digests, found, strict=True), settled)
        chosen = self._folder.choose(conversation, folds, settled)
        covered = {at for fold in settled.folded for at in range(fold.start, fold.stop)}
        inner = [pair for pair in plain(edits.inner()) if pair[1].message not in covered]
        self._settler.rewrite(conversation, inner, settled)
        moved = self._folder.write(conversation, chosen, settled)
        self._settler.amend(moved, settled)
        for made in chosen:
            gone = conversation.messages[made.fold.edit.start : made.fold.edit.stop]
            self._settler.clear_copies(conversation, gone, settled)
        return settled

    def _put(
        self,
        conversation: Conversation,
        found: Iterable[tuple[tuple[Level, Rewrite | Fold], tuple[Summary, Span]]],
        settled: Settled,
    ) -> list[Summarized]:
        """Put summaries in place of single blocks; return those of folds, which are chosen among."""
        folds, rewrites, texts = [], [], {}
        for (level, edit), (summary, span) in found:
            tally = settled.tally(level)
            if summary.reason:
                tally.reasons[summary.reason] = None
            tally.account(summary.spending, scored(summary, span))
            if not summary.text:
                continue
            if isinstance(edit, Fold):
                folds.append(Summarized(level, edit, summary.text, span))
            else:
                rewrites.append((level, edit))
                texts[edit.message, edit.block] = summary.text
        self._settler.rewrite(conversation, rewrites, settled, texts)
        return folds

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
