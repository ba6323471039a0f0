"""Whole conversations that are counted and never rewritten: a record, or the file, is one of them.

Either no agent reads it again, or positions in it are told elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.formats.counted import Spoken, System, call, counted
from ctxcompact.formats.fields import dict_at, dicts_at, list_at, size_at, text_at

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLEARED = "[Old tool result content cleared]"


def _is_openhands(data: Any) -> bool:
    is_run = isinstance(data, dict) and isinstance(data.get("history"), list)
    return is_run and ("git_patch" in data or "test_result" in data)


def _openhands(run: dict[str, Any]) -> Iterator[Spoken]:
    """Spell the history of a run: its events, in older files pairs of them."""
    flat = [x for item in run["history"] for x in (item if isinstance(item, list) else [item])]
    for number, event in enumerate(x for x in flat if isinstance(x, dict)):
        yield from _openhands_event(event, is_first=not number)


def _openhands_event(event: dict[str, Any], *, is_first: bool) -> Iterator[Spoken]:
    """Spell an event; an observation answers the newest action of its name."""
    action, observation = text_at(event, "action"), text_at(event, "observation")
    fields = dict_at(event, "args") or event
    said = text_at(fields, "content") or text_at(fields, "thought")
    if observation:
        yield {"role": "tool", "name": observation, "content": text_at(event, "content")}
    elif action in {"message", "system"}:
        by_person = event.get("source") == "user" or ("source" not in event and is_first)
        role = "user" if by_person else "assistant"
        yield {"role": "system" if action == "system" else role, "content": said}
    elif action == "finish":
        yield {"role": "assistant", "content": said}
    elif action:
        rest = {key: x for key, x in fields.items() if key in _OPENHANDS_ARGUMENTS}
        yield {"role": "assistant", "content": said, "tool_calls": [call("", action, rest)]}


_OPENHANDS_ARGUMENTS = frozenset(
    "code command file_text new_str old_str path query start url".split()
)


def _is_swe_agent(data: Any) -> bool:
    is_run = isinstance(data, dict) and isinstance(data.get("trajectory"), list)
    return is_run and isinstance(data.get("history"), list)


def _swe_agent(run: dict[str, Any]) -> Iterator[Spoken]:
    """Yield the history of a run; its trajectory says the same once more."""
    for message in dicts_at(run, "history"):
        ids = list_at(message, "tool_call_ids")
        yield {**message, "tool_call_id": ids[0]} if ids else message


def _is_opencode(data: Any) -> bool:
    inside = isinstance(data, dict) and ("messages" in data or "parts" in data)
    return inside and isinstance(data.get("info"), dict)


def _opencode(data: dict[str, Any]) -> Iterator[Spoken]:
    """Spell an exported session, or one of its messages."""
    for message in dicts_at(data, "messages"):
        yield from _opencode_message(message)
    if "parts" in data:
        yield from _opencode_message(data)


def _opencode_message(data: dict[str, Any]) -> Iterator[Spoken]:
    """Spell a message and the results of its calls, which stand with them."""
    info, parts = dict_at(data, "info"), dicts_at(data, "parts")
    tools = [part for part in parts if text_at(part, "type") == "tool"]
    thoughts = [text_at(part, "text") for part in parts if text_at(part, "type") == "reasoning"]
    calls = [
        call(text_at(x, "callID"), text_at(x, "tool"), dict_at(x, "state").get("input"))
        for x in tools
    ]
    yield {
        "role": info.get("role"),
        "content": [part for part in parts if text_at(part, "type") in {"text", "file"}],
        "reasoning_content": "\n".join(thoughts),
        "tool_calls": calls,
        "model": info.get("modelID"),
        "recorded": _opencode_prompt(dict_at(info, "tokens")),
    }
    for part in tools:
        yield {
            "role": "tool",
            "tool_call_id": text_at(part, "callID"),
            "content": _opencode_output(dict_at(part, "state")),
        }


def _opencode_prompt(tokens: dict[str, Any]) -> int:
    cache = dict_at(tokens, "cache")
    return size_at(tokens, "input") + size_at(cache, "read") + size_at(cache, "write")


def _opencode_output(state: dict[str, Any]) -> str:
    """Return what of a result is still sent: opencode clears old ones where it keeps them."""
    if dict_at(state, "time").get("compacted"):
        return _CLEARED
    return text_at(state, "output") or text_at(state, "error")


def _is_cline(data: Any) -> bool:
    return (
        isinstance(data, list)
        and bool(data)
        and all(isinstance(x, dict) and "role" in x and isinstance(x.get("ts"), int) for x in data)
    )


def _cline(task: list[Any]) -> Iterator[Spoken]:
    return iter(task)


OPENHANDS = counted(
    System(
        "openhands",
        "a run with history and git_patch or test_result on each line",
        "this is the record of finished runs, which no agent reads again",
        _is_openhands,
        _openhands,
        alone=True,
    )
)
SWE_AGENT = counted(
    System(
        "swe-agent",
        "one object with trajectory and history (.traj)",
        "this is the record of a finished run, which no agent reads again",
        _is_swe_agent,
        _swe_agent,
        alone=True,
    )
)
OPENCODE = counted(
    System(
        "opencode",
        "info beside messages or parts (opencode export)",
        "use /compact in opencode itself",
        _is_opencode,
        _opencode,
    )
)
CLINE = counted(
    System(
        "cline",
        "one array of messages with ts (api_conversation_history.json)",
        "use /compact in Cline itself: its tasks point into this file by position",
        _is_cline,
        _cline,
        alone=True,
    )
)
FORMATS = (OPENHANDS, SWE_AGENT, OPENCODE, CLINE)
