"""The transcript as it would become: records changed so far, over the source that stays as it is.

The new bytes lie in a scratch file, so that a hundred thousand changed records cost no memory.
"""

from __future__ import annotations

from array import array
from errno import ENOSPC
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from ctxcompact.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ctxcompact.engine.moves import ItemFold
    from ctxcompact.engine.reading import Reading

_UUID_BYTES = 36
_LENGTH_BYTES = 8
_HEAD_BYTES = _LENGTH_BYTES + _UUID_BYTES


class Change(NamedTuple):
    """A changed record: its new bytes, and the id under which its original is stored.

    No bytes: it is gone. The id of a record that stands for a folded stretch is the stretch's.
    """

    raw: bytes
    uuid: str


class Draft:
    """What has changed, by record. A change counts once it is accepted.

    `appendix` is whole lines to be added to the end of the file. `heirs` tells, for ids of added
    lines, what will be named in their place once these lines are taken out again.
    """

    def __init__(self, reading: Reading, scratch: BinaryIO) -> None:
        self.reading = reading
        self._scratch = scratch
        self._replaced: set[int] = set()
        self._folds: dict[int, list[ItemFold]] = {}
        self._end = 0
        self._is_at_end = True
        self.appendix = b""
        self.heirs: Mapping[str, str] = MappingProxyType({})
        self._places = array("q", [-1]) * len(reading.index.starts)

    def put(self, change: Change) -> int:
        """Lay a change down without accepting it; return its place."""
        head = len(change.raw).to_bytes(_LENGTH_BYTES, "little") + change.uuid.encode()
        place = self._end
        try:
            if not self._is_at_end:
                self._scratch.seek(place)
                self._is_at_end = True
            self._end += self._scratch.write(head + change.raw)
        except OSError as error:
            full = error.errno == ENOSPC
            reason = "the disk is full" if full else (error.strerror or str(error)).lower()
            message = f"cannot hold changed records in the temp folder: {reason}"
            raise StoreError(
                message, hint="make room there, or name another with TMPDIR"
            ) from error
        return place

    def at(self, place: int) -> Change:
        """Return the change that was laid down at a place."""
        self._is_at_end = False
        self._scratch.seek(place)
        head = self._scratch.read(_HEAD_BYTES)
        length = int.from_bytes(head[:_LENGTH_BYTES], "little")
        return Change(self._scratch.read(length), head[_LENGTH_BYTES:].decode())

    def accept(
        self,
        changes: Mapping[int, int],
        replaced: Iterable[int] = (),
        folds: Mapping[int, list[ItemFold]] = MappingProxyType({}),
    ) -> None:
        """Take changes over, as places by record.

        `replaced` are those that are gone or stand for others, `folds` are made inside records.
        """
        for record, place in changes.items():
            self._places[record] = place
        self._replaced.update(replaced)
        for record, made in folds.items():
            self._folds.setdefault(record, []).extend(made)

    def folds_in(self, record: int) -> Sequence[ItemFold]:
        """Return the accepted folds of items inside a record."""
        return self._folds.get(record, ())

    def of(self, record: int) -> Change | None:
        """Return the accepted change of a record, or None."""
        place = self._places[record]
        return None if place < 0 else self.at(place)

    def stands(self, record: int) -> bool:
        """Tell whether a record is still there as itself: not gone, and not in another's place."""
        return record not in self._replaced

    def changed_records(self) -> Iterator[int]:
        """Yield the records that have changed, in order."""
        return (record for record, place in enumerate(self._places) if place >= 0)

    @property
    def is_reshaped(self) -> bool:
        """Whether messages have become others: then the output has to be read again to be believed."""
        return bool(self._replaced or self._folds or self.appendix)

    @property
    def is_changed(self) -> bool:
        """Whether anything has."""
        return bool(self.appendix) or next(self.changed_records(), None) is not None
