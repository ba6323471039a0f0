"""Lines of a Qwen Code session, written by hand: short ids, and only the fields that matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.formats.qwen_code import FORMAT
from tests.formats.builders import read

if TYPE_CHECKING:
    from ctxcompact.core.model import Conversation


def line(kind: str, own: str, parent: str | None, **fields: Any) -> dict[str, Any]:
    """Write a line of the tree."""
    place = {"uuid": own, "parentUuid": parent, "sessionId": "s", "timestamp": "t"}
    return {**place, "type": kind, "cwd": "/", "version": "1", **fields}


def user(own: str, parent: str | None, *parts: Any, **fields: Any) -> dict[str, Any]:
    """Write a user's line; a plain string is a text."""
    return line("user", own, parent, message=content("user", *parts), **fields)


def said(own: str, parent: str | None, *parts: Any, **fields: Any) -> dict[str, Any]:
    """Write the model's line; `call:ID` is a call."""
    message = content("model", *parts)
    return line("assistant", own, parent, model="qwen-x", message=message, **fields)


def answered(
    own: str, parent: str | None, *call_ids: str, text: str = "done", **fields: Any
) -> dict[str, Any]:
    """Write a line with results."""
    parts = [
        {"functionResponse": {"id": x, "name": "shell", "response": {"output": text}}}
        for x in call_ids
    ]
    return line("tool_result", own, parent, message=content("user", *parts), **fields)


def content(role: str, *parts: Any) -> dict[str, Any]:
    """Write a content of the API."""
    return {"role": role, "parts": [_part(part) for part in parts]}


def _part(part: Any) -> Any:
    if not isinstance(part, str):
        return part
    if part.startswith("call:"):
        return {"functionCall": {"id": part[5:], "name": "shell", "args": {}}}
    return {"text": part}


def compression(own: str, parent: str | None, *history: Any) -> dict[str, Any]:
    """Write the client's compaction, with the history it goes on with."""
    payload = {"info": {"newTokenCount": 9}, "compressedHistory": list(history)}
    return line("system", own, parent, subtype="chat_compression", systemPayload=payload)


def conversation(*records: Any, **protected: list[str]) -> Conversation:
    """Read records as a session."""
    (found,) = read(FORMAT, *records, **protected)
    return found


def live(*records: Any) -> list[int]:
    """Read records as a session, and name the record of each message."""
    return [row.blocks[0].record for row in conversation(*records).messages]
