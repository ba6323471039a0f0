"""Gemini CLI: the client's own session file, a log of messages and of what became of them.

As the client's own loader has it (0.61.0): a message with an id that was there before takes its
place, `$set` with messages replaces all before it, `$rewindTo` takes a message out and all after
it. Only what is left then is live; older versions and snapshots are neither counted nor touched.

A result stands with its call and, from the client's next start on, in a user's message as well.
Both go to the model and count; the others change with the first.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

from ctxcompact.core.format import Format, Rules
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
            self._replace(record, line, data)
        elif isinstance(data.get("$set"), dict):
            if isinstance(data["$set"].get("messages"), list):
                self._live.clear()
                self._take(record, line, _SNAPSHOT, data["$set"]["messages"])
        elif isinstance(data.get("sessionId"), str) and isinstance(data.get("projectHash"), str):
            self._take(record, line, ("messages",), list_at(data, "messages"))

    def _replace(self, record: int, line: int, data: dict[str, Any]) -> None:
        """Take a message on a line of its own, in the place of the one that had its id.

        Where that one is an item of an array both stay: without the one the other would be back.
        """
        turn = self._turns.read(record, line, (), data)
        before = self._live.get(data["id"])
        if before and (before.is_bound or before.record in self._arrays):
            kept = [message._replace(protected=True) for message in turn.messages]
            turn = turn._replace(messages=tuple(kept), is_bound=True)
        elif before:
            turn = turn._replace(older=(*before.older, before.record))
        self._live[data["id"]] = turn

    def _take(self, record: int, line: int, path: Path, messages: list[Any]) -> None:
        self._arrays[record] = path
        for n, data in enumerate(messages):
            if isinstance(data, dict) and isinstance(data.get("id"), str):
                self._live[data["id"]] = self._turns.read(record, line, below(path, n), data)

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
        return [
            Conversation(
                repeats.messages,
                model=next(filter(None, names), ""),
                recorded=Recorded(told.line, told.tokens) if told else None,
                copies=repeats.copies,
                arrays={
                    x: self._arrays[x]
                    for x in {turn.record for turn in turns} & self._arrays.keys()
                },
                older={turn.record: turn.older for turn in turns if turn.older},
            )
        ]


def compose(role: Role, text: str, first: Any, last: Any, model: str) -> dict[str, Any]:
    """Make the message that stands for a folded stretch, with the id and the time of its last one."""
    del first
    made = {key: last[key] for key in ("id", "timestamp") if key in last}
    made |= {"type": "user" if role is Role.USER else "gemini", "content": [{"text": text}]}
    return {**made, "model": model} if model and role is not Role.USER else made


FORMAT = Format(
    name="gemini-cli",
    recognised_by="a header with projectHash, messages of type user and gemini, and $set",
    score=score,
    reader=SessionReader,
    rules=Rules(results_from=Role.USER, results_first=False),
    twins=twins,
    compose=compose,
    composed_path=("content", 0, "text"),
    id_key="id",
    session=True,
)
