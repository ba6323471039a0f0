"""Where a text stands in an original. Which originals there are is for the stores to say."""

from __future__ import annotations

import re
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.lines import loads
from ctxcompact.core.payloads import strings
from ctxcompact.core.splice import value_at
from ctxcompact.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.format import Format
    from ctxcompact.core.splice import Path

SNIPPET_CHARS = 72
_PATTERN_CHARS_SHOWN = 60


class Matches(NamedTuple):
    """How often a text stands in an original, and the first of these places with what is around it."""

    times: int
    snippet: str


def compile_text(text: str, *, regex: bool = False, ignore_case: bool = False) -> re.Pattern[str]:
    """Make the pattern of a text; in a regular expression (Python's) ^ and $ are those of lines.

    Raises `UsageError` for an empty text, and for what is no regular expression.
    """
    if not text:
        raise UsageError("the text to search for is empty", hint="ctxcompact search TEXT")
    flags = re.MULTILINE | (re.IGNORECASE if ignore_case else 0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # doubts about [[ are none of the user's
            return re.compile(text if regex else re.escape(text), flags)
    except (re.error, OverflowError, RecursionError) as error:
        message = f"not a regular expression: {text[:_PATTERN_CHARS_SHOWN]!r}: {error}"
        hint = "the rules are those of Python; without --regex a text is searched for as it stands"
        raise UsageError(message, hint=hint) from None


def find(
    pattern: re.Pattern[str], data: bytes, path: Path, form: Format | None, gauge: Gauge
) -> Matches | None:
    """Find a pattern in the value at a path of a record, None if it is not there.

    Texts are looked through one by one. Of a whole record these are the texts that reach the model;
    where it is in none of them, all others of more than one word (ids, names and paths that the
    client repeats would come up with every record); and all, if none reaches the model.
    """
    try:
        value = value_at(loads(data), path)
    except (ValueError, LookupError):  # whatever it is, nothing in it is to be missed
        return _matches(pattern, [data.decode("utf-8", "surrogateescape")])
    found = _matches(pattern, strings(value))
    if found is None or path or form is None:
        return found
    payloads = list(_payloads(value, form, gauge))
    if not payloads:
        return found
    beside = (text for text in strings(value) if " " in text or "\n" in text)
    return _matches(pattern, strings(payloads)) or _matches(pattern, beside)


def _payloads(record: Any, form: Format, gauge: Gauge) -> Iterator[Any]:
    """Yield what the blocks of a record hold, without the word that says of which kind one is."""
    if form.history:
        record = form.history.record_of(record)
    reader = form.reader(gauge)
    reader.feed(0, 1, record)
    for conversation in reader.finish():
        for message in conversation.messages:
            for block in message.blocks:
                with suppress(LookupError):  # a result that is not there
                    payload = value_at(record, block.path)
                    yield {**payload, "type": None} if isinstance(payload, dict) else payload


def _matches(pattern: re.Pattern[str], texts: Iterable[str]) -> Matches | None:
    count, snippet = 0, ""
    for text in texts:
        for match in pattern.finditer(text):
            if match[0]:
                snippet = snippet if count else _cut(text, *match.span())
                count += 1
    return Matches(count, snippet) if count else None


def _cut(text: str, start: int, stop: int) -> str:
    """Cut a text around a hit: its line, and of a long one what is near."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", stop)
    last = len(text) if last < 0 else last
    end = min(stop, start + SNIPPET_CHARS)
    room = SNIPPET_CHARS - (end - start)
    before = min(start - first, max(room // 2, room - (last - end)))
    begin, end = start - before, min(last, end + room - before)
    left = "…" if begin > first else ""
    right = "…" if end < last else ""
    return left + text[begin:start].lstrip() + text[start:end] + right
