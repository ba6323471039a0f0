"""Which items of one sequence are those of another: a longest rising match by keys, near enough.

Keys that occur once on both sides are matched first, whatever their distance (as in "patience
diff"); what lies between two of them is matched by itself. So repeated keys pull nothing apart, and
long sequences with few changes take time hardly more than linear.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

_GAP_AREA_MAX = 1_000_000
"""A gap of more pairs than this is left unmatched: finding the best match takes their square."""


def align(a: Sequence[Hashable], b: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    """Yield pairs of indices with equal keys, rising on both sides."""
    start_a = start_b = 0
    for at_a, at_b in [*_anchors(a, b), (len(a), len(b))]:
        yield from _gap(a, b, (start_a, at_a), (start_b, at_b))
        if at_a < len(a):
            yield at_a, at_b
        start_a, start_b = at_a + 1, at_b + 1


def _anchors(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the longest rising series of places whose keys occur once on both sides."""
    once_a, once_b = Counter(a), Counter(b)
    places = {key: at for at, key in enumerate(b) if once_b[key] == 1}
    pairs = [(at, places[key]) for at, key in enumerate(a) if key in places and once_a[key] == 1]
    ends: list[int] = []  # the smallest end of a series of each length
    series: list[int] = []  # the pair that stands there
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(series[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        series[length : length + 1] = [number]
    found = []
    at = series[-1] if series else -1
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]


def _gap(
    a: Sequence[Hashable], b: Sequence[Hashable], of_a: tuple[int, int], of_b: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Match what lies between two anchors: first what touches the later one, for old items go first."""
    (start_a, stop_a), (start_b, stop_b) = of_a, of_b
    ends = 0
    while (
        ends < min(stop_a - start_a, stop_b - start_b)
        and a[stop_a - 1 - ends] == b[stop_b - 1 - ends]
    ):
        ends += 1
    rest_a, rest_b = a[start_a : stop_a - ends], b[start_b : stop_b - ends]
    if 0 < len(rest_a) * len(rest_b) <= _GAP_AREA_MAX:
        matcher = SequenceMatcher(None, rest_a, rest_b, autojunk=False)
        for at_a, at_b, size in matcher.get_matching_blocks():
            for step in range(size):
                yield start_a + at_a + step, start_b + at_b + step
    for step in range(ends, 0, -1):
        yield stop_a - step, stop_b - step
