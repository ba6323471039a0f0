"""What an interrupt is told on its way up, for whoever reports it: what stands on the disk now."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator

NOTHING_WRITTEN = "nothing was written"
PART_SENT = "what was sent on is a part of the output"
_NOTHING_SENT = "nothing was sent on"


@contextmanager
def noted(text: str) -> Iterator[None]:
    """Give an interrupt of the body this note."""
    try:
        yield
    except KeyboardInterrupt as stop:
        stop.add_note(text)
        raise


@contextmanager
def telling_of(output: Path | BinaryIO) -> Iterator[None]:
    """Give an interrupt of the body a note on the output: whether it is there.

    A file is replaced by a rename: it is complete as soon as another file has its name.
    """
    before = _state_of(output)
    try:
        yield
    except KeyboardInterrupt as stop:
        if PART_SENT not in notes_of(stop):
            stop.add_note(_outcome(output, before))
        raise


def notes_of(error: BaseException) -> list[str]:
    """Return what an error was told on its way up."""
    return getattr(error, "__notes__", [])


def _outcome(output: Path | BinaryIO, before: os.stat_result | None) -> str:
    if not isinstance(output, Path):
        return _NOTHING_SENT
    now = _state_of(output)
    if now is not None and (before is None or not os.path.samestat(before, now)):
        return f"{output} is complete"
    return f"{output} was not written" if before is None else f"{output} is as it was"


def _state_of(output: Path | BinaryIO) -> os.stat_result | None:
    with suppress(OSError):
        return output.stat() if isinstance(output, Path) else None
    return None
