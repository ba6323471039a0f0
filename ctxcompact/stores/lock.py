"""One lock a root, so that check, store and rename of two runs never mix.

The kernel holds it (flock): it goes with the process, so there is no stale lock file. Where there
is no such lock (no fcntl, some network file systems) a run goes on without.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ctxcompact.errors import StoreError
from ctxcompact.stores.faults import reported
from ctxcompact.stores.flocks import flock, is_current
from ctxcompact.stores.folders import LOCK, OFFLOADS, TRANSCRIPTS, make_private, tidy
from ctxcompact.stores.temps import PRIVATE, sweep_temps

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def locked(root: Path, *, create: bool = True) -> Iterator[None]:
    """Hold the lock of a root; wait as long as another run has it (an interrupt ends the wait).

    Not to be entered twice by one process: the second would wait for the first. Without `create`, a
    root that has no store is not given one and needs no lock. What killed runs left half-written in
    the stores is removed first. When the lock is given back while nothing is stored, the folder
    goes too.

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
        sweep_temps(folder)
        sweep_temps(root / TRANSCRIPTS)
        yield
    finally:
        if fd is not None:
            try:
                tidy(folder)
            finally:  # an interrupt may come in between
                os.close(fd)


def sweep(folder: Path) -> None:
    """Remove an empty `.offload/` unless a run holds its lock; that run looks after it itself."""
    with suppress(OSError):
        fd = _open(folder / LOCK, 0)
        try:
            if flock(fd, wait=False) is not False:
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
            fd = _open(folder / LOCK, os.O_CREAT)
        except FileNotFoundError:
            if create:  # the folder was just removed by a run that had stored nothing
                continue
            return None
        try:
            flock(fd, wait=True)
            if is_current(fd, folder / LOCK):
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
