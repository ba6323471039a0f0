"""Faults at the calls of a process to its system: at the n-th one something else happens."""

from __future__ import annotations

import errno
import os
import shutil
import signal
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WRITES = (
    *("open", "write", "fsync", "replace", "unlink", "mkdir", "rmdir", "chmod", "fchmod"),
    *("ftruncate", "utime"),
)
CALLS = (*WRITES, "pread")
REMOVING = ("unlink", "rmdir")
ERRORS = ("ENOSPC", "EIO", "EACCES")
VANISH = "the stores vanish"


class Fault(NamedTuple):
    """What happens, and when.

    `what` is the name of a signal or of an error of the system, or `VANISH`. `moment`: before the
    call, after it, or "torn" (half of a write arrives). A `lasting` fault meets every later call
    too, but those that remove something.
    """

    number: int
    what: str
    moment: str = "before"
    lasting: bool = False

    def meets(self, number: int, name: str) -> bool:
        """Tell whether it happens at a call."""
        if self.lasting:
            return number >= self.number and name not in REMOVING
        return number == self.number

    def strike(self) -> None:
        """Let it happen."""
        if self.what == VANISH:
            for folder in (".offload", ".transcripts"):
                shutil.rmtree(folder, ignore_errors=True)
        elif self.what.startswith("SIG"):
            os.kill(os.getpid(), signal.Signals[self.what])
        else:
            number = getattr(errno, self.what)
            raise OSError(number, os.strerror(number))


class Meddler:
    """Stands between this process and its system from now on."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault
        self.names: list[str] = []

    def step_in(self, names: tuple[str, ...]) -> None:
        """Wrap the calls of these names; they stay so, the process is for this one run."""
        for name in names:
            setattr(os, name, self._wrap(name, getattr(os, name)))

    def _wrap(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            self.names.append(name)
            if not self._fault.meets(len(self.names), name):
                return real(*args, **kwargs)
            return self._strike(name, real, *args, **kwargs)

        return call

    def _strike(self, name: str, real: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if self._fault.moment == "before":
            self._fault.strike()
            return real(*args, **kwargs)
        if self._fault.moment == "torn" and name == "write":
            fd, data = args
            args = (fd, bytes(data)[: len(data) // 2])
        try:
            return real(*args, **kwargs)
        finally:
            self._fault.strike()


def last_rename(names: list[str]) -> int:
    """Return the number of the call that puts the output in its place; before it the file is flushed."""
    return len(names) - names[::-1].index("replace")


def text_of(path: Path) -> str:
    """Read what a process said."""
    return path.read_text(encoding="utf-8", errors="replace")
