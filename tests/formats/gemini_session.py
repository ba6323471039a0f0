"""Lines of a Gemini CLI session, written by hand: short ids, and only the fields that matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.formats.gemini_cli import FORMAT
from tests.formats.builders import read

if TYPE_CHECKING:
    from ctxcompact.core.model import Conversation

HEADER = {"sessionId": "s", "projectHash": "h", "startTime": "", "lastUpdated": "", "kind": "main"}


def user(own: str, *parts: Any) -> dict[str, Any]:
    """Write a user's message; a plain string is a text, `done:ID` the result of a call."""
    return {"id": own, "timestamp": "t", "type": "user", "content": [_part(x) for x in parts]}


def said(own: str, content: Any = "", *call_ids: str, **fields: Any) -> dict[str, Any]:
    """Write the model's message; calls have results if `result` is given."""
    result = fields.pop("result", None)
    calls = [call(call_id, result) for call_id in call_ids]
    more = {"toolCalls": calls} if calls else {}
    return {"id": own, "timestamp": "t", "type": "gemini", "content": content, **more, **fields}


def call(call_id: str, result: str | None = None, **fields: Any) -> dict[str, Any]:
    """Write a call as it stands in `toolCalls`."""
    made = {"id": call_id, "name": "shell", "args": {"command": "ls"}, **fields}
    return made if result is None else {**made, "result": [response(call_id, result)]}


def response(call_id: str, text: str) -> dict[str, Any]:
    """Write a result as a part."""
    said = {"id": call_id, "name": "shell", "response": {"output": text}}
    return {"functionResponse": said}


def called(call_id: str) -> dict[str, Any]:
    """Write a call as a part."""
    return {"functionCall": {"id": call_id, "name": "shell", "args": {"command": "ls"}}}


def _part(part: Any) -> Any:
    if not isinstance(part, str):
        return part
    return response(part[5:], "done") if part.startswith("done:") else {"text": part}


def snapshot(*messages: Any) -> dict[str, Any]:
    """Write a snapshot, which replaces all messages before it."""
    return {"$set": {"messages": list(messages), "lastUpdated": ""}}


def conversation(*records: Any, **protected: list[str]) -> Conversation:
    """Read records as a session."""
    (found,) = read(FORMAT, *records, **protected)
    return found


def live(*records: Any) -> list[list[int]]:
    """Read records as a session, and name the records of each message."""
    rows = conversation(*records).messages
    return [sorted({block.record for block in row.blocks}) for row in rows]
