"""A full summary as the client's own record of a compaction.

What was before stays in the file, and the client passes over it. The record stands behind all that
it sums up; what is still open comes after, and hangs on it. (Where the record names what it keeps it
stands at the end, see `closing`.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.chains import Chains
from ctxcompact.core.format import Native
from ctxcompact.core.identity import identify
from ctxcompact.core.model import Role
from ctxcompact.core.settings import Mode, Write
from ctxcompact.engine.folding import dump_record
from ctxcompact.engine.full import records_of, row
from ctxcompact.errors import UsageError

if TYPE_CHECKING:
    from ctxcompact.core.edits import Amend
    from ctxcompact.core.format import Format
    from ctxcompact.core.model import Conversation, Message
    from ctxcompact.core.settings import Settings
    from ctxcompact.engine.cutting import Cut
    from ctxcompact.engine.reading import Reading
    from ctxcompact.engine.settling import Settled


STANDS_BEFORE = "what has to stay stands before what goes: --write edit can keep it"


def refuse_native(form: Format, settings: Settings) -> None:
    """Raise `UsageError` if a native record is asked for where there is none."""
    if settings.write is not Write.NATIVE or form.history is not None:
        return
    if form.native is None and form.closing is None:
        message = f"--write native: {form.name} has no record of its own for a compaction"
        raise UsageError(message, hint="use --write edit, which `ctxcompact restore` undoes")
    if settings.mode not in (Mode.AUTO, Mode.MANUAL):
        message = "--write native: the client's own record holds a full summary"
        raise UsageError(message, hint="use it with --mode auto or manual, or use --write edit")


class Marks:
    """Writes native records for the conversations of one transcript."""

    def __init__(self, reading: Reading, settings: Settings) -> None:
        self._reading = reading
        self._by_hand = settings.mode is Mode.MANUAL

    def obstacle(self, conversation: Conversation, plan: Cut) -> str:
        """Say why no native record can stand for what is taken, "" if one can."""
        last = max(records_of(conversation, plan.taken))
        first = min(records_of(conversation, self._behind(plan)), default=last + 1)
        ahead = [at for at in plan.kept if at < plan.taken[-1] and at != plan.human]
        if ahead or first <= last:
            return STANDS_BEFORE
        if self._says_again(plan) and len(records_of(conversation, (plan.human,))) != 1:
            return "the prompt still to be answered is more than one line"
        if not self._own(conversation, plan, last):
            return "what has to stay hangs on more than one line: --write edit can mend that"
        return ""

    def _own(self, conversation: Conversation, plan: Cut, place: int) -> str:
        """Return the id on which hangs what stays, "" if there is not one."""
        chains = Chains(conversation.links)
        behind = records_of(conversation, self._behind(plan))
        found = chains.crossings(behind, place) or {chains.uuid(place)}
        return found.pop() if len(found) == 1 else ""

    def rows(self, conversation: Conversation, plan: Cut, text: str) -> list[Message]:
        """Return the messages as they become."""
        messages = conversation.messages
        summary = row(self._reading, Role.USER, text, messages[plan.taken[0]])
        again = [messages[plan.human]] if self._says_again(plan) else []
        return [summary, *again, *(messages[at] for at in self._behind(plan))]

    def write(
        self, conversation: Conversation, plan: Cut, text: str, settled: Settled
    ) -> list[Amend]:
        """Add the lines; nothing has to be hung anew."""
        form, records = self._reading.format, settled.records
        assert form.native is not None  # noqa: S101 - asked before anything was planned
        again = records_of(conversation, (plan.human,)) if self._says_again(plan) else []
        last = records.open(max(records_of(conversation, plan.taken)))
        mark = Native(
            summary=text,
            last=last.data,
            spoken=records.open(again[0]).data if again else None,
            by_hand=self._by_hand,
            tokens=conversation.tokens,
            own=self._own(conversation, plan, last.number),
            ids=(identify(last.digest, ("native", 0)), identify(last.digest, ("native", 1))),
        )
        added = (dump_record(line, last.current) for line in form.native(mark))
        last.replace(b"\n".join((last.current, *added)))
        return []

    def _says_again(self, plan: Cut) -> bool:
        """Tell whether the prompt still to be answered stands before something that goes."""
        return plan.human >= 0 and bool(plan.after)

    def _behind(self, plan: Cut) -> list[int]:
        """Return the messages that stay where they are."""
        again = plan.human if self._says_again(plan) else -1
        return [at for at in plan.kept if at != again and at > plan.taken[-1]]
