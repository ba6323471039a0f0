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

    `newest_answer` is the last final answer of the model (`is_answer`). What stands before `newest_reply`,
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
    forward = range(len(messages))
    backward = forward[::-1]
    return Outline(
        len(messages),
        next((at for at in forward if messages[at].is_human), -1),
        next((at for at in backward if messages[at].is_human), -1),
        next((at for at in backward if is_answer(messages[at])), -1),
        next((at for at in backward if messages[at].origin is Origin.MODEL), -1),
    )


def is_answer(message: Message) -> bool:
    """Tell whether the model answers here: it calls nothing, or speaks on after its own results.

    AgentScope writes the calls of a reply, their results and the words after them as one message.
    """
    if message.origin is not Origin.MODEL or not message.has_calls:
        return message.origin is Origin.MODEL
    if message.blocks[-1].kind is not Kind.TEXT:
        return False
    return next(x.kind for x in reversed(message.blocks) if x.kind in _TOOLS) is Kind.RESULT


def is_round(message: Message) -> bool:
    """Tell whether calls and their results are one message, as in no other format."""
    return message.has_calls and message.has_results


def is_seen(messages: Sequence[Message], outline: Outline, message: int, block: int) -> bool:
    """Tell whether the model has read a result: it said something after it."""
    if message != outline.newest_reply:
        return message < outline.newest_reply
    return any(x.kind is not Kind.RESULT for x in messages[message].blocks[block + 1 :])


def says_what_was(message: Message) -> bool:
    """Tell whether a message is the client's own summary of what was before.

    It counts like the first prompt.
    """
    return message.origin is Origin.CLIENT and any(
        block.kind is Kind.TEXT and block.fixed for block in message.blocks
    )


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
    newest = outline.newest_reply
    found = [
        (at, position)
        for at, message in enumerate(messages[: newest + 1])
        for position, block in enumerate(message.blocks)
        if block.kind is Kind.RESULT
    ]
    while found and not is_seen(messages, outline, *found[-1]):
        found.pop()
    return found


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


_TOOLS = frozenset({Kind.CALL, Kind.RESULT})
_MOVABLE = frozenset({Kind.TEXT, Kind.RESULT})
