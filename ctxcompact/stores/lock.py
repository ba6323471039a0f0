"""One lock a root, so that check, store and rename of two runs never mix.

The kernel holds it (flock): it goes with the process, so there is no stale lock file. Where there
is no such lock (no fcntl, some network file systems) a run goes on without.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ctxcompact.errors import StoreError
from ctxcompact.stores.faults import reported
from ctxcompact.stores.folders import LOCK, OFFLOADS, make_private, tidy
from ctxcompact.stores.temps import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None  # type: ignore[assignment]

_NO_LOCKS_HERE = {errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK}


@contextmanager
def locked(root: Path, *, create: bool = True) -> Iterator[None]:
    """Hold the lock of a root; wait as long as another run has it (an interrupt ends the wait).

    Not to be entered twice by one process: the second would wait for the first. Without `create`, a
    root that has no store is not given one and needs no lock. When the lock is given back while
    nothing is stored, the folder goes too.

    Raises `StoreError` if the folder or the lock file cannot be made.
    """
    folder = root / OFFLOADS
    with reported(StoreError, "lock", folder):
        try:
            fd = _acquire(folder, create=create)
        except BaseException:
            sweep(folder)
            raise
    try:
        yield
    finally:
        if fd is not None:
            tidy(folder)
            os.close(fd)


def sweep(folder: Path) -> None:
    """Remove an empty `.offload/` unless a run holds its lock; that run looks after it itself."""
    with suppress(OSError):
        fd = _open(folder / LOCK, 0)
        try:
            if _flock(fd, wait=False):
                tidy(folder)
        finally:
            os.close(fd)
        return
    if not os.path.lexists(folder / LOCK):
        tidy(folder)


def _acquire(folder: Path, *, create: bool) -> int | None:
    while True:
        if create:
            make_private(folder)
        try:
            fd = _open(folder / LOCK, os.O_CREAT if create else 0)
        except FileNotFoundError:
            if create:  # the folder was just removed by a run that had stored nothing
                continue
            return None
        try:
            _flock(fd, wait=True)
            if _is_current(fd, folder / LOCK):
                return fd
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)


def _open(path: Path, flags: int) -> int:
    fd = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | flags, PRIVATE)
    if stat.S_IMODE(os.fstat(fd).st_mode) != PRIVATE:
        os.fchmod(fd, PRIVATE)
    return fd


def _flock(fd: int, *, wait: bool) -> bool:
    """Take the lock; without `wait`, tell whether it was free."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(fd, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _NO_LOCKS_HERE:
            raise
    return True


def _is_current(fd: int, path: Path) -> bool:
    """Tell whether the file we locked is still the one that others will lock."""
    try:
        now = path.stat(follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(now, os.fstat(fd))
