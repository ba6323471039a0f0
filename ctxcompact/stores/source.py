"""The transcript as it is read: opened once, in windows, and looked at again at the end.

Bytes and lines only; what a line means is for others. Of a compressed transcript they are those
inside it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import tempfile
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, Self

from ctxcompact.errors import InputChanged, InputError
from ctxcompact.stores.changes import (
    begins_with,
    ends_lines,
    identity,
    is_one_place,
    read_tail,
)
from ctxcompact.stores.compression import decompress, is_compressed
from ctxcompact.stores.faults import reported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

WINDOW_BYTES = 1 << 18

_ANY_READ = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH


class Source:
    """The first `size` bytes of a file, as many as there were when it was opened.

    `name` is the path as given, or "-". `mode` and `mtime_ns` are those of the file, None for a
    stream. `compressed` is the file from which this one was unpacked, if it was. With `follows` whole
    lines that are appended meanwhile are no change.
    """

    def __init__(
        self,
        file: IO[bytes],
        name: str,
        path: Path | None = None,
        compressed: IO[bytes] | None = None,
    ) -> None:
        self._file = file
        self._path = path
        self._stat = os.fstat((compressed or file).fileno())
        self._sha256 = ""
        self._ahead, self._ahead_at, self._read_to = b"", 0, 0
        self._grown_to = self._stat
        self.follows = False
        self.name = name
        self.size = os.fstat(file.fileno()).st_size
        self.compressed = compressed
        self._tail = self._read_tail()

    @classmethod
    def open(cls, path: str) -> Self:
        """Open a file; what is not a regular file (a pipe, `/dev/stdin`) is spooled.

        Raises `InputError` for a path that is missing, a folder or not readable, and for compressed
        bytes that are damaged; `UsageError` without the library for these. A file without any
        read bit is not readable, for root as well.
        """
        with reported(InputError, "read", path):
            state = Path(path).stat()
            if stat.S_ISDIR(state.st_mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not stat.S_ISREG(state.st_mode):
                with Path(path).open("rb") as stream:
                    return cls.spool(stream, path)
            if not state.st_mode & _ANY_READ:
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            return cls._of(Path(path).open("rb", buffering=0), path, Path(path))

    @classmethod
    def spool(cls, stream: BinaryIO, name: str = "-") -> Self:
        """Copy a stream to a temp file without a name and read from that.

        Raises `InputError` if the stream cannot be read or the temp folder has no room.
        """
        with ExitStack() as stack, reported(InputError, "hold a copy of", name):
            spooled = stack.enter_context(tempfile.TemporaryFile())
            # By what is there, not by windows: between two reads an interrupt is heard at once.
            read = getattr(stream, "read1", stream.read)
            while window := read(WINDOW_BYTES):
                spooled.write(window)
            spooled.flush()
            stack.pop_all()  # from here on the source returned owns the file
        return cls._of(spooled, name)

    @classmethod
    def _of(cls, file: IO[bytes], name: str, path: Path | None = None) -> Self:
        """Give a file as a source, unpacked to a temp file if it is compressed."""
        with ExitStack() as stack, reported(InputError, "unpack", name):
            stack.enter_context(file)
            if is_compressed(file):
                unpacked = stack.enter_context(tempfile.TemporaryFile())
                decompress(file, unpacked.write, name)
                unpacked.flush()
                source = cls(unpacked, name, path, file)
            else:
                source = cls(file, name, path)
            stack.pop_all()  # from here on the source owns them
        return source

    def __enter__(self) -> Self:
        """Give itself; the end of the body closes it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Give the descriptors back."""
        self._file.close()
        if self.compressed is not None:
            self.compressed.close()

    @property
    def mode(self) -> int | None:
        """The permission bits."""
        return None if self._path is None else stat.S_IMODE(self._stat.st_mode)

    @property
    def mtime_ns(self) -> int | None:
        """The time of the last change."""
        return None if self._path is None else self._stat.st_mtime_ns

    @property
    def sha256(self) -> str:
        """The hash of all bytes, in hex: from the pass over `lines`, or from a pass of its own."""
        if not self._sha256:
            digest = hashlib.sha256()
            self.copy_to(digest.update, 0, self.size)
            self._sha256 = digest.hexdigest()
        return self._sha256

    def lines(self) -> Iterator[bytes]:
        """Yield every line with its newline; only LF ends one, and the last may lack it.

        Raises `InputChanged` if the file became shorter meanwhile.
        """
        digest = hashlib.sha256()
        pending: list[bytes] = []
        for start in range(0, self.size, WINDOW_BYTES):
            window = self.read(start, min(WINDOW_BYTES, self.size - start))
            digest.update(window)
            rows = BytesIO(window).readlines()
            if pending:
                pending.append(rows[0])
                if not rows[0].endswith(b"\n"):
                    continue
                rows[0] = b"".join(pending)
                pending.clear()
            if not rows[-1].endswith(b"\n"):
                pending.append(rows.pop())
            yield from rows
        if pending:
            yield b"".join(pending)
        self._sha256 = digest.hexdigest()

    def read(self, offset: int, length: int) -> bytes:
        """Return exactly `length` bytes from `offset`; raises `InputChanged` if they are gone.

        Whoever reads on from near the last place is given from a window that was read at once.
        """
        start = offset - self._ahead_at
        if not 0 <= start <= len(self._ahead) - length:
            goes_on = 0 <= offset - self._read_to < WINDOW_BYTES
            self._read_to = offset + length
            if not goes_on or length >= WINDOW_BYTES:
                return self._read(offset, length)
            window = min(WINDOW_BYTES, max(length, self.size - offset))
            self._ahead, self._ahead_at, start = self._read(offset, window), offset, 0
        self._read_to = offset + length
        return self._ahead[start : start + length]

    def _read(self, offset: int, length: int) -> bytes:
        with reported(InputError, "read", self.name):
            data = os.pread(self._file.fileno(), length, offset)
            while len(data) < length:
                more = os.pread(self._file.fileno(), length - len(data), offset + len(data))
                if not more:
                    raise self._changed("became shorter")
                data += more
            return data

    def copy_to(self, write: Callable[[bytes], object], start: int, stop: int) -> None:
        """Hand the bytes from `start` to `stop` to `write`, a window at a time."""
        for at in range(start, stop, WINDOW_BYTES):
            write(self.read(at, min(WINDOW_BYTES, stop - at)))

    def copy_compressed_to(self, write: Callable[[bytes], object]) -> None:
        """Hand over the compressed bytes from which it was unpacked; none if it was not."""
        at = 0
        with reported(InputError, "read", self.name):
            while self.compressed and (
                window := os.pread(self.compressed.fileno(), WINDOW_BYTES, at)
            ):
                write(window)
                at += len(window)

    def check_unchanged(self) -> None:
        """Raise `InputChanged` if the path no longer leads to the file as it was opened.

        Size, time of change (content and inode), identity and the last bytes are compared: two
        changes may bear one time. A stream cannot change.
        """
        if self._path is None:
            return
        try:
            now = self._path.stat()
        except OSError as error:
            raise self._changed("was moved or removed") from error
        is_same = identity(now) == identity(self._stat) and self._read_tail() == self._tail
        if not is_same and not (self.follows and self._has_grown(now)):
            raise self._changed("was written to")

    def appended(self, start: int) -> bytes:
        """Return what was appended since `start`, whole lines; nothing, unless it `follows`.

        Raises `InputChanged` for any other change.
        """
        self.check_unchanged()
        stop = self._grown_to.st_size
        with reported(InputError, "read", self.name):
            return os.pread(self._file.fileno(), stop - start, start) if start < stop else b""

    def is_at(self, path: Path) -> bool:
        """Tell whether it is the file that a path leads to; a stream is nowhere."""
        return self._path is not None and is_one_place(self._path, path)

    def late(self, start: int) -> bytes:
        """Return what the file as it was opened holds from `start` on, whatever its name leads to now."""
        size = os.fstat(self._file.fileno()).st_size
        return os.pread(self._file.fileno(), size - start, start) if start < size else b""

    def _has_grown(self, now: os.stat_result) -> bool:
        """Tell whether whole lines were added to a file that is otherwise as it was read."""
        if identity(now) == identity(self._grown_to):
            return True
        fd, size = self._file.fileno(), self.size
        is_longer = now.st_size > size > 0 and self.compressed is None
        if not is_longer or not os.path.samestat(now, self._stat):
            return False
        if not (ends_lines(fd, size, now.st_size) and begins_with(fd, size, self.sha256)):
            return False
        self._grown_to = now
        return True

    def _read_tail(self) -> bytes:
        """Read the last bytes of the file as it was opened."""
        with reported(InputError, "read", self.name):
            return read_tail((self.compressed or self._file).fileno(), self._stat.st_size)

    def _changed(self, how: str) -> InputChanged:
        message = f"{self.name} {how} while we worked; nothing was written"
        hint = "run again when nothing else writes to it"
        return InputChanged(message, hint=hint, path=self.name)
