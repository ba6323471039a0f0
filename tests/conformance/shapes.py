"""Conversations in the reference's own notation, written as records and read back as a shape.

U, A, S are messages of the user, the assistant and the system, USE a call, T its result; `u(200)` is
a message of 200 characters. Calls get their ids when they are written; a result answers the oldest
open call.
"""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ANTHROPIC, OPENAI = "anthropic", "openai-chat"
CONVERSATIONS = "openai-conversations"
NOTHING: dict[str, Any] = {"messages": []}
"""A conversation without a message, as a record of the format that can say so."""


class Turn(NamedTuple):
    """A message of no format yet: `calls` are tools with arguments, `results` texts."""

    role: str
    text: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    results: tuple[str, ...] = ()


def filler(chars: int) -> str:
    """Return text of exactly so many characters, no two lines alike."""
    text = " ".join(f"entry {n} says {n * n % 997}" for n in range(chars // 13 + 1))
    return text[:chars]


def u(chars: int) -> Turn:
    return Turn("user", filler(chars))


def a(chars: int) -> Turn:
    return Turn("assistant", filler(chars))


def t(*chars: int) -> Turn:
    """Make one message of results, each answering a call."""
    return Turn("tool", results=tuple(map(filler, chars)))


def use(*tools: str, text: str = "", **arguments: Any) -> Turn:
    """Make a message that calls tools, all with the same arguments."""
    return Turn("assistant", text, tuple((tool, arguments) for tool in tools))


U = Turn("user", "User query")
A = Turn("assistant", "Assistant response")
S = Turn("system", "You are a helpful assistant.")
USE = use("test_tool", query="value")
T = Turn("tool", results=("Result 0",))
PAIR = [USE, T]
PLAN_PAIR = [use("create_plan", name="plan"), T]
LONG_PAIR = [USE, t(900)]
"""A call and a result so long that a summary of it saves something."""


def write(turns: Iterable[Turn], form: str) -> bytes:
    """Write turns as the records of a format, one a line."""
    records = _anthropic(turns) if form == ANTHROPIC else _openai(turns)
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)


def _anthropic(turns: Iterable[Turn]) -> Iterator[dict[str, Any]]:
    numbers, waiting = count(1), list[str]()
    for turn in turns:
        if turn.calls:
            ids = [f"call-{next(numbers)}" for _ in turn.calls]
            parts: list[Any] = [{"type": "text", "text": turn.text}] if turn.text else []
            for call_id, (tool, given) in zip(ids, turn.calls, strict=True):
                parts.append({"type": "tool_use", "id": call_id, "name": tool, "input": given})
            waiting += ids
            yield {"role": "assistant", "content": parts}
        elif turn.results:
            answers = [
                {"type": "tool_result", "tool_use_id": _next(waiting), "content": text}
                for text in turn.results
            ]
            yield {"role": "user", "content": answers}
        else:
            yield {"role": turn.role, "content": turn.text}


def _openai(turns: Iterable[Turn]) -> Iterator[dict[str, Any]]:
    numbers, waiting = count(1), list[str]()
    for turn in turns:
        if turn.calls:
            ids = [f"call-{next(numbers)}" for _ in turn.calls]
            calls = [
                {"id": x, "type": "function", "function": {"name": tool, "arguments": _dump(given)}}
                for x, (tool, given) in zip(ids, turn.calls, strict=True)
            ]
            waiting += ids
            yield {"role": "assistant", "content": turn.text or None, "tool_calls": calls}
        elif turn.results:
            for text in turn.results:
                yield {"role": "tool", "tool_call_id": _next(waiting), "content": text}
        else:
            yield {"role": turn.role, "content": turn.text}


def _next(waiting: list[str]) -> str:
    return waiting.pop(0) if waiting else "unasked"


def _dump(given: Any) -> str:
    return json.dumps(given, ensure_ascii=False)


def letters(turns: Iterable[Turn], form: str) -> str:
    """Return the shape of a conversation before anything was done to it."""
    return shape(write(turns, form))


def shape(data: bytes) -> str:
    """Return a word a message: its letter, and a star for each text of ours in it.

    A message of several results says so: T[*-] has two, the first of them replaced.
    """
    return " ".join(_word(json.loads(line)) for line in data.splitlines())


def _word(record: dict[str, Any]) -> str:
    content = record.get("content") or ""
    parts = content if isinstance(content, list) else [content]
    kinds = [part.get("type") if isinstance(part, dict) else "text" for part in parts]
    stars = ["*" if is_ours(part) else "-" for part in parts]
    if "tool_result" in kinds and len(parts) > 1:
        return f"T[{''.join(stars)}]"
    star = "*" if "*" in stars else ""
    if "tool_use" in kinds or record.get("tool_calls"):
        return f"use{star}"
    if "tool_result" in kinds or record.get("role") == "tool":
        return f"T{star}"
    return f"{str(record['role'])[0].upper()}{star}"


def is_ours(part: Any) -> bool:
    """Tell whether a part of a message carries a text of ours."""
    said = json.dumps(part)
    return "<context_offload uuid=" in said or "[Previous: used " in said


def texts(data: bytes) -> list[str]:
    """List the texts and results of the messages, in order; calls are left out."""
    return [text for line in data.splitlines() for text in _texts(json.loads(line))]


def _texts(record: dict[str, Any]) -> Iterator[str]:
    content = record.get("content") or ""
    parts: Sequence[Any] = content if isinstance(content, list) else [content]
    for part in parts:
        if isinstance(part, str):
            yield part
        elif part.get("type") == "text":
            yield part["text"]
        elif part.get("type") == "tool_result":
            yield part["content"]
