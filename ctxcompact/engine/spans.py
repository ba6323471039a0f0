"""From messages to the entries a summarizer reads.

Texts are parsed again, and what was compacted before is taken from its originals.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from ctxcompact.core.lines import loads, parse_line
from ctxcompact.core.model import Block, Kind, Message, Origin, Role
from ctxcompact.core.outline import says_what_was
from ctxcompact.core.payloads import text_of
from ctxcompact.core.splice import value_at
from ctxcompact.core.tasks import Called, Entry, Got, Said
from ctxcompact.engine.masking import masked
from ctxcompact.errors import IdNotFound, OriginalDamaged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ctxcompact.engine.draft import Draft
    from ctxcompact.engine.ports import Kept

_MOST_NESTED = 64
_ARCHIVE = re.compile(
    r"\[Conversation compressed\. Transcript: [^\]\n]*?(transcript_[0-9a-f]{16})\.jsonl\]"
)


class Entries:
    """Reads the entries behind messages of one transcript."""

    def __init__(self, draft: Draft, find: Callable[[str], Kept]) -> None:
        self._draft = draft
        self._find = find
        self._parsed: tuple[int, Any] = (-1, None)

    def of(self, messages: Iterable[Message]) -> tuple[Entry, ...]:
        """Return the entries of some messages, in order, without the credentials in them."""
        mask = self._draft.reading.mask
        return tuple(masked(entry, mask) for entry in self._read(messages, self._value, 0))

    def has(self, tag: str) -> bool:
        """Tell whether what a mark stands for is at hand."""
        return self._behind(tag, 0) is not None

    def arguments(self, block: Block) -> Any:
        """Return the arguments of a call."""
        return arguments_of(_at(self._value(block.record), block))

    def _value(self, record: int) -> Any:
        """Parse a record as it stands in the input.

        The newest one is kept, for a message has several blocks.
        """
        if self._parsed[0] != record:
            self._parsed = record, loads(self._draft.reading.record(record))
        return self._parsed[1]

    def _read(
        self, messages: Iterable[Message], value: Callable[[int], Any], depth: int
    ) -> Iterator[Entry]:
        for message in messages:
            if _is_notice(message):
                continue
            for block in message.blocks:
                yield from self._entries(message, block, value, depth)

    def _entries(
        self, message: Message, block: Block, value: Callable[[int], Any], depth: int
    ) -> Iterator[Entry]:
        if block.kind is Kind.CALL:
            yield Called(block.call_id, block.tool, arguments_of(_at(value(block.record), block)))
            return
        if block.kind not in _WORDS:
            return
        holder = value(block.record)
        text = text_of(_at(holder, block))
        behind = self._compacted(message, block, text, depth)
        if isinstance(behind, tuple):
            yield from behind
            return
        text = text if behind is None else behind
        if block.kind is Kind.RESULT:
            yield Got(block.call_id, block.tool, text, _failed(holder, block))
        elif text.strip():
            yield Said(_SPEAKERS[message.role], text)

    def _compacted(
        self, message: Message, block: Block, text: str, depth: int
    ) -> str | tuple[Entry, ...] | None:
        """Return what stands behind a text of ours, None if nothing does."""
        if depth >= _MOST_NESTED:
            return None
        archive = _ARCHIVE.match(text) if message.origin is Origin.SUMMARY else None
        if archive:
            return self._behind(archive[1], depth)
        return self._behind(block.tag, depth) if block.tag else None

    def _behind(self, tag: str, depth: int) -> str | tuple[Entry, ...] | None:
        """Return what a mark stands for.

        The text of a block, or the entries of a folded stretch; None if lost.
        """
        try:
            kept = self._find(tag)
        except (IdNotFound, OriginalDamaged):
            return None
        if kept.path:
            return text_of(value_at(loads(kept.data), kept.path))
        records = [record.data for raw in kept.data.split(b"\n") for record in parse_line(raw)[0]]
        reading = self._draft.reading
        if history := reading.format.history:
            records = [history.record_of(data) for data in records]
        reader = reading.format.reader(reading.gauge)
        for number, data in enumerate(records):
            reader.feed(number, number + 1, data)
        messages = [m for conversation in reader.finish() for m in conversation.messages]
        return tuple(self._read(messages, records.__getitem__, depth + 1))


def _is_notice(message: Message) -> bool:
    """Tell whether a client put a message in for itself: nobody said it."""
    return (
        message.origin is Origin.CLIENT
        and message.role is not Role.SYSTEM
        and not says_what_was(message)
    )


def arguments_of(call: Any) -> Any:
    """Return the arguments of a call, wherever its API keeps them.

    Parsed, or as the text that is no JSON.
    """
    body = call
    for key in ("function", "custom"):
        if isinstance(body, dict) and isinstance(body.get(key), dict):
            body = body[key]
    for key in _ARGUMENTS:
        if isinstance(body, dict) and key in body:
            return _parsed(body[key])
    return None


def _parsed(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _at(holder: Any, block: Block) -> Any:
    try:
        return value_at(holder, block.path)
    except LookupError:
        return None


def _failed(holder: Any, block: Block) -> bool:
    part = value_at(holder, block.path[:-1]) if block.path else None
    if not isinstance(part, dict):
        return False
    flags, words = (
        (part.get("is_error"), part.get("isError")),
        (part.get("status"), part.get("state")),
    )
    return True in flags or "error" in words


_ARGUMENTS = ("input", "arguments", "args", "action", "operation", "code", "value")
_WORDS = frozenset({Kind.TEXT, Kind.RESULT})
_SPEAKERS = {
    Role.USER: "user",
    Role.ASSISTANT: "assistant",
    Role.SYSTEM: "system",
    Role.TOOL: "assistant",
}
