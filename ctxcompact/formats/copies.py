"""Copies of a payload that a client keeps for its screen.

They lose the bytes that the payload loses, and keep their shape: a client takes them apart when it
starts, where an object must not have become a string, nor a list.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.payloads import text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.splice import Path

_KEPT_CHARS = 200
_TELLING_CHARS = 12
_GONE = "[cleared]"
# The screen takes these apart, and looks up others by them.
_KEPT_KEYS = frozenset(
    {"type", "mode", "status", "url", "filePath", "persistedOutputPath", "agentId"}
)
# Each line of a patch starts with the mark of what became of it.
_MARKED_KEYS = frozenset({"lines"})
_NUMBERED = re.compile(r"\s*\d+[→\t]")


class Removed:
    """The payload that goes, by its whole text and by its lines."""

    def __init__(self, payload: Any) -> None:
        parts = payload if isinstance(payload, list) else ()
        texts = (text_of(payload), *(text_of([part]) for part in parts))
        self._whole = {text.strip() for text in texts} - {""}
        self._lines = {
            line for text in self._whole for line in map(_bare, text.split("\n")) if _tells(line)
        }

    def is_all_of(self, text: str) -> bool:
        """Tell whether a text is this payload, or one part of it."""
        return text.strip() in self._whole

    def shows_in(self, text: str) -> bool:
        """Tell whether a line of this payload that says something stands in a text."""
        lines = map(_bare, text.split("\n"))
        return any(x in self._lines or x[1:].strip() in self._lines for x in lines if _tells(x))


def _bare(line: str) -> str:
    """Return a line without white space around it, and without the number that Read puts before."""
    return _NUMBERED.sub("", line, count=1).strip()


def _tells(line: str) -> bool:
    return len(line) >= _TELLING_CHARS


class _Leaf(NamedTuple):
    """A string inside a value. `is_long` if it, or the list of strings it is in, is long."""

    path: Path
    text: str
    in_list: bool
    is_long: bool


def shortened(
    path: Path, value: Any, removed: Removed, text: str, *, alone: bool
) -> Iterator[tuple[Path, Any]]:
    """Yield what is to be put at addresses in a value at `path` that repeats a payload for a screen.

    The payload has become `text`. What is `alone` belongs to it and to nothing else: there long
    strings go also where they repeat nothing.
    """
    if isinstance(value, str):
        if alone or removed.shows_in(value):
            yield path, text
        return
    for leaf in _leaves(path, value):
        if not leaf.text or _name(leaf) in _KEPT_KEYS:
            continue
        if removed.is_all_of(leaf.text):
            yield leaf.path, text
        elif (alone and leaf.is_long) or removed.shows_in(leaf.text):
            yield leaf.path, _stump(leaf)


def _name(leaf: _Leaf) -> Any:
    """Return the key under which a string, or the list it is in, stands."""
    return leaf.path[-2 if leaf.in_list else -1]


def _stump(leaf: _Leaf) -> str:
    if not leaf.in_list:
        return _GONE
    return leaf.text[:1] if _name(leaf) in _MARKED_KEYS else ""


def _leaves(path: Path, value: Any) -> Iterator[_Leaf]:
    stack = [(path, value)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, str):
            yield _Leaf(path, value, in_list=False, is_long=len(value) > _KEPT_CHARS)
        elif isinstance(value, dict):
            stack.extend(((*path, key), item) for key, item in reversed(value.items()))
        elif isinstance(value, list):
            texts = [(n, item) for n, item in enumerate(value) if isinstance(item, str)]
            is_long = sum(len(item) for _, item in texts) > _KEPT_CHARS
            for n, item in texts:
                yield _Leaf((*path, n), item, in_list=True, is_long=is_long)
            rest = ((n, item) for n, item in enumerate(value) if not isinstance(item, str))
            stack.extend(((*path, n), item) for n, item in rest)
