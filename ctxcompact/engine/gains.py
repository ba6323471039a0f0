"""Whether an edit saves enough, judged alike on every run.

An id is made from the bytes of its record, which change when anything else in them does; and ids
differ by a few tokens. What was refused for those few must not be made on the next run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ANY_ID = "7b9f1c2e-5d8a-8e3f-b6d4-9a1c7e5f3b2d"
"""An id that costs more tokens than nearly all do."""

_SPREAD_TOKENS = 32


def is_enough(
    saved_tokens: int, least_tokens: int, text: str, uuid: str, count: Callable[[str], int]
) -> bool:
    """Tell whether a new text saves enough, whatever the id of its mark."""
    spare = saved_tokens - least_tokens
    if spare < 0 or spare >= _SPREAD_TOKENS or not uuid:
        return spare >= 0
    return spare >= count(text.replace(uuid, ANY_ID)) - count(text)
