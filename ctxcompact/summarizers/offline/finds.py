"""What rows have to do with each other and with what was asked for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ctxcompact.core.atoms import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ctxcompact.summarizers.offline.columns import Standing
    from ctxcompact.summarizers.offline.rows import Row

_FOUND = 0.9
_BLOCK_SHARE = 0.7
_BLOCK_ROWS = 8
_FEW = 10  # one row in so many
_SHORT_WORD = 3


def searched(wishes: Iterable[str], rows: Sequence[Sequence[str]]) -> set[str]:
    """Return the words of arguments and questions which a few of the rows have: what was searched for."""
    asked = {
        part
        for text in wishes
        for word in words(text)
        for part in word.split(":")
        if len(part) > _SHORT_WORD
    }
    found = Counter(word for row in rows for word in asked.intersection(row))
    return {word for word, times in found.items() if times <= max(1, len(rows) // _FEW)}


def raise_found(
    standings: list[Standing], rows: Sequence[Sequence[str]], wanted: set[str]
) -> list[Standing]:
    """Take the few rows as rare which hold most of what was searched for."""
    hits = [len(wanted.intersection(row)) for row in rows] if wanted else [0]
    most = max(hits, default=0)
    if most == 0 or hits.count(most) > max(1, len(rows) // _FEW):
        return standings
    return [
        standing._replace(rarity=max(standing.rarity, _FOUND)) if found == most else standing
        for standing, found in zip(standings, hits, strict=True)
    ]


def share_in_blocks(rows: Sequence[Row], standings: Sequence[Standing]) -> list[Standing]:
    """Let rows of a small block have a share in its rarest one: the address below the title that was looked for."""
    best: dict[int, float] = {}
    size: Counter[int] = Counter()
    for row, standing in zip(rows, standings, strict=True):
        best[row.block] = max(best.get(row.block, 0), standing.rarity)
        size[row.block] += 1
    return [
        standing._replace(rarity=max(standing.rarity, _BLOCK_SHARE * best[row.block]))
        if 1 < size[row.block] <= _BLOCK_ROWS
        else standing
        for row, standing in zip(rows, standings, strict=True)
    ]
