"""Write the draft: untouched bytes in long runs, changed records in their places.

What stands around a record on its line (a byte order mark, other records, NULs, the newline) is copied too.
"""

from __future__ import annotations

import base64
from array import array
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ctxcompact.engine.draft import Draft

_WINDOW_BYTES = 1 << 20


@dataclass(slots=True)
class Written:
    """The output as it was written: its size, its hash, and a CRC-32 of every line."""

    bytes: int = 0
    lines: int = 0
    sha256: str = ""
    line_crcs: array[int] = field(default_factory=lambda: array("I"))

    def packed_crcs(self) -> str:
        """Return the CRCs as base64 of little-endian 32-bit numbers."""
        return base64.b64encode(self.line_crcs.tobytes()).decode()


def write(
    draft: Draft, sink: Callable[[bytes], object], note: Callable[[int, int, str], object]
) -> Written:
    """Write the whole output.

    `note` is told of every changed stretch: its first byte and the first after it in the output, and the id of
    the original record ("" for a stretch that stands for nothing: a newline that a session file must end with).
    """
    return _Writer(draft, sink, note).run()


class _Writer:
    def __init__(
        self,
        draft: Draft,
        sink: Callable[[bytes], object],
        note: Callable[[int, int, str], object],
    ) -> None:
        self._draft = draft
        self._reading = draft.reading
        self._sink = sink
        self._note = note
        self._hash = sha256()
        self._written = Written(line_crcs=array("I", self._reading.index.line_crcs))

    def run(self) -> Written:
        index, size = self._reading.index, self._reading.source.size
        done = 0
        for line, records in self._changed_lines():
            start, stop = index.line_span(line, size)
            self._copy(done, start)
            self._line(line, start, records)
            done = stop
        self._copy(done, size)
        if self._draft.is_changed:
            self._end_line()
        self._written.lines = len(self._written.line_crcs)
        self._written.sha256 = self._hash.hexdigest()
        return self._written

    def _changed_lines(self) -> Iterator[tuple[int, list[int]]]:
        lines = self._reading.index.lines
        changed = self._draft.changed_records()
        for line, records in groupby(changed, key=lines.__getitem__):
            yield line, list(records)

    def _line(self, line: int, start: int, records: list[int]) -> None:
        index, raw = self._reading.index, self._reading.line(line)
        pieces: list[bytes] = []
        done = 0
        at = self._written.bytes
        for record in records:
            first = index.starts[record] - start
            change = self._draft.of(record)
            if change is None:
                continue
            pieces += (raw[done:first], change.raw)
            at += first - done
            self._note(at, at + len(change.raw), change.uuid)
            at += len(change.raw)
            done = first + index.lengths[record]
        pieces.append(raw[done:])
        new = b"".join(pieces)
        self._written.line_crcs[line - 1] = crc32(new)
        self._put(new)

    def _copy(self, start: int, stop: int) -> None:
        while start < stop:
            window = self._reading.source.read(start, min(stop - start, _WINDOW_BYTES))
            self._put(window)
            start += len(window)

    def _put(self, data: bytes) -> None:
        self._hash.update(data)
        self._sink(data)
        self._written.bytes += len(data)

    def _end_line(self) -> None:
        """End a client's session file with a newline: the next line it appends must not be glued on."""
        reading = self._reading
        if not reading.format.session or not reading.source.size:
            return
        if reading.source.read(reading.source.size - 1, 1) == b"\n":
            return
        at, crcs = self._written.bytes, self._written.line_crcs
        self._put(b"\n")
        self._note(at, at + 1, "")
        crcs[-1] = crc32(b"\n", crcs[-1])
