"""Whether a transcript fits a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
            text = f"{tokens} tokens by {reading.gauge.counter.name}, the budget is {max_tokens}"
            yield Problem(line, "over_tokens", text)
        if max_messages is not None and size > max_messages:
            yield Problem(line, "over_messages", f"{size} messages, the budget is {max_messages}")
