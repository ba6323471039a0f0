"""A task to records: each call with its results, calls alike made one; and what was said.

What a record is worth belongs to `pieces`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ctxcompact.core.facts import MAIN_KEY
from ctxcompact.core.tasks import Called, Said
from ctxcompact.core.words import writes
from ctxcompact.summarizers.offline.cleaning import even, inert, visible
from ctxcompact.summarizers.offline.trees import leaves

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ctxcompact.core.tasks import Got, Span, Style

LONG_CHARS = 160
"""A longer argument is a text of its own: its rows compete with those of results."""

_COMMANDS = re.compile(r"command$|cmd$|script$|code$", re.IGNORECASE)
_VOLATILE = re.compile(
    r"(\"?\b\w*(?:_at|time|timestamp|date|trace|trace_id|request_id|took_ms|duration|elapsed|etag)"
    r"\"?\s*[:=]\s*)(?:\"[^\"]*\"|[\w.:+-]+)"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Record:
    """A call with all results it had, oldest first.

    `pairs` are its arguments, each on one line, `bodies` those of them that are too long for that. `times` counts
    calls alike, `place` orders what is in a span. A result whose call is elsewhere is not `known`.
    """

    span: int
    style: Style
    place: int
    tool: str
    pairs: list[tuple[str, str]] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)
    known: bool = True
    writes: bool = False
    results: list[str] = field(default_factory=list)
    times: int = 1
    failed: bool = False


@dataclass(slots=True)
class Speech:
    """What somebody said; `final` if no call of the span comes after it."""

    span: int
    style: Style
    place: int
    speaker: str
    text: str
    final: bool = True


def read(spans: Sequence[Span]) -> list[Record | Speech]:
    """Read all spans, in order."""
    found: list[Record | Speech] = []
    for number, span in enumerate(spans):
        found.extend(_read_span(number, span))
    return found


def _read_span(number: int, span: Span) -> Iterable[Record | Speech]:
    found: dict[Any, Record | Speech] = {}
    open_calls: dict[str, Record] = {}
    last_call = -1
    for place, entry in enumerate(span.entries):
        if isinstance(entry, Said):
            found[place] = Speech(number, span.style, place, entry.speaker, entry.text)
        elif isinstance(entry, Called):
            last_call = place
            key = (entry.tool, _canonical(entry.arguments))
            record = _again(found.pop(key, None), place) or _record(number, span, place, entry)
            open_calls[entry.call_id] = found[key] = record
        else:
            answered = open_calls.pop(entry.call_id, None)
            if answered is None:
                answered = found[place] = _unknown(number, span, place, entry)
            answered.results.append(entry.text)
            answered.failed = answered.failed or entry.failed
    for item in found.values():
        _finish(item, last_call)
    return found.values()


def _finish(item: Record | Speech, last_call: int) -> None:
    if isinstance(item, Speech):
        item.final = item.place > last_call
    elif len(item.results) > 1:
        item.results = _distinct(item.results)


def _unknown(number: int, span: Span, place: int, got: Got) -> Record:
    """Start a record for a result whose call is not in the span."""
    return Record(number, span.style, place, _line(got.tool), known=False)


def _record(number: int, span: Span, place: int, call: Called) -> Record:
    pairs: dict[str, str] = {}
    bodies = []
    command = ""
    found = list(leaves(call.arguments))
    for leaf in found:
        key, text = _line(leaf.key), leaf.text
        if _COMMANDS.search(key):
            command += text + "\n"
        if len(text) > LONG_CHARS:
            bodies.append(text)
            text = (
                text.strip().partition("\n")[0] if MAIN_KEY.search(key) or len(found) == 1 else ""
            )
        pairs[key] = f"{pairs[key]} {_line(text)}" if pairs.get(key) else _line(text)
    told = [(key, text) for key, text in pairs.items() if text]
    name = _line(call.tool) or "unknown"
    return Record(number, span.style, place, name, told, bodies, writes=writes(name, command))


def _again(record: Record | Speech | None, place: int) -> Record | None:
    """Count one more call alike; the record moves to where the newest call stands."""
    if not isinstance(record, Record):
        return None
    record.times += 1
    record.place = place
    return record


def _line(text: str) -> str:
    return inert(even(visible(text)))


def _canonical(arguments: Any) -> str:
    try:
        return json.dumps(arguments, sort_keys=True, default=str)
    except (RecursionError, TypeError, ValueError):
        return repr(list(leaves(arguments)))


def _distinct(results: Sequence[str]) -> list[str]:
    """Drop results which differ from a later one in times and request ids alone."""
    latest: dict[str, str] = {}
    for text in results:
        masked = _VOLATILE.sub(r"\1*", text)
        latest.pop(masked, None)
        latest[masked] = text
    return list(latest.values())
