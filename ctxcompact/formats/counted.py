"""What the transcripts that are counted and never rewritten have in common.

Each record is spelled anew as messages of OpenAI or Anthropic, and read as those. So the rows have
no addresses, and the counts are an estimate of the text in the file: what the client sends of it,
and what it adds, only the client knows. The systems themselves are in its neighbors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.format import Format, Rules
from ctxcompact.core.model import Conversation, Message, Recorded, Role
from ctxcompact.formats.fields import size_at, text_at
from ctxcompact.formats.openai_message import Dialogue, role_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ctxcompact.core.blocks import Gauge

Spoken = dict[str, Any]
"""A message as OpenAI or Anthropic spell it; `model`, and the size of its prompt as `recorded`.

These two may also come alone, without a role.
"""


def never(data: Any) -> int | None:
    """Tell that a context only grows."""
    del data
    return None


class System(NamedTuple):
    """A system whose transcripts are counted.

    `fits` tells one of its records, `messages` yields what a record says to the model or of it. A
    record may be a whole run, `alone` with its own budget. `instead` is what to do where a smaller
    transcript is wanted. `restarts` tells where the client begins its context anew, and how many of
    the person's messages it takes along; None for all other records.
    """

    name: str
    recognised_by: str
    instead: str
    fits: Callable[[Any], bool]
    messages: Callable[[Any], Iterator[Spoken]]
    alone: bool = False
    restarts: Callable[[Any], int | None] = never


def call(call_id: str, tool: str, arguments: Any) -> dict[str, Any]:
    """Spell a call."""
    return {"id": call_id, "function": {"name": tool, "arguments": arguments}}


def counted(system: System) -> Format:
    """Make the format of a system."""

    def score(sample: Sequence[Any]) -> float:
        return sum(map(system.fits, sample)) / len(sample) if sample else 0.0

    def reader(gauge: Gauge) -> SystemReader:
        return SystemReader(gauge, system)

    return Format(
        name=system.name,
        recognised_by=system.recognised_by,
        score=score,
        reader=reader,
        rules=Rules(results_from=Role.TOOL),
        instead=system.instead,
    )


class SystemReader:
    """Reads the messages of each record of a system."""

    def __init__(self, gauge: Gauge, system: System) -> None:
        self._gauge = gauge
        self._system = system
        self._conversations: list[Conversation] = []
        self._dialogue = Dialogue(gauge)
        self._messages: list[Message] = []
        self._model = ""
        self._recorded: Recorded | None = None

    def feed(self, record: int, line: int, data: Any) -> None:
        """Take a record; one of another kind is none of ours."""
        if not self._system.fits(data):
            return
        if (kept := self._system.restarts(data)) is not None:
            people = [message for message in self._messages if message.is_human]
            self._messages = people[max(len(people) - kept, 0) :]
            self._dialogue, self._recorded = Dialogue(self._gauge), None
        for spoken in self._system.messages(data):
            if role_of(spoken) is not None:
                self._messages.append(self._dialogue.read(record, line, (), spoken))
            self._model = text_at(spoken, "model") or self._model
            if tokens := size_at(spoken, "recorded"):
                self._recorded = Recorded(line, tokens)
        if self._system.alone and self._messages:
            self._close(line)

    def finish(self) -> list[Conversation]:
        """Return the conversation of the file, or those of its records."""
        if not self._system.alone:
            self._close(None)
        return self._conversations

    def _close(self, line: int | None) -> None:
        found = Conversation(self._messages, line=line, model=self._model, recorded=self._recorded)
        self._conversations.append(found)
        self._dialogue, self._messages = Dialogue(self._gauge), []
        self._model, self._recorded = "", None
