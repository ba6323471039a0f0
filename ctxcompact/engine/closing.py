"""A full summary as the client's own record of a compaction at the end of the file.

It names what it keeps, and the client passes over the rest. So all lines stay; only where something
goes from between what stays, what comes after is hung on what stands before.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ctxcompact.core.chains import Chains
from ctxcompact.core.edits import Amend
from ctxcompact.core.format import Closing
from ctxcompact.core.identity import identify
from ctxcompact.core.lines import loads
from ctxcompact.core.model import Role
from ctxcompact.core.splice import value_at
from ctxcompact.engine.folding import dump_record
from ctxcompact.engine.full import records_of
from ctxcompact.engine.native import STANDS_BEFORE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.model import Conversation, Message
    from ctxcompact.engine.cutting import Cut
    from ctxcompact.engine.draft import Draft
    from ctxcompact.engine.settling import Settled


class Closings:
    """Writes native records to the end of one transcript."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._reading = draft.reading

    def obstacle(self, conversation: Conversation, plan: Cut) -> str:
        """Say why no native record can stand for what is taken, "" if one can."""
        last = plan.taken[-1]
        held = any(
            at < last and at != plan.human and conversation.messages[at].role is not Role.SYSTEM
            for at in plan.kept
        )
        return STANDS_BEFORE if held or (plan.after and not conversation.links) else ""

    def rows(self, conversation: Conversation, plan: Cut, text: str) -> list[Message]:
        """Return the messages as they become: the record's own are read from it.

        Until it stands in the file they are where the first prompt is, or what goes.
        """
        messages = conversation.messages
        near = next((x for x in messages if x.role is Role.SYSTEM), messages[plan.taken[0]])
        reader = self._reading.format.reader(self._reading.gauge)
        record = self._record(conversation, plan, text)
        reader.feed(near.blocks[0].record, near.line, record)
        (made,) = reader.finish()
        return [*made.messages, *(messages[at] for at in _kept(conversation, plan))]

    def write(
        self, conversation: Conversation, plan: Cut, text: str, settled: Settled
    ) -> list[Amend]:
        """Add the record; return what has to be hung anew."""
        del settled
        record = self._record(conversation, plan, text)
        leaf = self._reading.record(_leaf(conversation))
        self._draft.appendix = dump_record(record, leaf) + b"\n"
        form = self._reading.format
        if not conversation.links:
            return []
        self._draft.heirs = {record[form.id_key]: record[form.parent_key]}
        return list(_hung_anew(conversation, plan, form.parent_key))

    def _record(self, conversation: Conversation, plan: Cut, text: str) -> dict[str, Any]:
        form, links = self._reading.format, conversation.links
        assert form.closing is not None  # noqa: S101 - asked before anything was planned
        raw = self._reading.record(_leaf(conversation))
        first = next(_kept(conversation, plan), None)
        mark = Closing(
            summary=text,
            last=loads(raw),
            parent=links[-1].uuid if links else "",
            first=None if first is None else _named(conversation, first),
            prompts=[self._prompt(x) for x in conversation.messages if x.role is Role.SYSTEM],
            tokens=conversation.tokens,
            id=identify(sha256(raw).hexdigest(), ("native",)),
        )
        return form.closing(mark)

    def _prompt(self, message: Message) -> Any:
        """Return a system message as its record has it."""
        (block,) = message.blocks
        return value_at(loads(self._reading.record(block.record)), block.path)


def _leaf(conversation: Conversation) -> int:
    """Return the record that a client goes on from."""
    if conversation.links:
        return conversation.links[-1].record
    return max(records_of(conversation, range(len(conversation.messages))))


def _kept(conversation: Conversation, plan: Cut) -> Iterator[int]:
    """Yield the messages that stay and that the record does not carry itself."""
    return (at for at in plan.kept if conversation.messages[at].role is not Role.SYSTEM)


def _named(conversation: Conversation, at: int) -> tuple[str, int]:
    """Return the id and the record of a message."""
    record = records_of(conversation, (at,))[0]
    return Chains(conversation.links).uuid(record), record


def _hung_anew(conversation: Conversation, plan: Cut, key: str) -> Iterator[Amend]:
    """Yield what is to hang elsewhere, on the way from the newest entry up."""
    if plan.after:
        chains = Chains(conversation.links)
        chains.remove(records_of(conversation, plan.after))
        way = set(chains.up(conversation.links[-1].record))
        yield from (Amend(at, (key,), up or None) for at, up in chains.moved() if at in way)
