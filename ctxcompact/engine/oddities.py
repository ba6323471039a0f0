"""What is odd about a transcript: files that are none, and things that work but surprise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.counts import counted
from ctxcompact.core.model import Conversation, Kind, Problem
from ctxcompact.errors import UnknownFormat

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.engine.ports import Source

_SHOWN_BYTES = 40


def without_records(source: Source, lines: int) -> UnknownFormat:
    """Say what was seen where no line is JSON."""
    if not source.size:
        return UnknownFormat("the file is empty", hint="give a transcript", path=source.name)
    begin = source.read(0, min(source.size, _SHOWN_BYTES)).decode("utf-8", "replace")
    message = f"none of {counted(lines, 'line')} holds JSON; the file begins with {begin!r}"
    return UnknownFormat(
        message, hint="a transcript is JSONL: one JSON object a line", path=source.name
    )


def tell_damage(error: UnknownFormat, damage: Sequence[Problem]) -> None:
    """Name in an error the first damaged line that stands before what it is about."""
    if damage:
        error.message += f"; line {damage[0].line} is damaged: {damage[0].message}"
        error.args = (error.message,)


def reused_ids(conversation: Conversation) -> Iterator[Problem]:
    """Warn of calls whose id an earlier call has: results go to the nearest open one."""
    seen: set[str] = set()
    for message in conversation.messages:
        for block in message.blocks:
            if block.kind is Kind.CALL and block.call_id:
                if block.call_id in seen:
                    text = f"the call id {block.call_id[:60]!r} is used again"
                    yield Problem(message.line, "reused_id", text)
                seen.add(block.call_id)
