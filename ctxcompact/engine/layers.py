"""The three layers over one conversation.

Micro, a full summary when it is too large, or when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core import laws
from ctxcompact.core.events import Step, Trigger
from ctxcompact.core.model import Kind, Origin, Role
from ctxcompact.core.settings import Mode, Write
from ctxcompact.engine.chain import Chain
from ctxcompact.engine.closing import Closings
from ctxcompact.engine.cutting import Cut, cut
from ctxcompact.engine.digests import scored
from ctxcompact.engine.full import Full
from ctxcompact.engine.intents import Edits, plain
from ctxcompact.engine.native import Marks
from ctxcompact.engine.outcomes import Outcome
from ctxcompact.engine.planning import intend
from ctxcompact.engine.records import Records
from ctxcompact.engine.settling import Settled, Settler
from ctxcompact.engine.spans import Entries
from ctxcompact.levels import MICRO

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.model import Conversation, Message
    from ctxcompact.core.settings import Settings
    from ctxcompact.core.splice import Path
    from ctxcompact.core.tasks import Spending
    from ctxcompact.engine.draft import Draft
    from ctxcompact.engine.ports import Ports

COMPACT_TOOL = "compact"
FULL = "full"


class Layers:
    """Runs auto or manual over the conversations of one transcript."""

    def __init__(self, draft: Draft, settings: Settings, ports: Ports, archive: str) -> None:
        self._draft = draft
        self._settings = settings
        self._ports = ports
        self._chain = Chain(draft, settings, ports)
        self._entries = Entries(draft, ports.find)
        self._full = Full(draft.reading, settings, self._entries, archive)
        self._marks = _marks(draft, settings)
        self.archived = False

    def run(self, conversation: Conversation) -> Outcome:
        """Compact one conversation as the mode says."""
        settings, rules = self._settings, self._draft.reading.format.rules
        tokens = conversation.tokens + settings.overhead_tokens
        problems = laws.problems(conversation.messages, rules)
        outcome = Outcome(self._trigger(conversation, tokens), tokens, tokens, problems, problems)
        if outcome.trigger.fired:
            self._summarize(conversation, outcome)
        elif settings.mode is Mode.AUTO:
            self._chain.clear(conversation, outcome)
        # A record at the end says that the sizes told before it count no more.
        if outcome.edited and not self._draft.appendix:
            self._chain.recount(conversation, outcome)
        return outcome

    def _trigger(self, conversation: Conversation, tokens: int) -> Trigger:
        settings = self._settings
        if settings.mode is Mode.MANUAL:
            return Trigger(fired=True, by="force", tokens=0, messages=0)
        by = None
        if _asks_to_compact(conversation.messages):
            by = "compact_tool"
        elif tokens - self._cleared(conversation) > settings.threshold:
            by = "tokens"
        elif settings.force:
            by = "force"
        return Trigger(fired=by is not None, by=by, tokens=settings.threshold, messages=0)

    def _cleared(self, conversation: Conversation) -> int:
        """Return what micro would save by itself."""
        staging = Untaken()
        settler = Settler(self._draft, self._settings, staging)
        rules = self._draft.reading.format.rules
        settled = settler.begin()
        intents = intend(conversation, (MICRO,), self._settings, rules, None)
        settler.rewrite(conversation, plain(Edits(intents).outer()), settled)
        return settled.saved_tokens

    def _summarize(self, conversation: Conversation, outcome: Outcome) -> None:
        """Make the full summary, or say why there is none."""
        summarizer, plan = self._ports.summarizer, cut(conversation.messages)
        obstacle = self._obstacle(conversation, plan)
        if summarizer is None or obstacle:
            self._say(conversation, outcome, "skipped", obstacle or self._ports.no_summaries)
            return
        focus = self._settings.focus or _focus_of(conversation.messages, self._entries)
        summary, span = self._full.summarize(conversation, plan, summarizer, focus)
        text = summary.text
        if not text:
            self._say(conversation, outcome, "failed", summary.reason, summary.spending)
            return
        rows = (self._marks or self._full).rows(conversation, plan, text)
        after = conversation._replace(messages=rows).tokens + self._settings.overhead_tokens
        if outcome.tokens_after - after < max(self._settings.min_gain_tokens, 1):
            reason = "it would not save enough"
            self._say(conversation, outcome, "skipped", reason, summary.spending)
            return
        problems = laws.problems(rows, self._draft.reading.format.rules)
        if new := laws.added(outcome.problems_after, problems):
            reason = f"it would add a problem: line {new[0].line}: {new[0].message}"
            self._say(conversation, outcome, "undone", reason, summary.spending)
            return
        touched = self._write(conversation, plan, text, rows)
        before, outcome.tokens_after = outcome.tokens_after, after
        outcome.problems_after = problems
        step = Step(
            level=FULL,
            name="full_summary",
            status="applied",
            edits=1,
            tokens_before=before,
            tokens_after=after,
            touched=touched,
            facts=scored(summary, span),
            spending=summary.spending,
            conversation=conversation.line,
        )
        outcome.steps.append(step)
        self.archived = True

    def _obstacle(self, conversation: Conversation, plan: Cut) -> str:
        """Say why there is nothing that could be summed up, "" if there is."""
        if not plan.taken or _are_ours(conversation.messages, plan.taken):
            return "nothing here for it"
        return self._marks.obstacle(conversation, plan) if self._marks else ""

    def _write(
        self, conversation: Conversation, plan: Cut, text: str, rows: list[Message]
    ) -> tuple[int, ...]:
        """Put the full summary in its place; return the lines of the messages it stands for."""
        gone = [conversation.messages[at] for at in plan.taken]
        settler = Settler(self._draft, self._settings, Untaken())
        settled = Settled(Records(self._draft, Untaken()))
        moved = (self._marks or self._full).write(conversation, plan, text, settled)
        settler.amend(moved, settled)
        if self._marks is None:
            settler.clear_copies(conversation, gone, settled)
        records = settled.records
        self._draft.accept(records.changes, records.replaced, records.folds)
        conversation.messages[:] = rows
        return tuple(message.line for message in gone)

    def _say(
        self,
        conversation: Conversation,
        outcome: Outcome,
        status: str,
        reason: str,
        spending: Spending | None = None,
    ) -> None:
        """Say why there is no full summary; a model may have been used all the same."""
        tokens = outcome.tokens_after
        step = Step(
            level=FULL,
            name="full_summary",
            status=status,
            reason=reason,
            tokens_before=tokens,
            tokens_after=tokens,
            spending=spending,
            conversation=conversation.line,
        )
        outcome.steps.append(step)


def _marks(draft: Draft, settings: Settings) -> Marks | Closings | None:
    """Return what writes the client's own record, None if lines are to be changed."""
    form = draft.reading.format
    if settings.write is not Write.NATIVE:
        return None
    if form.closing is not None:
        return Closings(draft)
    return Marks(draft.reading, settings) if form.native is not None else None


class Untaken:
    """A staging that keeps nothing: the archive holds it all."""

    def add(
        self,
        uuid: str,
        data: bytes,
        sha256: str,
        *,
        path: Path,
        tool: str,
        format: str,  # noqa: A002 - the word of the stores
        line: int,
    ) -> None:
        """Take nothing in."""

    def mark(self) -> None:
        """There is nothing to return to."""

    def rewind(self, mark: object) -> None:
        """There is nothing to take back."""


def _asks_to_compact(messages: Sequence[Message]) -> bool:
    """Tell whether the model's newest message calls the compact tool.

    With something before it worth taking in.
    """
    newest = max((at for at, m in enumerate(messages) if _is_reply(m)), default=-1)
    if newest < 0 or not any(
        block.kind is Kind.CALL and block.tool == COMPACT_TOOL for block in messages[newest].blocks
    ):
        return False
    plan = cut(messages)
    return bool(plan.taken) and not _are_ours(messages, plan.taken)


def _is_reply(message: Message) -> bool:
    return message.role is Role.ASSISTANT and message.origin is Origin.MODEL


def _are_ours(messages: Sequence[Message], taken: Sequence[int]) -> bool:
    """Tell whether nothing but our own texts would be summarized."""
    return all(messages[at].origin is Origin.SUMMARY for at in taken)


def _focus_of(messages: Sequence[Message], entries: Entries) -> str:
    """Return the focus that the newest call of the compact tool asks for, "" if none."""
    calls = (b for m in reversed(messages) for b in m.blocks if b.kind is Kind.CALL)
    for block in calls:
        if block.tool == COMPACT_TOOL:
            arguments = entries.arguments(block)
            focus = arguments.get("focus") if isinstance(arguments, dict) else None
            return focus if isinstance(focus, str) else ""
    return ""
