"""Entries of a pi session, written by hand: short ids, and only the fields that matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.formats.pi import FORMAT
from tests.formats.builders import read

if TYPE_CHECKING:
    from ctxcompact.core.model import Conversation

HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "", "cwd": "/"}
FIRST_HEADER = {"type": "session", "id": "s", "timestamp": "", "cwd": "/", "provider": "p"}
SOURCE = {"api": "a", "provider": "p", "model": "pi-x"}


def entry(kind: str, own: str, parent: str | None, **fields: Any) -> dict[str, Any]:
    """Write an entry of the tree."""
    return {"type": kind, "id": own, "parentId": parent, "timestamp": "t", **fields}


def message(own: str, parent: str | None, **fields: Any) -> dict[str, Any]:
    """Write an entry with a message."""
    return entry("message", own, parent, message=fields)


def user(own: str, parent: str | None, content: Any) -> dict[str, Any]:
    return message(own, parent, role="user", content=content)


def said(own: str, parent: str | None, *parts: Any, **fields: Any) -> dict[str, Any]:
    """Write a reply; a plain string is a text, `call:ID` a call of bash."""
    content = [_part(part) for part in parts]
    return message(own, parent, **{"role": "assistant", "content": content, **SOURCE, **fields})


def _part(part: Any) -> Any:
    if not isinstance(part, str):
        return part
    if part.startswith("call:"):
        return {"type": "toolCall", "id": part[5:], "name": "bash", "arguments": {}}
    return {"type": "text", "text": part}


def answered(
    own: str, parent: str | None, call_id: str, text: str = "done", **fields: Any
) -> dict[str, Any]:
    """Write a result."""
    result = {"toolCallId": call_id, "toolName": "bash", "content": [_part(text)]}
    return message(own, parent, role="toolResult", **result, **fields)


def compaction(
    own: str, parent: str | None, first: str | None = None, **fields: Any
) -> dict[str, Any]:
    """Write the client's compaction, which keeps what stands from the entry `first` on."""
    kept = {} if first is None else {"firstKeptEntryId": first}
    return entry("compaction", own, parent, summary="The story so far.", **kept, **fields)


def of_first_version(*entries: Any) -> list[dict[str, Any]]:
    """Write entries as the first version did: without ids."""
    return [
        {key: value for key, value in data.items() if key not in {"id", "parentId"}}
        for data in entries
    ]


def conversation(*records: Any, **protected: list[str]) -> Conversation:
    """Read records as a session."""
    (found,) = read(FORMAT, *records, **protected)
    return found


def live(*records: Any) -> list[int]:
    """Read records as a session, and name the record of each message."""
    return [message.blocks[0].record for message in conversation(*records).messages]
