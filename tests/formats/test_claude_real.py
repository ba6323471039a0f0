"""Recorded sessions, where there are any, against a slow reading of the same rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact.core import laws
from ctxcompact.core.model import Kind, Role
from ctxcompact.core.splice import splice, value_at
from ctxcompact.formats.claude_code import FORMAT, score
from tests.formats.builders import records_of, shared_files
from tests.formats.claude_session import conversation

if TYPE_CHECKING:
    from pathlib import Path

SESSIONS = shared_files(
    "corpus/cc-*", "corpus/messy-01*", "corpus/messy-02*", "client-sessions/claude-*/*.jsonl"
)
real = pytest.mark.parametrize("path", SESSIONS, ids=lambda path: f"{path.parent.name}/{path.name}")


def naive_live(records: list[Any]) -> dict[str, Any]:
    """Find the live lines the slow way: from the last words up, then whatever belongs to that."""
    lines = {
        data["uuid"]: data
        for data in records
        if isinstance(data, dict) and "uuid" in data and data["type"] != "progress"
    }
    links = {data["uuid"]: data for data in records if isinstance(data, dict) and "uuid" in data}
    words = [x for x in records if isinstance(x, dict) and x.get("type") in {"user", "assistant"}]
    found: dict[str, Any] = {}
    at: Any = words[-1]
    while at is not None:
        found[at["uuid"]] = at
        at = links.get(at["parentUuid"])
    kept = [
        uuid
        for data in found.values()
        for uuid in data.get("compactMetadata", {}).get("preservedMessages", {}).get("allUuids", [])
    ]
    found.update({uuid: lines[uuid] for uuid in kept})
    ids = {x["message"]["id"] for x in found.values() if x["type"] == "assistant"}
    found |= {
        uuid: data
        for uuid, data in lines.items()
        if data["type"] == "assistant" and data["message"]["id"] in ids
    }
    calls = {part["id"] for data in found.values() for part in parts(data, "tool_use")}
    found |= {
        uuid: data
        for uuid, data in lines.items()
        if any(part["tool_use_id"] in calls for part in parts(data, "tool_result"))
    }
    return found


def parts(data: dict[str, Any], kind: str) -> list[Any]:
    content = data.get("message", {}).get("content")
    return [x for x in content if x["type"] == kind] if isinstance(content, list) else []


@real
def test_real_sessions_hold_the_messages_that_a_slow_reading_finds(path: Path) -> None:
    records = list(records_of(path))
    found = naive_live(records)
    replies = {x["message"]["id"] for x in found.values() if x["type"] == "assistant"}
    users = [x for x in found.values() if x["type"] == "user"]
    read = [message for message in conversation(*records).messages if message.blocks]
    spoken = [m for m in read if m.blocks[0].kind is not Kind.OPAQUE]
    assert sum(message.role is Role.ASSISTANT for message in spoken) == len(replies)
    assert sum(message.role is Role.USER for message in spoken) == len(users)


@real
def test_real_sessions_have_no_message_twice_and_no_result_alone(path: Path) -> None:
    found = conversation(*records_of(path))
    places = [(block.record, block.path) for m in found.messages for block in m.blocks]
    assert len(places) == len(set(places))
    assert laws.problems(found.messages, FORMAT.rules) == []


@real
def test_real_sessions_tell_the_size_of_the_last_reply(path: Path) -> None:
    records = list(records_of(path))
    found = conversation(*records)
    usage = [
        data["message"]["usage"]
        for data in records
        if isinstance(data, dict)
        and data.get("type") == "assistant"
        and data["message"]["model"] != "<synthetic>"
    ][-1]
    total = sum(size for key, size in usage.items() if key.endswith("input_tokens"))
    assert found.recorded is not None
    assert found.recorded.tokens == total
    assert {value_at(records[at], path) for at, path, _ in found.counts} == {
        size for _, _, size in found.counts
    }


@real
def test_real_sessions_are_claimed(path: Path) -> None:
    assert score(list(records_of(path))[:50]) > 0.9


OTHERS = [
    path for path in shared_files("corpus/*.*l", "client-sessions/*/*") if path not in SESSIONS
]


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_real_files_of_others_are_not_claimed(path: Path) -> None:
    assert score(list(records_of(path))[:50]) < 0.1


@real
def test_clearing_results_of_real_sessions_leaves_the_shape_of_their_lines(path: Path) -> None:
    records = list(records_of(path))
    for message in conversation(*records).messages:
        for block in message.blocks:
            if block.kind is Kind.RESULT and not block.fixed and block.chars > 300:
                data = records[block.record]
                puts = dict(FORMAT.twins(data, block.path, "gone"))
                raw = json.dumps(data).encode()
                after = json.loads(splice(raw, {**puts, block.path: "gone"}))
                assert shape(after.get("toolUseResult")) == shape(data.get("toolUseResult"))
                assert chars_in(after.get("toolUseResult")) < 1000


def shape(value: Any) -> Any:
    """Return a value with its strings left out."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shape(item) for item in value]
    return "" if isinstance(value, str) else value


def chars_in(value: Any) -> int:
    if isinstance(value, dict | list):
        return sum(map(chars_in, value.values() if isinstance(value, dict) else value))
    return len(value) if isinstance(value, str) else 0
