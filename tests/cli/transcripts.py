"""Small transcripts, in the shape of Anthropic messages."""

from __future__ import annotations

import json
from typing import Any


def line(role: str, content: Any) -> bytes:
    return json.dumps({"role": role, "content": content}).encode() + b"\n"


def call(number: int, tool: str = "read_log") -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": tool, "input": {"n": number}}


def result(number: int, text: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": text}


def rounds(count: int = 3, *, chars: int = 8000, tool: str = "read_log", said: str = "ok") -> bytes:
    """Make rounds: a person asks, a tool answers at length, the model sums up."""
    lines = []
    for number in range(count):
        text = f"entry {number} of the log; " * (chars // 20)
        lines += [
            line("user", f"Question {number}: {said}?"),
            line("assistant", [call(number, tool)]),
            line("user", [result(number, text)]),
            line("assistant", f"Answer {number}: {said}."),
        ]
    return b"".join(lines)


ORPHAN = line("user", "Go on.") + line("assistant", "Yes.") + line("user", [result(9, "lost")])
