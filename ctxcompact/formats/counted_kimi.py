"""Kimi's sessions, counted and never rewritten: `wire.jsonl` of Kimi Code, `context.jsonl` of Kimi CLI.

What a compaction of Kimi Code took in and kept is told by numbers of messages, which stay true only
while no line comes or goes; the size that Kimi CLI notes is believed at its next start. System
prompt and tools are settings in a wire and not counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.formats.counted import Spoken, System, call, counted
from ctxcompact.formats.fields import dict_at, dicts_at, size_at, text_at

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROLES = frozenset({"user", "assistant", "system", "tool"})
_USAGE = ("inputOther", "inputCacheRead", "inputCacheCreation")


def _is_kimi(data: Any) -> bool:
    if not isinstance(data, dict):
        return False
    role = text_at(data, "role")
    return "." in text_at(data, "type") or role.startswith("_") or role in _ROLES


def _messages(data: dict[str, Any]) -> Iterator[Spoken]:
    kind = text_at(data, "type")
    if kind == "context.append_message":
        yield _appended(dict_at(data, "message"))
    elif kind == "context.append_loop_event":
        yield from _looped(dict_at(data, "event"))
    elif kind == "context.apply_compaction":
        summary = text_at(data, "contextSummary") or text_at(data, "summary")
        yield {"role": "system", "content": summary}
    elif kind == "llm.request":
        yield {"model": data.get("model")}
    elif not kind:
        yield from _line(data)


def _appended(message: dict[str, Any]) -> Spoken:
    """Spell a message; what the client puts into the user's mouth is no person's."""
    by_client = text_at(dict_at(message, "origin"), "kind") not in ("", "user")
    role = message.get("role")
    calls = [
        call(text_at(x, "id"), text_at(x, "name"), x.get("arguments"))
        for x in dicts_at(message, "toolCalls")
    ]
    said = {"role": "system" if by_client and role == "user" else role}
    said |= {"content": message.get("content"), "tool_call_id": text_at(message, "toolCallId")}
    return {**said, "tool_calls": calls} if role == "assistant" else said


def _looped(event: dict[str, Any]) -> Iterator[Spoken]:
    """Spell an event of the model's loop: a part of what it says, a call, a result, a size."""
    kind, call_id = text_at(event, "type"), text_at(event, "toolCallId")
    if kind == "content.part":
        yield {"role": "assistant", "content": [dict_at(event, "part")]}
    elif kind == "tool.call":
        made = call(call_id, text_at(event, "name"), event.get("args"))
        yield {"role": "assistant", "content": None, "tool_calls": [made]}
    elif kind == "tool.result":
        output = dict_at(event, "result").get("output")
        yield {"role": "tool", "tool_call_id": call_id, "content": output}
    elif kind == "step.end":
        usage = dict_at(event, "usage")
        yield {"recorded": sum(size_at(usage, key) for key in _USAGE)}


def _line(data: dict[str, Any]) -> Iterator[Spoken]:
    """Spell a line of `context.jsonl`: a message of OpenAI's, or a note beside them."""
    role = text_at(data, "role")
    if role == "_system_prompt":
        yield {"role": "system", "content": data.get("content")}
    elif role == "_usage":
        yield {"recorded": size_at(data, "token_count")}
    elif role in _ROLES:
        yield data


def _kept(data: dict[str, Any]) -> int | None:
    is_start = text_at(data, "type") == "context.apply_compaction"
    return size_at(data, "keptUserMessageCount") if is_start else None


KIMI = counted(
    System(
        "kimi",
        "type with a dot on each line (wire.jsonl), or roles such as _usage (context.jsonl)",
        "use /compact in Kimi itself",
        _is_kimi,
        _messages,
        restarts=_kept,
    )
)
