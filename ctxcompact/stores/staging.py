"""The originals of one run, on their way into the store.

They are streamed to a temp file in `.offload/`, made at the first one, and become a pack by one
rename. Until then nothing can be read of them; `discard` leaves the disk as it was. In memory an id
costs some two hundred bytes, whatever its original's length.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.errors import StoreError
from ctxcompact.stores import packs
from ctxcompact.stores.faults import reported
from ctxcompact.stores.folders import OFFLOADS, check_there, make_private, make_temp
from ctxcompact.stores.lock import sweep
from ctxcompact.stores.packs import (
    ROW_BYTES,
    Head,
    encode_head,
    encode_row,
    index_row,
    to_id,
    to_key,
)
from ctxcompact.stores.temps import flush_folder

if TYPE_CHECKING:
    from hashlib import _Hash
    from pathlib import Path

    from ctxcompact.stores.offloads import Offloads
    from ctxcompact.stores.packs import Place
    from ctxcompact.stores.temps import Temp


_HASH_HEX = 32


class Mark(NamedTuple):
    """A point to which a staging can be taken back."""

    rows: int
    offset: int
    heads: _Hash | None


class Pack(NamedTuple):
    """What a run added to the store."""

    path: Path
    rows: int
    bytes: int


class Staging:
    """Collects the originals of one run; `commit` keeps them, `discard` forgets them."""

    def __init__(self, offloads: Offloads) -> None:
        self._offloads = offloads
        self._folder = offloads.root / OFFLOADS
        self._reported = reported(StoreError, "keep originals in", self._folder)
        self._has_folder = False
        self._temp: Temp | None = None
        self._rows = bytearray()
        self._offset = 0
        self._heads = hashlib.sha256()
        self._holders: dict[bytes, bytes] = {}  # the start of a record's hash -> who has its bytes
        self._sharing: set[bytes] = set()  # who has not
        self._leans_on: set[Path] = set()
        self._created: Path | None = None

    def add(
        self,
        id: str,  # noqa: A002 - the word of the whole room
        data: bytes,
        sha256: str,
        *,
        path: tuple[str | int, ...],
        tool: str,
        format: str,  # noqa: A002
        line: int,
    ) -> None:
        """Take one original in: the record's own bytes, their SHA-256, and what is known about it.

        An id that the root keeps already, soundly, is not written again; a second id on the same
        record shares its bytes. Raises `StoreError` if the data holds a newline, if the id stands
        for other bytes already, or if the disk refuses.
        """
        check_original(id, data)
        key, hash_key = to_key(id), bytes.fromhex(sha256[:_HASH_HEX])
        holder = self._holders.get(hash_key)
        if holder == key or key in self._sharing:
            return
        if places := self._offloads.catalog.places(key, own=True):
            kept = self._find_kept(id, data, places)
            if kept is not None:
                self._holders.setdefault(hash_key, kept)
                return
        if holder is None:
            self._holders[hash_key] = key
        else:
            self._sharing.add(key)
        same = "" if holder is None else to_id(holder)
        head = encode_head(Head(id, sha256, path, tool, format, line, same))
        self._heads.update(head)
        self._write(key, encode_row(head, None if same else data))

    def mark(self) -> Mark:
        """Return the present point, for `rewind`."""
        return Mark(len(self._rows) // ROW_BYTES, self._offset, self._heads.copy())

    def rewind(self, mark: Mark) -> None:
        """Forget all that was added since the mark was taken."""
        start = mark.rows * ROW_BYTES
        gone = {bytes(self._rows[at : at + 16]) for at in range(start, len(self._rows), ROW_BYTES)}
        del self._rows[start:]
        self._sharing -= gone
        self._holders = {hash_: key for hash_, key in self._holders.items() if key not in gone}
        self._offset = mark.offset
        self._heads = hashlib.sha256() if mark.heads is None else mark.heads.copy()
        if self._temp is not None:
            with self._reported:
                self._temp.file.seek(mark.offset)
                self._temp.file.truncate()

    def commit(self) -> Pack | None:
        """Make the pack durable: flushed, renamed into place, the folder flushed, then its index.

        None if there was nothing new. The lock of the root has to be held, from here until the run
        is done or undone. On an exception nothing stays. Raises `StoreError`.
        """
        self.check_kept()
        if self._temp is None or not self._rows:
            self.discard()
            return None
        pack = self._folder / f"pack-{self._heads.hexdigest()[:16]}.jsonl"
        with self._reported:
            is_new = not os.path.lexists(pack)
            try:
                make_private(self._folder)
                self._created = pack if is_new else None
                self._temp.place(pack)
                flush_folder(self._folder)
                self._leans_on.add(pack)
                self._holders.clear()
                packs.save_index(pack, packs.sort_rows(bytes(self._rows)))
                self._offloads.catalog.mend()
                self._offloads.catalog.expire()
            except BaseException:
                self.undo()
                raise
        return Pack(pack, len(self._rows) // ROW_BYTES, self._offset)

    def check_kept(self) -> None:
        """Raise `StoreError` if a pack that this run needs was removed meanwhile."""
        check_there(*self._leans_on)

    def discard(self) -> None:
        """Forget everything that was not committed, and the folder if nothing else is in it."""
        if self._temp is not None:
            self._temp.remove()
            self._temp = None
        if self._has_folder:
            sweep(self._folder)

    def undo(self) -> None:
        """Remove what `commit` wrote, because a later step failed.

        A pack that stood there before stays. The lock has to be held still, see `commit`.
        """
        if self._created is not None:
            with self._reported:
                packs.remove_pack(self._created)
            self._created = None
            self._offloads.catalog.expire()
        self.discard()

    def _find_kept(self, id: str, data: bytes, places: list[Place]) -> bytes | None:  # noqa: A002
        """Return the key that holds these bytes in the root, or None; note the packs leaned on."""
        kept = self._offloads.locate(id, places)
        if kept is None:
            return None
        if kept.data != data:
            pack = str(kept.row.pack)
            message = f"{id} stands for other bytes in {pack}"
            hint = "`ctxcompact store verify`; or keep the originals elsewhere with --root"
            raise StoreError(message, hint=hint, path=pack)
        self._leans_on |= {kept.row.pack, kept.holder.pack}
        return to_key(kept.head.same or id)

    def _write(self, key: bytes, pieces: tuple[bytes, ...]) -> None:
        length = 0
        with self._reported:
            if self._temp is None:
                self._has_folder = True
                self._temp = make_temp(self._folder)
            write = self._temp.file.write
            for piece in pieces:
                length += write(piece)
        self._rows += index_row(key, self._offset, length)
        self._offset += length


class DryStaging:
    """Takes originals in as a staging does, and keeps none."""

    def add(
        self,
        id: str,  # noqa: A002
        data: bytes,
        sha256: str,  # noqa: ARG002
        *,
        path: tuple[str | int, ...],  # noqa: ARG002
        tool: str,  # noqa: ARG002
        format: str,  # noqa: A002, ARG002
        line: int,  # noqa: ARG002
    ) -> None:
        """Refuse what a real run would refuse."""
        check_original(id, data)

    def mark(self) -> Mark:
        """Return a point, for `rewind`."""
        return Mark(0, 0, None)

    def rewind(self, mark: Mark) -> None:
        """There is nothing to take back."""

    def commit(self) -> Pack | None:
        """Keep nothing."""
        return None

    def check_kept(self) -> None:
        """There is nothing to miss."""

    def discard(self) -> None:
        """There is nothing to forget."""

    def undo(self) -> None:
        """There is nothing to remove."""


def check_original(id: str, data: bytes) -> None:  # noqa: A002
    """Raise `StoreError` for bytes that do not fit into one line of a pack."""
    if b"\n" in data:
        message = f"the original of {id} is more than one line"
        raise StoreError(message, hint="this is a defect; please report it")
