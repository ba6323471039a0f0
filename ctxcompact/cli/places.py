"""Where a command reads and writes, and what may not be one place. No stream is touched here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcompact.cli import streams
from ctxcompact.errors import OutputError, UsageError

if TYPE_CHECKING:
    from typing import BinaryIO

    from ctxcompact.config import Options


def path_of(name: str | None) -> Path | None:
    """Return the path of an argument; None was not given. Raises `UsageError` for an empty one."""
    if name == "":
        raise UsageError("an empty path", hint="name a file, or - for standard input")
    return None if name is None else Path(name)


def destination(given: Path | BinaryIO, options: Options) -> Path | BinaryIO | None:
    """Return where the transcript goes; None is in place.

    Raises `UsageError` where standard input would have to be replaced.
    """
    if options.in_place:
        if not isinstance(given, Path):
            message = "--in-place: standard input cannot be replaced"
            raise UsageError(message, hint="name the file that is to be replaced")
        return None
    return streams.outgoing() if str(options.output) == "-" else options.output


def check_root(root: Path) -> None:
    """Raise `UsageError` for a root that is no folder: a slip would look like an empty store."""
    if not root.is_dir():
        message = f"--root {root}: there is no such folder"
        raise UsageError(message, hint="check the path, or make the folder first")


def check_report(report: Path, *transcripts: object) -> None:
    """Refuse a report that would overwrite a transcript, or that has no place to go.

    Raises `UsageError`, or `OutputError` as writing it would.
    """
    for one in transcripts:
        if isinstance(one, str | Path) and os.path.realpath(one) == os.path.realpath(report):
            message = f"--report {report}: the report would overwrite the transcript"
            raise UsageError(message, hint="choose another file for the report")
    if not report.parent.is_dir():
        message = f"cannot write {report}: its folder is missing"
        raise OutputError(message, hint="make the folder first", path=str(report))
