"""Write the draft: untouched bytes in long runs, changed records in their places.

What stands around a record on its line (a byte order mark, other records, NULs, the newline) is
copied too.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ctxcompact.engine.draft import Change, Draft

_WINDOW_BYTES = 1 << 18

Sink: TypeAlias = "Callable[[bytes], object]"
Note: TypeAlias = "Callable[[int, int, str | Sequence[str]], object]"


def write(draft: Draft, sink: Sink, note: Note) -> None:
    """Hand the whole output to `sink`.

    `note` is told of every changed stretch: its first byte and the first after it in the output,
    and the id of the original record; no id for a stretch that stands for nothing (the newline that
    a session file ends with, lines that were added). Such a stretch may begin with a newline.
    """
    _Writer(draft, sink, note).run()


class _Writer:
    def __init__(self, draft: Draft, sink: Sink, note: Note) -> None:
        self._draft = draft
        self._reading = draft.reading
        self._sink = sink
        self._note = note
        self._at = 0

    def run(self) -> None:
        index, size = self._reading.index, self._reading.source.size
        done = 0
        for line, records in self._changed_lines():
            start, stop = index.line_span(line, size)
            self._copy(done, start)
            self._line(start, stop, records)
            done = stop
        self._copy(done, size)
        if self._draft.is_changed:
            self._end_line()
        if appendix := self._draft.appendix:
            start = self._at
            self._put(appendix)
            self._note(start, self._at, ())

    def _changed_lines(self) -> Iterator[tuple[int, Iterator[int]]]:
        return groupby(self._draft.changed_records(), key=self._reading.index.lines.__getitem__)

    def _line(self, start: int, stop: int, records: Iterator[int]) -> None:
        """Write one line: its changed records, and what stands around them."""
        index, read = self._reading.index, self._reading.source.read
        pieces: list[bytes] = []
        at, done = self._at, start
        for record in records:
            change = self._draft.of(record)
            assert change is not None  # noqa: S101 - only changed records come here
            first, end = index.starts[record], index.starts[record] + index.lengths[record]
            if not change.raw and first == start and read(end, stop - end) == b"\n":
                self._note(at, at, (change.uuid, ""))
                return
            if done < first:
                pieces.append(read(done, first - done))
                at += first - done
            pieces.append(change.raw)
            self._tell(at, change, record)
            at += len(change.raw)
            done = end
        if done < stop:
            pieces.append(read(done, stop - done))
        self._put(b"".join(pieces))

    def _tell(self, at: int, change: Change, record: int) -> None:
        """Say what a record became; where it only has lines behind it now, these stand for nothing."""
        stop = at + len(change.raw)
        head, newline, _ = change.raw.partition(b"\n")
        if newline and head == self._reading.record(record):
            self._note(at + len(head), stop, ())
        else:
            self._note(at, stop, change.uuid)

    def _copy(self, start: int, stop: int) -> None:
        for at in range(start, stop, _WINDOW_BYTES):
            self._put(self._reading.source.read(at, min(stop - at, _WINDOW_BYTES)))

    def _put(self, data: bytes) -> None:
        self._sink(data)
        self._at += len(data)

    def _end_line(self) -> None:
        """End a client's session file with a newline.

        The next line it appends must not be glued on.
        """
        source = self._reading.source
        if self._reading.format.session and source.read(source.size - 1, 1) != b"\n":
            self._put(b"\n")
            self._note(self._at - 1, self._at, ())
