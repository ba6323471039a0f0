"""Sessions of clients that are counted and never rewritten: a record is an event or a message.

The client hangs more on them than can be kept true from outside, or reads them never again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.formats.counted import Spoken, System, call, counted
from ctxcompact.formats.fields import dict_at, dicts_at, text_at

if TYPE_CHECKING:
    from collections.abc import Iterator

_DROID_TYPES = frozenset({"session_start", "message"})
_GROK_ROLES = {"system": "system", "user": "user", "assistant": "assistant", "tool_result": "tool"}
_GROK_BESIDE = frozenset({"reasoning", "backend_tool_call"})
_BARE = frozenset({"role", "uuid", "message"})
_COPILOT_SPEAKERS = {"system.message": "system", "user.message": "user"}


def _kind(data: Any) -> str:
    return text_at(data, "type") if isinstance(data, dict) else ""


def _is_copilot(data: Any) -> bool:
    return isinstance(data, dict) and bool(_kind(data)) and isinstance(data.get("data"), dict)


def _copilot(event: dict[str, Any]) -> Iterator[Spoken]:
    """Spell an event; those of subagents belong to other conversations."""
    kind, data = _kind(event), event["data"]
    if "parentToolCallId" in data:
        return
    if role := _COPILOT_SPEAKERS.get(kind):
        yield {"role": role, "content": data.get("transformedContent") or data.get("content")}
    elif kind == "assistant.message":
        calls = [
            call(text_at(x, "toolCallId"), text_at(x, "name"), x.get("arguments"))
            for x in dicts_at(data, "toolRequests")
        ]
        thought = text_at(data, "reasoningText")
        said = {"role": "assistant", "content": data.get("content"), "tool_calls": calls}
        yield {**said, "reasoning_content": thought, "model": data.get("model")}
    elif kind == "tool.execution_complete":
        result = dict_at(data, "result").get("content") or dict_at(data, "error").get("message")
        yield {"role": "tool", "tool_call_id": text_at(data, "toolCallId"), "content": result or ""}
    elif kind == "session.compaction_complete" and (summary := text_at(data, "summaryContent")):
        yield {"role": "user", "content": summary}


def _is_droid(data: Any) -> bool:
    return _kind(data) in _DROID_TYPES


def _wrapped(data: dict[str, Any]) -> Iterator[Spoken]:
    """Take a message out of its wrapper."""
    message = dict_at(data, "message")
    yield {"role": data.get("role"), **message}


def _is_cursor(data: Any) -> bool:
    is_wrapper = isinstance(data, dict) and "role" in data and "type" not in data
    return is_wrapper and "content" in dict_at(data, "message")


def _is_grok(data: Any) -> bool:
    kind = _kind(data)
    if kind in _GROK_BESIDE:
        return True
    return kind in _GROK_ROLES and "content" in data and _BARE.isdisjoint(data)


def _grok(data: dict[str, Any]) -> Iterator[Spoken]:
    """Spell a line; reasoning is a line of its own, a search in the back end call and result."""
    kind = _kind(data)
    if kind == "reasoning":
        summary = [text_at(part, "text") for part in dicts_at(data, "summary")]
        yield {"role": "assistant", "content": None, "reasoning": "\n".join(summary)}
    elif kind == "backend_tool_call":
        yield {"role": "assistant", "content": [dict_at(data, "kind")]}
    else:
        yield {**data, "role": _GROK_ROLES[kind], "model": data.get("model_id")}


COPILOT = counted(
    System(
        "copilot",
        "type with a dot, and data, on each line (events of Copilot CLI)",
        "use /compact in Copilot CLI itself",
        _is_copilot,
        _copilot,
    )
)
DROID = counted(
    System(
        "droid",
        "a session_start, then messages of Anthropic's under message",
        "use /compress in droid itself",
        _is_droid,
        _wrapped,
    )
)
CURSOR = counted(
    System(
        "cursor",
        "role beside a message with content (Cursor's agent-transcripts)",
        "nothing reads this file again: use /summarize in Cursor itself",
        _is_cursor,
        _wrapped,
    )
)
GROK = counted(
    System(
        "grok",
        "type and content, or backend_tool_call (chat_history.jsonl)",
        "let the Grok CLI compact its own session",
        _is_grok,
        _grok,
    )
)
FORMATS = (COPILOT, DROID, CURSOR, GROK)
