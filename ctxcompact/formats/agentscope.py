"""AgentScope: one message a line, as the memories of Java 1.x and of Python 1.x and 2 hold it.

Of AutoContextMemory this is the file of its working messages. The original messages and the map of
what it offloaded are files of their own beside it, which stay as they are. A message itself is read
in `agentscope_message`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core import tags
from ctxcompact.core.format import Format, Rules
from ctxcompact.core.model import Conversation, Message, Recorded, Role
from ctxcompact.formats.agentscope_message import COMPRESSED, Dialogue, role_of
from ctxcompact.formats.fields import dict_at, list_at, text_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.blocks import Gauge

_KEYS = frozenset({"id", "name", "role", "content", "metadata"})
_MARKED_ONE_IN = 10
_TIMES = ("timestamp", "created_at")
_NAMES = {Role.ASSISTANT: "assistant", Role.USER: "user"}


def score(sample: Sequence[Any]) -> float:
    """Say how many records are messages, if a tenth of them could be of no other system."""
    found = [data for data in sample if role_of(data) is not None and "content" in data]
    marked = sum(map(is_marked, found))
    return len(found) / len(sample) if marked * _MARKED_ONE_IN >= len(found) > 0 else 0.0


def is_marked(data: dict[str, Any]) -> bool:
    """Tell whether a message could be of no other system."""
    if str(data.get("role")).isupper():
        return True
    if data.keys() >= _KEYS and any(key in data for key in _TIMES):
        return True
    return any(_is_result(part) for part in list_at(data, "content"))


def _is_result(part: Any) -> bool:
    if not isinstance(part, dict) or part.get("type") != "tool_result":
        return False
    return "output" in part and "tool_use_id" not in part


class MessageReader:
    """Reads one message a record."""

    def __init__(self, gauge: Gauge) -> None:
        self._dialogue = Dialogue(gauge)
        self._messages: list[Message] = []
        self._recorded: Recorded | None = None

    def feed(self, record: int, line: int, data: Any) -> None:
        """Take a record; anything but a message is none of ours."""
        role = role_of(data)
        if role is None:
            return
        self._messages.append(self._dialogue.read(record, line, role, data))
        metadata = dict_at(data, "metadata")
        # A summary tells what the summarizer was sent. Python 2 adds up the calls of a reply.
        tokens = dict_at(metadata, "_chat_usage").get("inputTokens")
        if COMPRESSED not in metadata and isinstance(tokens, int) and tokens > 0:
            self._recorded = Recorded(line, tokens)

    def finish(self) -> list[Conversation]:
        """Return the one conversation of the file."""
        return [Conversation(self._messages, recorded=self._recorded)]


def compose(role: Role, text: str, first: Any, last: Any, model: str) -> dict[str, Any]:
    """Make a message with the id and the time of the last one of the stretch, and its spelling.

    What carries a mark is compressed in the eyes of AgentScope too, which does so once only.
    """
    del model
    name = _NAMES[role]
    is_java = text_at(last, "role").isupper()
    named = (text_at(one, "name") for one in (last, first) if role_of(one) is role)
    uuid = tags.closing(text)
    times = {key: last[key] for key in _TIMES if key in last}
    return {
        **({"id": last["id"]} if "id" in last else {}),
        "name": next(filter(None, named), name),
        "role": name.upper() if is_java else name,
        "content": [{"type": "text", "text": text}],
        "metadata": {COMPRESSED: {"offloaduuid": uuid}} if uuid else {},
        **times,
    }


FORMAT = Format(
    name="agentscope",
    recognised_by="roles in capitals, results with id and output, or id, name, metadata and a time",
    score=score,
    reader=MessageReader,
    rules=Rules(results_from=Role.TOOL),
    compose=compose,
    composed_path=("content", 0, "text"),
)
