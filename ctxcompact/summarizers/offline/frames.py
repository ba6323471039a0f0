"""The head of a call: what was called with which arguments, or in a round only what it was about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ctxcompact.core.tasks import Style
from ctxcompact.summarizers.offline.cleaning import clip, even, inert, visible
from ctxcompact.summarizers.offline.trees import leaves

if TYPE_CHECKING:
    from ctxcompact.summarizers.offline.records import Record

LONG_CHARS = 160
"""Longest argument that a head shows in full; rows of a longer one compete with those of results."""

SHORT_CHARS = 60
_PAIRS = 12
_TELLS_ITSELF = re.compile(r"[/\s@]|://|\.\w+$")

_MOST_SHOWN = 99


def head(record: Record, style: Style, *, chars: int) -> str:
    """Write the head of a call, no argument longer than `chars`."""
    pairs = [(key, text) for key, text in arguments(record) if text]
    if style is Style.ROUND:
        return ", ".join(_subject(key, clip(text, chars)) for key, text in pairs[:_PAIRS]) + _times(
            record
        )
    told = ", ".join(
        f"{key}={clip(text, chars)}" if key else clip(text, chars) for key, text in pairs[:_PAIRS]
    )
    name = inert(even(visible(record.tool))) or "unknown"
    if not record.known:
        return f"Result of {name}"
    return f"Called {name}" + (f" with {told}" if told else "") + _times(record)


def arguments(record: Record) -> list[tuple[str, str]]:
    """Return the arguments as pairs in order, each on one line; a long one is empty, for its rows speak for it."""
    pairs: dict[str, str] = {}
    for leaf in leaves(record.arguments):
        key, text = even(leaf.key), leaf.text
        if is_body(text):
            pairs.setdefault(key, "")
        else:
            text = inert(even(visible(text)))
            pairs[key] = f"{pairs[key]} {text}" if pairs.get(key) else text
    return list(pairs.items())


def bodies(record: Record) -> list[str]:
    """Return the arguments which are too long for a head."""
    return [leaf.text for leaf in leaves(record.arguments) if is_body(leaf.text)]


def is_body(text: str) -> bool:
    """Tell whether an argument is a text of its own."""
    return len(text) > LONG_CHARS


def _subject(key: str, text: str) -> str:
    return text if not key or _TELLS_ITSELF.search(text) else f"{key}={text}"


def _times(record: Record) -> str:
    if record.times == 1:
        return ""
    return f" (×{record.times})" if record.times <= _MOST_SHOWN else f" (×{_MOST_SHOWN}+)"
