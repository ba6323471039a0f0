"""The originals kept under a root, found by id.

Reading only, and nothing but packs in `.offload/` is ever opened: no path is made from an id, no
link is followed, no file of another name is looked at. Writing is in `staging`, the check of
everything in `soundness`.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.errors import IdNotFound, OriginalDamaged, StoreError
from ctxcompact.stores import soundness
from ctxcompact.stores.catalog import Catalog
from ctxcompact.stores.faults import reported
from ctxcompact.stores.folders import OFFLOADS
from ctxcompact.stores.packs import NO_ROW, SPAN, Head, decode_row, is_id, read_row, scan, to_key
from ctxcompact.stores.staging import DryStaging, Staging

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ctxcompact.stores.packs import Place, Row


class Original(NamedTuple):
    """An original record and what is known about it.

    `data` is the record's own bytes, without the newline (of a stretch, those of its records, one a
    line); `path` the address of the block its id stands for; `line` the line (from 1) it was taken
    from; `pack` the file that holds it.
    """

    id: str
    data: bytes
    path: tuple[str | int, ...]
    tool: str
    format: str
    line: int
    pack: str


class Entry(NamedTuple):
    """A row as a list shows it: `bytes` is the length of its original, `run` who was first to keep it."""

    head: Head
    bytes: int
    pack: str
    run: str | None = None


class Found(NamedTuple):
    """A sound original, the row its id stands in, and the row that holds its bytes."""

    head: Head
    data: bytes
    row: Place
    holder: Place


class Offloads:
    """The originals under `root`, and for reading those under the roots in `also`."""

    def __init__(self, root: Path, also: Sequence[Path] = ()) -> None:
        self.root = root
        folders: dict[str, Path] = {}
        for place in (root, *also):
            folders.setdefault(os.path.realpath(place), place / OFFLOADS)
        self.catalog = Catalog(tuple(folders.values()))
        self._reported = reported(StoreError, "read", root / OFFLOADS)

    def known(self, id: str) -> bool:  # noqa: A002 - the word of the whole room
        """Tell whether an id (canonical, lower case) is here; its original is not looked at."""
        with self._reported:
            return bool(self.catalog.places(to_key(id)))

    def find(self, id: str) -> Original:  # noqa: A002
        """Return the original that an id stands for, its hash checked.

        Raises `IdNotFound`, and `OriginalDamaged` if no sound copy of it is here.
        """
        with self._reported:
            places = self.catalog.places(to_key(id))
            if not places:
                self.catalog.refresh()
                places = self.catalog.places(to_key(id))
            found = self.locate(id, places)
        if not places:
            message = f"no original is kept under {id}"
            hint = "`ctxcompact store list` shows all; --root names another place to look in"
            raise IdNotFound(message, hint=hint, path=str(self.root))
        if found is None:
            message = f"the original under {id} is damaged"
            hint = "`ctxcompact store verify` names all that is; a backup may hold a sound copy"
            raise OriginalDamaged(message, hint=hint, path=str(places[0].pack))
        head = found.head
        pack = str(found.row.pack)
        data = found.data
        if head.format == SPAN:
            data = b"\n".join(part.data for part in self.parts(found))
        return Original(id, data, head.path, head.tool, head.format, head.line, pack)

    def parts(self, span: Found) -> Iterator[Found]:
        """Yield the records of a stretch; a stretch is never part of another.

        Raises `OriginalDamaged` if one is not here.
        """
        for part in _listed(span.data):
            found = self._sound(part) if is_id(part) else None
            if found is None or found.head.format == SPAN:
                record = str(part)[:36]
                message = (
                    f"the original under {span.head.id} is damaged: {record} is no record of it"
                )
                hint = "`ctxcompact store verify` names all that is; a backup may hold a sound copy"
                raise OriginalDamaged(message, hint=hint, path=str(self.root))
            yield found

    def _sound(self, id: str) -> Found | None:  # noqa: A002
        return self.locate(id, self.catalog.places(to_key(id)))

    def locate(self, id: str, places: Sequence[Place]) -> Found | None:  # noqa: A002
        """Return the first sound original among some places of an id, or None."""
        for place in places:
            head, data, _ = _read(place)
            if head is None or head.id != id:
                continue
            if data is not None and _is_sound(head, data):
                return Found(head, data, place, place)
            for holder in self.catalog.places(to_key(head.same)) if head.same else ():
                data = _read(holder).data
                if data is not None and _is_sound(head, data):
                    return Found(head, data, place, holder)
        return None

    def originals(self, pack: Path) -> Iterator[Found | None]:
        """Yield the original of each row of a pack, None where no sound copy of it is here."""
        for place, written in scan(pack):
            head, data, _ = decode_row(written)
            if head is None:
                yield None
            elif data is not None and _is_sound(head, data):
                yield Found(head, data, place, place)
            else:
                yield self._sound(head.id)

    def ids(self) -> Iterator[Entry]:
        """Yield the rows of all packs; an id that stands in two packs comes twice."""
        heads: list[tuple[Head, str]] = []
        lengths = _Lengths()
        for pack in self._packs():
            with reported(StoreError, "read", pack):
                for _, written in scan(pack):
                    row = decode_row(written)
                    if row.head is not None:
                        heads.append((row.head, str(pack)))
                        lengths.add(row.head, row.data)
        for head, name in heads:
            yield Entry(head, lengths.of(head), name)

    def verify(self) -> list[soundness.Finding]:
        """List what is wrong with the packs: nothing, if they are sound."""
        return [finding for pack in self._packs() for finding in soundness.check_pack(pack, self)]

    def stage(self) -> Staging | DryStaging:
        """Begin to collect the originals of one run."""
        with self._reported:
            self.catalog.refresh()
        return Staging(self)

    def _packs(self) -> list[Path]:
        with self._reported:
            return self.catalog.packs()


class _Lengths:
    """How long originals are, also where another row holds their bytes or their parts."""

    def __init__(self) -> None:
        self._holders: dict[str, str] = {}
        self._bytes: dict[str, int] = {}
        self._parts: dict[str, list[str]] = {}

    def add(self, head: Head, data: bytes | None) -> None:
        """Take in a row."""
        if data is None:
            self._holders[head.id] = head.same
            return
        self._bytes[head.id] = len(data)
        if head.format == SPAN:
            self._parts[head.id] = [part for part in _listed(data) if is_id(part)]

    def of(self, head: Head) -> int:
        """Return the length of what `find` gives."""
        holder = head.same or head.id
        if holder not in self._parts:
            return self._bytes.get(holder, 0)
        parts = [self._holders.get(part, part) for part in self._parts[holder]]
        return sum(self._bytes.get(part, 0) for part in parts) + max(len(parts) - 1, 0)


class NoOffloads(Offloads):
    """The originals of a dry run: what is there is read, what is staged is written nowhere."""

    def stage(self) -> DryStaging:
        """Begin to collect the originals of a run that keeps none."""
        return DryStaging()


def _read(place: Place) -> Row:
    """Read the row at a place; one that is damaged or gone has neither head nor data."""
    try:
        return decode_row(read_row(place))
    except OSError:
        return NO_ROW


def _listed(parts: bytes) -> list[Any]:
    """Return what a stretch names as its records; what is no list names none that could be."""
    try:
        found = json.loads(parts)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, list) else [found]


def _is_sound(head: Head, data: bytes) -> bool:
    return hashlib.sha256(data).hexdigest() == head.sha256
