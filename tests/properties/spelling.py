"""How records become bytes: every way of writing JSON that real files hold, and what is no JSON."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence

_NUMBERS = ("1e5", "12345678901234567890123456789", "-0", "0.10", "1E-2", "NaN")
_JUNK = (
    b"",
    b"   ",
    b"\0\0\0\0",
    b'{"torn": "never clo',
    b"not json at all",
    b"[1, 2, 3]",
    b'"a string"',
    b"42",
    b'{"note": "of another kind", "n": 1e400}',
    b'{"bad": "\xff\xfe"}',
)


class Literal(str):
    """JSON that is written as it stands."""

    __slots__ = ()


class Style(NamedTuple):
    """How a whole file is spelled."""

    seed: int
    comma: str
    colon: str
    is_ascii: bool
    is_odd: bool
    newline: bytes
    bom: bool
    ends_open: bool
    junk: int


styles = st.builds(
    Style,
    seed=st.integers(0, 2**16),
    comma=st.sampled_from((",", ", ", " ,\t")),
    colon=st.sampled_from((":", ": ", " : ")),
    is_ascii=st.booleans(),
    is_odd=st.booleans(),
    newline=st.sampled_from((b"\n", b"\n", b"\r\n")),
    bom=st.sampled_from((False, False, True)),
    ends_open=st.booleans(),
    junk=st.integers(0, 3),
)


def write(records: Sequence[Any], style: Style) -> bytes:
    """Write records as the lines of a file."""
    dice = Random(style.seed)  # noqa: S311 - nothing secret, and the same bytes for a seed
    lines = [_encode(spell(record, style, dice)) for record in records]
    for _ in range(style.junk):
        lines.insert(dice.randrange(len(lines) + 1), dice.choice(_JUNK))
    if style.is_odd and len(lines) > 1:
        _glue(lines, dice.randrange(len(lines) - 1))
    data = style.newline.join(lines)
    if not style.ends_open:
        data += style.newline
    return b"\xef\xbb\xbf" + data if style.bom else data


def _glue(lines: list[bytes], at: int) -> None:
    """Put two records on one line, as interrupted writers do."""
    if lines[at].startswith(b"{") and lines[at].endswith(b"}"):
        lines[at : at + 2] = [lines[at] + lines[at + 1]]


def spell(value: Any, style: Style, dice: Random) -> str:
    """Write a JSON value in one of its many spellings."""
    if isinstance(value, Literal):
        return str(value)
    if isinstance(value, str):
        return _string(value, style, dice)
    if isinstance(value, dict):
        members = [member for item in value.items() for member in _member(item, style, dice)]
        return "{" + style.comma.join(members) + "}"
    if isinstance(value, list):
        return "[" + style.comma.join(spell(item, style, dice) for item in value) + "]"
    return json.dumps(value)


def _member(item: tuple[str, Any], style: Style, dice: Random) -> list[str]:
    key, value = item
    label = json.dumps(key) + style.colon
    members = [label + spell(value, style, dice)]
    if style.is_odd and dice.random() < 0.05:
        members.insert(0, f'{label}"an earlier value, which does not count"')
    if style.is_odd and dice.random() < 0.05:
        members.append(f'"odd{style.seed}"{style.colon}{dice.choice(_NUMBERS)}')
    return members


def _string(text: str, style: Style, dice: Random) -> str:
    written = json.dumps(text, ensure_ascii=style.is_ascii)
    if style.is_odd and len(text) < 200 and dice.random() < 0.1:
        return '"' + "".join(_escape(unit) for unit in _units(text)) + '"'
    return written


def _units(text: str) -> list[int]:
    raw = text.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(raw[at : at + 2]) for at in range(0, len(raw), 2)]


def _escape(unit: int) -> str:
    return f"\\u{unit:04X}"


def _encode(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate can only be written as an escape
        return "".join(
            x if x < "\ud800" or x > "\udfff" else f"\\u{ord(x):04x}" for x in text
        ).encode()
