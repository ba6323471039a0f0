"""OpenAI Chat Completions: one message a line. A message itself is read in `openai_message`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.format import Format, Rules
from ctxcompact.core.model import Conversation, Message, Recorded, Role
from ctxcompact.formats.fields import text_at
from ctxcompact.formats.openai_message import (
    Dialogue,
    has_anthropic_parts,
    part_type,
    parts_of,
    recorded_in,
    role_of,
)
from ctxcompact.formats.responses_items import is_own

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.blocks import Gauge

RULES = Rules(results_from=Role.TOOL)
# As in `anthropic`: messages of role and plain text are nobody's own.
_PLAIN = 0.4
_OWN_ROLES = frozenset({"developer", "tool", "function"})
_OWN_KEYS = frozenset(
    {
        "tool_calls",
        "tool_call_id",
        "function_call",
        "refusal",
        "audio",
        "reasoning_content",
        "reasoning_details",
    }
)
_OWN_PARTS = frozenset({"image_url", "input_audio", "refusal"})
_SPOKEN_KEYS = frozenset({"content", "tool_calls", "function_call", "refusal"})


def score(sample: Sequence[Any]) -> float:
    """Say how many records are messages; full marks only where OpenAI's own marks are seen."""
    messages = [data for data in sample if is_message(data)]
    if not messages or any(has_anthropic_parts(x.get("content")) for x in messages):
        return 0.0
    if any(map(is_own, sample)):  # messages among items of the Responses API
        return 0.0
    share = len(messages) / len(sample)
    return share * (1.0 if any(map(_is_marked, messages)) else _PLAIN)


def is_message(data: Any) -> bool:
    """Tell whether this is a message with a role we know, and something said."""
    return role_of(data) is not None and not _SPOKEN_KEYS.isdisjoint(data)


def _is_marked(message: dict[str, Any]) -> bool:
    if message["role"] in _OWN_ROLES or not _OWN_KEYS.isdisjoint(message):
        return True
    return any(part_type(part) in _OWN_PARTS for part in parts_of(message.get("content")))


class MessageReader:
    """Reads one message a record."""

    def __init__(self, gauge: Gauge) -> None:
        self._dialogue = Dialogue(gauge)
        self._messages: list[Message] = []
        self._model = ""
        self._recorded: Recorded | None = None

    def feed(self, record: int, line: int, data: Any) -> None:
        """Take a record; anything but a message is none of ours."""
        role = role_of(data)
        if role is None:
            return
        self._messages.append(self._dialogue.read(record, line, (), data))
        if role is Role.ASSISTANT:
            self._model = text_at(data, "model") or self._model
            self._recorded = recorded_in(data, line) or self._recorded

    def finish(self) -> list[Conversation]:
        """Return the one conversation of the file."""
        return [Conversation(self._messages, model=self._model, recorded=self._recorded)]


FORMAT = Format(
    name="openai-chat",
    recognised_by="role and content, with tool_calls or the roles tool, function or developer",
    score=score,
    reader=MessageReader,
    rules=RULES,
)
