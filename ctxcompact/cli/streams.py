"""Standard input, output and error: nowhere else are they touched.

Text leaves as bytes, in the stream's own encoding; what that cannot say is escaped, so printing
never fails for a character.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, TextIO, cast

from ctxcompact.errors import InputError, OutputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_STDOUT_FD = 1


def incoming(path: Path | None) -> Path | BinaryIO:
    """Return what to read: a path, or standard input for `-` and for None.

    Raises `UsageError` where None would mean waiting for a person to type a transcript,
    `InputError` if standard input is closed.
    """
    if path is not None and str(path) != "-":
        return path
    if sys.stdin is None:
        message = "standard input is closed"
        raise InputError(message, hint="name the transcript: ctxcompact COMMAND FILE", path="-")
    if path is None and sys.stdin.isatty():
        message = "no transcript: nothing is piped in, and no file is named"
        hint = "name a file (ctxcompact COMMAND FILE) or pipe one in (ctxcompact COMMAND < FILE)"
        raise UsageError(message, hint=hint)
    return sys.stdin.buffer


class Outgoing:
    """Standard output for bytes. Its errors become `OutputError`; a broken pipe stays one."""

    def __init__(self) -> None:
        if sys.stdout is None:
            raise _unwritable("it is closed")
        self._stream = sys.stdout.buffer

    def write(self, data: bytes) -> int:
        """Take bytes; they may arrive later."""
        with _explained():
            return self._stream.write(data)

    def flush(self) -> None:
        """See that all bytes arrive."""
        with _explained():
            self._stream.flush()


def outgoing() -> BinaryIO:
    """Return standard output for bytes. Raises `OutputError` if it is closed."""
    return cast("BinaryIO", Outgoing())


def write(data: bytes) -> None:
    """Put bytes on standard output, and see that they arrive. Raises `OutputError`."""
    stream = Outgoing()
    stream.write(data)
    stream.flush()


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritable(error.strerror or str(error)) from error


def _unwritable(why: str) -> OutputError:
    message = f"cannot write to standard output: {why}"
    return OutputError(message, hint="write to a file: -o FILE", path="standard output")


def print_out(text: str) -> None:
    """Print a line or several on standard output. Raises `OutputError`."""
    stream = sys.stdout
    if stream is not None:
        write(_encoded(text + "\n", stream))


def print_err(text: str) -> None:
    """Print a line or several on standard error; where nobody listens, nothing is lost."""
    stream = sys.stderr
    if stream is None:
        return
    try:
        stream.buffer.write(_encoded(text + "\n", stream))
        stream.buffer.flush()
    except OSError:
        return


def is_terminal() -> bool:
    """Tell whether a person reads standard output as it comes."""
    return sys.stdout is not None and sys.stdout.isatty()


def has_colors(*, aside: bool) -> bool:
    """Tell whether a person sees colors: on standard error if `aside`, else on standard output."""
    stream = sys.stderr if aside else sys.stdout
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def finish() -> None:
    """Deliver what standard output still holds, or give it up: Python would complain later."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        let_go()


def let_go() -> None:
    """Send to nowhere what is still held for standard output; it cannot be written any more."""
    if sys.stdout is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _STDOUT_FD)
        os.close(nowhere)


def _encoded(text: str, stream: TextIO) -> bytes:
    return text.encode(stream.encoding or "utf-8", "backslashreplace")
