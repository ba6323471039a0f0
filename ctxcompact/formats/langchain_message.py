"""One message of LangChain, whichever way it is written down. Lines are read in `langchain`.

A call may stand in it up to three times: in `tool_calls`, in the provider's own spelling under
`additional_kwargs`, and as a part of the content. It is counted once and none of them is edited, so
that they stay equal. What a tool returned beside its message (`artifact`) is not sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.model import Block, Kind, Message, Role
from ctxcompact.core.payloads import is_media, part_text
from ctxcompact.formats.content import below, origin_of, sealed_tokens
from ctxcompact.formats.fields import dict_at, list_at, text_at
from ctxcompact.formats.openai_message import ROLES as CHAT_ROLES
from ctxcompact.formats.openai_message import Calls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

ROLES = {
    "human": Role.USER,
    "ai": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
# Calls among the parts of a content, and the key that has their id.
_CALL_IDS = {
    "tool_use": "id",
    "tool_call": "id",
    "invalid_tool_call": "id",
    "function_call": "call_id",
    "custom_tool_call": "call_id",
}
_PIECES = frozenset({"tool_call_chunk", "input_json_delta"})
_THOUGHTS = frozenset({"thinking", "redacted_thinking", "reasoning", "reasoning_content"})
_ARGUMENTS = ("args", "input", "arguments")


def role_of(kind: str, body: dict[str, Any]) -> Role | None:
    """Return the role of a message by its type, None if it is none that a model reads.

    A `chat` message names its role itself.
    """
    if kind == "chat":
        return CHAT_ROLES.get(text_at(body, "role"))
    return ROLES.get(kind)


class Dialogue:
    """Reads the messages of one conversation, in order."""

    def __init__(self, gauge: Gauge) -> None:
        self._gauge = gauge
        self._calls = Calls()

    def read(self, record: int, line: int, path: Path, role: Role, body: dict[str, Any]) -> Message:
        """Read the message whose fields stand at `path` of a record."""
        content = body.get("content")
        if role is Role.TOOL:
            found: tuple[Block, ...] = (self._result(record, path, body),)
        else:
            found = tuple(self._blocks(record, path, role, body))
        if role is Role.USER and found and all(block.kind is Kind.RESULT for block in found):
            role = Role.TOOL
        origin = origin_of(role, found, content)
        gauge = self._gauge
        return Message(role, origin, line, found, gauge.message_tokens, gauge.take_hit())

    def _result(self, record: int, path: Path, body: dict[str, Any]) -> Block:
        call_id, tool = self._calls.answer(text_at(body, "tool_call_id"), text_at(body, "name"))
        return self._gauge.result(
            record, below(path, "content"), call_id, tool, body.get("content")
        )

    def _blocks(self, record: int, path: Path, role: Role, body: dict[str, Any]) -> Iterator[Block]:
        calls = list(_calls(path, body)) if role is Role.ASSISTANT else []
        if role is Role.ASSISTANT:
            self._calls.turn()
            more = dict_at(body, "additional_kwargs")
            if text := text_at(more, "reasoning_content"):
                at = below(path, "additional_kwargs", "reasoning_content")
                yield self._gauge.thinking(record, at, text)
        known = {_id_of(call) for _, call in calls}
        yield from self._content(record, below(path, "content"), body.get("content"), known)
        for at, call in calls:
            yield self._call(record, at, call)

    def _content(self, record: int, path: Path, content: Any, known: set[str]) -> Iterator[Block]:
        if isinstance(content, str):
            yield self._gauge.text(record, path, content)
        elif isinstance(content, list):
            for n, part in enumerate(content):
                kind = text_at(part, "type") if isinstance(part, dict) else ""
                is_copy = kind in _CALL_IDS and text_at(part, _CALL_IDS[kind]) in known
                if not is_copy and kind not in _PIECES:
                    yield self._part(record, below(path, n), kind, part)
        elif content is not None:
            yield self._gauge.opaque(record, path, content)

    def _part(self, record: int, path: Path, kind: str, part: Any) -> Block:
        gauge = self._gauge
        if (text := part_text(part)) is not None:
            return gauge.text(record, _text_path(path, part), text)
        if kind in _CALL_IDS:
            return self._call(record, path, part)
        if kind == "tool_result":
            call_id, tool = self._calls.answer(text_at(part, "tool_use_id"), "")
            return gauge.result(record, below(path, "content"), call_id, tool, part.get("content"))
        if kind in _THOUGHTS:
            return _thought(gauge, record, path, part)
        return (
            gauge.media(record, path, part) if is_media(part) else gauge.opaque(record, path, part)
        )

    def _call(self, record: int, path: Path, call: Any) -> Block:
        if not isinstance(call, dict):
            return self._gauge.opaque(record, path, call)
        body = dict_at(call, "function") or call
        tool = text_at(body, "name")
        call_id = self._calls.call(_id_of(call), tool)
        arguments = next((body[key] for key in _ARGUMENTS if body.get(key) is not None), "")
        return self._gauge.call(record, path, call_id, tool, arguments)


def _calls(path: Path, body: dict[str, Any]) -> Iterator[tuple[Path, Any]]:
    """Yield the calls of a message, each once; those LangChain could not parse are calls as well."""
    seen: set[str] = set()
    for key in ("tool_calls", "invalid_tool_calls"):
        for n, call in enumerate(list_at(body, key)):
            seen.add(_id_of(call))
            yield below(path, key, n), call
    more = dict_at(body, "additional_kwargs")
    for n, call in enumerate(list_at(more, "tool_calls")):
        if _id_of(call) not in seen:
            yield below(path, "additional_kwargs", "tool_calls", n), call
    if not seen and isinstance(call := more.get("function_call"), dict):
        yield below(path, "additional_kwargs", "function_call"), call


def _id_of(call: Any) -> str:
    """Return the id by which a result finds a call, "" if it has none."""
    if not isinstance(call, dict):
        return ""
    return text_at(call, _CALL_IDS.get(text_at(call, "type"), "id"))


def _text_path(path: Path, part: Any) -> Path:
    if isinstance(part, str):
        return path
    return below(path, "text" if "text" in part else "value")


def _thought(gauge: Gauge, record: int, path: Path, part: dict[str, Any]) -> Block:
    """Count the reasoning by its text, or by what is sealed where the text is kept back."""
    texts = [text_at(part, key) for key in ("thinking", "reasoning", "text")]
    texts += [text_at(x, "text") for x in list_at(part, "summary") if isinstance(x, dict)]
    if text := "\n".join(filter(None, texts)):
        return gauge.thinking(record, path, text)
    sealed = max(len(text_at(part, key)) for key in ("signature", "data", "encrypted_content"))
    return Block(Kind.THINKING, record, path, 0, sealed_tokens(sealed), fixed=True)
