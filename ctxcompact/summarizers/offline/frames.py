"""The head of a call: what was called with which arguments, or in a round only what it was about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ctxcompact.core.facts import MAIN_KEY
from ctxcompact.core.tasks import Style
from ctxcompact.summarizers.offline.cleaning import clip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.summarizers.offline.records import Record

_SMALL_CHARS = 5  # true, false, a count
TIMES_MAX = 99
"""Calls alike are counted up to here: a number of three digits would look like a value."""

_TELLS_ITSELF = re.compile(r"[/\s@]|\.\w+$")


def head(record: Record, *, chars: int, pairs: int) -> str:
    """Write the head of a call with at most so many arguments, none much longer than `chars`.

    It is "" if there is nothing to say in a round.
    """
    told = [(key, clip(text, chars)) for key, text in _main(record.pairs, pairs)]
    if record.style is Style.ROUND:
        text = ", ".join(text if _speaks(key, text) else f"{key}={text}" for key, text in told)
        return text and text + _times(record)
    if not record.known:
        return f"Result of {record.tool or 'unknown'}"
    text = ", ".join(f"{key}={text}" if key else text for key, text in told)
    return f"Called {record.tool}" + (f" with {text}" if text else "") + _times(record)


def _main(pairs: Sequence[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    """Choose the arguments that tell most, and keep their order: paths and the like, then longer ones."""
    if len(pairs) <= most:
        return list(pairs)
    ranked = sorted(
        pairs, key=lambda pair: (not MAIN_KEY.search(pair[0]), len(pair[1]) <= _SMALL_CHARS)
    )
    chosen = ranked[:most]
    return [pair for pair in pairs if pair in chosen]


def _speaks(key: str, text: str) -> bool:
    """Tell whether an argument needs no key beside it: paths, addresses, commands, words."""
    return not key or _TELLS_ITSELF.search(text) is not None


def _times(record: Record) -> str:
    if record.times == 1:
        return ""
    return f" (×{record.times})" if record.times <= TIMES_MAX else f" (×{TIMES_MAX}+)"
