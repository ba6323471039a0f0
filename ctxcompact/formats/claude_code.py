"""Claude Code: the client's own session file, one line a block, in a tree.

One message of the API is one message here, although the client writes each of its blocks on a line
of its own. Read are the live lines only (`claude_chain`). Sidechains inside a session, as older
versions kept their subagents, are conversations of others: neither counted nor touched. A file that
is all sidechain is a subagent's own session, and is read like any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.format import Format
from ctxcompact.core.model import Block, Conversation, Kind, Message, Recorded, Role
from ctxcompact.formats import claude_chain
from ctxcompact.formats.anthropic import RULES
from ctxcompact.formats.claude_entries import KINDS, SPOKEN, Cleared, Entry, Link, Said
from ctxcompact.formats.claude_fold import compose
from ctxcompact.formats.claude_lines import CLEARED_TEXT, LineReader
from ctxcompact.formats.claude_native import native
from ctxcompact.formats.claude_twins import twins
from ctxcompact.formats.content import PROMPT_COUNTS, below
from ctxcompact.formats.fields import dict_at, text_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.model import Place
    from ctxcompact.core.splice import Path

_SIDE = frozenset(
    {
        "summary",
        "file-history-snapshot",
        "file-history-delta",
        "queue-operation",
        "last-prompt",
        "mode",
        "permission-mode",
        "ai-title",
        "custom-title",
        "agent-name",
        "agent-color",
        "agent-setting",
        "pr-link",
        "bridge-session",
        "worktree-state",
        "content-replacement",
        "api-request",
        "api-request-blob",
        "api-request-shape",
        "cost-state",
        "tools-used",
        "atis-latch",
        "tag",
        "frame-link",
        "history-suppression",
    }
)
_SIDE_KEYS = frozenset({"sessionId", "leafUuid", "messageId"})


def score(sample: Sequence[Any]) -> float:
    """Say how many records are lines of the tree, or of the bookkeeping beside it.

    Qwen Code writes the same tree, with `parts` in its messages.
    """
    records = [data for data in sample if isinstance(data, dict)]
    if any("parts" in dict_at(data, "message") for data in records):
        return 0.0
    return sum(map(_is_own, records)) / len(sample) if sample else 0.0


def _is_own(data: dict[str, Any]) -> bool:
    kind = text_at(data, "type")
    if kind in KINDS:
        return "uuid" in data and "parentUuid" in data
    return kind in _SIDE and not _SIDE_KEYS.isdisjoint(data)


class SessionReader:
    """Reads one line a record, and tells at the end which of them are live."""

    def __init__(self, gauge: Gauge) -> None:
        self._gauge = gauge
        self._lines = LineReader(gauge)
        self._main: list[Entry] = []
        self._side: list[Entry] = []
        self._others: list[Link] = []
        self._told: claude_chain.Told | None = None
        self._copies: dict[str | Place, list[Place]] = {}

    def feed(self, record: int, line: int, data: Any) -> None:
        """Take a record; what is neither of the tree nor of use beside it is passed over."""
        kind = text_at(data, "type") if isinstance(data, dict) else ""
        if kind in KINDS:
            if text_at(data, "uuid"):
                entries = self._side if data.get("isSidechain") is True else self._main
                entries.append(self._lines.read(record, line, KINDS[kind], data))
        elif kind == "last-prompt":
            leaf = text_at(data, "leafUuid")
            self._told = claude_chain.Told(record, leaf) if leaf else self._told
        elif kind == "api-request-blob":
            self._note_copies(record, data)
        elif isinstance(data, dict) and text_at(data, "uuid"):
            link = Link(record, text_at(data, "uuid"), text_at(data, "parentUuid"))
            self._others.append(link)

    def _note_copies(self, record: int, data: dict[str, Any]) -> None:
        """Note where the journal of requests repeats a result."""
        content = dict_at(data, "message").get("content")
        for n, part in enumerate(content if isinstance(content, list) else ()):
            if isinstance(part, dict) and part.get("type") == "tool_result" and "content" in part:
                path = below(("message", "content"), n, "content")
                self._copies.setdefault(text_at(part, "tool_use_id"), []).append((record, path))

    def finish(self) -> list[Conversation]:
        """Return the one conversation of the file."""
        own = any(entry.kind in SPOKEN for entry in self._main)
        entries = self._main if own else self._side or self._main
        lines = claude_chain.live(entries, self._told)
        groups = _groups(_cleared(lines, self._gauge))
        framing = self._gauge.counter.message_tokens
        reply = _newest_reply(lines, groups)
        return [
            Conversation(
                [_message(group, framing) for group in groups],
                model=_model(lines) or _model(entries),
                recorded=_recorded(reply),
                copies=self._copies,
                counts=tuple(_counts(reply)),
                links=[*self._main, *self._side, *self._others],
            )
        ]


def _groups(lines: Iterable[Entry]) -> list[list[Entry]]:
    """Put the lines of one message together where the first of them stands."""
    groups: list[list[Entry]] = []
    places: dict[str, int] = {}
    for entry in lines:
        if entry.blocks is None:
            continue
        place = (
            places.setdefault(entry.message_id, len(groups)) if entry.message_id else len(groups)
        )
        if place < len(groups):
            groups[place].append(entry)
        else:
            groups.append([entry])
    for place in places.values():
        groups[place].sort()
    return groups


def _message(group: list[Entry], framing: int) -> Message:
    first = group[0]
    role = Role.ASSISTANT if first.kind == "assistant" else Role.USER
    if len(group) == 1:
        return Message(role, first.origin, first.line, first.blocks or (), framing, first.protected)
    blocks = tuple([block for entry in group for block in entry.blocks or ()])
    protected = any(entry.protected for entry in group)
    return Message(role, first.origin, first.line, blocks, framing, protected)


def _cleared(lines: list[Entry], gauge: Gauge) -> Iterator[Entry]:
    """Yield the lines as the client sends them where its own micro-compaction cleared some."""
    notes = [entry.note for entry in lines if isinstance(entry.note, Cleared)]
    calls = frozenset[str]().union(*(note.calls for note in notes))
    attachments = frozenset[str]().union(*(note.attachments for note in notes))
    tokens = gauge.count(CLEARED_TEXT) + gauge.counter.result_tokens if calls else 0
    for entry in lines:
        if entry.uuid in attachments and entry.kind == "attachment":
            continue
        if calls and entry.blocks and entry.kind == "user":
            blocks = tuple(_as_shown(block, calls, tokens) for block in entry.blocks)
            yield entry._replace(blocks=blocks)
        else:
            yield entry


def _as_shown(block: Block, calls: frozenset[str], tokens: int) -> Block:
    if block.kind is not Kind.RESULT or block.call_id not in calls:
        return block
    return block._replace(chars=len(CLEARED_TEXT), tokens=tokens, fixed=True, media=False)


def _newest_reply(lines: list[Entry], groups: list[list[Entry]]) -> list[Entry]:
    """Return the lines of the model's newest message that tells its size.

    Lines kept over a compaction are not asked: what they tell is the size before it.
    """
    start = lines[0].record if lines and claude_chain.is_boundary(lines[0]) else -1
    told = (group for group in reversed(groups) if group[-1].record > start and _sizes(group[-1]))
    return next(told, [])


def _sizes(entry: Entry) -> tuple[int, ...]:
    return entry.note.sizes if isinstance(entry.note, Said) else ()


def _recorded(reply: list[Entry]) -> Recorded | None:
    tokens = sum(_sizes(reply[-1])) if reply else 0
    return Recorded(reply[-1].line, tokens) if tokens else None


def _counts(reply: Iterable[Entry]) -> Iterator[tuple[int, Path, int]]:
    """Yield the sizes the client reads at its next start: every line of a message repeats them."""
    for entry in reply:
        for key, size in zip(PROMPT_COUNTS, _sizes(entry), strict=False):
            if size:
                yield entry.record, below(("message", "usage"), key), size


def _model(lines: Sequence[Entry]) -> str:
    """Return the newest name of a model, "" if none is told."""
    names = (entry.note.model for entry in reversed(lines) if isinstance(entry.note, Said))
    return next(filter(None, names), "")


FORMAT = Format(
    name="claude-code",
    recognised_by="lines with uuid and parentUuid, and bookkeeping such as last-prompt",
    score=score,
    reader=SessionReader,
    rules=RULES,
    twins=twins,
    compose=compose,
    composed_path=("message", "content", 0, "text"),
    native=native,
    id_key="uuid",
    parent_key="parentUuid",
    session=True,
)
