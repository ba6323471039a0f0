"""The chain over one conversation: trigger, levels in order, stop rule.

A level that would add a problem is thrown away, and the report says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ctxcompact.core import laws
from ctxcompact.core.edits import Amend
from ctxcompact.core.events import Step, Trigger
from ctxcompact.core.settings import Mode, Until
from ctxcompact.engine.settling import Settled, Settler
from ctxcompact.levels import LEVELS, MICRO, MISSING, Level

if TYPE_CHECKING:
    from ctxcompact.core.model import Conversation, Problem
    from ctxcompact.core.settings import Settings
    from ctxcompact.engine.draft import Draft
    from ctxcompact.engine.ports import Staging


@dataclass(slots=True)
class Outcome:
    """What became of one conversation; tokens include the overhead that is not in the file."""

    trigger: Trigger
    tokens_before: int
    tokens_after: int
    problems_before: list[Problem] = field(default_factory=list)
    problems_after: list[Problem] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def edited(self) -> bool:
        """Whether any level changed anything."""
        return any(step.status == "applied" for step in self.steps)


def trigger_of(conversation: Conversation, tokens: int, settings: Settings) -> Trigger:
    """Say whether the conversation is large enough to do anything about it."""
    messages = len(conversation.messages)
    by = None
    if tokens >= settings.trigger_tokens:
        by = "tokens"
    elif messages >= settings.msg_threshold:
        by = "messages"
    elif settings.force:
        by = "force"
    fired = by is not None
    return Trigger(
        fired=fired, by=by, tokens=settings.trigger_tokens, messages=settings.msg_threshold
    )


class Chain:
    """Runs levels over the conversations of one transcript."""

    def __init__(self, draft: Draft, settings: Settings, staging: Staging) -> None:
        self._draft = draft
        self._settings = settings
        self._staging = staging
        self._settler = Settler(draft, settings, staging)
        self._problems: list[Problem] = []

    def run(self, conversation: Conversation) -> Outcome:
        """Compact one conversation as the mode says."""
        self._problems = laws.problems(conversation.messages, self._draft.reading.format.rules)
        before = self._problems
        tokens = conversation.tokens + self._settings.overhead_tokens
        if self._settings.mode is Mode.MICRO:
            trigger = Trigger(fired=True, by=None, tokens=0, messages=0)
            outcome = Outcome(trigger, tokens, tokens)
            self._try(MICRO, conversation, outcome)
        else:
            outcome = Outcome(trigger_of(conversation, tokens, self._settings), tokens, tokens)
            if outcome.trigger.fired:
                self._levels(conversation, outcome)
        if outcome.edited:
            self._recount(conversation, outcome)
        outcome.problems_before, outcome.problems_after = before, self._problems
        return outcome

    def _levels(self, conversation: Conversation, outcome: Outcome) -> None:
        """Try the levels in order, and round again, until the stop rule holds or nothing changes."""
        self._say_missing(conversation, outcome)
        first_pass = True
        while True:
            before = outcome.tokens_after
            for level in LEVELS:
                if level.number not in self._settings.levels:
                    continue
                if self._is_done(outcome):
                    return
                step = self._try(level, conversation, outcome, quiet=not first_pass)
                if step.status == "applied" and self._settings.until is Until.FIRST:
                    return
            if outcome.tokens_after == before or self._settings.until is Until.FIRST:
                return
            first_pass = False

    def _is_done(self, outcome: Outcome) -> bool:
        if self._settings.until is Until.FIRST:
            return False
        done = outcome.tokens_after <= self._settings.target_tokens
        if done and outcome.trigger.by == "messages" and not outcome.edited:
            note = "the tokens fit; no level tried here lowers the number of messages"
            if note not in outcome.notes:
                outcome.notes.append(note)
        return done

    def _say_missing(self, conversation: Conversation, outcome: Outcome) -> None:
        for number, name in MISSING:
            if number in self._settings.levels:
                step = Step(
                    level=number,
                    name=name,
                    status="skipped",
                    reason="this version does not have it yet",
                    tokens_before=outcome.tokens_after,
                    tokens_after=outcome.tokens_after,
                    conversation=conversation.line,
                )
                outcome.steps.append(step)

    def _try(
        self, level: Level, conversation: Conversation, outcome: Outcome, *, quiet: bool = False
    ) -> Step:
        """Plan, settle and check one level; take it over unless it adds a problem."""
        plan = level.plan(conversation, self._settings)
        mark = self._staging.mark()
        settled = self._settler.settle(conversation, plan.edits) if plan else Settled()
        new_problems = self._take_over(conversation, settled)
        if new_problems:
            self._staging.rewind(mark)
        step = _step(level, conversation, outcome, settled, new_problems)
        outcome.tokens_after = step.tokens_after
        if not quiet or step.status != "skipped":
            outcome.steps.append(step)
        return step

    def _take_over(self, conversation: Conversation, settled: Settled) -> list[Problem]:
        """Make the settled edits part of the draft, or leave it as it was and say what they would break."""
        if not settled.rows:
            return []
        rules = self._draft.reading.format.rules
        messages = list(conversation.messages)
        for at, position, row in settled.rows:
            message = messages[at]
            blocks = (*message.blocks[:position], row, *message.blocks[position + 1 :])
            messages[at] = message._replace(blocks=blocks)
        problems = laws.problems(messages, rules)
        new_problems = laws.added(self._problems, problems)
        if not new_problems:
            conversation.messages[:] = messages
            self._problems = problems
            self._draft.accept(settled.changes)
        return new_problems

    def _recount(self, conversation: Conversation, outcome: Outcome) -> None:
        """Lower the recorded counts in proportion, so that the client does not compact again at once."""
        if self._settings.keep_usage or not outcome.tokens_before:
            return
        settled = Settled()
        amends = [
            Amend(record, path, value * outcome.tokens_after // outcome.tokens_before)
            for record, path, value in conversation.counts
        ]
        self._settler.amend(amends, settled)
        self._draft.accept(settled.changes)


def _step(
    level: Level,
    conversation: Conversation,
    outcome: Outcome,
    settled: Settled,
    new_problems: list[Problem],
) -> Step:
    status, reason = "applied", ""
    if new_problems:
        first = new_problems[0]
        status, reason = "undone", f"it would add a problem: line {first.line}: {first.message}"
    elif not settled.rows:
        status, reason = "skipped", "nothing here for it"
        if settled.too_small:
            reason = f"{settled.too_small} edits would not save enough"
    applied = status == "applied"
    return Step(
        level=level.number,
        name=level.name,
        status=status,
        reason=reason,
        edits=len(settled.rows) if applied else 0,
        tokens_before=outcome.tokens_after,
        tokens_after=outcome.tokens_after - (settled.saved_tokens if applied else 0),
        offloads=tuple(dict.fromkeys(settled.uuids)) if applied else (),
        conversation=conversation.line,
    )
