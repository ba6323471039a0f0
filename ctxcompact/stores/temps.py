"""Temp files that become real ones by a rename, and the flushing that makes a rename last.

Each is locked for as long as its process lives, which tells a leftover from one that is being
written. Nothing here knows what is written, or catches an error that matters.
"""

from __future__ import annotations

import errno
import io
import os
import re
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Self
from weakref import finalize

from ctxcompact.stores.flocks import flock, is_current

if TYPE_CHECKING:
    from pathlib import Path

    from _typeshed import ReadableBuffer

BUFFER_BYTES = 1 << 18
PRIVATE = 0o600

_NAME = re.compile(r"\.ctxcompact-[0-9a-f]{16}\.tmp")
_FOUND = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FLUSHES_NO_FOLDERS = {errno.EINVAL, errno.ENOTSUP}


class _Descriptor(io.RawIOBase):
    """A raw file that can be closed without flushing what is buffered above it."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def fileno(self) -> int:
        return self._fd

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        return os.write(self._fd, data)

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        return os.lseek(self._fd, offset, whence)

    def truncate(self, size: int | None = None, /) -> int:
        size = self.tell() if size is None else size
        os.ftruncate(self._fd, size)
        return size

    def close(self) -> None:
        if not self.closed:
            super().close()
            os.close(self._fd)


class Temp:
    """A new file in `folder` under a name of its own, until it is placed or removed.

    With `mode` it has exactly that mode; without, the one a new file gets here (0666 less the
    umask).
    """

    def __init__(self, folder: Path, mode: int | None = PRIVATE) -> None:
        while not self._make(folder, 0o666 if mode is None else PRIVATE):
            pass
        try:
            self.file = io.BufferedWriter(self._raw, BUFFER_BYTES)
            if mode is not None:
                os.fchmod(self._raw.fileno(), mode)
        except BaseException:
            self.remove()
            raise

    def _make(self, folder: Path, mode: int) -> bool:
        """Make and lock the file; another run may have taken it for a leftover in between."""
        self.path = folder / f".ctxcompact-{secrets.token_hex(8)}.tmp"
        # Whenever an interrupt comes: a file that nobody refers to any more goes.
        self._leave = finalize(self, _unlink, self.path)
        try:
            self._raw = _Descriptor(os.open(self.path, _NEW, mode))
            flock(self._raw.fileno(), wait=True)
            if is_current(self._raw.fileno(), self.path):
                return True
        except BaseException:
            self.remove()
            raise
        self.remove()
        return False

    def __enter__(self) -> Self:
        """Give itself; after the body it is placed or gone."""
        return self

    def __exit__(self, *error: object) -> None:
        """Remove it, unless it was placed."""
        self.remove()

    def flush(self) -> None:
        """Bring all that was written to the disk."""
        self.file.flush()
        os.fsync(self._raw.fileno())

    def place(self, target: Path, *, is_cache: bool = False) -> None:
        """Flush the file and rename it over `target`; the folder is for the caller to flush.

        A cache that tells when it is torn need not be brought to the disk.
        """
        if is_cache:
            self.file.flush()
        else:
            self.flush()
        self.path.replace(target)
        self._leave.detach()
        self._raw.close()

    def remove(self) -> None:
        """Throw the file away with what is still buffered; once placed, nothing happens."""
        self._leave()
        if hasattr(self, "_raw"):
            self._raw.close()


def _unlink(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def sweep_temps(folder: Path) -> None:
    """Remove the temp files in a folder whose processes were killed; where there are no locks, none."""
    names: list[str] = []
    with suppress(OSError), os.scandir(folder) as entries:
        names += [entry.name for entry in entries if _NAME.fullmatch(entry.name)]
    for name in names:
        with suppress(OSError):
            _remove_dead(folder / name)


def _remove_dead(path: Path) -> None:
    fd = os.open(path, _FOUND)
    try:
        if flock(fd, wait=False) and is_current(fd, path):
            path.unlink()
    finally:
        os.close(fd)


def flush_folder(folder: Path) -> None:
    """Make the names in a folder last; file systems that cannot do that are taken as they are."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in _FLUSHES_NO_FOLDERS:
            raise
    finally:
        os.close(fd)
