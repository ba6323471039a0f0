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

    `newest_answer` is the last call-free message of the model. What stands before `newest_reply`, the
    model's last message of any kind, it has seen; a result after it is still to be read.
    """

    size: int
    first_human: int
    newest_human: int
    newest_answer: int
    newest_reply: int

    def keeps_words(self, message: int) -> bool:
        """Tell whether the words of this message stay verbatim: the first and the newest human one."""
        return message in (self.first_human, self.newest_human)


def trace(messages: Sequence[Message]) -> Outline:
    """Find the landmarks."""
    humans = [at for at, message in enumerate(messages) if message.is_human]
    replies = [at for at, message in enumerate(messages) if _is_reply(message)]
    answers = (at for at in reversed(replies) if not messages[at].has_calls)
    return Outline(
        size=len(messages),
        first_human=humans[0] if humans else -1,
        newest_human=humans[-1] if humans else -1,
        newest_answer=next(answers, -1),
        newest_reply=replies[-1] if replies else -1,
    )


def rounds(messages: Sequence[Message]) -> list[tuple[int, int]]:
    """Cut the conversation into rounds, each from a human message up to the next one, as (start, stop).

    What stands before the first human message is a round of its own.
    """
    starts = [at for at, message in enumerate(messages) if message.is_human]
    if messages and (not starts or starts[0] > 0):
        starts.insert(0, 0)
    return list(zip(starts, [*starts[1:], len(messages)], strict=True))


def seen_results(messages: Sequence[Message], outline: Outline) -> list[tuple[int, int]]:
    """List the results the model has read, as (message, block), oldest first."""
    return [
        (at, position)
        for at, message in enumerate(messages[: max(outline.newest_reply, 0)])
        for position, block in enumerate(message.blocks)
        if block.kind is Kind.RESULT
    ]


def movable(
    messages: Sequence[Message], outline: Outline, stop: int
) -> Iterator[tuple[int, int, Block]]:
    """Yield the texts and results before `stop` that may move out, as (message, block, row).

    Left alone: system messages, the words that stay verbatim, protected messages, fixed blocks, and what
    ends in a mark already.
    """
    for at, message in enumerate(messages[: max(stop, 0)]):
        if message.protected or message.role is Role.SYSTEM:
            continue
        verbatim = outline.keeps_words(at)
        for position, block in enumerate(message.blocks):
            if is_movable(block) and not (verbatim and block.kind is Kind.TEXT):
                yield at, position, block


def is_movable(block: Block) -> bool:
    """Tell whether a block is a text or result that nothing forbids to edit."""
    return block.kind in _MOVABLE and not block.fixed and not block.tag


_MOVABLE = frozenset({Kind.TEXT, Kind.RESULT})


def _is_reply(message: Message) -> bool:
    return message.role is Role.ASSISTANT and message.origin is Origin.MODEL
