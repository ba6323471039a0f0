"""Folds: a stretch of messages becomes one.

Its originals are kept, and what hung on them hangs on it.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core import tags
from ctxcompact.core.apply import Folded
from ctxcompact.core.chains import Chains
from ctxcompact.core.edits import Amend, Fold
from ctxcompact.core.identity import identify
from ctxcompact.core.model import Block, Kind, Message, Origin
from ctxcompact.core.splice import slices
from ctxcompact.engine.digests import carrier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.model import Conversation
    from ctxcompact.core.splice import Path
    from ctxcompact.core.tasks import Span
    from ctxcompact.engine.reading import Reading
    from ctxcompact.engine.records import Records
    from ctxcompact.engine.settling import Settled
    from ctxcompact.levels import Level


class Summarized(NamedTuple):
    """A fold and the text that is to stand for it."""

    level: Level
    edit: Fold
    summary: str
    span: Span


class Folder:
    """Settles folds against the records of a transcript."""

    def __init__(self, reading: Reading, min_gain: int) -> None:
        self._reading = reading
        self._min_gain = min_gain

    def fold(
        self, conversation: Conversation, folds: Sequence[Summarized], settled: Settled
    ) -> list[Amend]:
        """Settle folds; return what has to be hung anew. Only a fold that saves enough is made."""
        if conversation.line is not None:
            self._fold_items(conversation, folds, settled)
            return []
        chains = Chains(conversation.links)
        for fold in folds:
            self._fold_records(conversation, fold, chains, settled)
        key = self._reading.format.parent_key
        return [Amend(record, (key,), parent or None) for record, parent in chains.moved()]

    def _fold_records(
        self, conversation: Conversation, fold: Summarized, chains: Chains, settled: Settled
    ) -> None:
        """Let the records of some messages become one record, in the place of the last."""
        records = settled.records
        inside = conversation.messages[fold.edit.start : fold.edit.stop]
        numbers = sorted({block.record for message in inside for block in message.blocks})
        originals = [records.open(number) for number in numbers]
        parts = [identify(record.digest, ()) for record in originals]
        uuid = records.span_id(parts)
        text = carrier(fold.summary, fold.span, uuid)
        row = self._row(fold, inside, text, numbers[-1], self._reading.format.composed_path)
        if not self._gains(fold, row, uuid, settled):
            return
        gap = chains.fold(numbers)
        for record in originals:
            record.keep_whole()
        records.keep_span(parts, inside[0].line)
        first, last = originals[0].data, originals[-1].data
        made = self._reading.format.compose(fold.edit.role, text, first, last)
        originals[-1].replace(dump_record(made, originals[-1].current))
        for number in gap.gone:
            records.open(number).replace(b"")
        settled.folded.append(Folded(fold.edit.start, fold.edit.stop, row))

    def _fold_items(
        self, conversation: Conversation, folds: Sequence[Summarized], settled: Settled
    ) -> None:
        """Let stretches of the array of messages in one record become one item each."""
        items: list[tuple[int, int, list[Any]]] = []
        holder: tuple[int, Path] | None = None
        for fold in folds:
            inside = conversation.messages[fold.edit.start : fold.edit.stop]
            number, (array, start) = inside[0].blocks[0].record, place_of(inside[0])
            stop = place_of(inside[-1])[1] + 1
            record = settled.records.open(number)
            paths = [(*array, at) for at in range(start, stop)]
            parts = _ids(slices(record.current, paths))
            uuids = [part for part, _, _ in parts]
            uuid = settled.records.span_id(uuids)
            text = carrier(fold.summary, fold.span, uuid)
            path = (*array, start, *self._reading.format.composed_path)
            row = self._row(fold, inside, text, number, path)
            if not self._gains(fold, row, uuid, settled):
                continue
            self._keep_items(settled.records, parts, inside[0].line)
            settled.records.keep_span(uuids, inside[0].line)
            items.append(
                (start, stop, [self._reading.format.compose(fold.edit.role, text, None, None)])
            )
            holder = number, array
            settled.folded.append(Folded(fold.edit.start, fold.edit.stop, row))
        if holder:
            settled.records.open(holder[0]).fold_items(holder[1], items)

    def _keep_items(
        self, records: Records, parts: Sequence[tuple[str, bytes, str]], line: int
    ) -> None:
        name = self._reading.format.name
        for uuid, raw, digest in parts:
            records.staging.add(uuid, raw, digest, path=(), tool="", format=name, line=line)

    def _row(
        self, fold: Summarized, inside: Sequence[Message], text: str, record: int, path: Path
    ) -> Message:
        gauge = self._reading.gauge
        tag = tags.closing(text)
        block = Block(Kind.TEXT, record, path, len(text), gauge.count(text), tag=tag)
        framing = gauge.message_tokens
        return Message(fold.edit.role, Origin.SUMMARY, inside[0].line, (block,), framing)

    def _gains(self, fold: Summarized, row: Message, uuid: str, settled: Settled) -> bool:
        saved = fold.span.tokens - row.tokens
        if saved < self._min_gain:
            settled.tally(fold.level).too_small += 1
            return False
        settled.tally(fold.level).note(uuid, saved)
        return True


def place_of(message: Message) -> tuple[Path, int]:
    """Return the address of the array that holds a message, and its index there."""
    path = message.blocks[0].path
    at = next(at for at, key in enumerate(path) if isinstance(key, int))
    return path[:at], int(path[at])


def _ids(raws: Sequence[bytes]) -> list[tuple[str, bytes, str]]:
    """Return the id, the bytes on one line, and the hash of each item."""
    found = []
    for raw in raws:
        digest = sha256(raw).hexdigest()
        found.append((identify(digest, ()), raw, digest))
    return found


def dump_record(value: Any, near: bytes) -> bytes:
    """Write a new record compactly, in ASCII if its neighbor is."""
    try:
        text = json.dumps(value, ensure_ascii=near.isascii(), separators=(",", ":"))
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()
