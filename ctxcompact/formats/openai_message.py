"""One message of OpenAI Chat Completions, in OpenAI's own spelling and its common dialects.

Read here: tool calls, custom calls and the older `function_call`; reasoning beside the content as
DeepSeek and OpenRouter write it; the `{"type", "value"}` parts of LLaMA-Factory; Anthropic's
blocks, where they come in such a message. Files are read in its neighbors.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ctxcompact.core.model import Block, Kind, Message, Recorded, Role
from ctxcompact.core.pairs import Pairs
from ctxcompact.core.payloads import is_media, part_text
from ctxcompact.formats import anthropic
from ctxcompact.formats.content import below, origin_of, sealed_tokens
from ctxcompact.formats.fields import text_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

ROLES = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "observation": Role.TOOL,
}
_THOUGHTS = {"reasoning": "value", "thinking": "thinking", "think": "think"}
_BESIDE_CONTENT = frozenset(
    {"reasoning_details", "reasoning_content", "reasoning", "refusal", "audio"}
)
_ANTHROPIC_PARTS = frozenset({"tool_use", "tool_result"})


class Calls:
    """Which call a result answers, also where one of them carries no id.

    A call without an id goes by its tool's name, which is how `function_call` and its answer find
    each other; a result with neither id nor name answers the first such call of the newest
    assistant message.
    """

    def __init__(self) -> None:
        self.pairs = Pairs()
        self._nameless: list[str] = []

    def turn(self) -> None:
        """Note that the assistant speaks: earlier calls without an id wait no longer."""
        self._nameless.clear()

    def call(self, call_id: str, tool: str) -> str:
        """Note a call and return the id it goes by."""
        if not call_id:
            call_id = tool
            self._nameless.append(tool)
        self.pairs.call(call_id, tool)
        return call_id

    def answer(self, call_id: str, tool: str) -> tuple[str, str]:
        """Return the id of the call answered and its tool, as far as known."""
        if not call_id:
            call_id = tool or (self._nameless[0] if self._nameless else "")
            if call_id in self._nameless:
                self._nameless.remove(call_id)
        return call_id, self.pairs.answer(call_id) or tool


class Dialogue:
    """Reads the messages of one conversation, in order."""

    def __init__(self, gauge: Gauge) -> None:
        self._gauge = gauge
        self._calls = Calls()

    def read(self, record: int, line: int, path: Path, data: dict[str, Any]) -> Message:
        """Read the message with a known role that stands at `path` of a record."""
        gauge, calls = self._gauge, self._calls
        role = ROLES[data["role"]]
        content = data.get("content")
        if role is Role.TOOL:
            found: tuple[Block, ...] = (_result(gauge, calls, record, path, data),)
        elif role is Role.ASSISTANT:
            calls.turn()
            found = tuple(_assistant(gauge, calls, record, path, data))
        else:
            found = tuple(_content(gauge, calls, record, below(path, "content"), content))
        origin = origin_of(role, found, content)
        framing = gauge.counter.message_tokens
        return Message(role, origin, line, found, framing, gauge.take_hit())


def _result(gauge: Gauge, calls: Calls, record: int, path: Path, data: dict[str, Any]) -> Block:
    call_id, tool = calls.answer(text_at(data, "tool_call_id"), text_at(data, "name"))
    return gauge.result(record, below(path, "content"), call_id, tool, data.get("content"))


def _assistant(
    gauge: Gauge, calls: Calls, record: int, path: Path, data: dict[str, Any]
) -> Iterator[Block]:
    more = not _BESIDE_CONTENT.isdisjoint(data)
    if more:
        yield from _reasoning(gauge, record, path, data)
    yield from _content(gauge, calls, record, below(path, "content"), data.get("content"))
    if more:
        yield from _beside(gauge, record, path, data)
    for n, call in enumerate(parts_of(data.get("tool_calls"))):
        yield _call(gauge, calls, record, below(path, "tool_calls", n), call)
    if isinstance(call := data.get("function_call"), dict):
        yield _call(gauge, calls, record, below(path, "function_call"), call)


def _beside(gauge: Gauge, record: int, path: Path, data: dict[str, Any]) -> Iterator[Block]:
    if refusal := text_at(data, "refusal"):
        yield gauge.text(record, below(path, "refusal"), refusal, fixed=True)
    if isinstance(audio := data.get("audio"), dict):
        yield gauge.media(record, below(path, "audio"), audio)


def _reasoning(gauge: Gauge, record: int, path: Path, data: dict[str, Any]) -> Iterator[Block]:
    """Count the reasoning once: its three names are three copies of the same words."""
    details = parts_of(data.get("reasoning_details"))
    if details:
        yield _details(gauge, record, below(path, "reasoning_details"), details)
        return
    for key in ("reasoning_content", "reasoning"):
        if text := text_at(data, key):
            yield gauge.thinking(record, below(path, key), text)
            return


def _details(gauge: Gauge, record: int, path: Path, details: list[Any]) -> Block:
    """Read OpenRouter's list: texts, summaries, and what the provider keeps sealed."""
    parts = [part for part in details if isinstance(part, dict)]
    text = "\n".join(text_at(part, "text") or text_at(part, "summary") for part in parts).strip(
        "\n"
    )
    sealed = sum(
        len(text_at(part, "data")) or (0 if text else len(text_at(part, "signature")))
        for part in parts
    )
    tokens = gauge.count(text) + sealed_tokens(sealed)
    return Block(Kind.THINKING, record, path, len(text), tokens, fixed=True)


def _call(gauge: Gauge, calls: Calls, record: int, path: Path, call: Any) -> Block:
    if not isinstance(call, dict):
        return gauge.opaque(record, path, call)
    body = next(
        (x for x in (call.get("function"), call.get("custom")) if isinstance(x, dict)), call
    )
    tool = text_at(body, "name")
    call_id = calls.call(text_at(call, "id"), tool)
    arguments = body.get("arguments", body.get("input"))
    return gauge.call(record, path, call_id, tool, "" if arguments is None else arguments)


def _content(gauge: Gauge, calls: Calls, record: int, path: Path, content: Any) -> Iterator[Block]:
    if isinstance(content, str):
        yield gauge.text(record, path, content)
    elif isinstance(content, list):
        if has_anthropic_parts(content):
            yield from anthropic.read_content(gauge, calls.pairs, record, path, content)
            return
        for n, part in enumerate(content):
            if part_type(part) != "tool_call":
                yield _part(gauge, record, below(path, n), part)
        yield from _value_calls(gauge, calls, record, path, content)
    elif content is not None:
        yield gauge.opaque(record, path, content)


def _part(gauge: Gauge, record: int, path: Path, part: Any) -> Block:
    if isinstance(part, str):
        return gauge.text(record, path, part)
    kind = part_type(part)
    if kind and (text := part_text(part)) is not None:
        return gauge.text(record, below(path, "text" if "text" in part else "value"), text)
    if kind and is_media(part):
        return gauge.media(record, path, part)
    if kind == "refusal":
        return gauge.text(record, below(path, kind), text_at(part, kind), fixed=True)
    if kind in _THOUGHTS and (text := text_at(part, _THOUGHTS[kind])):
        return gauge.thinking(record, path, text)
    return gauge.opaque(record, path, part)


def _value_calls(
    gauge: Gauge, calls: Calls, record: int, path: Path, content: list[Any]
) -> Iterator[Block]:
    """Read LLaMA-Factory's `tool_call` parts: one turn of calls, which one tool message answers.

    So they are one row, addressed by the first of them. None has an id.
    """
    found = [
        (n, text_at(part, "value"))
        for n, part in enumerate(content)
        if part_type(part) == "tool_call"
    ]
    if found:
        tools = list(dict.fromkeys(_name_in(value) for _, value in found))
        tool = next(filter(gauge.is_protected_tool, tools), ", ".join(tools))
        text = "\n".join(value for _, value in found)
        call_id = calls.call("", tool)
        yield gauge.call(record, below(path, found[0][0]), call_id, tool, text)


def _name_in(value: str) -> str:
    try:
        call = json.loads(value)
    except (ValueError, RecursionError):
        return ""
    return text_at(call, "name") if isinstance(call, dict) else ""


def role_of(data: Any) -> Role | None:
    """Return the role of a message, None if this is no message of ours."""
    role = data.get("role") if isinstance(data, dict) else None
    return ROLES.get(role) if isinstance(role, str) else None


def recorded_in(data: dict[str, Any], line: int) -> Recorded | None:
    """Return the prompt's size by the provider's own `usage`, cached parts included."""
    usage = data.get("usage")
    tokens = usage.get("prompt_tokens") if isinstance(usage, dict) else None
    return Recorded(line, tokens) if isinstance(tokens, int) and tokens > 0 else None


def has_anthropic_parts(content: Any) -> bool:
    """Tell whether calls or results stand in a content, as Anthropic has them."""
    return any(part_type(part) in _ANTHROPIC_PARTS for part in parts_of(content))


def parts_of(content: Any) -> list[Any]:
    """Return the parts of a content that is a list, none of any other."""
    return content if isinstance(content, list) else []


def part_type(part: Any) -> str:
    """Return the type of a part, "" if it has none."""
    return text_at(part, "type") if isinstance(part, dict) else ""
