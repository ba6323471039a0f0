"""Exit codes, and which error means which. Nowhere else is one decided."""

from __future__ import annotations

from enum import IntEnum

from ctxcompact.cli.signals import Stopped
from ctxcompact.errors import CtxCompactError, IdNotFound, InputChanged, UsageError

_SIGNALED = 128


class Exit(IntEnum):
    """How a command ended. From 128 on it is how a shell shows a process that a signal ended."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    OVER_TARGET = 3
    ID_NOT_FOUND = 4
    INPUT_CHANGED = 5
    HUNG_UP = 129
    INTERRUPTED = 130
    BROKEN_PIPE = 141
    TERMINATED = 143


def of_error(error: BaseException) -> Exit:
    """Return the exit code that an error means."""
    match error:
        case Stopped():
            return Exit(_SIGNALED + error.number)
        case KeyboardInterrupt():
            return Exit.INTERRUPTED
        case UsageError():
            return Exit.USAGE
        case InputChanged():
            return Exit.INPUT_CHANGED
        case IdNotFound() | CtxCompactError(code="unknown_tags"):
            return Exit.ID_NOT_FOUND
        case _:
            return Exit.FAILED
