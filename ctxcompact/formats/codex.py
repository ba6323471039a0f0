"""Codex CLI: the client's own rollout, one record a line, an item of the Responses API in some of them.

Read are the items that a resumed session sends (`codex_history`); `codex_events` knows what the
records for the screen repeat of them. The oldest rollouts, whose lines are the bare items, are read
by `openai_responses`. Other kinds of records are carried.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.format import Format
from ctxcompact.core.format import History as HistoryRecord
from ctxcompact.core.model import Conversation, Kind, Recorded, Role
from ctxcompact.core.splice import value_at
from ctxcompact.formats import codex_events, codex_native, openai_responses
from ctxcompact.formats.codex_history import History
from ctxcompact.formats.fields import dict_at, text_at
from ctxcompact.formats.responses_items import Item, messages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.model import Place
    from ctxcompact.core.splice import Path

_KINDS = frozenset(
    """
    session_meta turn_context response_item event_msg compacted world_state token_usage_record
    inter_agent_communication inter_agent_communication_metadata
    """.split()
)
_ENVELOPE = ("timestamp", "ordinal")


def score(sample: Sequence[Any]) -> float:
    """Say how many records are a rollout's; kinds nobody knows count beside known ones."""
    records = [data for data in sample if isinstance(data, dict) and _is_wrapped(data)]
    if not any(data["type"] in _KINDS for data in records):
        return 0.0
    return sum(data["type"] in _KINDS or "timestamp" in data for data in records) / len(sample)


def _is_wrapped(data: dict[str, Any]) -> bool:
    return isinstance(data.get("type"), str) and isinstance(data.get("payload"), dict)


class _Count(NamedTuple):
    """A record that tells the size of the context, its line, and the sizes."""

    record: int
    line: int
    sizes: list[tuple[Path, int]]


class RolloutReader:
    """Reads one record at a time, and tells at the end what of it is live and where that is repeated."""

    def __init__(self, gauge: Gauge, *, moves: bool = False) -> None:
        self._history = History(gauge, moves=moves)
        self._framing = gauge.message_tokens
        self._model = ""
        self._count: _Count | None = None
        self._copies: dict[str | Place, list[Place]] = {}
        self._said: dict[int, list[Place]] = {}
        self._words: dict[Place, int] = {}

    def feed(self, record: int, line: int, data: Any) -> None:
        """Take a record; what neither reaches the model nor repeats it is passed over."""
        kind = text_at(data, "type") if isinstance(data, dict) else ""
        if kind == "response_item":
            item = self._history.add(record, line, data.get("payload"))
            if item is not None:
                self._note_words(record, data, item)
        elif kind == "event_msg":
            self._event(record, line, dict_at(data, "payload"))
        elif kind == "compacted":
            for item in self._history.compact(record, line, dict_at(data, "payload")):
                self._note_words(record, data, item)
        elif kind == "turn_context":
            self._model = text_at(dict_at(data, "payload"), "model") or self._model

    def _note_words(self, record: int, data: dict[str, Any], item: Item) -> None:
        for block in item.blocks if item.role in _SPEAKERS else ():
            if block.kind is Kind.TEXT and block.chars and block.record == record:
                self._words[block.record, block.path] = hash(value_at(data, block.path))

    def _event(self, record: int, line: int, event: dict[str, Any]) -> None:
        kind = text_at(event, "type")
        if kind == "thread_rolled_back":
            self._history.roll_back(event.get("num_turns"))
        elif kind == "token_count":
            sizes = codex_events.sizes(event)
            self._count = _Count(record, line, sizes) if sizes else self._count
        else:
            for call_id, text, path in codex_events.repeated(event):
                if call_id:
                    self._copies.setdefault(call_id, []).append((record, path))
                else:
                    self._said.setdefault(hash(text), []).append((record, path))

    def finish(self) -> list[Conversation]:
        """Return the one conversation of the file."""
        for place, words in self._words.items():
            if words in self._said:
                self._copies[place] = self._said[words]
        count = self._count
        return [
            Conversation(
                messages(self._history.live(), self._framing),
                model=self._model,
                recorded=self._recorded(),
                copies=self._copies,
                arrays=self._history.arrays,
                counts=[(count.record, path, size) for path, size in count.sizes] if count else [],
            )
        ]

    def _recorded(self) -> Recorded | None:
        """Return the size of the newest prompt, unless it was compacted since."""
        count = self._count
        if count is None or count.record < self._history.compacted_at:
            return None
        tokens = sum(size for path, size in count.sizes if path[-1] == codex_events.SIZES[0])
        return Recorded(count.line, tokens) if tokens else None


def twins(data: Any, path: Path, text: str) -> list[tuple[Path, Any]]:
    """List what else has to change in a record when the payload at `path` becomes `text`."""
    item = codex_native.item_at(path)
    found = openai_responses.twins(value_at(data, item), path[len(item) :], text)
    return [((*item, *place), value) for place, value in found]


def compose(role: Role, text: str, first: Any, last: Any, model: str) -> dict[str, Any]:
    """Make a record with a message, at the time and in the order of the last one it stands for."""
    line = {key: last[key] for key in _ENVELOPE if key in last}
    item = openai_responses.compose(role, text, first, last, model)
    return {**line, "type": "response_item", "payload": item}


_SPEAKERS = frozenset({Role.USER, Role.ASSISTANT})

FORMAT = Format(
    name="codex",
    recognised_by="records with a payload, such as response_item and event_msg",
    score=score,
    reader=RolloutReader,
    rules=openai_responses.RULES,
    twins=twins,
    compose=compose,
    history=HistoryRecord(
        codex_native.item_at, codex_native.records, codex_native.record_of, in_place=True
    ),
    native_reader=partial(RolloutReader, moves=True),
    composed_path=("payload", *openai_responses.FORMAT.composed_path),
    session=True,
)
