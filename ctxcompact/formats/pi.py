"""pi and OpenClaw: the client's own session file, an entry a line, in a tree.

Read are the live entries only (`pi_tree`). Other branches, and what the client sums up in its own
compaction, are neither counted nor touched; the summary itself and what it keeps stay as they are.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ctxcompact.core.format import Format, Rules
from ctxcompact.core.model import Conversation, Message, Origin, Recorded, Role
from ctxcompact.formats import pi_tree
from ctxcompact.formats.content import below
from ctxcompact.formats.copies import Removed, shortened
from ctxcompact.formats.fields import dict_at, text_at
from ctxcompact.formats.pi_entries import COUNTS, Compacted, Edited, Entry, Reply
from ctxcompact.formats.pi_lines import EntryReader
from ctxcompact.formats.pi_native import closing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

_HEADER = "session"
_PAYLOAD: Path = ("message", "content")
_SCREEN: Path = ("message", "details")
_OWN_TYPES = frozenset(
    {
        "model_change",
        "thinking_level_change",
        "compaction",
        "branch_summary",
        "context_edit",
        "custom_message",
        "session_info",
    }
)
_COMMON_TYPES = frozenset({"custom", "label", "usage"})
_OWN_ROLES = frozenset({"toolResult", "bashExecution", "custom", "hookMessage"})
_ROLES = frozenset({"user", "assistant", "system"})
_PLAIN = 0.4
_FIRST_TREE = 2


def score(sample: Sequence[Any]) -> float:
    """Say how many records are entries; full marks only where something is seen that no other has."""
    records = [data for data in sample if isinstance(data, dict)]
    entries = [data for data in records if _is_entry(data)]
    marked = any(_is_own(data) for data in entries)
    return len(entries) / len(sample) * (1.0 if marked else _PLAIN) if entries else 0.0


def _is_entry(data: dict[str, Any]) -> bool:
    if _is_own(data):
        return True
    is_message = text_at(data, "type") == "message" and "uuid" not in data
    return is_message and text_at(dict_at(data, "message"), "role") in _ROLES


def _is_own(data: dict[str, Any]) -> bool:
    kind = text_at(data, "type")
    if kind == "message":
        message = dict_at(data, "message")
        if text_at(message, "role") in _OWN_ROLES or "stopReason" in message:
            return True
        return "parentId" in data and text_at(message, "role") in _ROLES
    if kind == _HEADER:
        return "cwd" in data and "id" in data
    return kind in _OWN_TYPES or (kind in _COMMON_TYPES and "parentId" in data)


class SessionReader:
    """Reads an entry a record, and tells at the end which of them are live.

    What the client compacted or edited has to stay, unless all of it `moves` into its summary.
    """

    def __init__(self, gauge: Gauge, *, moves: bool = False) -> None:
        self._gauge = gauge
        self._moves = moves
        self._lines = EntryReader(gauge)
        self._entries: list[Entry] = []
        self._passed: list[int] = []
        self._is_line = False
        self._has_header = False

    def feed(self, record: int, line: int, data: Any) -> None:
        """Take a record; what is no object is passed over."""
        if not isinstance(data, dict):
            if not data and data != []:
                self._passed.append(record)
        elif text_at(data, "type") != _HEADER:
            self._entries.append(self._lines.read(record, line, data))
        elif not self._has_header:
            self._has_header = True
            version = data.get("version", 1)
            self._is_line = isinstance(version, int | float) and version < _FIRST_TREE

    def finish(self) -> list[Conversation]:
        """Return the one conversation of the file."""
        tree = [] if self._is_line else pi_tree.rooted([x for x in self._entries if x.uuid])
        branch = pi_tree.branch(tree) if tree else list(map(self._by_record, self._entries))
        lines = pi_tree.live(branch, self._gauge.counter.result_tokens, stays=not self._moves)
        reply = _newest_reply(lines)
        return [
            Conversation(
                list(_messages(lines, self._gauge.message_tokens)),
                model=_model(branch),
                recorded=_recorded(reply),
                counts=tuple(_counts(reply)),
                links=tree,
            )
        ]

    def _by_record(self, entry: Entry) -> Entry:
        """Name the first entry that a compaction keeps by its record.

        The oldest version counts what is on its lines from 0, but not `null` and its like.
        """
        note = entry.note
        if not isinstance(note, Compacted):
            return entry
        first = note.first_record
        for record in self._passed:
            first += record <= first
        return entry._replace(note=note._replace(first_id="", first_record=first))


def _messages(lines: Sequence[Entry], framing: int) -> Iterator[Message]:
    for entry in lines:
        note, protected = entry.note, entry.protected
        if isinstance(note, Compacted) and note.system:
            system = (note.system,)
            yield Message(Role.SYSTEM, Origin.CLIENT, entry.line, system, framing, protected=True)
        if entry.blocks:
            yield Message(entry.role, entry.origin, entry.line, entry.blocks, framing, protected)


def _newest_reply(lines: Sequence[Entry]) -> Entry | None:
    """Return the newest reply that tells its size, None if that was before a compaction or edit."""
    changes = (x.record for x in lines if isinstance(x.note, Compacted | Edited))
    newest = max(changes, default=-1)
    told = (
        x for x in reversed(lines) if x.blocks and isinstance(x.note, Reply) and any(x.note.sizes)
    )
    return next((x for x in told if x.record > newest), None)


def _sizes(entry: Entry | None) -> tuple[int, ...]:
    return entry.note.sizes if entry and isinstance(entry.note, Reply) else ()


def _recorded(reply: Entry | None) -> Recorded | None:
    tokens = sum(_sizes(reply)[:-1])
    return Recorded(reply.line, tokens) if reply and tokens else None


def _counts(reply: Entry | None) -> Iterator[tuple[int, Path, int]]:
    for key, size in zip(COUNTS, _sizes(reply), strict=False):
        if size and reply:
            yield reply.record, below(("message", "usage"), key), size


def _model(entries: Sequence[Entry]) -> str:
    names = (
        entry.note.source.model for entry in reversed(entries) if isinstance(entry.note, Reply)
    )
    return next(filter(None, names), "")


def twins(data: Any, path: Path, text: str) -> list[tuple[Path, Any]]:
    """List what the screen is shown beside a result: parts of it, or what else the tool did."""
    if path != _PAYLOAD or text_at(dict_at(data, "message"), "role") != "toolResult":
        return []
    message = data["message"]
    removed = Removed(message.get("content"))
    return list(shortened(_SCREEN, message.get("details"), removed, text, alone=True))


_ENVELOPE = ("id", "parentId", "timestamp")
_SOURCE = ("api", "provider", "model")
_COST = dict.fromkeys(("input", "output", "cacheRead", "cacheWrite", "total"), 0)
_USAGE = {
    **dict.fromkeys(("input", "output", "cacheRead", "cacheWrite", "totalTokens"), 0),
    "cost": _COST,
}


def compose(role: Role, text: str, first: Any, last: Any, model: str) -> dict[str, Any]:
    """Make the entry that stands for a folded stretch, with the id and the time of its last one.

    The client asks a reply for its `usage`, and takes up again the model that wrote it.
    """
    message: dict[str, Any] = {"role": role.value, "content": [{"type": "text", "text": text}]}
    if role is Role.ASSISTANT:
        spoken = next((x for x in (last, first) if _is_reply(x)), {"message": {"model": model}})
        message |= {key: spoken["message"][key] for key in _SOURCE if key in spoken["message"]}
        message |= {"usage": _USAGE, "stopReason": "stop"}
    if "timestamp" in dict_at(last, "message"):
        message["timestamp"] = last["message"]["timestamp"]
    return {
        "type": "message",
        **{key: last[key] for key in _ENVELOPE if key in last},
        "message": message,
    }


def _is_reply(data: Any) -> bool:
    return text_at(dict_at(data, "message"), "role") == "assistant"


FORMAT = Format(
    name="pi",
    recognised_by="a session header, and entries with id and parentId around messages",
    score=score,
    reader=SessionReader,
    rules=Rules(results_from=Role.TOOL, user_first=True),
    twins=twins,
    compose=compose,
    composed_path=("message", "content", 0, "text"),
    closing=closing,
    native_reader=partial(SessionReader, moves=True),
    id_key="id",
    parent_key="parentId",
    session=True,
)
