"""Whether a transcript fits a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.counts import counted, number
from ctxcompact.core.model import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.engine.reading import Reading


def over_budget(
    reading: Reading, max_tokens: int | None, max_messages: int | None
) -> Iterator[Problem]:
    """Yield a problem for each budget that a conversation is over; None is no budget."""
    for conversation in reading.conversations:
        line, size = conversation.line or 0, len(conversation.messages)
        tokens = conversation.tokens if max_tokens is not None else 0
        if max_tokens is not None and tokens > max_tokens:
            size_told = f"{counted(tokens, 'token')} by {reading.gauge.counter.name}"
            yield Problem(line, "over_tokens", f"{size_told}, the budget is {number(max_tokens)}")
        if max_messages is not None and size > max_messages:
            text = f"{counted(size, 'message')}, the budget is {number(max_messages)}"
            yield Problem(line, "over_messages", text)
