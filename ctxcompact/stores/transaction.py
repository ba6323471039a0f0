"""Put an output in its place.

Originals first, then the receipt, then the output, all under one lock. The order and what a crash
leaves are in the docstring of this room; how the bytes come about is for the caller.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import contextmanager, nullcontext
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias

from ctxcompact.errors import InputChanged, OutputError
from ctxcompact.stores.archive import (
    archive,
    archive_compressed,
    archive_path,
    compressed_path,
    unarchive,
)
from ctxcompact.stores.atomic import write_atomically
from ctxcompact.stores.compression import compressing, decompress
from ctxcompact.stores.faults import reported
from ctxcompact.stores.folders import OFFLOADS, check_there, seen_from
from ctxcompact.stores.interrupts import PART_SENT, noted
from ctxcompact.stores.lock import locked
from ctxcompact.stores.receipts import ReceiptWriter, read_receipts
from ctxcompact.stores.restoration import fitting
from ctxcompact.stores.source import WINDOW_BYTES
from ctxcompact.stores.tally import Content, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from ctxcompact.core.journal import Journal
    from ctxcompact.stores.source import Source
    from ctxcompact.stores.staging import DryStaging, Staging

Sink: TypeAlias = Callable[[bytes], object]
Note: TypeAlias = Callable[[int, int, str | Sequence[str]], object]
Write: TypeAlias = Callable[[Sink, Note], object]


_LOOKS = 100  # at a file that grows


class Placed(NamedTuple):
    """What stands in its place now, and the receipt that undoes it.

    `carried` lines of it were appended to the input while we worked.
    """

    content: Content
    receipt: Path
    carried: int = 0


class Kept(NamedTuple):
    """How the file that stands there in the end is to look.

    None leaves the choice to the system. What is written is `compressed` if that is asked.
    """

    mode: int | None = None
    mtime_ns: int | None = None
    compressed: bool = False


class Transaction:
    """One output of one run. Raises `InputChanged` if the source is no longer what was read."""

    def __init__(
        self,
        source: Source,
        lines: int,
        staging: Staging | DryStaging,
        root: Path,
        *,
        archived: bool,
        heirs: Mapping[str, str] = MappingProxyType({}),
        run: Journal | None = None,
    ) -> None:
        self._archived = archived
        self._heirs = heirs
        self._run = run
        self._copies: list[Path] = []
        self._source = source
        self._input = Content(source.size, lines, source.sha256)
        self._staging = staging
        self._root = root
        self._receipt: ReceiptWriter
        self._tally = Tally()
        self._made: Path | None = None
        self._has_kept = False
        self._received = self._tally.content()

    def to_file(self, path: Path, write: Write, kept: Kept, *, format: str, mode: str) -> Placed:  # noqa: A002
        """Replace a file by what `write` hands over, in one step."""

        def commit() -> None:
            self._read_back(file, compressed=kept.compressed)
            self._commit(seen_from(self._root, path), format, mode)
            self._carry_over(file)

        in_place = not kept.compressed and self._source.is_at(path)
        with locked(self._root):
            with (
                self._guarded(),
                write_atomically(
                    path, kept.mode, mtime_ns=kept.mtime_ns, last_check=commit
                ) as file,
            ):
                self._fill(file, write, compressed=kept.compressed)
            if in_place:
                self._catch_up(path)
            return self._placed()

    def to_stream(
        self,
        stream: BinaryIO,
        write: Write,
        *,
        format: str,  # noqa: A002
        mode: str,
        compressed: bool = False,
    ) -> Placed:
        """Write to a stream what `write` hands over, once all that it stands for is kept.

        From the first byte on others may refer to the originals, so a stream that breaks undoes
        nothing.
        """
        with tempfile.TemporaryFile() as spool:
            with locked(self._root), self._guarded():
                with reported(OutputError, "hold a copy of", "the output"):
                    self._fill(spool, write, compressed=compressed)
                self._commit("-", format, mode)
                self._carry_over(spool)
            spool.seek(0)
            with noted(PART_SENT):
                while window := spool.read(WINDOW_BYTES):
                    stream.write(window)
                stream.flush()
            return self._placed()

    def _fill(self, file: IO[bytes], write: Write, *, compressed: bool) -> None:
        """Write the output; what is counted is what is inside."""
        with compressing(file, "the output") if compressed else nullcontext(file.write) as put:

            def sink(data: bytes) -> None:
                self._tally.add(data)
                put(data)

            write(sink, self._touch if self._archived else self._receipt.hunk)
        file.flush()

    def _touch(self, start: int, stop: int, ids: str | Sequence[str]) -> None:
        """Note the lines that are ours; the archive stands for the whole input."""
        if start < stop:
            self._receipt.touch(start, ids)

    def _read_back(self, file: IO[bytes], *, compressed: bool) -> None:
        """Make sure that the disk gives back what was written."""
        digest, fd, at = hashlib.sha256(), file.fileno(), 0
        if compressed:
            decompress(file, digest.update, "the output")
        while not compressed and (window := os.pread(fd, WINDOW_BYTES, at)):
            digest.update(window)
            at += len(window)
        if digest.hexdigest() != self._tally.content().sha256:
            message = "the disk does not give back what was written; nothing was replaced"
            raise OutputError(message, hint="check the disk, or write the output elsewhere")

    def _commit(self, path: str, format: str, mode: str) -> None:  # noqa: A002
        self._source.check_unchanged()
        if self._archived:
            self._archive_source()
        if self._source.compressed:
            self._archive_compressed()
        before = fitting(self._source, read_receipts([self._root]))
        pack = self._staging.commit()
        self._has_kept = pack is not None
        self._made = self._receipt.commit(
            format=format,
            path=path,
            mode=mode,
            input=self._input,
            output=self._tally,
            previous=before[0].name if before else None,
            run=self._run and self._run._replace(pack=pack.path.name if pack else None),
        )
        self._source.check_unchanged()
        self._check_kept()

    def _check_kept(self) -> None:
        """Look once more, right before the output begins to need what was kept."""
        self._staging.check_kept()
        assert self._made is not None  # noqa: S101 - just committed
        check_there(self._made)
        if self._archived:
            check_there(archive_path(self._root, self._source))

    def _carry_over(self, file: IO[bytes]) -> None:
        """Add the lines that were appended to the input meanwhile, if it is to be followed.

        The receipt ends before them: to it they are like any that come later.
        """
        self._received = self._tally.content()
        for _ in range(_LOOKS):
            more = self._source.appended(self._source.size + self._carried_bytes())
            if not more:
                return
            self._tally.add(more)
            file.write(more)
        message = (
            f"{self._source.name} is written to faster than we can follow; nothing was written"
        )
        raise InputChanged(message, hint="run again later", path=self._source.name)

    def _catch_up(self, path: Path) -> None:
        """Add what was appended to the old file between the last look and the rename."""
        late = self._source.late(self._source.size + self._carried_bytes())
        if late:
            with reported(OutputError, "add what came last to", path), path.open("ab") as file:
                file.write(late)
            self._tally.add(late)

    def _carried_bytes(self) -> int:
        return self._tally.content().bytes - self._received.bytes

    def _archive_source(self) -> None:
        """Keep a copy of the whole input, which then stands for the whole output."""
        path = archive_path(self._root, self._source)
        self._copies += [] if path.exists() else [path]
        archive(self._root, self._source)
        self._receipt.whole(self._tally.content().bytes, path.stem)

    def _archive_compressed(self) -> None:
        """Keep the compressed file, whose bytes nothing else would give back."""
        path = compressed_path(self._root, self._source)
        self._copies += [] if path.exists() else [path]
        archive_compressed(self._root, self._source)

    def _placed(self) -> Placed:
        assert self._made is not None  # noqa: S101 - committed before anything is placed
        content = self._tally.content()
        return Placed(content, self._made, content.lines - self._received.lines)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Undo on failure, still under the lock.

        After an interrupt the output may stand, and what is kept stays.
        """
        self._receipt = ReceiptWriter(self._root, self._heirs)
        try:
            yield
        except Exception:
            self._receipt.undo()
            self._staging.undo()
            for path in self._copies:
                unarchive(path)
            raise
        except BaseException as stop:
            if self._has_kept:
                stop.add_note(f"originals are kept in {self._root / OFFLOADS}")
            self._receipt.discard()
            self._staging.discard()
            raise


def measure(write: Write) -> Content:
    """Count what `write` hands over, without putting it anywhere."""
    tally = Tally()
    write(tally.add, lambda _start, _stop, _ids: None)
    return tally.content()
