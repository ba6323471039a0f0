"""An entry of a pi session as a row: its place in the tree, its blocks, what it notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from ctxcompact.core.model import Block, Origin, Role


class Compacted(NamedTuple):
    """The client's own compaction: what it keeps, and the system prompt it starts anew with.

    The first entry kept is named by its id, in the oldest version by its record.
    """

    first_id: str
    first_record: int
    system: Block | None


class Edited(NamedTuple):
    """The client's own edit of another entry; `blocks` is None if that is left out altogether."""

    target: str
    blocks: tuple[Block, ...] | None


class Source(NamedTuple):
    """Which model wrote a message, and by which way it was asked."""

    provider: str
    api: str
    model: str


class Reply(NamedTuple):
    """Where a message of the model comes from, and the sizes told there, one for each of `COUNTS`."""

    source: Source
    sizes: tuple[int, ...]


Note: TypeAlias = Compacted | Edited | Reply

COUNTS = ("input", "cacheRead", "cacheWrite", "totalTokens")
"""The keys of the sizes that the client reads at its start; the first three make the prompt."""


class Entry(NamedTuple):
    """One entry. If it is no message, `blocks` is None, and `role` and `origin` without meaning."""

    record: int
    line: int
    uuid: str
    parent: str
    role: Role
    origin: Origin
    blocks: tuple[Block, ...] | None
    protected: bool
    note: Note | None
