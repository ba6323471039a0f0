"""Lines of a Claude Code session, written by hand: short ids, and only the fields that matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.formats.claude_code import FORMAT
from tests.formats.builders import read

if TYPE_CHECKING:
    from ctxcompact.core.model import Conversation

MODEL = "claude-x"


def line(kind: str, uuid: str, parent: str | None, **fields: Any) -> dict[str, Any]:
    """Write a line of the tree."""
    return {"parentUuid": parent, "isSidechain": False, "type": kind, "uuid": uuid, **fields}


def user(uuid: str, parent: str | None, content: Any, **fields: Any) -> dict[str, Any]:
    """Write a user's line, whoever really speaks."""
    return line("user", uuid, parent, message={"role": "user", "content": content}, **fields)


def answered(
    uuid: str, parent: str | None, *call_ids: str, text: str = "done", **fields: Any
) -> dict[str, Any]:
    """Write a user's line with results."""
    results = [{"type": "tool_result", "tool_use_id": x, "content": text} for x in call_ids]
    return user(uuid, parent, results, **fields)


def said(
    uuid: str, parent: str | None, message_id: str, *parts: Any, prompt: int = 0, **fields: Any
) -> dict[str, Any]:
    """Write an assistant's line; a plain string is a text, `call:ID` a call of Bash.

    `prompt` is the size of the prompt that `usage` tells, 0 leaves `usage` out.
    """
    message: dict[str, Any] = {"id": message_id, "role": "assistant", "model": MODEL}
    message["content"] = [_part(part) for part in parts]
    if prompt:
        message["usage"] = {"input_tokens": 1, "cache_read_input_tokens": prompt - 1}
    return line("assistant", uuid, parent, message=message, **fields)


def _part(part: Any) -> Any:
    if not isinstance(part, str):
        return part
    if part.startswith("call:"):
        return {"type": "tool_use", "id": part[5:], "name": "Bash", "input": {}}
    return {"type": "text", "text": part}


def boundary(uuid: str, parent: str | None = None, **metadata: Any) -> dict[str, Any]:
    """Write the boundary of a compaction."""
    return line("system", uuid, parent, subtype="compact_boundary", compactMetadata={**metadata})


def summary(uuid: str, parent: str | None) -> dict[str, Any]:
    """Write the client's summary."""
    return user(uuid, parent, "The story so far.", isCompactSummary=True)


def conversation(*lines: Any, **protected: list[str]) -> Conversation:
    """Read lines as a session."""
    (found,) = read(FORMAT, *lines, **protected)
    return found


def live(*lines: Any) -> list[list[str]]:
    """Read lines as a session, and name the lines of each message; no block stands twice."""
    blocks = [message.blocks for message in conversation(*lines).messages]
    places = [(block.record, block.path) for row in blocks for block in row]
    assert len(places) == len(set(places))
    return [list(dict.fromkeys(lines[block.record]["uuid"] for block in row)) for row in blocks]
