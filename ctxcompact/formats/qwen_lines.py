"""What one line of a Qwen Code session says: its messages, and what it notes for the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ctxcompact.core.model import Message, Origin
from ctxcompact.formats.content import below, origin_of
from ctxcompact.formats.fields import dict_at, list_at, size_at, text_at
from ctxcompact.formats.gemini_ids import Ids
from ctxcompact.formats.gemini_parts import ROLES, read_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

_PARTS: Path = ("message", "parts")
_HISTORY: Path = ("systemPayload", "compressedHistory")
# Lines with a message that is not for this model.
_UNSENT = frozenset({"realtime_message", "code_mode_tool_result"})
# Words typed while the model worked are a person's; all else with a subtype is the client's.
_TYPED = frozenset({"", "mid_turn_user_message"})
_SIZES = ("promptTokenCount", "totalTokenCount")


class Compressed(NamedTuple):
    """The client compacted here: the messages of this line are all that is left of those before."""


class Ran(NamedTuple):
    """The client ran a command by itself: the line that typed it is not for the model."""

    command: str


class Reply(NamedTuple):
    """Which model wrote a line, and the sizes told there, by key: of the prompt and of all.

    The client takes what the second has over the first for the answer's, and adds that to the first.
    """

    model: str
    sizes: dict[str, int]

    @property
    def tokens(self) -> int:
        """The size of the prompt, or the nearest to it that is told; 0 if none is."""
        return next(iter(self.sizes.values()), 0)


Note: TypeAlias = Compressed | Ran | Reply


class Entry(NamedTuple):
    """One line of the tree. `command` is its text if a person typed nothing but a command."""

    record: int
    line: int
    uuid: str
    parent: str
    messages: tuple[Message, ...]
    command: str
    note: Note | None


class LineReader:
    """Reads the lines of one file."""

    def __init__(self, gauge: Gauge) -> None:
        self._gauge = gauge
        self._calls = Ids()
        self._uuid = ""

    def read(self, record: int, line: int, data: dict[str, Any]) -> Entry:
        """Read a line of the tree."""
        uuid, parent = text_at(data, "uuid"), text_at(data, "parentUuid")
        # Most lines hang on the line before: one string then serves for both.
        parent = self._uuid if parent == self._uuid else parent
        self._uuid = uuid
        note = _note(data)
        messages = tuple(self._messages(record, line, data))
        return Entry(record, line, uuid, parent, messages, _command(data), note)

    def _messages(self, record: int, line: int, data: dict[str, Any]) -> Iterator[Message]:
        kind, subtype = text_at(data, "type"), text_at(data, "subtype")
        if kind == "system":
            for n, content in enumerate(_history(data) or ()):
                path = below(_HISTORY, n, "parts")
                if message := self._message(record, line, path, content):
                    yield message._replace(protected=True)
        elif subtype not in _UNSENT:
            message = self._message(record, line, _PARTS, data.get("message"))
            if message and message.is_human and subtype not in _TYPED:
                message = message._replace(origin=Origin.CLIENT)
            if message:
                yield message

    def _message(self, record: int, line: int, path: Path, content: Any) -> Message | None:
        role = ROLES.get(text_at(content, "role")) if isinstance(content, dict) else None
        if role is None:
            return None
        parts = content.get("parts")
        blocks = read_parts(self._gauge, self._calls, record, path, parts)
        protected = self._gauge.take_hit()
        if not blocks:
            return None
        origin = origin_of(role, blocks, _first_text(parts))
        return Message(role, origin, line, blocks, self._gauge.message_tokens, protected)


def _note(data: dict[str, Any]) -> Note | None:
    kind = text_at(data, "type")
    if kind == "assistant":
        usage = dict_at(data, "usageMetadata")
        sizes = {key: size for key in _SIZES if (size := size_at(usage, key))}
        return Reply(text_at(data, "model"), sizes)
    if kind != "system":
        return None
    return Compressed() if _history(data) is not None else _ran(data)


def _history(data: dict[str, Any]) -> list[Any] | None:
    """Return the history that the client goes on with, None if this line holds none."""
    if text_at(data, "subtype") != "chat_compression":
        return None
    found = dict_at(data, "systemPayload").get("compressedHistory")
    return found if isinstance(found, list) else None


def _ran(data: dict[str, Any]) -> Ran | None:
    """Tell a command that the client answered by itself, as it tells it."""
    payload = dict_at(data, "systemPayload")
    shown = list_at(payload, "outputHistoryItems")
    is_answered = text_at(payload, "phase") == "result" and payload.get("sentToModel") is not True
    is_shown = shown and all(isinstance(x, dict) and x.get("type") == "assistant" for x in shown)
    if text_at(data, "subtype") == "slash_command" and is_answered and is_shown:
        return Ran(text_at(payload, "rawCommand"))
    return None


def _command(data: dict[str, Any]) -> str:
    parts = list_at(dict_at(data, "message"), "parts")
    if text_at(data, "type") != "user" or "subtype" in data or len(parts) != 1:
        return ""
    text = text_at(parts[0], "text") if isinstance(parts[0], dict) else ""
    return text if text.startswith("/") else ""


def _first_text(parts: Any) -> str:
    first = parts[0] if isinstance(parts, list) and parts else None
    return text_at(first, "text") if isinstance(first, dict) else ""
