"""OpenAI Chat Completions, a whole conversation a line: `{"messages": […]}`, or a Batch request.

Fine-tuning files look like this, and some call the list `conversations`. Each line is a
conversation of its own, with its own calls: ids repeat from line to line. A message itself is read
in `openai_message`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.format import Format
from ctxcompact.formats.conversation_lines import ConversationReader, Listed, ReadMessage
from ctxcompact.formats.fields import dict_at
from ctxcompact.formats.openai_chat import RULES, is_message
from ctxcompact.formats.openai_message import (
    Dialogue,
    has_anthropic_parts,
    recorded_in,
    role_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.model import Message
    from ctxcompact.core.splice import Path

_LISTS = ("messages", "conversations")


def score(sample: Sequence[Any]) -> float:
    """Say how many records hold a list of nothing but messages, and no blocks of Anthropic's."""
    return sum(map(_is_conversation, sample)) / len(sample) if sample else 0.0


def has_anthropic_messages(data: Any) -> bool:
    """Tell whether a record is a request of the Anthropic API, which has other rules."""
    found = find(data)
    return found is not None and any(
        isinstance(message, dict) and has_anthropic_parts(message.get("content"))
        for message in found.messages
    )


def _is_conversation(data: Any) -> bool:
    found = find(data)
    if found is None or has_anthropic_messages(data):
        return False
    return bool(found.messages) and all(is_message(message) for message in found.messages)


def find(data: Any) -> Listed | None:
    """Return the list of messages in a record, None if there is none."""
    if not isinstance(data, dict):
        return None
    path: Path
    for path, holder in (((), data), (("body",), dict_at(data, "body"))):
        for key in _LISTS:
            if isinstance(messages := holder.get(key), list):
                return Listed((*path, key), messages, holder)
    return None


def _dialogue(gauge: Gauge) -> ReadMessage:
    dialogue = Dialogue(gauge)

    def read(record: int, line: int, path: Path, data: Any) -> Message | None:
        return dialogue.read(record, line, path, data) if role_of(data) is not None else None

    return read


def _reader(gauge: Gauge) -> ConversationReader:
    return ConversationReader(gauge, find, _dialogue, recorded_in)


FORMAT = Format(
    name="openai-conversations",
    recognised_by='{"messages": […]} on each line, or a Batch request with such a body',
    score=score,
    reader=_reader,
    rules=RULES,
)
