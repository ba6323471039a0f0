"""One record under edit: read once, kept once, written once."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ctxcompact.core.identity import identify
from ctxcompact.core.lines import loads
from ctxcompact.core.splice import reshape, splice
from ctxcompact.engine.draft import Change
from ctxcompact.engine.moves import ItemFold, place_now

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.splice import Path
    from ctxcompact.engine.draft import Draft
    from ctxcompact.engine.ports import Staging

SPAN = "span"
"""The format under which the store keeps a stretch of records: as the list of their ids."""


class Records:
    """Opens records for editing; what they become counts once the draft accepts `changes`."""

    def __init__(self, draft: Draft, staging: Staging) -> None:
        self.draft = draft
        self.staging = staging
        self.changes: dict[int, int] = {}
        self.replaced: set[int] = set()
        self.folds: dict[int, list[ItemFold]] = {}

    def open(self, number: int) -> OpenRecord:
        """Return a record as it stands now, to be edited."""
        place = self.changes.get(number)
        change = self.draft.of(number) if place is None else self.draft.at(place)
        return OpenRecord(self, number, change)

    def span_id(self, parts: Sequence[str]) -> str:
        """Return the id of a stretch of records, from the ids of its records."""
        return identify(sha256(_listed(parts)).hexdigest(), (SPAN,))

    def keep_span(self, parts: Sequence[str], line: int) -> None:
        """Stage a stretch of records, each of them staged already."""
        data = _listed(parts)
        digest = sha256(data).hexdigest()
        uuid = identify(digest, (SPAN,))
        self.staging.add(uuid, data, digest, path=(), tool="", format=SPAN, line=line)


def _listed(parts: Sequence[str]) -> bytes:
    return json.dumps(parts).encode()


class OpenRecord:
    """A record being edited."""

    def __init__(self, records: Records, number: int, change: Change | None) -> None:
        self._records = records
        self.number = number
        self.original = records.draft.reading.record(number)
        self._uuid = change.uuid if change else ""
        self.current = change.raw if change else self.original
        self.digest = sha256(self.original).hexdigest()
        self._data: Any = None

    @property
    def data(self) -> Any:
        """What the record parses to now."""
        if self._data is None:
            self._data = loads(self.current)
        return self._data

    def keep(self, uuid: str, path: Path, tool: str) -> str:
        """Stage the original under an id; return the id by which a receipt finds it."""
        reading = self._records.draft.reading
        self._records.staging.add(
            uuid,
            self.original,
            self.digest,
            path=path,
            tool=tool,
            format=reading.format.name,
            line=reading.index.lines[self.number],
        )
        self._uuid = self._uuid or uuid
        return self._uuid

    def keep_whole(self) -> str:
        """Stage the original as a whole."""
        return self.keep(identify(self.digest, ()), (), "")

    def place(self, path: Path) -> Path:
        """Return where the value at an address of the input stands now."""
        folds = self._records.folds.get(self.number, ())
        return place_now(path, (*self._records.draft.folds_in(self.number), *folds))

    def put(self, puts: dict[Path, Any]) -> None:
        """Put values at addresses as they are now."""
        if puts:
            self._write(splice(self.current, puts, before=self._data))

    def fold_items(self, path: Path, folds: Sequence[tuple[int, int, Sequence[Any]]]) -> None:
        """Let stretches of the array at `path`, as the input counts them, become other items."""
        placed = []
        for start, stop, items in folds:
            first = self.place((*path, start))[-1]
            placed.append((int(first), int(first) + stop - start, items))
        made = [ItemFold(path, start, stop, len(items)) for start, stop, items in folds]
        self._records.folds.setdefault(self.number, []).extend(made)
        self._write(reshape(self.current, path, placed))

    def replace(self, raw: bytes) -> None:
        """Let the whole record become other bytes, or go (no bytes)."""
        self._records.replaced.add(self.number)
        self._write(raw)

    def _write(self, raw: bytes) -> None:
        if not self._uuid:
            self.keep_whole()
        change = Change(raw, self._uuid)
        self._records.changes[self.number] = self._records.draft.put(change)
