"""The kernel's lock on an open file (flock): it goes with the process, whatever ends that.

Some systems and network file systems have none; what that means is for the caller.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None  # type: ignore[assignment]

_NO_LOCKS_HERE = {errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK}


def flock(fd: int, *, wait: bool) -> bool | None:
    """Take the lock: False if another holds it (never with `wait`), None if there are no locks here."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _NO_LOCKS_HERE:
            raise
        return None
    return True


def is_current(fd: int, path: Path) -> bool:
    """Tell whether the file we locked is still the one that others find under its name."""
    try:
        now = path.stat(follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(now, os.fstat(fd))
