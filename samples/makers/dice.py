"""Chance that comes out the same on every machine and Python."""

import random
import string
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

HEX = "0123456789abcdef"
ALNUM = string.digits + string.ascii_letters
BASE64 = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"


class Dice:
    """A seeded stream of numbers and ids.

    Only ``random()`` is asked for: it is the one method whose sequence Python promises to keep.
    """

    def __init__(self, seed: str) -> None:
        """Start the stream that belongs to a seed."""
        self._random = random.Random(seed)  # noqa: S311  (stories, not secrets)

    def chance(self, share: float) -> bool:
        """Whether something happens that happens in this share of cases."""
        return self._random.random() < share

    def below(self, limit: int) -> int:
        """Return a number from 0 to ``limit - 1``."""
        return int(self._random.random() * limit)

    def between(self, low: int, high: int) -> int:
        """Return a number from ``low`` to ``high``, both possible."""
        return low + self.below(high - low + 1)

    def pick(self, choices: Sequence[T]) -> T:
        """One of the choices."""
        return choices[self.below(len(choices))]

    def word(self, alphabet: str, length: int) -> str:
        """Return a random word over an alphabet."""
        return "".join(self.pick(alphabet) for _ in range(length))

    def uuid(self) -> str:
        """Return an id of the form of a version 4 UUID."""
        h = self.word(HEX, 30)
        return f"{h[:8]}-{h[8:12]}-4{h[12:15]}-{self.pick('89ab')}{h[15:18]}-{h[18:30]}"
