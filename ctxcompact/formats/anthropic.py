"""Anthropic Messages: one `{"role", "content"}` a line, or a whole response object a line.

The rules are those of the Messages API; a leading system line is an own agent's habit and is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.format import Format, Rules
from ctxcompact.core.model import Block, Conversation, Kind, Message, Recorded, Role
from ctxcompact.core.pairs import Pairs
from ctxcompact.core.payloads import is_media
from ctxcompact.formats.agentscope import is_marked
from ctxcompact.formats.content import below, origin_of, prompt_tokens, sealed_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

RULES = Rules(results_from=Role.USER, user_first=True, blank_text=True)
ROLES = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
}
_CONTENT: Path = ("content",)
_OWN_BLOCKS = {"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"}
_SOURCED = {"image", "document"}
_THOUGHTS = {"thinking", "redacted_thinking"}


def score(sample: Sequence[Any]) -> float:
    """Say how many records are messages; full marks only where blocks of this API are seen.

    A result that names no call by `tool_use_id` is another system's, whatever the rest looks like.
    AgentScope has blocks of the same names.
    """
    records = [x for x in sample if isinstance(x, dict)]
    messages = [x for x in records if _role(x) is not None and "content" in x]
    if not messages or any("tool_calls" in x or "tool_call_id" in x for x in records):
        return 0.0
    found = [part for x in messages for part in _list(x["content"])]
    if any(_type(part) == "tool_result" and "tool_use_id" not in part for part in found):
        return 0.0
    share = sum(not is_marked(x) for x in messages) / len(sample)
    return share * (1.0 if any(map(_is_own, found)) else 0.4)


def _is_own(part: Any) -> bool:
    kind = _type(part)
    return kind in _OWN_BLOCKS or (kind in _SOURCED and isinstance(part.get("source"), dict))


class MessageReader:
    """Reads one message a record."""

    def __init__(self, gauge: Gauge) -> None:
        self._gauge = gauge
        self._pairs = Pairs()
        self._messages: list[Message] = []
        self._model = ""
        self._recorded: Recorded | None = None

    def feed(self, record: int, line: int, data: Any) -> None:
        """Take a record; anything but a message is none of ours."""
        role = _role(data)
        if role is None:
            return
        gauge, content = self._gauge, data.get("content")
        blocks = read_content(gauge, self._pairs, record, _CONTENT, content)
        origin = origin_of(role, blocks, content)
        protected = gauge.take_hit()
        self._messages.append(Message(role, origin, line, blocks, gauge.message_tokens, protected))
        if role is Role.ASSISTANT:
            self._note(line, data)

    def _note(self, line: int, data: dict[str, Any]) -> None:
        model, usage = data.get("model"), data.get("usage")
        if model and isinstance(model, str):
            self._model = model
        if usage and (tokens := prompt_tokens(usage)):
            self._recorded = Recorded(line, tokens)

    def finish(self) -> list[Conversation]:
        """Return the one conversation of the file."""
        return [Conversation(self._messages, model=self._model, recorded=self._recorded)]


def read_content(
    gauge: Gauge, pairs: Pairs, record: int, path: Path, content: Any
) -> tuple[Block, ...]:
    """Read the content of a message, a string or a list of blocks, standing at `path`."""
    if isinstance(content, str):
        return (gauge.text(record, path, content),)
    found = []
    for number, part in enumerate(_list(content)):
        found.append(_block(gauge, pairs, record, below(path, number), part))
    return tuple(found)


def _block(gauge: Gauge, pairs: Pairs, record: int, path: Path, part: Any) -> Block:
    kind = _type(part)
    if kind == "text" and isinstance(part.get("text"), str):
        return gauge.text(record, below(path, "text"), part["text"])
    if kind == "tool_use":
        call_id, tool = str(part.get("id", "")), str(part.get("name", ""))
        tool = pairs.call(call_id, tool)
        return gauge.call(record, path, call_id, tool, part.get("input"))
    if kind == "tool_result":
        call_id = str(part.get("tool_use_id", ""))
        call_id, tool = pairs.pair(call_id)
        return gauge.result(record, below(path, "content"), call_id, tool, part.get("content"))
    if kind in _THOUGHTS:
        return _thinking(gauge, record, path, part)
    if kind and is_media(part):
        return gauge.media(record, path, part)
    return gauge.opaque(record, path, part)


def _thinking(gauge: Gauge, record: int, path: Path, part: dict[str, Any]) -> Block:
    """Count the reasoning by its text, or by what is sealed where the text is kept back."""
    text = part.get("thinking")
    if text and isinstance(text, str):
        return gauge.thinking(record, path, text)
    tokens = sealed_tokens(len(str(part.get("signature", part.get("data", "")))))
    return Block(Kind.THINKING, record, path, 0, tokens, fixed=True)


def _role(data: Any) -> Role | None:
    role = data.get("role") if isinstance(data, dict) else None
    return ROLES.get(role) if isinstance(role, str) else None


def _list(content: Any) -> list[Any]:
    return content if isinstance(content, list) else []


def _type(part: Any) -> str | None:
    kind = part.get("type") if isinstance(part, dict) else None
    return kind if isinstance(kind, str) else None


FORMAT = Format(
    name="anthropic",
    recognised_by="role and content, with tool_use, tool_result or thinking blocks",
    score=score,
    reader=MessageReader,
    rules=RULES,
)
