"""Which entries of a pi session are live: the tree of `id` and `parentId`.

As in the client's source (0.73.1 and 1.6.0): from the last entry of the file up to the root. Of a
path with compactions the newest counts: its summary, what it keeps, and what follows it. The
client's own edits (`context_edit`, 1.x) are taken for what they say.

A parent that is not in the file ends the walk, and so does a cycle. Files of the first version are
no tree: each entry hangs on the one before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.model import Kind, Role
from ctxcompact.formats.pi_entries import Compacted, Edited, Entry, Reply

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.core.model import Block


def rooted(entries: Sequence[Entry]) -> list[Entry]:
    """Hang entries whose parent is a call, as some files have it, on the entry that calls."""
    ids = {entry.uuid for entry in entries}
    if all(entry.parent in ids or not entry.parent for entry in entries):
        return list(entries)
    callers = {
        block.call_id: entry.uuid
        for entry in entries
        for block in entry.blocks or ()
        if block.kind is Kind.CALL
    }
    return [
        entry
        if entry.parent in ids
        else entry._replace(parent=callers.get(entry.parent, entry.parent))
        for entry in entries
    ]


def branch(entries: Sequence[Entry]) -> list[Entry]:
    """Return the way from the root to the last entry. Of two with one id the last counts."""
    known = {entry.uuid: entry for entry in entries}
    found: list[Entry] = []
    seen: set[int] = set()
    at = entries[-1] if entries else None
    while at is not None and at.record not in seen:
        seen.add(at.record)
        found.append(at)
        at = known.get(at.parent)
    return found[::-1]


def live(branch: Sequence[Entry], result_tokens: int, *, stays: bool) -> list[Entry]:
    """Return the entries of a branch that the client sends, as it sends them.

    If it compacted, its compaction is the first entry; kept ones have smaller records. If what it
    changed `stays`, its compaction and what it edited are protected. `result_tokens` is the framing
    of a result.
    """
    places = [at for at, entry in enumerate(branch) if isinstance(entry.note, Compacted)]
    if places:
        at = places[-1]
        made = branch[at]
        summary = made._replace(protected=made.protected or stays)
        branch = [summary, *_kept(branch[:at], made), *branch[at + 1 :]]
    return _without_strange_thoughts(list(_edited(branch, result_tokens, stays=stays)))


def _kept(before: Sequence[Entry], compaction: Entry) -> Iterator[Entry]:
    """Yield the entries that a compaction keeps; older ones are summed up, and so are prompts."""
    note = compaction.note
    assert isinstance(note, Compacted)  # noqa: S101 - so chosen, for the type checker
    found = False
    for entry in before:
        found = found or _is_first(entry, note)
        if found and entry.role is not Role.SYSTEM and not isinstance(entry.note, Compacted):
            yield entry


def _is_first(entry: Entry, note: Compacted) -> bool:
    return entry.uuid == note.first_id if note.first_id else entry.record == note.first_record


def _edited(entries: Sequence[Entry], result_tokens: int, *, stays: bool) -> Iterator[Entry]:
    """Yield the entries as the client's own edits have them; of two edits the later counts."""
    edits = {entry.note.target: entry.note for entry in entries if isinstance(entry.note, Edited)}
    for entry in entries:
        edit = edits.get(entry.uuid) if entry.uuid else None
        if edit and entry.blocks:
            shown = _replaced(entry, edit, result_tokens)
            yield shown._replace(protected=shown.protected or stays)
        else:
            yield entry


def _replaced(entry: Entry, edit: Edited, result_tokens: int) -> Entry:
    """Count an entry as edited. It keeps its bytes and its place: the edit names it by its id."""
    if edit.blocks is None:
        return entry._replace(blocks=None)
    if entry.role is Role.SYSTEM or isinstance(entry.note, Compacted):
        return entry
    result = next((x for x in entry.blocks or () if x.kind is Kind.RESULT), None)
    if result is not None:
        blocks: tuple[Block, ...] = (_as_shown(result, edit.blocks, result_tokens),)
    else:
        blocks = tuple(_at_home(block, entry.record) for block in edit.blocks)
    return entry._replace(blocks=blocks or None)


def _at_home(block: Block, record: int) -> Block:
    return block._replace(record=record, path=("message", *block.path[1:]), fixed=True)


def _as_shown(result: Block, shown: Sequence[Block], framing: int) -> Block:
    tokens = framing + sum(block.tokens for block in shown)
    chars = sum(block.chars for block in shown)
    media = any(block.media for block in shown)
    return result._replace(tokens=tokens, chars=chars, media=media, fixed=True)


def _without_strange_thoughts(entries: list[Entry]) -> list[Entry]:
    """Leave out the reasoning of other models than the newest: none is shown another's."""
    sources = [entry.note.source for entry in entries if isinstance(entry.note, Reply)]
    return [
        _without_thoughts(entry)
        if isinstance(entry.note, Reply) and entry.note.source != sources[-1]
        else entry
        for entry in entries
    ]


def _without_thoughts(entry: Entry) -> Entry:
    blocks = tuple(block for block in entry.blocks or () if block.kind is not Kind.THINKING)
    return entry._replace(blocks=blocks or None)
