"""Gemini CLI: the client's own session file, a log of messages and of what became of them.

As the client's own loader has it (0.61.0): a message with an id that was there before takes its
place, `$set` with messages replaces all before it, `$rewindTo` takes a message out and all after
it. Only what is left then is live; older versions and snapshots are neither counted nor touched.

A result stands with its call and, from the client's next start on, in a user's message as well.
Both go to the model and count; the others change with the first.

A compaction may be written as such a `$set` at the end, in place of changes in the lines.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

from ctxcompact.core.format import Format, History, Rules, Whole
from ctxcompact.core.model import Conversation, Recorded, Role
from ctxcompact.formats.content import below
from ctxcompact.formats.fields import list_at, text_at
from ctxcompact.formats.gemini_repeats import Repeats, twins
from ctxcompact.formats.gemini_turns import Turn, TurnReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

_SNAPSHOT: Path = ("$set", "messages")
_LISTED: Path = ("messages",)
_KINDS = frozenset({"user", "gemini", "info", "error", "warning"})


def score(sample: Sequence[Any]) -> float:
    """Say how many records are lines of the log; nothing if none is the log's own kind."""
    found = [data for data in sample if isinstance(data, dict) and _is_line(data)]
    if not any(map(_is_own, found)):
        return 0.0
    return len(found) / len(sample)


def _is_own(data: dict[str, Any]) -> bool:
    return "$set" in data or "$rewindTo" in data or "projectHash" in data or _is_reply(data)


def _is_reply(data: dict[str, Any]) -> bool:
    return data.get("type") == "gemini"


def _is_line(data: dict[str, Any]) -> bool:
    if _is_own(data):
        return True
    return text_at(data, "type") in _KINDS and "id" in data and "uuid" not in data


class SessionReader:
    """Keeps the messages by their ids, as the client does."""

    def __init__(self, gauge: Gauge) -> None:
        self._turns = TurnReader(gauge)
        self._live: dict[str, Turn] = {}
        self._arrays: dict[int, Path] = {}

    def feed(self, record: int, line: int, data: Any) -> None:
        """Take a record; what is no line of the log is passed over."""
        if not isinstance(data, dict):
            return
        if isinstance(data.get("$rewindTo"), str):
            self._rewind(data["$rewindTo"])
        elif isinstance(data.get("id"), str):
            self._put(record, line, (), data)
        elif isinstance(data.get("$set"), dict):
            if isinstance(data["$set"].get("messages"), list):
                self._live.clear()
                self._take(record, line, _SNAPSHOT, data["$set"]["messages"])
        elif isinstance(data.get("sessionId"), str) and isinstance(data.get("projectHash"), str):
            self._take(record, line, _LISTED, list_at(data, "messages"))

    def _put(self, record: int, line: int, path: Path, data: dict[str, Any]) -> None:
        """Take a message, in the place of the one that had its id."""
        turn = self._turns.read(record, line, path, data)
        if before := self._live.get(data["id"]):
            turn = turn._replace(older=(*before.older, before.place))
        self._live[data["id"]] = turn

    def _take(self, record: int, line: int, path: Path, messages: list[Any]) -> None:
        self._arrays[record] = path
        for n, data in enumerate(messages):
            if isinstance(data, dict) and isinstance(data.get("id"), str):
                self._put(record, line, below(path, n), data)

    def _rewind(self, to: str) -> None:
        """Take out a message and all after it; the client forgets everything if there is none."""
        kept = list(takewhile(lambda own: own != to, self._live)) if to in self._live else []
        self._live = {own: self._live[own] for own in kept}

    def finish(self) -> list[Conversation]:
        """Return the one conversation of the file."""
        turns = list(self._live.values())
        repeats = Repeats([message for turn in turns for message in turn.messages])
        told = next((turn for turn in reversed(turns) if turn.tokens), None)
        names = (turn.model for turn in reversed(turns))
        used = {record for turn in turns for record, _ in (turn.place, *turn.older)}
        return [
            Conversation(
                repeats.messages,
                model=next(filter(None, names), ""),
                recorded=Recorded(told.line, told.tokens) if told else None,
                copies=repeats.copies,
                arrays={x: self._arrays[x] for x in used & self._arrays.keys()},
                older={turn.place: turn.older for turn in turns if turn.older},
            )
        ]


def compose(role: Role, text: str, first: Any, last: Any, model: str) -> dict[str, Any]:
    """Make the message that stands for a folded stretch.

    It has the time of the last one and the id of the first: to rewind to that is the same where the
    stretch itself stands again.
    """
    made = {key: data[key] for key, data in (("id", first), ("timestamp", last)) if key in data}
    made |= {"type": "user" if role is Role.USER else "gemini", "content": [{"text": text}]}
    return {**made, "model": model} if model and role is not Role.USER else made


def item_at(path: Path) -> Path:
    """Return the address of the message that a block lies in: a record's own, or an item of an array."""
    return next((path[: len(x) + 1] for x in (_SNAPSHOT, _LISTED) if path[: len(x)] == x), ())


def records(whole: Whole) -> list[dict[str, Any]]:
    """Make the record that replaces all messages before it."""
    return [{"$set": {"messages": whole.items}}]


def record_of(data: Any) -> Any:
    """Return a message as a record of its own, which it is."""
    return data


FORMAT = Format(
    name="gemini-cli",
    recognised_by="a header with projectHash, messages of type user and gemini, and $set",
    score=score,
    reader=SessionReader,
    rules=Rules(results_from=Role.USER, results_first=False),
    twins=twins,
    compose=compose,
    composed_path=("content", 0, "text"),
    history=History(item_at, records, record_of),
    id_key="id",
    session=True,
)
