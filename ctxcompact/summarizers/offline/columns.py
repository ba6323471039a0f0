"""What is rare in a row, seen against the other rows of its result.

Every row is read as columns: how many words it has, what stands at each place, which kinds of words it holds at
all. A column tells something where a value is more surprising than values of that column are on average: the one
500 among 200s does, a new id on each row does not. This takes time linear in the words.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.atoms import CACHED_WORDS, kind_of
from ctxcompact.core.words import CHANGE, TROUBLE, signals

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_COLUMNS_MAX = 24
_USUAL = 0.3
_FEWEST_NUMBERS = 6
_FAR = 10.0
_TIMES = 4.0
_OUTLIERS = 0.05
_HARDLY = 0.02
_UNLIKE = 0.5
_SHAPES = {"date": "<t>", "version": "<v>", "address": "<a>"}
_NO_NUMBER = re.compile(r"[^\d.-]|(?<=\d)-.*")
_BIG = 3


class Standing(NamedTuple):
    """How a row stands among the others: `rarity` from 0 to 1, the `cluster` of rows like it and its `share` of all."""

    rarity: float
    cluster: int
    share: float


@lru_cache(CACHED_WORDS)
def shape(word: str) -> str:
    """Return the word itself, or the kind of value it is and what it may have in common with others."""
    kind = kind_of(word)
    if kind == "number":
        return "<N>" if sum(map(str.isdigit, word)) >= _BIG else "<n>"
    if kind in ("path", "url", "name"):
        return _start(kind, word)
    return _SHAPES.get(kind, "<i>") if any(map(str.isdigit, word)) else word


def _start(kind: str, word: str) -> str:
    """Keep where a path, an address or a dotted name starts; of a bare file its extension, of a plain name all."""
    if kind == "name" and word.count(".") < 2:  # noqa: PLR2004 - a.b, not a.b.c
        return word
    parts = (
        word.rpartition("://")[2]
        .lstrip("./~\\")
        .replace("\\", "/")
        .split("/" if kind != "name" else ".")
    )
    return f"<{kind[0]}>" + (
        ".".join(parts[:2])
        if kind == "name"
        else parts[0]
        if len(parts) > 1
        else parts[0].rpartition(".")[2]
    )


def survey(rows: Sequence[Sequence[str]]) -> list[Standing]:
    """Say of each row, given as its words, how it stands among all of them."""
    split = [row[:_COLUMNS_MAX] for row in rows]
    shapes = [[shape(word) for word in row] for row in split]
    by_length: defaultdict[int, list[int]] = defaultdict(list)
    for at, row in enumerate(shapes):
        by_length[len(row)].append(at)
    surprise = _surprise_of_kinds(split, shapes)
    _raise(surprise, range(len(rows)), [str(len(row)) for row in shapes])
    cluster = [0] * len(rows)
    for length, members in by_length.items():
        columns = [_pool([shapes[at][place] for at in members]) for place in range(length)]
        for column in columns:
            _raise(surprise, members, column)
        _cluster(columns, members, cluster)
    for at in _outliers(split, cluster):
        surprise[at] = max(surprise[at], log(len(rows)))
    scale = log(len(rows) + 1)
    floor = 1 / (1 + scale)
    sizes = Counter(cluster)
    return [
        Standing(
            min(1.0, max(floor, value / scale, _UNLIKE * (1 - log(sizes[group]) / scale))),
            group,
            sizes[group] / len(rows),
        )
        for value, group in zip(surprise, cluster, strict=True)
    ]


def _pool(column: list[str]) -> list[str]:
    """Take values which hardly occur as one: in a column full of such values, none of them is a surprise."""
    times = Counter(column)
    least = 1 + _HARDLY * len(column)
    return [
        value if times[value] > least else "<*>" if value[0] != "<" else value[:3]
        for value in column
    ]


def _raise(surprise: list[float], rows: Sequence[int], column: Sequence[str]) -> None:
    """Raise the surprise of rows which hold a rare value of a column."""
    times = Counter(column)
    if len(times) < 2:  # noqa: PLR2004 - nothing to compare
        return
    total = len(rows)
    entropy = sum(count * log(total / count) for count in times.values()) / total
    told = {value: log(total / count) - entropy for value, count in times.items()}
    for at, value in zip(rows, column, strict=True):
        surprise[at] = max(surprise[at], told[value])


def _surprise_of_kinds(split: Sequence[Sequence[str]], shapes: list[list[str]]) -> list[float]:
    """Take each kind of word as a column: a row holds one or it does not."""
    surprise = [0.0] * len(shapes)
    holds: defaultdict[str, list[int]] = defaultdict(list)
    for at, (row, kinds) in enumerate(zip(split, shapes, strict=True)):
        told = 0
        for word in row:
            told |= signals(word)
        found = {kind[:3] for kind in kinds if kind[0] == "<"}
        found.update(
            name for name, signal in (("<trouble>", TROUBLE), ("<change>", CHANGE)) if told & signal
        )
        for kind in found:
            holds[kind].append(at)
    total = len(shapes)
    for rows in holds.values():
        if 2 * len(rows) <= total:
            others = total - len(rows)
            entropy = (len(rows) * log(total / len(rows)) + others * log(total / others)) / total
            for at in rows:
                surprise[at] = max(surprise[at], log(total / len(rows)) - entropy)
    return surprise


def _cluster(columns: list[list[str]], rows: list[int], cluster: list[int]) -> None:
    """Give the rows of one length a number by what is usual in them: that of the first such row."""
    usual = []
    for column in columns:
        times = Counter(column)
        least = max(2.0, _USUAL * len(rows))
        usual.append(
            [
                value[:3] if value[0] == "<" else value if times[value] >= least else "<*>"
                for value in column
            ]
        )
    first: dict[tuple[str, ...], int] = {}
    for order, at in enumerate(rows):
        cluster[at] = first.setdefault(tuple(column[order] for column in usual), at)


def _outliers(split: Sequence[Sequence[str]], cluster: list[int]) -> Iterator[int]:
    """Yield the rows with a number far from what their cluster has in that place."""
    members: defaultdict[int, list[int]] = defaultdict(list)
    for at, group in enumerate(cluster):
        members[group].append(at)
    for rows in members.values():
        if len(rows) >= _FEWEST_NUMBERS:
            for place, word in enumerate(split[rows[0]]):
                if kind_of(word) == "number":
                    yield from _far(rows, [_value(split[at][place]) for at in rows])


def _value(word: str) -> float:
    try:
        return float(_NO_NUMBER.sub("", word))
    except ValueError:
        return 0.0


def _far(rows: list[int], values: list[float]) -> list[int]:
    """Return the few rows whose value is many mean deviations from the median, and of another size or sign."""
    ordered = sorted(values)
    median = ordered[len(ordered) // 2]
    spread = sorted(abs(value - median) for value in values)[len(values) // 2]
    far = [
        at
        for at, value in zip(rows, values, strict=True)
        if abs(value - median) > _FAR * spread and not median / _TIMES < value < median * _TIMES
    ]
    return far if len(far) <= max(1, _OUTLIERS * len(rows)) else []
