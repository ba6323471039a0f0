"""Errors as a person reads them, and as scripts do."""

from __future__ import annotations

from typing import Any

from ctxcompact.cli.exits import Exit, of_error
from ctxcompact.cli.words import shown
from ctxcompact.errors import CtxCompactError
from ctxcompact.stores.interrupts import notes_of

SCHEMA_VERSION = 1

_DEBUG_HINT = "set CTXCOMPACT_DEBUG=1 for the traceback"
_SAID_CHARS = 300
_ENDED = {
    Exit.HUNG_UP: "hung up",
    Exit.INTERRUPTED: "interrupted",
    Exit.TERMINATED: "terminated",
}


def known(error: BaseException) -> CtxCompactError:
    """Return the error in our own words; one that nobody foresaw is named by its class."""
    match error:
        case CtxCompactError():
            return error
        case KeyboardInterrupt():
            told = CtxCompactError("; ".join([_ENDED[of_error(error)], *notes_of(error)]))
            told.code = "interrupted"
        case MemoryError():
            told = CtxCompactError("out of memory", hint="close other programs, or add memory")
            told.code = "out_of_memory"
        case RecursionError():
            told = CtxCompactError("a value is nested too deeply", hint=_DEBUG_HINT)
            told.code = "nested_too_deeply"
        case OSError(strerror=str(said)):
            told = CtxCompactError(said, hint=_DEBUG_HINT, path=_path_of(error))
            told.code = "system"
        case _:
            said = f"{type(error).__name__}: {error}".removesuffix(": ")[:_SAID_CHARS]
            hint = f"this is a fault of ctxcompact; {_DEBUG_HINT}"
            told = CtxCompactError(f"unexpected {said}", hint=hint)
            told.code = "unexpected"
    return told


def _path_of(error: OSError) -> str | None:
    return None if error.filename is None else str(error.filename)


def in_words(error: CtxCompactError) -> str:
    """Say what happened, where, and what to do next."""
    lines = [f"error: {shown(_where(error))}{shown(error.message)}"]
    if error.hint:
        lines.append(f"  hint: {shown(error.hint)}")
    return "\n".join(lines)


def _where(error: CtxCompactError) -> str:
    """Return the place, unless the message says it already."""
    has_path = error.path in {None, "."} or str(error.path) in error.message
    has_line = error.line is None or f"line {error.line}" in error.message
    if has_path and has_line:
        return ""
    if error.path in {None, "."}:
        return f"line {error.line}: "
    path = "standard input" if error.path == "-" else error.path
    return f"{path}: " if error.line is None else f"{path}:{error.line}: "


def as_json(error: CtxCompactError) -> dict[str, Any]:
    """Return what scripts look at in an error."""
    return {
        "code": error.code,
        "message": error.message,
        "hint": error.hint,
        "path": error.path,
        "line": error.line,
    }


def envelope(command: str, error: CtxCompactError) -> dict[str, Any]:
    """Return what a failed command says in the place of its result."""
    return {
        "ctxcompact": SCHEMA_VERSION,
        "command": command,
        "status": "failed",
        "error": as_json(error),
    }
