"""LangChain: one message a line, as `messages_to_dict` or `dumpd` writes it.

The first is `{"type", "data"}`, the second `{"lc", "type", "id", "kwargs"}`. A message itself is
read in `langchain_message`. A checkpoint of LangGraph is a database and not read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.format import Format, Rules
from ctxcompact.core.model import Conversation, Message, Recorded, Role
from ctxcompact.core.splice import value_at
from ctxcompact.formats.copies import Removed, shortened
from ctxcompact.formats.fields import dict_at, list_at, text_at
from ctxcompact.formats.langchain_message import Dialogue, role_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

_KINDS = frozenset({"human", "ai", "system", "tool", "function", "chat", "remove"})
_EVERYTHING = "__remove_all__"
_CLASSES = {"human": "HumanMessage", "ai": "AIMessage"}


def score(sample: Sequence[Any]) -> float:
    """Say how many records are messages."""
    return sum(_read(data) is not None for data in sample) / len(sample) if sample else 0.0


def _read(data: Any) -> tuple[str, str, dict[str, Any]] | None:
    """Return the type of a message, the key with its fields, and these; None if it is none."""
    if not isinstance(data, dict):
        return None
    key = "kwargs" if "lc" in data else "data"
    body = data.get(key)
    if not isinstance(body, dict) or "content" not in body:
        return None
    name = list_at(data, "id")[-1:] if key == "kwargs" else [data.get("type")]
    kind = _kind(name[0]) if name and isinstance(name[0], str) else ""
    return (kind, key, body) if kind in _KINDS else None


def _kind(name: str) -> str:
    """Return the type that a class or a type stands for; a chunk is a message that was streamed."""
    return name.removesuffix("Chunk").removesuffix("Message").lower()


class MessageReader:
    """Reads one message a record. What a later record removes by its id does not reach the model."""

    def __init__(self, gauge: Gauge) -> None:
        self._dialogue = Dialogue(gauge)
        self._messages: list[Message | None] = []
        self._places: dict[str, list[int]] = {}
        self._model = ""
        self._recorded: Recorded | None = None

    def feed(self, record: int, line: int, data: Any) -> None:
        """Take a record; anything but a message is none of ours."""
        found = _read(data)
        if found is None:
            return
        kind, key, body = found
        name = text_at(body, "id")
        role = role_of(kind, body)
        if kind == "remove":
            self._remove(name)
        elif role is not None:
            if name:
                self._places.setdefault(name, []).append(len(self._messages))
            self._messages.append(self._dialogue.read(record, line, (key,), role, body))
            self._note(line, body)

    def _remove(self, name: str) -> None:
        if name == _EVERYTHING:
            self._messages.clear()
            self._places.clear()
        for at in self._places.pop(name, ()):
            self._messages[at] = None

    def _note(self, line: int, body: dict[str, Any]) -> None:
        told = dict_at(body, "response_metadata")
        self._model = text_at(told, "model_name") or text_at(told, "model") or self._model
        tokens = dict_at(body, "usage_metadata").get("input_tokens")
        if isinstance(tokens, int) and tokens > 0:
            self._recorded = Recorded(line, tokens)

    def finish(self) -> list[Conversation]:
        """Return the one conversation of the file."""
        messages = [message for message in self._messages if message is not None]
        return [Conversation(messages, model=self._model, recorded=self._recorded)]


def twins(data: Any, path: Path, text: str) -> list[tuple[Path, Any]]:
    """List what of a result's `artifact` repeats the payload at `path`, which becomes `text`.

    The rest of it is the program's own.
    """
    key = path[0]
    body = data[key]
    if path != (key, "content") or "artifact" not in body:
        return []
    removed = Removed(value_at(data, path))
    return list(shortened((key, "artifact"), body["artifact"], removed, text, alone=False))


def compose(role: Role, text: str, first: Any, last: Any, model: str) -> dict[str, Any]:
    """Make a message, spelled as the last one of the stretch is."""
    del first, model
    kind = "ai" if role is Role.ASSISTANT else "human"
    body = {"content": text, "type": kind}
    if "lc" not in last:
        return {"type": kind, "data": body}
    name = [*list_at(last, "id")[:-1], _CLASSES[kind]]
    return {"lc": last["lc"], "type": "constructor", "id": name, "kwargs": body}


FORMAT = Format(
    name="langchain",
    recognised_by="type and data, or lc and kwargs (messages_to_dict, dumpd), on each line",
    score=score,
    reader=MessageReader,
    rules=Rules(results_from=Role.TOOL),
    twins=twins,
    compose=compose,
    composed_path=(),
)
