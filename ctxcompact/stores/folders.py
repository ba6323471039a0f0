"""The two folders beside a transcript: private, and ignored by git from inside.

`.offload/` holds the originals, `.transcripts/` the receipts and archives. What stands in them is
for others; here they are made, found, and removed again while nothing is in them.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from ctxcompact.errors import StoreError
from ctxcompact.stores.temps import PRIVATE, Temp

if TYPE_CHECKING:
    from pathlib import Path

OFFLOADS = ".offload"
TRANSCRIPTS = ".transcripts"
LOCK = "lock"

_IGNORE = ".gitignore"
_IGNORE_ALL = b"*\n"
_PRIVATE_FOLDER = 0o700
_TRIES = 5


def make_private(folder: Path) -> None:
    """Make the folder (0700) with its own `.gitignore` (0600), whatever the umask.

    One that is there stays as it is; a `.gitignore` that an interrupted run left empty is filled.
    Raises `StoreError` if something else has its name, `OSError` as the system says.
    """
    try:
        folder.mkdir(_PRIVATE_FOLDER)
    except FileExistsError:
        if not folder.is_dir():
            message = f"{folder} is in the way: it has to be a folder"
            hint = "move it away, or choose another place with --root"
            raise StoreError(message, hint=hint, path=str(folder)) from None
    else:
        folder.chmod(_PRIVATE_FOLDER)
    _ignore_all(folder / _IGNORE)


def _ignore_all(path: Path) -> None:
    with suppress(FileNotFoundError):
        state = os.lstat(path)
        if state.st_size or not stat.S_ISREG(state.st_mode):
            return
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE)
    try:
        os.fchmod(fd, PRIVATE)
        os.write(fd, _IGNORE_ALL)
    finally:
        os.close(fd)


def make_temp(folder: Path) -> Temp:
    """Make a temp file (0600) in the folder, and the folder first.

    Another run may just be removing the folder because it is empty: then both are made again.
    """
    for _ in range(_TRIES):
        make_private(folder)
        with suppress(FileNotFoundError):
            return Temp(folder)
    return Temp(folder)


def tidy(folder: Path) -> None:
    """Remove the folder if nothing but `.gitignore` (our own) and the lock file is in it.

    For `.offload/` the lock has to be held, see `lock.sweep`.
    """
    with suppress(OSError):
        if not {entry.name for entry in folder.iterdir()} <= {_IGNORE, LOCK} or not _is_ours(
            folder / _IGNORE
        ):
            return
        for name in (LOCK, _IGNORE):
            (folder / name).unlink(missing_ok=True)
        try:
            folder.rmdir()
        except OSError:  # another run has begun to use it
            make_private(folder)


def _is_ours(ignore: Path) -> bool:
    """Tell whether nothing but us wrote the ignore file."""
    return not os.path.lexists(ignore) or (
        not ignore.is_symlink() and ignore.read_bytes() in {_IGNORE_ALL, b""}
    )


def check_there(*paths: Path) -> None:
    """Raise `StoreError` if one of some files that a run leans on is gone."""
    for path in paths:
        if not path.is_file():
            message = f"{path} was removed while we worked; nothing was written"
            raise StoreError(message, hint="run again", path=str(path))


def search_roots(start: Path, transcript: Path | None = None) -> list[Path]:
    """List the roots that hold a store, nearest first, each once.

    Looked at are `start` and its parents, then the folder of the transcript and its parents.
    """
    begins = [start] if transcript is None else [start, transcript.resolve().parent]
    found: dict[Path, None] = {}
    for begin in begins:
        here = begin.resolve()
        for root in (here, *here.parents):
            if (root / OFFLOADS).is_dir() or (root / TRANSCRIPTS).is_dir():
                found[root] = None
    return list(found)


def is_inside(path: Path, folder: Path) -> bool:
    """Tell whether a path, all links followed, is a folder or leads into it."""
    here, top = os.path.realpath(path), os.path.realpath(folder)
    return os.path.commonpath([here, top]) == top


def seen_from(root: Path, path: Path) -> str:
    """Say where a file stands, seen from the root if it is below."""
    here = os.path.realpath(path)
    return os.path.relpath(here, os.path.realpath(root)) if is_inside(path, root) else here
