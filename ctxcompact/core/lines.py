"""Read the bytes of one line: which JSON values stand in it, where, and what is damaged.

Nothing is repaired and no byte is dropped; a reader that finds damage says so and goes on.
Cutting a file into lines, and their numbers, belong to the caller; changing bytes to `splice`.
"""

from __future__ import annotations

import json
import re
from math import isinf
from typing import Any, NamedTuple, TypeAlias

import orjson

from ctxcompact.core.counts import counted
from ctxcompact.core.walk import (
    DEPTH_MAX,
    SPACES,
    Key,
    after_space,
    container_end,
    opens,
    value_end,
    walk,
)

Json: TypeAlias = Any
"""What a JSON text stands for: dict, list, str, int, float, bool or None."""

INT_DIGITS_MAX = 640
"""Longest whole number read exactly: the lowest limit that an interpreter can be given."""

_FEW_DIGITS = 19  # fewer always fit into 64 bits

_BOM = b"\xef\xbb\xbf"
_SPACE_BYTES = SPACES.encode()
_STARTS_APART = SPACES + '{["'
_between_nuls = re.compile(rb"[^\0]+").finditer


class Record(NamedTuple):
    """One JSON value of a line: its byte span inside the line and what it parses to."""

    start: int
    stop: int
    data: Json


class Damage(NamedTuple):
    """What is wrong with a line: a stable word for scripts, and a phrase that names sizes.

    Codes: `bom`, `nul_bytes`, `two_records`, `invalid_utf8`, `unparsed_line`.
    """

    code: str
    message: str


def _whole_number(digits: str) -> int | float:
    """Read a whole number as orjson does: what needs more than 64 bits as a float, if one holds it."""
    if len(digits) < _FEW_DIGITS:
        return int(digits)
    wide = float(digits)
    if len(digits) > INT_DIGITS_MAX:
        return wide
    number = int(digits)
    return number if -(2**63) <= number < 2**64 or isinf(wide) else wide


_decoder = json.JSONDecoder(parse_int=_whole_number)


def loads(raw: bytes) -> Json:
    """Parse one JSON value for viewing: by orjson, or by the standard library if orjson refuses.

    So NaN, lone surrogates and numbers of any length are read, and bytes that are not UTF-8 come
    out as by `surrogateescape`. Whole numbers from 2**64 on come out as floats. Raises
    ValueError, and nothing else, for what is not JSON or is nested deeper than `DEPTH_MAX`.
    """
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        text = raw.decode("utf-8", "surrogateescape")
    _refuse_deep(text)
    try:
        return _decoder.decode(text)
    except RecursionError:
        return _parse_deep(text)


def parse_line(
    raw: bytes, *, first: bool = False, last_torn: bool = False
) -> tuple[tuple[Record, ...], tuple[Damage, ...]]:
    r"""Find every JSON value of a line (cut at b"\n", with or without it), and what is damaged.

    `first` allows a byte order mark; `last_torn` says that the file ends here without a newline.
    A blank line has neither records nor damage. A record's data is what `loads` makes of its span.
    """
    try:
        data = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return _salvage(raw, first=first, last_torn=last_torn)
    start = len(raw) - len(raw.lstrip(_SPACE_BYTES))
    return (Record(start, len(raw.rstrip(_SPACE_BYTES)), data),), ()


def _refuse_deep(text: str) -> None:
    """Hold one limit on every interpreter: how deep the standard library reads differs."""
    at = after_space(text)
    if opens(text, at) and text.count("{") + text.count("[") > DEPTH_MAX:
        container_end(text, at)


def _parse_deep(text: str) -> Json:
    """Parse what is too deep for the standard library, with a stack of our own."""

    def visit(box: Json, key: Key, at: int) -> Json:
        step: Json
        if opens(text, at):
            value = step = {} if text[at] == "{" else []
        else:
            value, step = _decoder.raw_decode(text, at)
        if isinstance(box, dict):
            box[key] = value
        else:
            box.append(value)
        return step

    top: list[Json] = []
    walk(text, top, visit)
    return top[0]


def _salvage(
    raw: bytes, *, first: bool, last_torn: bool
) -> tuple[tuple[Record, ...], tuple[Damage, ...]]:
    """Read a line that is not one clean value. A NUL is never JSON, so it always parts values."""
    start = len(_BOM) if first and raw.startswith(_BOM) else 0
    records: list[Record] = []
    unread = 0
    for part in _between_nuls(raw, start):
        unread += _gather(raw, part.start(), part.end(), records)
    not_utf8 = _count_not_utf8(raw, records)
    nuls = raw.count(0)
    unparsed = f"{counted(unread, 'byte')} {'does' if unread == 1 else 'do'} not parse as JSON"
    found = (
        (start, "bom", "starts with a byte order mark"),
        (nuls, "nul_bytes", f"holds {counted(nuls, 'NUL byte')}"),
        (len(records) > 1, "two_records", f"holds {len(records)} JSON values"),
        (not_utf8, "invalid_utf8", f"holds {counted(not_utf8, 'byte')} that are not UTF-8"),
        (unread and not last_torn, "unparsed_line", unparsed),
        (unread and last_torn, "unparsed_line", f"cut off: {unparsed}"),
    )
    return tuple(records), tuple(Damage(code, message) for true, code, message in found if true)


def _gather(raw: bytes, start: int, stop: int, records: list[Record]) -> int:
    """Add the values that stand one after another; return how many bytes after them are none.

    In latin-1 a byte is a character, so places in the text are places in the bytes; what a value
    means is read from its own bytes.
    """
    text = raw[start:stop].decode("latin-1")
    at = after_space(text)
    while at < len(text):
        try:
            end = value_end(text, at)
            data = loads(raw[start + at : start + end])
        except ValueError:
            break
        if not _stands_apart(text, at, end):
            break
        records.append(Record(start + at, start + end, data))
        at = after_space(text, end)
    return max(0, len(text.rstrip(SPACES)) - at)


def _stands_apart(text: str, at: int, end: int) -> bool:
    """Tell a value from a piece of something torn: `01` is no two numbers, `"a":1` no string."""
    return opens(text, at) or end == len(text) or text[end] in _STARTS_APART


def _count_not_utf8(raw: bytes, records: list[Record]) -> int:
    """Count the bytes inside records that do not decode; those elsewhere are unread anyway."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        read = b"".join(raw[record.start : record.stop] for record in records)
        text = read.decode("utf-8", "surrogateescape")
        return len(text) - len(text.encode("utf-8", "ignore").decode())
    return 0
