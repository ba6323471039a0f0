"""Which lines of a Claude Code session are live: the tree of `uuid` and `parentUuid`.

What a resuming client takes up, as observed with 2.0.77 to 2.1.332: it goes from the newest leaf up
to the root, or to the newest boundary of a compaction. That walk misses what hangs beside it, the
other lines of a message with parallel calls and their results, so these are added. Other branches
(rewinds) are not live.

A parent that is not in the file ends the walk: chunks of a session start in mid-conversation, and
the versions differ on mending a gap. A cycle ends it too.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.model import Kind
from ctxcompact.formats.claude_entries import SPOKEN, Boundary, Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Told(NamedTuple):
    """A leaf as the client recorded it, and the record that says so."""

    record: int
    leaf: str


def live(entries: Sequence[Entry], told: Told | None = None) -> list[Entry]:
    """Return the live lines in the order of the conversation.

    A result stands after the message it answers; the lines of one message need not stand together.
    If there is a boundary, it is the first line; kept lines have smaller records than it.
    """
    tree = _Tree(entries)
    chain = list(tree.up(_leaf(tree, told)))[::-1]
    return _with_siblings(tree, chain)


def is_boundary(entry: Entry) -> bool:
    """Tell whether a line is the boundary of a compaction."""
    return isinstance(entry.note, Boundary)


class _Tree:
    """Lines by position. Of two with one `uuid` the last counts; -1 stands for no line."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self.at = {entry.uuid: at for at, entry in enumerate(entries)}
        self.parents = [self.at.get(entry.parent, -1) for entry in entries]
        self.boundary = max((at for at in self.known() if is_boundary(entries[at])), default=-1)
        self.moved = frozenset[int]()
        self._hang_kept_lines()

    def known(self) -> Iterator[int]:
        """Yield the lines that count."""
        return (at for at, entry in enumerate(self.entries) if self.at[entry.uuid] == at)

    def up(self, at: int, *, stop: int = -1) -> Iterator[int]:
        """Yield a line and its ancestors, up to `stop`, a boundary or the root, none twice."""
        seen = set()
        while at >= 0 and at not in seen:
            seen.add(at)
            yield at
            if at == stop or is_boundary(self.entries[at]):
                return
            at = self.parents[at]

    def _hang_kept_lines(self) -> None:
        """Put the lines kept by the newest boundary between its anchor and what followed that."""
        note = self.entries[self.boundary].note if self.boundary >= 0 else None
        anchor = self.at.get(note.anchor, -1) if isinstance(note, Boundary) else -1
        if not isinstance(note, Boundary) or anchor < 0:
            return
        kept = self._kept(note)
        self.moved = frozenset(kept)
        if not kept or anchor in self.moved:
            return
        for at, parent in enumerate(self.parents):
            if parent == anchor:
                self.parents[at] = kept[-1]
        for before, at in zip([anchor, *kept], kept, strict=False):
            self.parents[at] = before

    def _kept(self, note: Boundary) -> list[int]:
        """Return the kept lines; as for the client, a list that names a missing line is no list."""
        kept = [self.at.get(uuid, -1) for uuid in dict.fromkeys(note.kept)]
        if kept:
            return [] if -1 in kept else kept
        head = self.at.get(note.head, -1)
        path = list(self.up(self.at.get(note.tail, -1), stop=head))
        return path[::-1] if path and path[-1] == head else []


def _leaf(tree: _Tree, told: Told | None) -> int:
    """Return the newest line that nothing hangs on, -1 if there is none.

    "Newest" goes by the file, and by what a person or the model said: a late notice on an old line
    makes no new branch. A leaf told by the client wins if it lies on another branch, and nothing
    was said or compacted since.
    """
    spoken = _spoken(tree)

    def newest(tips: Iterable[int]) -> int:
        return max(tips, key=lambda at: (spoken[at], at), default=-1)

    parents = set(tree.parents)
    tips = [at for at in tree.known() if at not in parents]
    if not tips:
        return newest(tree.known())
    leaf = newest(tips)
    other = tree.at.get(told.leaf, -1) if told else -1
    said = max(spoken[leaf], tree.boundary, 0)
    if told is None or other < tree.boundary or told.record < tree.entries[said].record:
        return leaf
    below = _below(tree, other)
    return newest(at for at in tips if at in below) if below else leaf


def _spoken(tree: _Tree) -> list[int]:
    """Tell for each line the nearest one at or above it that a person or the model said.

    Kept lines are as new as the compaction that kept them.
    """
    spoken: list[int] = []
    for at, entry in enumerate(tree.entries):
        parent = tree.parents[at]
        above = spoken[parent] if 0 <= parent < at else -1
        own = at if entry.kind in SPOKEN else above
        spoken.append(max(own, tree.boundary) if at in tree.moved else own)
    return spoken


def _below(tree: _Tree, root: int) -> set[int]:
    """Return a line and all that hang on it; nothing if there is no such line."""
    below = {root} - {-1}
    for at, parent in enumerate(tree.parents):
        if parent in below:
            below.add(at)
    return below


def _with_siblings(tree: _Tree, chain: list[int]) -> list[Entry]:
    """Add what the walk misses: lines of messages it met, and results of calls in them."""
    entries = tree.entries
    beside = _beside(tree, chain)
    if not beside:
        return [entries[at] for at in chain]
    units = _Units()
    for at in chain:
        units.place(at, entries[at])
    hung: dict[int, list[int]] = {}
    for at in beside:
        if entries[at].message_id and entries[at].message_id in units.places:
            units.note_calls(entries[at])
            hung.setdefault(units.places[entries[at].message_id][0], []).append(at)
    for at in beside:
        before = units.place_of_missed(at, entries[at])
        if before >= 0:
            hung.setdefault(before, []).append(at)
    return [entries[at] for on in chain for at in (on, *sorted(hung.get(on, ())))]


def _beside(tree: _Tree, chain: list[int]) -> list[int]:
    """Return the lines with words that are not on the chain, and not before a boundary."""
    bounded = bool(chain) and is_boundary(tree.entries[chain[0]]) and not tree.moved
    start = chain[0] if bounded else -1
    on_chain = set(chain)
    return [
        at
        for at in tree.known()
        if at > start and at not in on_chain and tree.entries[at].kind in SPOKEN
    ]


class _Units:
    """The messages of the model on the chain, with the results for them."""

    def __init__(self) -> None:
        self.places: dict[str, list[int]] = {}
        self._callers: dict[str, str] = {}
        self._answered: set[str] = set()

    def place(self, at: int, entry: Entry) -> None:
        """Note where a line stands on the chain."""
        if entry.kind == "assistant":
            self.places.setdefault(entry.unit, []).append(at)
            self.note_calls(entry)
            return
        for call_id in _ids(entry, Kind.RESULT):
            self._answered.add(call_id)
            if call_id in self._callers:
                self.places[self._callers[call_id]].append(at)

    def note_calls(self, entry: Entry) -> None:
        """Note the calls that may be answered."""
        for call_id in _ids(entry, Kind.CALL):
            self._callers[call_id] = entry.unit

    def place_of_missed(self, at: int, entry: Entry) -> int:
        """Return after which line the first result for a call belongs, -1 if it is none.

        That is the newest line of the message, or result for it, which was written before.
        """
        ids = _ids(entry, Kind.RESULT)
        open_ids = [x for x in ids if x in self._callers and x not in self._answered]
        if not open_ids:
            return -1
        self._answered.update(ids)
        places = self.places[self._callers[open_ids[0]]]
        return places[max(bisect_left(places, at) - 1, 0)]


def _ids(entry: Entry, kind: Kind) -> list[str]:
    return [block.call_id for block in entry.blocks or () if block.kind is kind]
