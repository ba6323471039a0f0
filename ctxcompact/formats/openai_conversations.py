"""OpenAI Chat Completions, a whole conversation a line: `{"messages": […]}`, or a Batch request.

Fine-tuning files look like this. Each line is a conversation of its own, with its own calls: ids
repeat from line to line. A message itself is read in `openai_message`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.format import Format
from ctxcompact.core.model import Conversation, Message
from ctxcompact.core.payloads import dump
from ctxcompact.formats.content import below
from ctxcompact.formats.fields import text_at
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
    from ctxcompact.core.splice import Path

# What stands beside the messages and is sent with them.
_SENT_BESIDE = ("tools", "functions", "system")


def score(sample: Sequence[Any]) -> float:
    """Say how many records hold a list of nothing but messages, and no blocks of Anthropic's."""
    return sum(map(_is_conversation, sample)) / len(sample) if sample else 0.0


def has_anthropic_messages(data: Any) -> bool:
    """Tell whether a record is a request of the Anthropic API, which has other rules."""
    found = request_in(data)
    return found is not None and any(
        isinstance(message, dict) and has_anthropic_parts(message.get("content"))
        for message in found[1]["messages"]
    )


def _is_conversation(data: Any) -> bool:
    found = request_in(data)
    if found is None or has_anthropic_messages(data):
        return False
    messages = found[1]["messages"]
    return bool(messages) and all(is_message(message) for message in messages)


def request_in(data: Any) -> tuple[Path, dict[str, Any]] | None:
    """Return the object that holds a list of messages, with its address; None if none does."""
    if not isinstance(data, dict):
        return None
    if isinstance(data.get("messages"), list):
        return (), data
    body = data.get("body")
    if isinstance(body, dict) and isinstance(body.get("messages"), list):
        return ("body",), body
    return None


class ConversationReader:
    """Reads one conversation a record.

    Tool schemas and other texts sent beside the messages count as framing of the first message.
    """

    def __init__(self, gauge: Gauge) -> None:
        self._gauge = gauge
        self._conversations: list[Conversation] = []

    def feed(self, record: int, line: int, data: Any) -> None:
        """Take a record; one without messages is none of ours."""
        found = request_in(data)
        if found is None:
            return
        path, request = found
        messages = self._read(record, line, below(path, "messages"), request["messages"])
        if not messages:
            return
        first = messages[0]
        messages[0] = first._replace(framing=first.framing + self._beside(request))
        self._conversations.append(
            Conversation(
                messages,
                line=line,
                model=text_at(request, "model"),
                recorded=recorded_in(data, line),
            )
        )

    def finish(self) -> list[Conversation]:
        """Return the conversations, one for each line that holds any message."""
        return self._conversations

    def _read(self, record: int, line: int, path: Path, messages: list[Any]) -> list[Message]:
        dialogue = Dialogue(self._gauge)
        return [
            dialogue.read(record, line, below(path, n), message)
            for n, message in enumerate(messages)
            if role_of(message) is not None
        ]

    def _beside(self, request: dict[str, Any]) -> int:
        values = (request.get(key) for key in _SENT_BESIDE)
        return sum(self._gauge.count(x if isinstance(x, str) else dump(x)) for x in values if x)


FORMAT = Format(
    name="openai-conversations",
    recognised_by='{"messages": […]} on each line, or a Batch request with such a body',
    score=score,
    reader=ConversationReader,
    rules=RULES,
)
