"""Files where each line is a conversation of its own: a list of messages, and what is sent beside it.

What the list is called and what a message looks like is each format's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ctxcompact.core.model import Conversation
from ctxcompact.core.payloads import dump
from ctxcompact.formats.content import below
from ctxcompact.formats.fields import text_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.model import Message, Recorded
    from ctxcompact.core.splice import Path

# What stands beside the messages and is sent with them.
_SENT_BESIDE = ("tools", "functions", "system", "systemInstruction", "system_instruction")


class Listed(NamedTuple):
    """A list of messages in a record: its address, itself, and the object that holds it."""

    path: Path
    messages: list[Any]
    holder: dict[str, Any]


class ReadMessage(Protocol):
    """Reads what stands at `path` of a record, in order; None for what is no message."""

    def __call__(self, record: int, line: int, path: Path, data: Any) -> Message | None:
        """Return the message."""


class ConversationReader:
    """Reads one conversation a record.

    Tool schemas and other texts sent beside the messages count as framing of the first message.
    """

    def __init__(
        self,
        gauge: Gauge,
        find: Callable[[Any], Listed | None],
        dialogue: Callable[[Gauge], ReadMessage],
        recorded: Callable[[Any, int], Recorded | None],
    ) -> None:
        self._gauge = gauge
        self._find = find
        self._dialogue = dialogue
        self._recorded = recorded
        self._conversations: list[Conversation] = []

    def feed(self, record: int, line: int, data: Any) -> None:
        """Take a record; one without messages is none of ours."""
        found = self._find(data)
        messages = self._read(record, line, found) if found else []
        if found is None or not messages:
            return
        first, holder = messages[0], found.holder
        messages[0] = first._replace(framing=first.framing + self._beside(holder))
        self._conversations.append(
            Conversation(
                messages,
                line=line,
                model=text_at(holder, "model"),
                recorded=self._recorded(data, line),
            )
        )

    def finish(self) -> list[Conversation]:
        """Return the conversations, one for each line that holds any message."""
        return self._conversations

    def _read(self, record: int, line: int, found: Listed) -> list[Message]:
        read = self._dialogue(self._gauge)
        messages = (
            read(record, line, below(found.path, n), message)
            for n, message in enumerate(found.messages)
        )
        return [message for message in messages if message is not None]

    def _beside(self, holder: dict[str, Any]) -> int:
        values = (holder.get(key) for key in _SENT_BESIDE)
        return sum(self._gauge.count(x if isinstance(x, str) else dump(x)) for x in values if x)
