"""Where a conversation's rounds, answers and seen results lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxcompact.core.model import Block, Kind, Message, Origin, Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Outline:
    """The landmarks of a conversation, as indices of messages; -1 where there is none.

    `newest_answer` is the last call-free message of the model. What stands before `newest_reply`,
    the model's last message of any kind, it has seen; a result after it is still to be read.
    """

    size: int
    first_human: int
    newest_human: int
    newest_answer: int
    newest_reply: int

    def keeps_words(self, message: int) -> bool:
        """Tell whether the words of this message stay verbatim.

        Those of the first and the newest human one do.
        """
        return message in (self.first_human, self.newest_human)


def trace(messages: Sequence[Message]) -> Outline:
    """Find the landmarks."""
    first_human = newest_human = newest_answer = newest_reply = -1
    for at, message in enumerate(messages):
        origin = message.origin
        if origin is Origin.MODEL:
            newest_reply = at
            if not message.has_calls:
                newest_answer = at
        elif origin is Origin.PERSON:
            newest_human = at
            if first_human < 0:
                first_human = at
    return Outline(len(messages), first_human, newest_human, newest_answer, newest_reply)


def rounds(messages: Sequence[Message]) -> list[tuple[int, int]]:
    """Cut the conversation into rounds, as (start, stop).

    Each goes from a human message up to the next one. What stands before the first human message is
    a round of its own.
    """
    starts = [at for at, message in enumerate(messages) if message.is_human]
    if messages and (not starts or starts[0] > 0):
        starts.insert(0, 0)
    return list(zip(starts, [*starts[1:], len(messages)], strict=False))


def seen_results(messages: Sequence[Message], outline: Outline) -> list[tuple[int, int]]:
    """List the results the model has read, as (message, block), oldest first."""
    return [
        (at, position)
        for at, message in enumerate(messages[: max(outline.newest_reply, 0)])
        for position, block in enumerate(message.blocks)
        if block.kind is Kind.RESULT
    ]


def movable(
    messages: Sequence[Message], outline: Outline, stop: int, min_chars: int
) -> Iterator[tuple[int, int]]:
    """Yield the texts and results before `stop` that may move out, as (message, block).

    They are longer than `min_chars`. Left alone: system messages, the words that stay verbatim,
    protected messages, fixed blocks, and what ends in a mark already.
    """
    for at in range(max(stop, 0)):
        message = messages[at]
        for position, block in enumerate(message.blocks):
            if block.chars <= min_chars or not is_movable(block):
                continue
            if message.protected or message.role is Role.SYSTEM:
                continue
            if block.kind is not Kind.TEXT or not outline.keeps_words(at):
                yield at, position


def is_movable(block: Block) -> bool:
    """Tell whether a block is a text or result that nothing forbids to edit."""
    return block.kind in _MOVABLE and not block.fixed and not block.tag


_MOVABLE = frozenset({Kind.TEXT, Kind.RESULT})
