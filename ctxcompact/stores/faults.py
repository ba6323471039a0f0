"""What an `OSError` means to the person who has to act on it.

Every other module here lets the system's errors rise to one of these context managers.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from ctxcompact.errors import CtxCompactError

_FREE_SPACE = "free some space there and run again"

_MEANINGS = {
    errno.ENOSPC: ("the disk is full", _FREE_SPACE),
    errno.EDQUOT: ("your disk quota is used up", _FREE_SPACE),
    errno.EFBIG: ("the file would be larger than allowed", "raise the limit, see `ulimit -f`"),
    errno.EACCES: ("permission denied", "check the permissions of the file and its folder"),
    errno.EPERM: ("permission denied", "check the permissions of the file and its folder"),
    errno.EROFS: ("the file system is read-only", "choose a place that can be written"),
    errno.ENOENT: ("no such file or folder", "check the path: every folder in it has to be there"),
    errno.ENOTDIR: ("a part of the path is not a folder", "check the path"),
    errno.EISDIR: ("it is a folder", "give the path of a file"),
    errno.ELOOP: ("it is a symbolic link that may not be followed", "put a real file there"),
    errno.ENAMETOOLONG: ("the name is too long", "choose a shorter one"),
    errno.EIO: ("the disk failed", "check the disk and its cable, then run again"),
}


def explain(error: OSError) -> tuple[str, str]:
    """Return what happened and what to do next, both in plain words."""
    said = error.strerror or str(error)
    return _MEANINGS.get(error.errno or 0, (said[:1].lower() + said[1:], "check the path"))


class reported:  # noqa: N801 - read as a verb: with reported(...)
    """Raise every `OSError` of the body as `kind`: "cannot DOING PATH: what happened".

    May be entered again and again.
    """

    def __init__(self, kind: type[CtxCompactError], doing: str, path: Path | str) -> None:
        self._kind = kind
        self._doing = doing
        self._path = path

    def __enter__(self) -> None:
        """Nothing is to be prepared."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Say what the system's error means."""
        if isinstance(error, OSError):
            what, hint = explain(error)
            message = f"cannot {self._doing} {self._path}: {what}"
            raise self._kind(message, hint=hint, path=str(self._path)) from error
