"""Which packs there are, and where in them an id stands.

All index rows of all packs, joined and sorted: one binary search, however many runs have left a
pack. 44 bytes an id in memory; built at the first question.
"""

from __future__ import annotations

import os
import struct
import sys
from array import array
from bisect import bisect_left
from contextlib import suppress
from typing import TYPE_CHECKING

from ctxcompact.stores.packs import NAME, Place, load_index, save_index, unpack_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

_ROW = struct.Struct(">16sIQQ")  # big-endian: sorts by id, then by pack
_START_BYTES = 8


class Catalog:
    """The packs in some folders; earlier folders come first where an id stands in several."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        self._packs: tuple[Path, ...] = ()
        self._own = 0
        self._rows = b""
        self._starts = array("Q")  # the first half of each id: what the search compares
        self._unindexed: dict[Path, bytes] = {}
        self._is_read = False

    def packs(self) -> list[Path]:
        """List the packs that are there now."""
        return [pack for folder in self._folders for pack in _packs_in(folder)]

    def places(self, key: bytes, *, own: bool = False) -> list[Place]:
        """List where an id stands; `own` leaves out all folders but the first.

        Raises `OSError` if a folder or pack cannot be read.
        """
        if not self._is_read:
            self.refresh()
        if not self._rows:
            return []
        start = int.from_bytes(key[:_START_BYTES])
        at = bisect_left(self._starts, start)
        places = []
        while at < len(self._starts) and self._starts[at] == start:
            found, pack, offset, length = _ROW.unpack_from(self._rows, at * _ROW.size)
            if found == key and (not own or pack < self._own):
                places.append(Place(self._packs[pack], offset, length))
            at += 1
        return places

    def refresh(self) -> None:
        """Read the indexes again if packs came or went."""
        packs = tuple(self.packs())
        if self._is_read and packs == self._packs:
            return
        rows: list[bytes] = []
        self._unindexed.clear()
        for number, pack in enumerate(packs):
            with suppress(FileNotFoundError):  # its run has just been undone
                rows += self._numbered(number, pack)
        rows.sort()
        self._packs, self._rows, self._is_read = packs, b"".join(rows), True
        self._starts = array("Q", b"".join(row[:_START_BYTES] for row in rows))
        if sys.byteorder == "little":
            self._starts.byteswap()
        self._own = sum(pack.parent == self._folders[0] for pack in packs)

    def expire(self) -> None:
        """Look again at the next question: this process has changed the packs."""
        self._is_read = False

    def mend(self) -> None:
        """Write the indexes that were missing or wrong; for a run that writes anyway."""
        while self._unindexed:
            pack, rows = self._unindexed.popitem()
            save_index(pack, rows)

    def _numbered(self, number: int, pack: Path) -> Iterable[bytes]:
        rows, stood = load_index(pack)
        if not stood and pack.parent == self._folders[0]:
            self._unindexed[pack] = rows
        return [_ROW.pack(key, number, offset, length) for key, offset, length in unpack_rows(rows)]


def _packs_in(folder: Path) -> list[Path]:
    """List the packs of one folder by name; links and all other names are passed over."""
    try:
        with os.scandir(folder) as entries:
            names = [
                entry.name
                for entry in entries
                if NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)
            ]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [folder / name for name in sorted(names)]
