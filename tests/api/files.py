"""A folder with a transcript, and what has to be true of it after a run that failed."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING, Any

from ctxcompact import api, kept
from ctxcompact.core.settings import Mode, Settings

if TYPE_CHECKING:
    from pathlib import Path

MICRO = Settings(mode=Mode.MICRO, counter="chars4", keep_recent=1)
WORDS = "what the tool said, line by line; " * 40
_MARK = re.compile(rb'<context_offload uuid=\\"([0-9a-f-]{36})\\"/>')


def rows(turns: int = 4, name: str = "a") -> list[dict[str, Any]]:
    """Write an agent's turns: a call and a long result each, an answer in the end."""
    found: list[dict[str, Any]] = [{"role": "user", "content": f"Look at {name}."}]
    for n in range(turns):
        call = {"type": "tool_use", "id": f"{name}{n}", "name": "Read", "input": {"n": n}}
        result = {"type": "tool_result", "tool_use_id": f"{name}{n}", "content": f"{n} {WORDS}"}
        found += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    return [*found, {"role": "assistant", "content": "That is all."}]


def jsonl(records: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


TRANSCRIPT = jsonl(rows())


def put(root: Path, data: bytes = TRANSCRIPT, name: str = "talk.jsonl") -> Path:
    """Put a transcript into a folder, which is made if it is not there."""
    root.mkdir(exist_ok=True)
    path = root / name
    path.write_bytes(data)
    return path


def listing(root: Path) -> dict[str, bytes]:
    """Return all files below a folder and what they hold; folders by name alone."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else b"a folder"
        for path in sorted(root.rglob("*"))
    }


def restored(path: Path) -> bytes:
    """Restore a transcript whose root is its folder."""
    stream = io.BytesIO()
    api.restore(path, stream, root=path.parent)
    return stream.getvalue()


def check_sound(root: Path) -> None:
    """Assert that the store is sound and every mark in every transcript leads somewhere."""
    assert kept.check(root) == []
    for path in root.glob("*.jsonl"):
        marks = [mark.decode() for mark in _MARK.findall(path.read_bytes())]
        assert len(kept.reload(marks, root=root)) == len(marks)
    assert not list(root.rglob("*.tmp"))
