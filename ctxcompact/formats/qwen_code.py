"""Qwen Code: the client's own session file, a content of Gemini's a line, in a tree.

As in the client's public source: from the last line up `parentUuid` to the root; where it compacted,
its record holds the history it goes on with, which stays as it is. Lines of one `uuid` are one.
System lines say nothing to the model. A parent that is not in the file ends the walk; newer versions
go on with what stands before such a gap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.format import Format, Rules
from ctxcompact.core.model import Conversation, Recorded, Role
from ctxcompact.formats.copies import Removed, shortened
from ctxcompact.formats.fields import dict_at, list_at, text_at
from ctxcompact.formats.qwen_lines import Compressed, Entry, LineReader, Ran, Reply

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

_KINDS = frozenset({"user", "assistant", "tool_result", "system"})


def score(sample: Sequence[Any]) -> float:
    """Say how many records are lines of the tree; nothing where none has Gemini's parts."""
    records = [data for data in sample if isinstance(data, dict)]
    found = [data for data in records if _is_line(data)]
    if not any("parts" in dict_at(data, "message") for data in found):
        return 0.0
    return len(found) / len(sample)


def _is_line(data: dict[str, Any]) -> bool:
    return "uuid" in data and "parentUuid" in data and text_at(data, "type") in _KINDS


class SessionReader:
    """Reads one line a record, and tells at the end which of them are live."""

    def __init__(self, gauge: Gauge) -> None:
        self._lines = LineReader(gauge)
        self._entries: list[Entry] = []

    def feed(self, record: int, line: int, data: Any) -> None:
        """Take a record; what has no place in the tree is passed over."""
        if isinstance(data, dict) and text_at(data, "uuid"):
            self._entries.append(self._lines.read(record, line, data))

    def finish(self) -> list[Conversation]:
        """Return the one conversation of the file."""
        lines = _live(self._entries)
        told = [x for x in lines if isinstance(x.note, Reply)]
        newest = told[-1] if told and not _is_compressed_after(lines, told[-1]) else None
        return [
            Conversation(
                [message for entry in lines for message in entry.messages],
                model=_model(told),
                recorded=_recorded(newest),
                counts=tuple(_counts(newest)),
                links=self._entries,
            )
        ]


def _live(entries: Sequence[Entry]) -> list[Entry]:
    lines = _branch(entries)
    places = [at for at, entry in enumerate(lines) if isinstance(entry.note, Compressed)]
    return _without_commands(lines[places[-1] :] if places else lines)


def _branch(entries: Sequence[Entry]) -> list[Entry]:
    """Return the way from the root to the last line; the first of one `uuid` has the parent."""
    by_uuid: dict[str, list[Entry]] = {}
    for entry in entries:
        by_uuid.setdefault(entry.uuid, []).append(entry)
    found: list[Entry] = []
    at = entries[-1].uuid if entries else ""
    while at in by_uuid:
        same = by_uuid.pop(at)
        found += reversed(same)
        at = same[0].parent
    return found[::-1]


def _without_commands(lines: Sequence[Entry]) -> list[Entry]:
    """Leave out what a person typed for the client alone, as the line after it tells."""
    found: list[Entry] = []
    for entry in lines:
        note = entry.note
        if isinstance(note, Ran) and found and found[-1].command == note.command:
            found.pop()
        if entry.messages or note:
            found.append(entry)
    return found


def _is_compressed_after(lines: Sequence[Entry], reply: Entry) -> bool:
    return any(isinstance(x.note, Compressed) and x.record > reply.record for x in lines)


def _model(told: Sequence[Entry]) -> str:
    names = (entry.note.model for entry in reversed(told) if isinstance(entry.note, Reply))
    return next(filter(None, names), "")


def _recorded(entry: Entry | None) -> Recorded | None:
    told = isinstance(entry, Entry) and isinstance(entry.note, Reply) and entry.note.tokens
    return Recorded(entry.line, told) if entry and told else None


def _counts(entry: Entry | None) -> Iterator[tuple[int, Path, int]]:
    if entry and isinstance(entry.note, Reply):
        for key, tokens in entry.note.sizes.items():
            yield entry.record, ("usageMetadata", key), tokens


def twins(data: Any, path: Path, text: str) -> list[tuple[Path, Any]]:
    """List what is kept of a result for the screen; where a line has several, what repeats this one."""
    if "functionResponse" not in path:
        return []
    parts = list_at(dict_at(data, "message"), "parts")
    alone = sum(isinstance(part, dict) and "functionResponse" in part for part in parts) == 1
    value: Any = data
    for key in path:
        value = value[key]
    shown = data.get("toolCallResult")
    return list(shortened(("toolCallResult",), shown, Removed(value), text, alone=alone))


_ENVELOPE = ("uuid", "parentUuid", "sessionId", "timestamp", "cwd", "version", "gitBranch")


def compose(role: Role, text: str, first: Any, last: Any, model: str) -> dict[str, Any]:
    """Make the line that stands for a folded stretch, with the id and the time of its last one."""
    line = {key: last[key] for key in _ENVELOPE if key in last}
    if role is Role.USER:
        return {**line, "type": "user", "message": {"role": "user", "parts": [{"text": text}]}}
    model = text_at(last, "model") or text_at(first, "model") or model
    line |= {"type": "assistant", "model": model}
    return {**line, "message": {"role": "model", "parts": [{"text": text}]}}


FORMAT = Format(
    name="qwen-code",
    recognised_by="lines with uuid and parentUuid, and parts in their messages",
    score=score,
    reader=SessionReader,
    rules=Rules(results_from=Role.USER, results_first=False),
    twins=twins,
    compose=compose,
    composed_path=("message", "parts", 0, "text"),
    id_key="uuid",
    parent_key="parentUuid",
    session=True,
)
