"""Make edits real in the rows: some blocks replaced, some stretches become one message."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ctxcompact.core.model import Block, Message


class Rewritten(NamedTuple):
    """A block as it becomes."""

    message: int
    block: int
    row: Block


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
    for at, position, row in rewritten:
        blocks = changed[at].blocks
        changed[at] = changed[at]._replace(
            blocks=(*blocks[:position], row, *blocks[position + 1 :])
        )
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
