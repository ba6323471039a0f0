"""Make edits real in the rows: some blocks replaced, some stretches become one message."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.model import Block, Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Rewritten(NamedTuple):
    """A block as it becomes."""

    message: int
    block: int
    row: Block


class Sized(NamedTuple):
    """What a block's new text changes in its row."""

    chars: int
    tokens: int
    tag: str
    media: bool


class Rewrites:
    """Blocks as they become: kept as columns, for there may be a hundred thousand of them."""

    def __init__(self) -> None:
        self._messages = array("I")
        self._blocks = array("I")
        self._chars = array("I")
        self._tokens = array("I")
        self._media = bytearray()
        self._tags: list[str] = []

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._tags)

    def add(self, message: int, block: int, sized: Sized) -> None:
        """Note that a block has a new text."""
        chars, tokens, tag, media = sized
        self._messages.append(message)
        self._blocks.append(block)
        self._chars.append(chars)
        self._tokens.append(tokens)
        self._media.append(media)
        self._tags.append(tag)

    def rows(self, messages: Sequence[Message]) -> Iterator[Rewritten]:
        """Yield the new rows, in the order in which they were added."""
        columns = (self._messages, self._blocks, self._chars, self._tokens, self._tags, self._media)
        for at, position, chars, tokens, tag, media in zip(*columns, strict=True):
            kind, record, path, _, _, call_id, tool, _, fixed, _ = messages[at].blocks[position]
            row = Block(kind, record, path, chars, tokens, call_id, tool, tag, fixed, bool(media))
            yield Rewritten(at, position, row)


class Folded(NamedTuple):
    """The message that the messages from `start` up to `stop` become."""

    start: int
    stop: int
    message: Message


class View(NamedTuple):
    """Messages as they would be.

    The message at an index stands for those of the given conversation from `starts` there up to the next start.
    """

    messages: list[Message]
    starts: Sequence[int]


def apply(
    messages: Sequence[Message], rewritten: Iterable[Rewritten], folded: Sequence[Folded]
) -> View:
    """Apply edits to a conversation that stays as it is. No rewrite may lie in a fold, no fold in another."""
    changed = list(messages)
    rewrite(changed, rewritten)
    if not folded:
        return View(changed, range(len(changed) + 1))
    made: list[Message] = []
    starts: list[int] = []
    done = 0
    for start, stop, message in sorted(folded, key=lambda fold: fold.start):
        made += changed[done:start]
        starts += range(done, start + 1)
        made.append(message)
        done = stop
    made += changed[done:]
    starts += range(done, len(changed) + 1)
    return View(made, starts)


def rewrite(messages: list[Message], rewritten: Iterable[Rewritten]) -> None:
    """Put new rows into the messages of a list."""
    for at, position, row in rewritten:
        role, origin, line, blocks, framing, protected = messages[at]
        blocks = (*blocks[:position], row, *blocks[position + 1 :])
        messages[at] = Message(role, origin, line, blocks, framing, protected)
