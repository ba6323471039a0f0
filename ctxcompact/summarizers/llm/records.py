"""Entries of a transcript as titled texts, grouped so that a call stands beside its results.

How they are delimited in a request, and which of them fit one, is not decided here.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.tasks import Called, Got, Said, Style
from ctxcompact.summarizers.llm.scrubbing import scrub

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ctxcompact.core.tasks import Span

_NAME_CHARS = 80


class Record(NamedTuple):
    """One entry for the model to read: what it is, and its scrubbed text."""

    title: str
    body: str


class Pair(NamedTuple):
    """A call and its results. Without a call: one record that stands alone."""

    call: Record | None
    rest: tuple[Record, ...]

    @property
    def records(self) -> tuple[Record, ...]:
        """All of it, in reading order."""
        return self.rest if self.call is None else (self.call, *self.rest)


Unit = tuple[Pair, ...]
"""What the model asked for in one turn, with its results; or one text."""


def units(span: Span) -> list[Unit]:
    """Group the entries of a span. Those without a readable word are left out."""
    with_ids = span.style is Style.PAYLOAD
    made: list[Unit] = []
    for group in _groups(span.entries):
        pairs = (_pair(call, results, with_ids=with_ids) for call, results in _matched(group))
        if unit := tuple(pair for pair in pairs if pair.records):
            made.append(unit)
    return made


def _groups(entries: Iterable[Said | Called | Got]) -> Iterator[list[Said | Called | Got]]:
    """Yield calls with the results that follow them; every text by itself."""
    group: list[Said | Called | Got] = []
    for entry in entries:
        goes_on = isinstance(entry, Got) or (
            isinstance(entry, Called) and bool(group) and isinstance(group[-1], Called)
        )
        if group and (not goes_on or isinstance(group[-1], Said)):
            yield group
            group = []
        group.append(entry)
    if group:
        yield group


def _matched(
    group: Sequence[Said | Called | Got],
) -> list[tuple[Called | None, list[Said | Got]]]:
    """Put each result behind its call: the first open one of that id, else the last."""
    rows: list[tuple[Called | None, list[Said | Got]]] = []
    for entry in group:
        if isinstance(entry, Called):
            rows.append((entry, []))
            continue
        same = [row for row in rows if row[0] is not None and row[0].call_id == entry_id(entry)]
        if same:
            next((row for row in same if not row[1]), same[-1])[1].append(entry)
        else:
            rows.append((None, [entry]))
    return rows


def entry_id(entry: Said | Got) -> str | None:
    """Return the id of the call that a result answers."""
    return entry.call_id if isinstance(entry, Got) else None


def _pair(call: Called | None, rest: Iterable[Said | Got], *, with_ids: bool) -> Pair:
    head = None
    if call is not None:
        head = Record(
            f"call of {_named(call, with_ids=with_ids)}", scrub(_arguments(call.arguments))
        )
    rows = (_record(entry, with_ids=with_ids) for entry in rest)
    return Pair(head, tuple(row for row in rows if row.body.strip()))


def _record(entry: Said | Got, *, with_ids: bool) -> Record:
    if isinstance(entry, Said):
        return Record(_one_line(entry.speaker), scrub(entry.text))
    failed = ", failed" if entry.failed else ""
    return Record(f"result of {_named(entry, with_ids=with_ids)}{failed}", scrub(entry.text))


def _named(entry: Called | Got, *, with_ids: bool) -> str:
    name = _one_line(entry.tool) or "an unknown tool"
    return f"{name} ({_one_line(entry.call_id)})" if with_ids and entry.call_id else name


def _one_line(text: str) -> str:
    return scrub(" ".join(text.split())[:_NAME_CHARS]).replace("]", ")")


def _arguments(value: Any) -> str:
    """Write arguments one a line; texts as they are, without the escapes of JSON."""
    if isinstance(value, dict):
        return "\n".join(f"{key}={_plain(one)}" for key, one in value.items())
    return _plain(value)


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)
