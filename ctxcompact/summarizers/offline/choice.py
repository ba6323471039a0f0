"""The budget: which pieces are picked. Greedy by worth a token; what is told once counts little the second time."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ctxcompact.summarizers.offline.pieces import Piece

_SEPARATOR_TOKENS = 1
_OVERHEAD_TOKENS = 3
_COVERED = 0.05
_CROWDED = 3.0
_AS_GOOD = 0.9
_MISFITS = 40
_SAMPLE = 64


class Choice:
    """Picks pieces in order of worth a token, and can be asked for more or fewer later.

    `boosts` weighs the records. A worth only falls while others are picked, so it is looked at again when its turn
    comes. Pieces of one cluster queue behind each other, for picking one makes all of them less welcome. Counting is
    dear: until the turn of a piece comes, its cost is taken from its length.
    """

    def __init__(
        self,
        pieces: Sequence[Piece],
        boosts: Sequence[float],
        covered: Iterable[str],
        count: Callable[[str], int],
    ) -> None:
        self._pieces = pieces
        self._boosts = boosts
        self._count = count
        self._costs: dict[int, int] = {}
        self._covered = Counter(covered)
        self._crowd: Counter[tuple[int, int]] = Counter()
        self._picked: list[int] = []
        self._chars_per_token = self._sample()
        self._lines = self._line_up()
        self._queue = [(line[0][0], number) for number, line in enumerate(self._lines)]
        heapq.heapify(self._queue)

    def pick(self, room: int) -> int:
        """Pick until hardly a piece fits the room any more; return the tokens that are left."""
        misfits: list[tuple[float, int]] = []
        while self._queue and room > _OVERHEAD_TOKENS and len(misfits) < _MISFITS:
            _, number = heapq.heappop(self._queue)
            rate, at = self._front(self._lines[number])
            if self._queue and rate < _AS_GOOD * -self._queue[0][0]:
                heapq.heappush(self._queue, (-rate, number))
            elif self._cost(at) > room:
                misfits.append((-rate, number))
            else:
                room -= self._take(self._lines[number])
                if line := self._lines[number]:
                    heapq.heappush(
                        self._queue, (line[0][0] / self._crowd_before(line[0][1]), number)
                    )
        for entry in misfits:
            heapq.heappush(self._queue, entry)
        return room

    def drop(self, tokens: int) -> None:
        """Take back the newest picks until so many tokens are free; they are not picked again."""
        while self._picked and tokens > 0:
            tokens -= self._cost(self._picked.pop())

    def by_owner(self) -> dict[int, list[Piece]]:
        """Return what is picked, for each record in the order of the transcript."""
        found: defaultdict[int, list[Piece]] = defaultdict(list)
        for at in sorted(self._picked):
            found[self._pieces[at].owner].append(self._pieces[at])
        return found

    def _line_up(self) -> list[list[tuple[float, int]]]:
        """Let the pieces of each cluster queue, those of none alone."""
        lines: defaultdict[tuple[int, ...], list[tuple[float, int]]] = defaultdict(list)
        for at, piece in enumerate(self._pieces):
            key = (piece.owner, piece.cluster) if piece.crowding else (at,)
            lines[key].append((-self._rate(at), at))
        for line in lines.values():
            heapq.heapify(line)
        return list(lines.values())

    def _front(self, line: list[tuple[float, int]]) -> tuple[float, int]:
        """Bring the best piece of a line to its front; return what it is worth a token now, and its index."""
        while True:
            at = line[0][1]
            self._cost(at)
            rate = self._rate(at)
            second = -min(line[1:3])[0] if len(line) > 1 else 0.0
            if rate >= _AS_GOOD * second:
                line[0] = (-max(rate, second), at)
                return rate / self._crowd_before(at), at
            heapq.heapreplace(line, (-rate, at))

    def _take(self, line: list[tuple[float, int]]) -> int:
        _, at = heapq.heappop(line)
        piece = self._pieces[at]
        self._picked.append(at)
        self._covered.update(value for value, _ in piece.values)
        if piece.crowding:
            self._crowd[piece.owner, piece.cluster] += 1
        return self._cost(at)

    def _crowd_before(self, at: int) -> float:
        piece = self._pieces[at]
        crowd = self._crowd[piece.owner, piece.cluster] if piece.crowding else 0
        return 1 + _CROWDED * piece.crowding * crowd

    def _cost(self, at: int) -> int:
        if at not in self._costs:
            self._costs[at] = self._count(self._pieces[at].text) + _SEPARATOR_TOKENS
        return self._costs[at]

    def _rate(self, at: int) -> float:
        piece = self._pieces[at]
        covered = self._covered
        gain = piece.worth
        for value, worth in piece.values:
            gain += worth * _COVERED ** covered[value] if value in covered else worth
        cost = self._costs.get(at) or len(piece.text) / self._chars_per_token
        return gain * self._boosts[piece.owner] / (cost + _OVERHEAD_TOKENS)

    def _sample(self) -> float:
        """Count some pieces from everywhere; return how many characters a token has."""
        some = range(0, len(self._pieces), 1 + len(self._pieces) // _SAMPLE)
        tokens = sum(self._cost(at) for at in some)
        return max(1.0, sum(len(self._pieces[at].text) for at in some) / max(1, tokens))
