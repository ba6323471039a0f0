"""What mutation starts from: the beginnings of sound transcripts, small enough for many runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

_HERE = Path(__file__).resolve().parent
_MOST_LINES = 60
_MOST_BYTES = 40_000


class Seed(NamedTuple):
    """A transcript and the name of the file it was taken from."""

    name: str
    data: bytes


def seeds() -> list[Seed]:
    """Return the seeds of the repository; with `CTXCOMPACT_SHARED`, of the transcripts there too."""
    folders = [_HERE.parents[1] / "samples", _HERE.parent / "golden"]
    if shared := os.environ.get("CTXCOMPACT_SHARED"):
        folders += [Path(shared, "corpus"), Path(shared, "client-sessions")]
    paths = [path for folder in folders for path in sorted(folder.rglob("*.jsonl"))]
    return [Seed(path.name, data) for path in paths if (data := _beginning(path))]


def _beginning(path: Path) -> bytes:
    """Return whole lines from the start of a file; a line too long is left out."""
    found: list[bytes] = []
    room = _MOST_BYTES
    with path.open("rb") as file:
        for line in file:
            if len(line) <= room // 2:
                found.append(line)
                room -= len(line)
            if len(found) >= _MOST_LINES:
                break
    return b"".join(found)
