"""A line of a Claude Code session as a row: its place in the tree, its blocks, what it notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from ctxcompact.core.model import Block, Origin


KINDS = {kind: kind for kind in ("user", "assistant", "system", "attachment", "progress")}
"""The kinds of lines in the tree, each as the one string that all rows share."""

SPOKEN = frozenset({"user", "assistant"})
"""The kinds that a person or the model may have said."""


class Boundary(NamedTuple):
    """Where the client compacted: nothing before it is live, but the lines it lists as kept.

    The kept lines stand in the file where they were, and in the conversation after `anchor`, the
    summary. Older versions name the first and the last of them only.
    """

    anchor: str
    kept: tuple[str, ...]
    head: str
    tail: str


class Cleared(NamedTuple):
    """What the client's own micro-compaction cleared: calls, and lines with attachments, by id."""

    calls: frozenset[str]
    attachments: frozenset[str]


class Said(NamedTuple):
    """Which model wrote an assistant line, and the prompt's sizes told there.

    `sizes` has one number for each of `PROMPT_COUNTS`, or is empty where no `usage` is.
    """

    model: str
    sizes: tuple[int, ...]


Note: TypeAlias = Boundary | Cleared | Said


class Link(NamedTuple):
    """A line of a kind that is not known, which hangs in the tree all the same."""

    record: int
    uuid: str
    parent: str


class Entry(NamedTuple):
    """One line of the chain. If it is no message, `blocks` is None and `origin` without meaning."""

    record: int
    line: int
    kind: str
    uuid: str
    parent: str
    message_id: str
    blocks: tuple[Block, ...] | None
    origin: Origin
    protected: bool
    note: Note | None

    @property
    def unit(self) -> str:
        """What the lines of one API message have in common."""
        return self.message_id or self.uuid
