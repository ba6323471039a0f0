"""Replace a file in one step: it holds the old bytes or the new ones, at every moment.

Only regular files. A stream (standard output, a pipe, a device) is for the caller to write.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ctxcompact.errors import OutputError
from ctxcompact.stores.faults import reported
from ctxcompact.stores.temps import Temp, flush_folder, sweep_temps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ANY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


@contextmanager
def write_atomically(
    path: Path,
    mode: int | None = None,
    *,
    mtime_ns: int | None = None,
    last_check: Callable[[], object] | None = None,
) -> Iterator[BinaryIO]:
    """Yield a binary file whose bytes stand at `path` once the body is through.

    They are written beside `path`, flushed, and renamed over it; on any exception, an interrupt
    too, what stood there stays and the temp file goes; so do those that killed runs left there. A
    symbolic link keeps leading to its target,
    which is what is replaced. The mode is `mode`, else the one of the file replaced; its owner is
    kept where we may. `mtime_ns` sets the time of change. `last_check` is called right before the
    rename and stops it by raising.

    Raises `OutputError` for a target that `check_target` refuses and for all that the disk says.
    """
    with reported(OutputError, "write", path):
        target, before = check_target(path)
        kept = mode if before is None or mode is not None else stat.S_IMODE(before.st_mode)
        sweep_temps(target.parent)
        with Temp(target.parent, kept) as temp:
            yield temp.file
            temp.file.flush()
            _dress(temp, before, kept, mtime_ns)
            temp.flush()
            if last_check is not None:
                last_check()
            temp.place(target)
        with suppress(OSError):  # after a power cut the old or the new file stands: both are whole
            flush_folder(target.parent)


def check_target(path: Path) -> tuple[Path, os.stat_result | None]:
    """Return the file that `path` leads to, and its state or None, if it may be replaced.

    Raises `OutputError` if it is a folder or no regular file, if its folder is missing, or if it is
    read-only. Read-only is what the mode bits say, for root as well.
    """
    with reported(OutputError, "write", path):
        target = Path(os.path.realpath(path))
        try:
            state = target.stat()
        except FileNotFoundError:
            if not target.parent.is_dir():
                raise
            return target, None
    _refuse(path, target, state)
    return target, state


def _refuse(path: Path, target: Path, state: os.stat_result) -> None:
    if stat.S_ISDIR(state.st_mode):
        what, hint = "it is a folder", "give the path of a file"
    elif not stat.S_ISREG(state.st_mode):
        what, hint = "it is not a regular file", "write to standard output (-) and redirect that"
    elif not state.st_mode & _ANY_WRITE or not os.access(target, os.W_OK):
        what, hint = "it is read-only", f"choose another output, or `chmod u+w {path}` first"
    else:
        return
    message = f"cannot write {path}: {what}"
    raise OutputError(message, hint=hint, path=str(path))


def _dress(
    temp: Temp, before: os.stat_result | None, mode: int | None, mtime_ns: int | None
) -> None:
    """Give the new file the owner, mode and time it is to have."""
    fd = temp.file.fileno()
    if before is not None and (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
        with suppress(PermissionError):
            os.fchown(fd, before.st_uid, before.st_gid)
            os.fchmod(fd, 0o600 if mode is None else mode)  # a change of owner drops set-id bits
    if mtime_ns is not None:
        os.utime(fd, ns=(mtime_ns, mtime_ns))
