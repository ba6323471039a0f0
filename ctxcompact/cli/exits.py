"""Exit codes, and which error means which. Nowhere else is one decided."""

from __future__ import annotations

from enum import IntEnum

from ctxcompact.errors import CtxCompactError, IdNotFound, InputChanged, UsageError


class Exit(IntEnum):
    """How a command ended. `BROKEN_PIPE` is how a shell shows a process that SIGPIPE ended."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    OVER_TARGET = 3
    ID_NOT_FOUND = 4
    INPUT_CHANGED = 5
    INTERRUPTED = 130
    BROKEN_PIPE = 141


def of_error(error: BaseException) -> Exit:
    """Return the exit code that an error means."""
    match error:
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
