"""A task to records: each call with its results, calls alike made one; and what was said.

What a record is worth belongs to `pieces`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ctxcompact.core.tasks import Called, Got, Said
from ctxcompact.core.words import writes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ctxcompact.core.tasks import Span

_VOLATILE = re.compile(
    r"(\"?\b\w*(?:_at|time|timestamp|date|trace|trace_id|request_id|took_ms|duration|elapsed|etag)\"?\s*[:=]\s*)(?:\"[^\"]*\"|[\w.:+-]+)"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b",
    re.IGNORECASE,
)
_COMMAND_KEYS = ("command", "cmd", "script", "code")


@dataclass(slots=True)
class Record:
    """A call with all results it had, oldest first; `times` counts calls alike. `place` orders what is in a span."""

    span: int
    place: int
    tool: str
    arguments: Any
    known: bool = True
    results: list[str] = field(default_factory=list)
    times: int = 1
    failed: bool = False

    @property
    def writes(self) -> bool:
        """Whether the call changed something, as far as its name and command tell."""
        command = ""
        if isinstance(self.arguments, dict):
            command = next(
                (text for key in _COMMAND_KEYS if isinstance(text := self.arguments.get(key), str)),
                "",
            )
        return writes(self.tool, command)


@dataclass(slots=True)
class Speech:
    """What somebody said; `final` if no call of the span comes after it."""

    span: int
    place: int
    speaker: str
    text: str
    final: bool = True


def read(spans: Sequence[Span]) -> list[Record | Speech]:
    """Read all spans, in order."""
    found: list[Record | Speech] = []
    for at, span in enumerate(spans):
        found.extend(_merge(_read_span(at, span)))
    return found


def _read_span(number: int, span: Span) -> list[Record | Speech]:
    found: list[Record | Speech] = []
    open_calls: dict[str, Record] = {}
    last_call = -1
    for place, entry in enumerate(span.entries):
        match entry:
            case Said():
                found.append(Speech(number, place, entry.speaker, entry.text))
            case Called():
                last_call = place
                record = Record(number, place, entry.tool, entry.arguments)
                open_calls[entry.call_id] = record
                found.append(record)
            case Got():
                result = open_calls.pop(entry.call_id, None)
                if result is None:
                    result = Record(number, place, entry.tool, {}, known=False)
                    found.append(result)
                result.results.append(entry.text)
                result.failed = result.failed or entry.failed
    for item in found:
        if isinstance(item, Speech):
            item.final = item.place > last_call
    return found


def _merge(found: Iterable[Record | Speech]) -> list[Record | Speech]:
    """Make calls of one tool with the same arguments one record, at the place of the last; like results count once."""
    merged: dict[Any, Record | Speech] = {}
    for item in found:
        if isinstance(item, Speech) or not item.known:
            merged[id(item)] = item
            continue
        key = (item.tool, _canonical(item.arguments))
        earlier = merged.pop(key, None)
        if isinstance(earlier, Record):
            item.results = _distinct([*earlier.results, *item.results])
            item.times += earlier.times
            item.failed = item.failed or earlier.failed
        merged[key] = item
    return list(merged.values())


def _canonical(arguments: Any) -> str:
    try:
        return json.dumps(arguments, sort_keys=True, default=str)
    except (RecursionError, TypeError, ValueError):
        return repr(id(arguments))


def _distinct(results: list[str]) -> list[str]:
    """Drop results which differ from a later one in times and request ids alone."""
    latest: dict[str, str] = {}
    for text in results:
        masked = _VOLATILE.sub(r"\1*", text)
        latest.pop(masked, None)
        latest[masked] = text
    return list(latest.values())
