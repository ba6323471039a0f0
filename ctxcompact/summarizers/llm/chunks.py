"""Parts of a record that fit a model's window, which together hold all of it.

A call stays with its results. Only where one of them alone is too large is it cut, with
[TRUNCATED] at the cut, and the pieces go into several parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.preview import cut
from ctxcompact.summarizers.llm.records import Pair, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ctxcompact.summarizers.llm.records import Unit

TRUNCATED = "[TRUNCATED]"

_LEAD_CHARS = 200
# Where a text has neither line nor blank to be cut at, both pieces hold this much of it: a name
# that the cut falls into is whole in one of them.
_OVERLAP_CHARS = 80
_LINE_SHARE = 0.7
_WORD_SHARE = 0.9
_SHRINK = 0.8

Part = tuple[Record, ...]


def pack(units: Iterable[Unit], room: int, cost: Callable[[Record], int]) -> list[Part]:
    """Fill parts of at most `room` tokens, in order. `cost` is what a record takes in a request."""
    parts: list[Part] = []
    current: list[Record] = []
    used = 0
    for group in _groups(units, room, cost):
        tokens = sum(map(cost, group))
        if current and used + tokens > room:
            parts.append(tuple(current))
            current, used = [], 0
        current += group
        used += tokens
    return [*parts, tuple(current)] if current else parts


def clip(record: Record, room: int, cost: Callable[[Record], int]) -> Record:
    """Cut the end off a record that is larger than `room`."""
    if cost(record) <= room:
        return record
    body = next(_pieces(record.body, room - cost(Record(record.title, TRUNCATED)), _size_of(cost)))
    return Record(record.title, f"{body}\n{TRUNCATED}")


def _groups(
    units: Iterable[Unit], room: int, cost: Callable[[Record], int]
) -> Iterator[Sequence[Record]]:
    """Yield what must stay together: units, else pairs of them, else pieces of pairs."""
    for unit in units:
        records = [record for pair in unit for record in pair.records]
        if sum(map(cost, records)) <= room:
            yield records
            continue
        for pair in unit:
            if sum(map(cost, pair.records)) <= room:
                yield pair.records
            else:
                yield from _cut_pair(pair, room, cost)


def _cut_pair(pair: Pair, room: int, cost: Callable[[Record], int]) -> Iterator[Sequence[Record]]:
    """Yield pieces; the beginning of the call goes before each piece of its results."""
    lead: list[Record] = []
    if pair.call is not None:
        lead = [_opening(pair.call)]
        if pair.call.body != lead[0].body:
            yield from ([piece] for piece in _cut_record(pair.call, room, cost))
    for record in pair.rest:
        left = room - sum(map(cost, lead))
        yield from ([*lead, piece] for piece in _cut_record(record, left, cost))


def _opening(call: Record) -> Record:
    """Return a call with no more of its arguments than are needed to tell it from others."""
    if len(call.body) <= _LEAD_CHARS:
        return call
    return Record(call.title, f"{cut(call.body, _LEAD_CHARS)} {TRUNCATED}")


def _cut_record(record: Record, room: int, cost: Callable[[Record], int]) -> Iterator[Record]:
    """Yield a record in pieces that fit; whole if it does."""
    if cost(record) <= room:
        yield record
        return
    frame = cost(Record(f"{record.title}, continued", f"{TRUNCATED}\n\n{TRUNCATED}"))
    pieces = list(_pieces(record.body, room - frame, _size_of(cost)))
    for number, piece in enumerate(pieces):
        before = f"{TRUNCATED}\n" if number else ""
        after = f"\n{TRUNCATED}" if number < len(pieces) - 1 else ""
        title = f"{record.title}, continued" if number else record.title
        yield Record(title, f"{before}{piece}{after}")


def _size_of(cost: Callable[[Record], int]) -> Callable[[str], int]:
    return lambda text: cost(Record("", text))


def _pieces(text: str, room: int, size: Callable[[str], int]) -> Iterator[str]:
    """Yield a text in pieces of at most `room` tokens, but of one character at least."""
    start = 0
    chars = max(1, int(len(text) * room / max(size(text), 1)))
    while start < len(text):
        length = min(chars, len(text) - start)
        while length > 1 and size(text[start : start + length]) > room:
            length = max(1, int(length * _SHRINK))
        if start + length >= len(text):
            yield text[start:]
            return
        length, overlap = _edge(text[start : start + length + 1], length)
        yield text[start : start + length]
        start += max(1, length - overlap)


def _edge(text: str, length: int) -> tuple[int, int]:
    """Return where to cut before `length`, and how much of the piece the next one repeats."""
    for edge, share in (("\n", _LINE_SHARE), (" ", _WORD_SHARE)):
        at = text.rfind(edge, int(length * share), length)
        if at > 0:
            return at + 1, 0
    return len(cut(text, length)) or length, min(_OVERLAP_CHARS, length // 2)
