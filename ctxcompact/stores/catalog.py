"""Which packs there are, and where in them an id stands.

All index rows of all packs, joined and sorted: one binary search, however many runs have left a
pack. 36 bytes an id in memory; built at the first question.
"""

from __future__ import annotations

import os
import struct
from bisect import bisect_left
from contextlib import suppress
from typing import TYPE_CHECKING

from ctxcompact.stores.packs import NAME, Place, load_index, save_index, to_key, unpack_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

_ROW = struct.Struct("<16sQQI")


class Catalog:
    """The packs in some folders; earlier folders come first where an id stands in several."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        self._packs: tuple[Path, ...] = ()
        self._rows = b""
        self._unindexed: dict[Path, bytes] = {}
        self._is_read = False

    def packs(self) -> list[Path]:
        """List the packs that are there now."""
        return [pack for folder in self._folders for pack in _packs_in(folder)]

    def places(self, id: str, *, again: bool = False) -> list[Place]:  # noqa: A002
        """List where an id stands; `again` looks first whether packs came or went.

        Raises `OSError` if a folder or pack cannot be read.
        """
        if again or not self._is_read:
            self.refresh()
        key = to_key(id)
        at = bisect_left(range(len(self._rows) // _ROW.size), key, key=self._key_at)
        places = []
        while self._key_at(at) == key:
            _, offset, length, pack = _ROW.unpack_from(self._rows, at * _ROW.size)
            places.append(Place(self._packs[pack], offset, length))
            at += 1
        return sorted(places, key=self._rank)

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

    def mend(self) -> None:
        """Write the indexes that were missing or wrong; for a run that writes anyway."""
        while self._unindexed:
            pack, rows = self._unindexed.popitem()
            save_index(pack, rows)

    def _numbered(self, number: int, pack: Path) -> Iterable[bytes]:
        rows, stood = load_index(pack)
        if not stood and pack.parent == self._folders[0]:
            self._unindexed[pack] = rows
        return [_ROW.pack(*row, number) for row in unpack_rows(rows)]

    def _key_at(self, at: int) -> bytes:
        start = at * _ROW.size
        return self._rows[start : start + 16]

    def _rank(self, place: Place) -> int:
        return self._folders.index(place.pack.parent)


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
