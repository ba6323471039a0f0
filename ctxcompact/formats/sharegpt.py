"""ShareGPT: `{"conversations": [{"from", "value"}]}` a line, as training files have it.

Each line is a conversation of its own. There are no ids: an observation answers the call before it.
A call is a turn by itself (`function_call`), or stands inside the model's words in `<tool_call>`
tags, which are then kept as they are. Trainers want the two sides to speak in turns, so a fold that
would leave two turns of one side in a row is not made.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from ctxcompact.core.format import Format, Rules
from ctxcompact.core.model import Block, Message, Role
from ctxcompact.core.pairs import Pairs
from ctxcompact.formats.content import below, origin_of
from ctxcompact.formats.conversation_lines import ConversationReader, Listed, ReadMessage
from ctxcompact.formats.fields import text_at
from ctxcompact.formats.openai_message import recorded_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

RULES = Rules(results_from=Role.TOOL, user_first=True, alternates=True)
ROLES = {
    "human": Role.USER,
    "user": Role.USER,
    "gpt": Role.ASSISTANT,
    "chatgpt": Role.ASSISTANT,
    "assistant": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "function_call": Role.ASSISTANT,
    "tool_call": Role.ASSISTANT,
    "observation": Role.TOOL,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "function_response": Role.TOOL,
    "tool_response": Role.TOOL,
    "system": Role.SYSTEM,
}
_CALLS = frozenset({"function_call", "tool_call"})
_NAMES = {Role.USER: "human", Role.ASSISTANT: "gpt"}
_TAGGED = re.compile(r"<tool_call>\s*(\{.*?\})\s*</tool_call>", re.DOTALL)


def score(sample: Sequence[Any]) -> float:
    """Say how many records hold a list of nothing but turns."""
    return sum(map(_is_own, sample)) / len(sample) if sample else 0.0


def _is_own(data: Any) -> bool:
    found = find(data)
    return found is not None and bool(found.messages) and all(map(_is_turn, found.messages))


def _is_turn(data: Any) -> bool:
    return role_of(data) is not None and "value" in data


def find(data: Any) -> Listed | None:
    """Return the list of turns in a record, None if there is none."""
    turns = data.get("conversations") if isinstance(data, dict) else None
    return Listed(("conversations",), turns, data) if isinstance(turns, list) else None


def role_of(data: Any) -> Role | None:
    """Return the role of a turn, None if this is none."""
    return ROLES.get(text_at(data, "from")) if isinstance(data, dict) else None


class Dialogue:
    """Reads the turns of one conversation, in order."""

    def __init__(self, gauge: Gauge) -> None:
        self._gauge = gauge
        self._pairs = Pairs()

    def read(self, record: int, line: int, path: Path, data: Any) -> Message | None:
        """Read the turn at `path` of a record; None for what is none."""
        role = role_of(data)
        if role is None:
            return None
        value = data.get("value")
        blocks = tuple(self._blocks(role, record, below(path, "value"), data["from"], value))
        origin = origin_of(role, blocks, value)
        gauge = self._gauge
        return Message(role, origin, line, blocks, gauge.message_tokens, gauge.take_hit())

    def _blocks(
        self, role: Role, record: int, path: Path, speaker: str, value: Any
    ) -> Iterator[Block]:
        gauge = self._gauge
        if role is Role.TOOL:
            yield gauge.result(record, path, *self._pairs.pair(""), value)
        elif speaker in _CALLS or (role is Role.ASSISTANT and _has_calls(value)):
            tool = self._pairs.call("", self._tool(value))
            yield gauge.call(record, path[:-1], "", tool, value)
        elif isinstance(value, str):
            yield gauge.text(record, path, value)
        elif value is not None:
            yield gauge.opaque(record, path, value)

    def _tool(self, value: Any) -> str:
        """Return the name of the tool called; of several a protected one, else all of them."""
        names = list(dict.fromkeys(_names(value)))
        return next(filter(self._gauge.is_protected_tool, names), ", ".join(names))


def _has_calls(value: Any) -> bool:
    return isinstance(value, str) and "<tool_call>" in value


def _names(value: Any) -> Iterator[str]:
    """Yield the names in a call, which is an object or a list of them, written as JSON."""
    for found in _TAGGED.findall(value) if _has_calls(value) else [value]:
        calls = _parsed(found)
        for call in calls if isinstance(calls, list) else [calls]:
            if isinstance(call, dict) and (name := text_at(call, "name")):
                yield name


def _parsed(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return None


def _dialogue(gauge: Gauge) -> ReadMessage:
    return Dialogue(gauge).read


def _reader(gauge: Gauge) -> ConversationReader:
    return ConversationReader(gauge, find, _dialogue, recorded_in)


def compose(role: Role, text: str, first: Any, last: Any, model: str) -> dict[str, Any]:
    """Make a turn, of a speaker called as those nearby are."""
    del model
    nearby = {text_at(turn, "from") for turn in (first, last) if isinstance(turn, dict)}
    plain = not nearby.isdisjoint({"user", "assistant"})
    return {"from": role.value if plain else _NAMES[role], "value": text}


FORMAT = Format(
    name="sharegpt",
    recognised_by='{"conversations": [{"from", "value"}]} on each line',
    score=score,
    reader=_reader,
    rules=RULES,
    compose=compose,
    composed_path=("value",),
)
