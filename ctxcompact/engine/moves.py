"""Where things stand inside a record once stretches of its messages have become others.

Rows keep the addresses of the input: ids are made of them, and originals are read by them. Only
what is written has to know where an item went.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ctxcompact.core.splice import Path


class ItemFold(NamedTuple):
    """The items from `start` up to `stop`, as the input counts them, became `size` others.

    They stand in the list at `array`.
    """

    array: Path
    start: int
    stop: int
    size: int


def place_now(path: Path, folds: Iterable[ItemFold]) -> Path:
    """Return where the value at an address of the input stands after folds that do not overlap.

    What was folded stands where the first of its successors does.
    """
    shift = steps = 0
    for array, start, stop, size in folds:
        steps = len(array)
        at = path[steps] if path[:steps] == array and len(path) > steps else 0
        if not isinstance(at, int):
            continue
        if stop <= at:
            shift += stop - start - size
        elif start <= at:
            shift += at - start
    if not shift:
        return path
    return (*path[:steps], int(path[steps]) - shift, *path[steps + 1 :])
