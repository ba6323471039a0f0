"""Whether a file that is open is still what was read: questions to the system, no decisions."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_TAIL_BYTES = 1 << 16
_WINDOW_BYTES = 1 << 18


def identity(state: os.stat_result) -> tuple[int, ...]:
    """Return what differs after a write, a rename or a change of the inode."""
    return (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)


def read_tail(fd: int, size: int) -> bytes:
    """Return the last of the first `size` bytes."""
    start = max(0, size - _TAIL_BYTES)
    return os.pread(fd, size - start, start)


def begins_with(fd: int, size: int, sha256: str) -> bool:
    """Tell whether the first `size` bytes have this hash now."""
    digest = hashlib.sha256()
    for at in range(0, size, _WINDOW_BYTES):
        digest.update(os.pread(fd, min(_WINDOW_BYTES, size - at), at))
    return digest.hexdigest() == sha256


def ends_lines(fd: int, *sizes: int) -> bool:
    """Tell whether the file has a newline right before each of some offsets."""
    return all(os.pread(fd, 1, size - 1) == b"\n" for size in sizes)


def is_one_place(path: Path, other: Path) -> bool:
    """Tell whether two paths lead to one file."""
    return os.path.realpath(path) == os.path.realpath(other)
