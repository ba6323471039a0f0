"""Walk over JSON text without recursion: where values start and where they end.

What a value means is for `lines` to say, and which values are wanted for `splice`. All of it takes
time linear in the text and raises ValueError for what is not JSON. The text may be decoded bytes of
any kind: only ASCII has a meaning here.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

DEPTH_MAX = 1024
"""Deepest nesting that is followed: what orjson reads, so that every way of reading agrees."""

SPACES = " \t\r\n"

Key: TypeAlias = str | int
"""The key of a member, or the index of an item from 0."""

_Place = TypeVar("_Place")

_space = re.compile(r"[ \t\r\n]*").match
_plain_key = re.compile(r'"([^"\\\x00-\x1f]*)"[ \t\r\n]*:[ \t\r\n]*').match
_colon = re.compile(r"[ \t\r\n]*:[ \t\r\n]*").match
_comma_or_close = re.compile(r"[ \t\r\n]*([,}\]])[ \t\r\n]*").match
_bracket_or_quote = re.compile(r'["{}\[\]]').search

# Numbers are thrown away; as a float, one has no limit on its digits.
_reader = json.JSONDecoder(parse_int=float)


def after_space(text: str, at: int = 0) -> int:
    """Return where the JSON white space that may stand at `at` is over."""
    space = _space(text, at)
    return space.end() if space else at


def opens(text: str, at: int) -> bool:
    """Tell whether an object or an array opens at `at`."""
    return text.startswith(("{", "["), at)


def value_end(text: str, at: int) -> int:
    """Return where the value that starts at `at` ends."""
    try:
        return _reader.raw_decode(text, at)[1]
    except RecursionError:
        return container_end(text, at)


def container_end(text: str, at: int) -> int:
    """Return where the container that opens at `at` ends, going by brackets and strings alone."""
    depth = 0
    while mark := _bracket_or_quote(text, at):
        at = mark.end()
        if mark[0] == '"':
            at = _reader.raw_decode(text, mark.start())[1]
            continue
        depth += 1 if mark[0] in "{[" else -1
        if depth == 0:
            return at
        if depth > DEPTH_MAX:
            break
    msg = f"Never closed, or nested deeper than {DEPTH_MAX}"
    raise json.JSONDecodeError(msg, text, at)


def walk(text: str, top: _Place, visit: Callable[[_Place, Key, int], _Place | int]) -> None:
    """Show `visit` where each value starts, in order, with a stack instead of recursion.

    `visit(place, key, at)` is told the place of the container, the key or index, and where the
    value starts. It returns where the value ends, or (for a container, to be shown what is in it)
    the place to be told there. The text as a whole is item 0 of the place `top`.
    """
    stack = [(_whole(text), top)]
    end: int | None = None
    while stack:
        parts, place = stack[-1]
        try:
            key, at = next(parts) if end is None else parts.send(end)
        except StopIteration as done:
            end = done.value
            stack.pop()
            continue
        step = visit(place, key, at)
        if isinstance(step, int):
            end = step
        else:
            end = None
            stack.append((_parts(text, at), step))


# Each generator yields where a value starts, is sent where it ends, and returns its own end.


def _whole(text: str) -> Generator[tuple[Key, int], int, int]:
    end = yield 0, after_space(text)
    if after_space(text, end) < len(text):
        msg = "Extra data"
        raise json.JSONDecodeError(msg, text, end)
    return end


def _parts(text: str, at: int) -> Generator[tuple[Key, int], int, int]:
    return _members(text, at) if text.startswith("{", at) else _items(text, at)


def _members(text: str, at: int) -> Generator[tuple[Key, int], int, int]:
    at = after_space(text, at + 1)
    if text.startswith("}", at):
        return at + 1
    while member := _key(text, at):
        at = yield member
        mark = _comma_or_close(text, at)
        if mark is None or mark[1] == "]":
            break
        if mark[1] == "}":
            return mark.end(1)
        at = mark.end()
    msg = "Expecting a member of an object"
    raise json.JSONDecodeError(msg, text, at)


def _key(text: str, at: int) -> tuple[str, int] | None:
    """Return the key at `at` and where its value starts, or None if no key stands there."""
    if plain := _plain_key(text, at):
        return plain[1], plain.end()
    if not text.startswith('"', at):
        return None
    key, end = _reader.raw_decode(text, at)
    colon = _colon(text, end)
    return (key, colon.end()) if colon else None


def _items(text: str, at: int) -> Generator[tuple[Key, int], int, int]:
    at = after_space(text, at + 1)
    if text.startswith("]", at):
        return at + 1
    index = 0
    while True:
        at = yield index, at
        mark = _comma_or_close(text, at)
        if mark is None or mark[1] == "}":
            msg = "Expecting the next item of an array"
            raise json.JSONDecodeError(msg, text, at)
        if mark[1] == "]":
            return mark.end(1)
        at = mark.end()
        index += 1
