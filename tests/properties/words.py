"""What is said in a file, and which calls its results answer, by a parser of our own (`witness`)."""

from __future__ import annotations

from typing import Any

from tests.properties.witness import BESIDE, lines_of, records

_SPOKEN = """
    message messages content payload data kwargs tool_calls reasoning_content output arguments
    summary parts contents conversations $set thoughts toolCalls
    """.split()
_UNSPOKEN = ("details", "artifact", "resultDisplay")
_IDS = ("tool_use_id", "tool_call_id", "toolCallId", "call_id", "from")
_NAMED = ("functionCall", "functionResponse")
_CALLS = frozenset({"tool_use", "tool_call", "function", "toolCall"})


def spoken(data: bytes) -> list[str]:
    """List every string that stands in a message, in all lines; journals of requests are none."""
    found: list[str] = []
    for line in lines_of(data):
        for _, node, _ in records(line):
            value = node.value
            if not isinstance(value, dict) or value.get("type") in BESIDE:
                continue
            stack: list[Any] = [value.get(key) for key in _SPOKEN]
            while stack:
                top = stack.pop()
                if isinstance(top, str):
                    found.append(top)
                elif isinstance(top, dict):
                    stack += [item for key, item in top.items() if key not in _UNSPOKEN]
                elif isinstance(top, list):
                    stack += top
    return found


def pairing(data: bytes) -> list[Any]:
    """List the ids of calls and results in the order in which they stand."""
    found: list[Any] = []
    for line in lines_of(data):
        for _, node, _ in records(line):
            stack: list[Any] = [node.value]
            while stack:
                top = stack.pop()
                if isinstance(top, dict):
                    found += _ids(top)
                    stack += reversed([*top.values()])
                elif isinstance(top, list):
                    stack += reversed(top)
    return found


def _ids(value: dict[str, Any]) -> list[Any]:
    found = [value[key] for key in _IDS if key in value]
    found += [(key, value[key]["name"]) for key in _NAMED if key in value]
    is_call = value.get("type") in _CALLS or "args" in value or "response" in value
    return [*found, value.get("id")] if is_call else found
