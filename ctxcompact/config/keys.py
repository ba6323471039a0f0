"""The keys, and how the value of each is read from a text and from what TOML parses to.

Keys follow from the fields of `Settings` and `Options`: a new field is a new key.
"""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.config.options import By, OnFailure, Options, Summarizer
from ctxcompact.core.settings import Mode, Settings, Until, Write

if TYPE_CHECKING:
    from collections.abc import Callable
    from enum import StrEnum


class Kind(NamedTuple):
    """A kind of value. Both functions raise TypeError or ValueError for what is not `wanted`."""

    wanted: str
    of_text: Callable[[str], Any]
    of_toml: Callable[[Any], Any]


def _exactly(*types: type) -> Callable[[Any], Any]:
    """Take no subclass: to Python, true is an integer."""

    def check(value: object) -> object:
        if type(value) not in types:
            raise TypeError
        return value

    return check


_SWITCH_WORDS = {"1": True, "true": True, "yes": True, "on": True}
_SWITCH_WORDS |= {"0": False, "false": False, "no": False, "off": False}


def _switch(text: str) -> bool:
    if text.lower() not in _SWITCH_WORDS:
        raise ValueError
    return _SWITCH_WORDS[text.lower()]


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(_exactly(str), value if isinstance(value, list) else [value]))


def _globs(value: object) -> tuple[str, ...]:
    """Part at commas as well: no tool has one in its name, and `a,b` would protect nothing."""
    parts = (part.strip() for text in _texts(value) for part in text.replace("\n", ",").split(","))
    return tuple(part for part in parts if part)


def _levels(value: object) -> tuple[int, ...]:
    if isinstance(value, list):
        return tuple(map(_exactly(int), value))
    return tuple(int(one) for one in str(_exactly(str, int)(value)).split(","))


def _path(text: str) -> Path:
    if not text or "\0" in text:
        raise ValueError
    return Path(text)


def _toml_path(value: object) -> Path:
    """No shell has seen it, so a ~ is still to be replaced."""
    return _path(os.path.expanduser(_exactly(str)(value)))  # noqa: PTH111 - it raises without a home


def _choice(words: type[StrEnum]) -> Kind:
    return Kind(f"one of {', '.join(words)}", words, lambda value: words(_exactly(str)(value)))


_TEXTS = "a text or a list of texts"
_WHOLE = Kind("a whole number", int, _exactly(int))
_TEXT = Kind("a text", str, _exactly(str))
_PATH = Kind("a path", _path, _toml_path)
_KINDS = {
    "int": _WHOLE,
    "int | None": _WHOLE,
    "float": Kind("a number", float, lambda value: float(_exactly(int, float)(value))),
    "bool": Kind("true or false", _switch, _exactly(bool)),
    "str": _TEXT,
    "str | None": _TEXT,
    "Path": _PATH,
    "Path | None": _PATH,
    "tuple[str, ...]": Kind(_TEXTS, lambda text: tuple(text.splitlines()), _texts),
    "tuple[int, ...]": Kind("numbers with commas between, as in 2,3", _levels, _levels),
    "Mode": _choice(Mode),
    "Until": _choice(Until),
    "Write | None": _choice(Write),
    "Summarizer | None": _choice(Summarizer),
    "OnFailure": _choice(OnFailure),
    "By | None": _choice(By),
}
KEYS: dict[str, Kind] = {
    one.name: _KINDS[str(one.type)] for one in (*fields(Settings), *fields(Options))
}
KEYS["protect_tool"] = Kind(_TEXTS, _globs, _globs)
