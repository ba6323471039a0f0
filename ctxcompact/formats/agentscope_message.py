"""One message of AgentScope: Java 1.x, Python 1.x and Python 2. Lines are read in `agentscope`.

The blocks have Anthropic's names, but a result has its call's `id` and stands in a message of the
role TOOL (Java), of `system` (Python 1) or in the same message as its call (Python 2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.model import Block, Kind, Message, Origin, Role
from ctxcompact.core.pairs import Pairs
from ctxcompact.core.payloads import is_media
from ctxcompact.formats.content import below, origin_of, sealed_tokens
from ctxcompact.formats.fields import dict_at, list_at, text_at

if TYPE_CHECKING:
    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

ROLES = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "tool": Role.TOOL,
}
_CALLS = frozenset({"tool_use", "tool_call"})
COMPRESSED = "_compress_meta"
_CONTENT: Path = ("content",)


def role_of(data: Any) -> Role | None:
    """Return the role of a message, None if this is none. Java writes roles in capitals."""
    role = data.get("role") if isinstance(data, dict) else None
    return ROLES.get(role.lower()) if isinstance(role, str) else None


class Dialogue:
    """Reads the messages of one conversation, in order."""

    def __init__(self, gauge: Gauge) -> None:
        self._gauge = gauge
        self._pairs = Pairs()

    def read(self, record: int, line: int, role: Role, data: dict[str, Any]) -> Message:
        """Read a message with a known role."""
        gauge, content = self._gauge, data.get("content")
        if isinstance(content, str):
            found: tuple[Block, ...] = (gauge.text(record, _CONTENT, content),)
        else:
            parts = list_at(data, "content")
            found = tuple(
                self._block(record, below(_CONTENT, n), part) for n, part in enumerate(parts)
            )
        if role is not Role.ASSISTANT and any(block.kind is Kind.RESULT for block in found):
            role = Role.TOOL
        origin = origin_of(role, found, content)
        hit = gauge.take_hit()
        compressed = dict_at(data, "metadata").get(COMPRESSED)
        if isinstance(compressed, dict):
            hit = hit or not any(block.tag for block in found)
            if compressed.get("compressed_current_round") is True:
                origin = Origin.SUMMARY
        return Message(role, origin, line, found, gauge.message_tokens, hit)

    def _block(self, record: int, path: Path, part: Any) -> Block:
        gauge = self._gauge
        kind = text_at(part, "type") if isinstance(part, dict) else ""
        if kind == "text" and isinstance(part.get("text"), str):
            return gauge.text(record, below(path, "text"), part["text"])
        if kind in _CALLS:
            return self._call(record, path, part)
        if kind == "tool_result":
            call_id, tool = self._pairs.pair(text_at(part, "id"))
            tool = tool or text_at(part, "name")
            return gauge.result(record, below(path, "output"), call_id, tool, part.get("output"))
        if kind == "thinking":
            return _thinking(gauge, record, path, part)
        return (
            gauge.media(record, path, part) if is_media(part) else gauge.opaque(record, path, part)
        )

    def _call(self, record: int, path: Path, part: dict[str, Any]) -> Block:
        """Read a call; its arguments may stand in it a second time, as the text the model wrote."""
        call_id = text_at(part, "id")
        tool = self._pairs.call(call_id, text_at(part, "name"))
        arguments = part.get("input") or text_at(part, "content") or part.get("input")
        return self._gauge.call(record, path, call_id, tool, "" if arguments is None else arguments)


def _thinking(gauge: Gauge, record: int, path: Path, part: dict[str, Any]) -> Block:
    """Count the reasoning by its text, or by what is sealed where the text is kept back."""
    if text := text_at(part, "thinking"):
        return gauge.thinking(record, path, text)
    sealed = max(len(text_at(part, key)) for key in ("signature", "redacted_thinking_data"))
    return Block(Kind.THINKING, record, path, 0, sealed_tokens(sealed), fixed=True)
