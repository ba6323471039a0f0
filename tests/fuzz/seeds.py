"""What mutation starts from: the beginnings of sound transcripts, small enough for many runs."""

from __future__ import annotations

import json
import os
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

_HERE = Path(__file__).resolve().parent
_MOST_LINES = 60
_MOST_BYTES = 40_000
_LONG_BYTES = 4_000
_LONG_CHARS = 1_500


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
    """Return lines from the start of a file, what is long in them shortened.

    None is left out, so that what comes after does not hang on nothing.
    """
    found: list[bytes] = []
    with path.open("rb") as file:
        for line in islice(file, _MOST_LINES):
            found.append(_shortened(line))
            if sum(map(len, found)) > _MOST_BYTES:
                found.pop()
                break
    return b"".join(found)


def _shortened(line: bytes) -> bytes:
    """Cut the texts of a long line."""
    if len(line) <= _LONG_BYTES:
        return line
    try:
        record = json.loads(line)
    except ValueError:
        return line
    return json.dumps(_cut(record), ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def _cut(value: Any) -> Any:
    if isinstance(value, str):
        return value[:_LONG_CHARS]
    if isinstance(value, list):
        return [_cut(item) for item in value]
    return {key: _cut(item) for key, item in value.items()} if isinstance(value, dict) else value
