"""Records of a Codex rollout, written by hand: only the fields that matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.formats.codex import FORMAT
from tests.formats.builders import read

if TYPE_CHECKING:
    from ctxcompact.core.model import Conversation

META = {"timestamp": "t0", "type": "session_meta", "payload": {"id": "s", "cwd": "/"}}


def record(kind: str, /, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "t", "type": kind, "payload": payload}


def item(kind: str, /, **fields: Any) -> dict[str, Any]:
    return record("response_item", type=kind, **fields)


def event(kind: str, /, **fields: Any) -> dict[str, Any]:
    return record("event_msg", type=kind, **fields)


def completed(kind: str, /, **fields: Any) -> dict[str, Any]:
    """Write the event of newer versions for something that is done."""
    return event("item_completed", item={"type": kind, **fields})


def message(role: str, *texts: str) -> dict[str, Any]:
    """Write a message as the API has it."""
    kind = "output_text" if role == "assistant" else "input_text"
    parts = [{"type": kind, "text": text} for text in texts]
    return {"type": "message", "role": role, "content": parts}


def said(role: str, *texts: str) -> dict[str, Any]:
    return record("response_item", **message(role, *texts))


def called(call_id: str, tool: str = "exec_command") -> dict[str, Any]:
    return item("function_call", call_id=call_id, name=tool, arguments="{}")


def answered(call_id: str, output: Any = "done") -> dict[str, Any]:
    return item("function_call_output", call_id=call_id, output=output)


def compacted(*kept: Any, **fields: Any) -> dict[str, Any]:
    """Write the client's compaction, with the history that it kept."""
    return record("compacted", message="", replacement_history=[*kept], **fields)


def counted(tokens: int) -> dict[str, Any]:
    """Write a count of a prompt of so many tokens, and an answer of ten."""
    usage = {"input_tokens": tokens, "output_tokens": 10, "total_tokens": tokens + 10}
    total = {"input_tokens": 10 * tokens, "total_tokens": 10 * tokens}
    return event("token_count", info={"total_token_usage": total, "last_token_usage": usage})


def conversation(*records: Any, **protected: list[str]) -> Conversation:
    """Read records as a rollout."""
    (found,) = read(FORMAT, *records, **protected)
    return found


def live(*records: Any) -> list[int]:
    """Read records as a rollout, and name the record of each message."""
    return [found.blocks[0].record for found in conversation(*records).messages]
