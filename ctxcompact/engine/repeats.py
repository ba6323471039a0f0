"""Results that a client sends to the model more than once: all change with the one that stands first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ctxcompact.core.apply import Sized

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.model import Block, Conversation
    from ctxcompact.engine.settling import Settled, Tally


class Repeat(NamedTuple):
    """Where a repeat stands, as message and block, and what it costs."""

    message: int
    block: int
    tokens: int


Repeats: TypeAlias = dict[str, list[Repeat]]
"""Repeats by the id of their call."""


def repeats_in(conversation: Conversation) -> Repeats:
    """Find the repeats of a conversation."""
    found: Repeats = {}
    if not conversation.copies and not conversation.is_scattered:
        return found
    for at, message in enumerate(conversation.messages):
        for position, block in enumerate(message.blocks):
            if block.is_repeat:
                found.setdefault(block.call_id, []).append(Repeat(at, position, block.tokens))
    return found


def most_tokens(block: Block, repeats: Iterable[Repeat]) -> int:
    """Return what a block's new text may cost: neither the block nor a repeat of it must grow."""
    return min([block.tokens, *(repeat.tokens for repeat in repeats)])


def change_repeats(
    repeats: Iterable[Repeat], text: str, gauge: Gauge, settled: Settled, tally: Tally
) -> None:
    """Note that repeats say `text` now, as the result that stands first does."""
    for message, block, before in repeats:
        tokens = gauge.count(text) + gauge.counter.result_tokens
        settled.rewritten.add(message, block, Sized(len(text), tokens, tag="", media=False))
        tally.saved_tokens += before - tokens
