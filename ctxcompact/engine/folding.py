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
from ctxcompact.core.lines import loads
from ctxcompact.core.model import Block, Kind, Message, Origin
from ctxcompact.core.splice import slices
from ctxcompact.engine.digests import carrier
from ctxcompact.engine.gains import is_enough
from ctxcompact.engine.places import Places, home_of, text_path, value_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.model import Conversation
    from ctxcompact.core.splice import Path
    from ctxcompact.core.tasks import Span
    from ctxcompact.engine.reading import Reading
    from ctxcompact.engine.settling import Settled
    from ctxcompact.levels import Level


class Summarized(NamedTuple):
    """A fold and the text that is to stand for it."""

    level: Level
    edit: Fold
    summary: str
    span: Span


class Chosen(NamedTuple):
    """A fold that will be made: its text and row, the records (or items) it takes in, and their ids."""

    fold: Summarized
    text: str
    row: Message
    uuid: str
    places: list[int]
    parts: list[str]


class Folder:
    """Settles folds against the records of a transcript: chooses those that save enough, then writes them."""

    def __init__(self, reading: Reading, min_gain: int) -> None:
        self._reading = reading
        self._min_gain = min_gain

    def choose(
        self, conversation: Conversation, folds: Sequence[Summarized], settled: Settled
    ) -> list[Chosen]:
        """Return the folds that save enough, and count them."""
        chosen = []
        for fold in folds:
            made = self._prepare(conversation, fold, settled)
            saved = fold.span.tokens - made.row.tokens
            count = self._reading.gauge.count
            if not is_enough(saved, self._min_gain, made.text, made.uuid, count):
                settled.tally(fold.level).too_small += 1
                continue
            start, stop, tally = fold.edit.start, fold.edit.stop, settled.tally(fold.level)
            tally.note(made.uuid, saved)
            tally.lines.extend(message.line for message in conversation.messages[start:stop])
            settled.folded.append(Folded(start, stop, made.row))
            chosen.append(made)
        return chosen

    def write(
        self, conversation: Conversation, chosen: Sequence[Chosen], settled: Settled
    ) -> list[Amend]:
        """Write the chosen folds; return what has to be hung anew."""
        if conversation.line is not None:
            self._write_items(conversation, chosen, settled)
            return []
        if conversation.is_scattered:
            self._write_places(conversation, chosen, settled)
            return []
        chains = Chains(conversation.links)
        for made in chosen:
            self._write_records(made, chains, settled, conversation.model)
        key = self._reading.format.parent_key
        return [Amend(record, (key,), parent or None) for record, parent in chains.moved()]

    def _prepare(self, conversation: Conversation, fold: Summarized, settled: Settled) -> Chosen:
        if conversation.line is not None:
            return self._of_items(conversation, fold, settled)
        if conversation.is_scattered:
            return self._of_places(conversation, fold, settled)
        return self._of_records(conversation, fold, settled)

    def _of_records(self, conversation: Conversation, fold: Summarized, settled: Settled) -> Chosen:
        inside = conversation.messages[fold.edit.start : fold.edit.stop]
        numbers = sorted({block.record for message in inside for block in message.blocks})
        parts = [identify(settled.records.open(number).digest, ()) for number in numbers]
        uuid = settled.records.span_id(parts)
        text = carrier(fold.summary, fold.span, uuid)
        row = self._row(fold, inside, text, numbers[-1], self._reading.format.composed_path)
        return Chosen(fold, text, row, uuid, numbers, parts)

    def _write_records(self, made: Chosen, chains: Chains, settled: Settled, model: str) -> None:
        """Let the records of some messages become one record, in the place of the last."""
        records = settled.records
        originals = [records.open(number) for number in made.places]
        gap = chains.fold(made.places)
        for record in originals:
            record.keep_whole()
        records.keep_span(made.parts, made.row.line)
        first, last = originals[0], originals[-1]
        line = self._reading.format.compose(made.row.role, made.text, first.data, last.data, model)
        last.replace(dump_record(line, last.current))
        for number in gap.gone:
            records.open(number).replace(b"")

    def _of_items(self, conversation: Conversation, fold: Summarized, settled: Settled) -> Chosen:
        inside = conversation.messages[fold.edit.start : fold.edit.stop]
        record, (array, start) = inside[0].blocks[0].record, place_of(inside[0])
        items = list(range(start, place_of(inside[-1])[1] + 1))
        parts = [one.uuid for one in _items(settled, record, array, items)]
        uuid = settled.records.span_id(parts)
        text = carrier(fold.summary, fold.span, uuid)
        path = (*array, start, *self._reading.format.composed_path)
        row = self._row(fold, inside, text, record, path)
        return Chosen(fold, text, row, uuid, items, parts)

    def _write_items(
        self, conversation: Conversation, chosen: Sequence[Chosen], settled: Settled
    ) -> None:
        """Let stretches of the array of messages in one record become one item each."""
        if not chosen:
            return
        record = chosen[0].row.blocks[0].record
        array = place_of(conversation.messages[chosen[0].fold.edit.start])[0]
        folds: list[tuple[int, int, list[Any]]] = []
        for made in chosen:
            items = self._keep_items(settled, record, array, made)
            settled.records.keep_span(made.parts, made.row.line)
            first, last = loads(items[0].raw), loads(items[-1].raw)
            item = self._reading.format.compose(made.row.role, made.text, first, last, "")
            folds.append((made.places[0], made.places[-1] + 1, [item]))
        settled.records.open(record).fold_items(array, folds)

    def _of_places(self, conversation: Conversation, fold: Summarized, settled: Settled) -> Chosen:
        inside = conversation.messages[fold.edit.start : fold.edit.stop]
        places = Places(conversation, settled.records)
        found = places.of(inside)
        parts = [original.uuid for original in places.originals(found)]
        uuid = settled.records.span_id(parts)
        text = carrier(fold.summary, fold.span, uuid)
        home = home_of(found)
        row = self._row(fold, inside, text, home[0], text_path(home, self._reading.format))
        return Chosen(fold, text, row, uuid, [], parts)

    def _write_places(
        self, conversation: Conversation, chosen: Sequence[Chosen], settled: Settled
    ) -> None:
        """Let messages that stand in arrays and on records become one each."""
        form = self._reading.format
        places = Places(conversation, settled.records)
        for made in chosen:
            edit = made.fold.edit
            found = places.of(conversation.messages[edit.start : edit.stop])
            originals = list(places.originals(found))
            places.keep(originals, form.name, made.row.line)
            settled.records.keep_span(made.parts, made.row.line)
            first, last = loads(originals[0].raw), loads(originals[-1].raw)
            record = form.compose(made.row.role, made.text, first, last, conversation.model)
            home = home_of(found)
            places.put(found, home, [value_for(home, form, record)])
        places.write(dump_record)

    def _keep_items(self, settled: Settled, record: int, array: Path, made: Chosen) -> list[_Item]:
        name = self._reading.format.name
        items = _items(settled, record, array, made.places)
        for one in items:
            settled.records.staging.add(
                one.uuid, one.raw, one.sha256, path=(), tool="", format=name, line=made.row.line
            )
        return items

    def _row(
        self, fold: Summarized, inside: Sequence[Message], text: str, record: int, path: Path
    ) -> Message:
        tag = tags.closing(text)
        tokens = self._reading.gauge.count(text)
        block = Block(Kind.TEXT, record, path, len(text), tokens, tag=tag)
        first = inside[0]
        return Message(fold.edit.role, Origin.SUMMARY, first.line, (block,), first.framing)


class _Item(NamedTuple):
    """A message in an array: its id, its bytes and their hash."""

    uuid: str
    raw: bytes
    sha256: str


def _items(settled: Settled, record: int, array: Path, places: Sequence[int]) -> list[_Item]:
    raws = slices(settled.records.open(record).original, [(*array, at) for at in places])
    found = []
    for raw in raws:
        digest = sha256(raw).hexdigest()
        found.append(_Item(identify(digest, ()), raw, digest))
    return found


def place_of(message: Message) -> tuple[Path, int]:
    """Return the address of the array that holds a message, and its index there."""
    path = message.blocks[0].path
    at = next(at for at, key in enumerate(path) if isinstance(key, int))
    return path[:at], int(path[at])


def dump_record(value: Any, near: bytes) -> bytes:
    """Write a new record compactly, in ASCII if its neighbor is."""
    try:
        text = json.dumps(value, ensure_ascii=near.isascii(), separators=(",", ":"))
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()
