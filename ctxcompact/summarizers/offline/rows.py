"""A result to rows: the smallest pieces of it that can stand alone.

What a row is worth, seen against the others, belongs to `columns`.
"""

from __future__ import annotations

import re
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.summarizers.offline.cleaning import even, inert, visible
from ctxcompact.summarizers.offline.markup import is_markup, to_lines
from ctxcompact.summarizers.offline.splitting import BULLET, RULER, split
from ctxcompact.summarizers.offline.trees import constants, leaves, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from ctxcompact.summarizers.offline.trees import Leaf

_VALUE_CHARS = 200
_TAIL_CHARS = 120
_MOSTLY = 0.8
_FEWEST_LINES = 4
_STAMP = re.compile(
    r"\W?(?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|\s?[+-]\d\d:?\d\d)?\W?\s+"
    r"|[A-Z][a-z]{2}\s+\d{1,2}\s\d\d:\d\d:\d\d\s+"
)
_NUMBERING = re.compile(r"\s*(\d{1,6})(?:\t|→|\s?\|\s|:\s)")
_ITEM = re.compile(r"\s*- [\w\"']")
_EMBEDDED = re.compile(r"\n[ \t]*(?=[\[{])")
_SAYS_CUT = re.compile(r"\btruncated\b|\[\.\.\.\]|已截断", re.IGNORECASE)
_JSON_START = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[{\"\d\]])")


class Row(NamedTuple):
    """A row of text; rows of one `block` belong together (an item of a list, lines without a blank line between)."""

    text: str
    block: int


class Rows(NamedTuple):
    """All rows of a result; `damaged` says that it starts as JSON and is none, or says itself that it was cut."""

    rows: list[Row]
    damaged: bool


class Care(Enum):
    """How a result is taken apart."""

    LEAN = "without what only dates or numbers its lines"
    FULL = "with all words"
    EXACT = "with indentation too"


def explode(text: str, care: Care) -> Rows:
    """Take a result apart."""
    text = inert(visible(text)).strip("\n").rstrip()
    is_cut = _SAYS_CUT.search(text, max(0, len(text) - _TAIL_CHARS)) is not None
    found = _explode(text, care)
    return found._replace(damaged=True) if is_cut else found


def _explode(text: str, care: Care) -> Rows:
    if _JSON_START.match(text):
        return _explode_json(text, care)
    if is_markup(text):
        text = to_lines(text)
    elif (tail := _embedded_json(text)) is not None:
        start, value = tail
        rows = list(_of_lines(text[:start].splitlines(), care))
        return Rows([*rows, *_of_tree(value, 1 + _last_block(rows), care)], damaged=False)
    return Rows(list(_of_lines(text.splitlines(), care)), damaged=False)


def _explode_json(text: str, care: Care) -> Rows:
    try:
        return Rows(_of_tree(parse(text), 0, care), damaged=False)
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
    values = _parse_each(lines)
    if values is not None:
        return Rows(_of_tree(values, 0, care), damaged=False)
    return Rows(list(_of_lines(lines, care)), damaged=True)


def _parse_each(lines: list[str]) -> list[Any] | None:
    """Parse JSON lines; None if they are none."""
    if len(lines) <= 1 or not all(_JSON_START.match(line) for line in lines[:-1]):
        return None
    values: list[Any] = []
    for line in lines:
        try:
            values.append(parse(line))
        except ValueError:
            values.append(line)
    return (
        values
        if sum(not isinstance(value, str) for value in values) >= _MOSTLY * len(values)
        else None
    )


def _embedded_json(text: str) -> tuple[int, Any] | None:
    """Find JSON which ends the text, as the body of an HTTP answer does."""
    if text[-1:] not in ("]", "}"):
        return None
    start = _EMBEDDED.search(text)
    if start is None:
        return None
    try:
        return start.end(), parse(text[start.end() :])
    except ValueError:
        return None


def _of_tree(value: Any, block: int, care: Care) -> list[Row]:
    found = list(leaves(value))
    same = constants(found)
    rows = [Row(_pair(key, text), block) for key, text in same.items() if len(text) <= _VALUE_CHARS]
    fields: list[str] = []
    held = block
    item = -1
    for leaf in found:
        if leaf.item != item and fields:
            rows.extend(_row(fields, held))
            fields = []
        if leaf.item != item:
            item, held = leaf.item, held + 1
        if leaf.item >= 0 and leaf.key in same:
            continue
        if "\n" in leaf.text or len(leaf.text) > _VALUE_CHARS:
            rows.extend(Row(line.text, held) for line in _long_value(leaf, care))
        elif leaf.item < 0:
            rows.append(Row(_pair(leaf.key, leaf.text), held))
        else:
            _append(fields, leaf)
    rows.extend(_row(fields, held))
    return rows


def _append(fields: list[str], leaf: Leaf) -> None:
    """Add a field to a row; values of a list share their key."""
    if fields and leaf.key and fields[-1].startswith(leaf.key + "="):
        fields[-1] += " " + even(leaf.text)
    else:
        fields.append(_pair(leaf.key, leaf.text))


def _pair(key: str, text: str) -> str:
    return f"{even(key)}={even(text)}" if key else even(text)


def _row(fields: list[str], block: int) -> Iterable[Row]:
    return (Row(piece, block) for piece in split(", ".join(fields))) if fields else ()


def _long_value(leaf: Leaf, care: Care) -> Iterator[Row]:
    """Take a value which is a text of its own apart, under its key."""
    for at, row in enumerate(explode(leaf.text, care).rows):
        yield Row(_pair(leaf.key, row.text) if at == 0 else row.text, 0)


def _of_lines(lines: list[str], care: Care) -> Iterator[Row]:
    cuts = [
        pattern
        for pattern in (_NUMBERING, _STAMP)
        if care is Care.LEAN and _is_usual(pattern, lines)
    ]
    block = 0
    blank = False
    for line in lines:
        text = line
        blank = blank or _ITEM.match(line) is not None
        for pattern in cuts:
            text = text[found.end() :] if (found := pattern.match(text)) else text
        indent = text[: len(text) - len(text.lstrip())] if care is Care.EXACT else ""
        text = even(text)
        if not text:
            blank = True
        elif not RULER.fullmatch(text):
            block, blank = block + blank, False
            for piece in split(BULLET.sub("", text, count=1) if text[0] in "|#•" else text):
                yield Row(indent + piece.strip("| "), block)


def _is_usual(pattern: re.Pattern[str], lines: list[str]) -> bool:
    """Tell whether most lines start this way; numbers have to count up by one."""
    full = [line for line in lines if line.strip()]
    found = [start for line in full if (start := pattern.match(line))]
    if len(full) < _FEWEST_LINES or len(found) < _MOSTLY * len(full):
        return False
    if pattern is not _NUMBERING:
        return True
    steps = [int(after[1]) - int(before[1]) for before, after in pairwise(found)]
    return steps.count(1) >= _MOSTLY * len(steps)


def _last_block(rows: list[Row]) -> int:
    return rows[-1].block if rows else -1
