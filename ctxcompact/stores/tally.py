"""What a file holds, counted as it is written."""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_right
from io import BytesIO
from typing import NamedTuple
from zlib import crc32


class Content(NamedTuple):
    """What a file holds: `sha256` in hex; a last line without a newline counts."""

    bytes: int
    lines: int
    sha256: str


class Tally:
    """Counts a file as it is written, in pieces of any size: its hash, and a sum of each line."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._bytes = 0
        self._is_open = False
        self.crcs = array("I")
        self.starts = array("Q")

    def add(self, data: bytes) -> None:
        """Count the next piece."""
        self._digest.update(data)
        for row in BytesIO(data).readlines():
            if self._is_open:
                self.crcs[-1] = crc32(row, self.crcs[-1])
            else:
                self.crcs.append(crc32(row))
                self.starts.append(self._bytes)
            self._bytes += len(row)
            self._is_open = not row.endswith(b"\n")

    def content(self) -> Content:
        """Return what was counted so far."""
        return Content(self._bytes, len(self.crcs), self._digest.hexdigest())

    def line_at(self, offset: int) -> int:
        """Return the number (from 1) of the line that holds a byte."""
        return bisect_right(self.starts, offset)
