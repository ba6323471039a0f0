"""The transcript as it would become: records changed so far, over the source that stays as it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxcompact.engine.reading import Reading


@dataclass(slots=True)
class Change:
    """A changed record: its new bytes, and the id under which its original is stored."""

    raw: bytes
    uuid: str


@dataclass(slots=True)
class Draft:
    """What has changed, by record."""

    reading: Reading
    changes: dict[int, Change] = field(default_factory=dict)

    def current(self, record: int) -> bytes:
        """Return the bytes of a record as they would be now."""
        change = self.changes.get(record)
        return self.reading.record(record) if change is None else change.raw
