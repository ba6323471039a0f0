"""What may go from a store: what no transcript refers to, straight or through something kept.

A thing is kept by whatever has its name in its bytes: an id, the name of an archive or of a receipt.
That is more than strictly needed, never less. Things are whole files, a pack with all its rows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.errors import StoreError
from ctxcompact.stores.archive import list_compressed
from ctxcompact.stores.faults import reported
from ctxcompact.stores.folders import OFFLOADS, TRANSCRIPTS, tidy
from ctxcompact.stores.lock import locked
from ctxcompact.stores.packs import load_index, open_inside, remove_pack, to_id, unpack_rows
from ctxcompact.stores.receipt_file import ARCHIVED, Receipt
from ctxcompact.stores.receipts import list_receipts
from ctxcompact.stores.restoration import fitting
from ctxcompact.stores.source import Source
from ctxcompact.stores.temps import flush_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

_STREAM = "-"
_NAMES = re.compile(
    rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    rb"|transcript_[0-9a-f]{16}|receipt_[0-9a-f]{16}_[0-9a-f]{16}\.jsonl",
    re.IGNORECASE,
)


class Kept(NamedTuple):
    """A file of a store; `kind` is receipt, archive or pack, `originals` the rows of a pack."""

    path: Path
    kind: str
    bytes: int
    originals: int


class Collected(NamedTuple):
    """What goes, what stays, and the transcripts that were asked."""

    gone: tuple[Kept, ...]
    kept: tuple[Kept, ...]
    transcripts: tuple[Path, ...]


def collect(
    root: Path,
    packs: Sequence[Path],
    transcripts: Iterable[Path],
    *,
    before_s: float | None = None,
    dry_run: bool = False,
) -> Collected:
    """Remove what neither the given transcripts nor outputs of receipts that are still there need.

    With `before_s` (seconds since 1970) only what is older. Without, what was written to a stream
    stays: nobody knows where that output is now. Raises `InputError` for a transcript that cannot
    be read and `StoreError` for a damaged receipt: then nothing is removed, as nothing is certain.
    """
    with locked(root, create=False):
        with reported(StoreError, "look through", root):
            store = _Store(root, packs)
            asked = tuple(dict.fromkeys([*transcripts, *store.outputs()]))
            store.start(before_s)
            for path in asked:
                store.read(path)
            live = store.live()
        things = store.things()
        gone = tuple(one for one in things if one.path not in live)
        if not dry_run:
            _remove(root, gone)
        return Collected(gone, tuple(one for one in things if one.path in live), asked)


class _Store:
    """The files of a store, by all names that lead to them."""

    def __init__(self, root: Path, packs: Sequence[Path]) -> None:
        self._root = root
        self._ids = {pack: _ids_in(pack) for pack in packs}
        self._receipts = {path: Receipt.open(path) for path in list_receipts(root)}
        self._archives = [
            path
            for path in sorted((root / TRANSCRIPTS).glob("transcript_*.jsonl"))
            if ARCHIVED.fullmatch(path.stem) and not path.is_symlink()
        ]
        self._compressed = list_compressed(root)
        self._named: dict[bytes, list[Path]] = {}
        for pack, ids in self._ids.items():
            for id_ in ids:
                self._named.setdefault(id_, []).append(pack)
        for path in self._receipts:
            self._named[path.name.encode()] = [path]
        for path in self._archives:
            self._named[path.stem.encode()] = [path]
        self._inside = {path: self._names_of(receipt) for path, receipt in self._receipts.items()}
        self._waiting: set[Path] = set()

    def _names_of(self, receipt: Receipt) -> set[bytes]:
        receipt.read()  # raises if it is damaged
        with open_inside(receipt.path) as file:
            return set(self._known(file))

    def _known(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the names in some bytes that lead to something here."""
        for line in lines:
            for name in _NAMES.findall(line):
                if name.lower() in self._named:
                    yield name.lower()

    def outputs(self) -> Iterator[Path]:
        """Yield the outputs of all receipts that are still there."""
        for receipt in self._receipts.values():
            for path in receipt.paths:
                if path != _STREAM and (self._root / path).is_file():
                    yield self._root / path

    def start(self, before_s: float | None) -> None:
        """Keep what is too young to go, or without an age what stands for streams."""
        if before_s is not None:
            self._waiting |= {x.path for x in self.things() if x.path.stat().st_mtime >= before_s}
        else:
            self._waiting |= {at for at, one in self._receipts.items() if _STREAM in one.paths}

    def read(self, path: Path) -> None:
        """Keep what a transcript refers to, and the receipts that lead back from it."""
        with Source.open(str(path)) as source:
            names = set(self._known(source.lines()))
            self._waiting |= {one.path for one in fitting(source, self._receipts.values())}
        for name in names:
            self._waiting.update(self._named[name])
        self._waiting |= {at for at, inside in self._inside.items() if not names.isdisjoint(inside)}

    def live(self) -> set[Path]:
        """Return all that is kept, and what those things need in turn."""
        live: set[Path] = set()
        while self._waiting:
            path = self._waiting.pop()
            live.add(path)
            self._waiting |= set(self._needed_by(path)) - live
        return live

    def _needed_by(self, path: Path) -> Iterator[Path]:
        if receipt := self._receipts.get(path):
            for name in self._inside[path]:
                yield from self._named[name]
            yield from list_compressed(self._root, receipt.input.sha256)
            before = {receipt.input.sha256}
            before |= {
                x.output.sha256 for x in self._receipts.values() if x.name == receipt.previous
            }
            yield from (at for at, x in self._receipts.items() if x.output.sha256 in before)
            return
        if path in self._compressed:
            return
        with open_inside(path) as file:
            for name in set(self._known(file)):
                yield from self._named[name]

    def things(self) -> list[Kept]:
        """List all files, in the order in which they may go: what names others first."""
        archives = [*self._archives, *self._compressed]
        return [
            *(Kept(path, "receipt", path.stat().st_size, 0) for path in self._receipts),
            *(Kept(path, "archive", path.stat().st_size, 0) for path in archives),
            *(Kept(path, "pack", path.stat().st_size, len(ids)) for path, ids in self._ids.items()),
        ]


def _ids_in(pack: Path) -> set[bytes]:
    return {to_id(key).encode() for key, _, _ in unpack_rows(load_index(pack)[0])}


def _remove(root: Path, gone: Sequence[Kept]) -> None:
    """Remove files; a crash in between leaves originals too many, never a receipt without its own."""
    with reported(StoreError, "remove files of", root):
        for kind, folder in (
            ("receipt", TRANSCRIPTS),
            ("archive", TRANSCRIPTS),
            ("pack", OFFLOADS),
        ):
            paths = [one.path for one in gone if one.kind == kind]
            for path in paths:
                remove_pack(path) if kind == "pack" else path.unlink(missing_ok=True)
            if paths:
                flush_folder(root / folder)
        tidy(root / TRANSCRIPTS)
