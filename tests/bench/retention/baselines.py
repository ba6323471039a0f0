"""What is easy to do instead: the newest messages, the first and the newest, or the start of every result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.bench.retention.folding import Context, text_of, tokens_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.bench.retention.sessions import Message

    Count = Callable[[str], int]

_LONGEST_PREVIEW = 20_000


def newest(messages: Sequence[Message], budget: int, count: Count) -> Context:
    """Keep the system message and the newest messages that fit."""
    return Context(_fitting(messages[:1], messages[1:], budget, count), {})


def first_and_newest(messages: Sequence[Message], budget: int, count: Count) -> Context:
    """Keep the first messages up to a third of the budget, then the newest."""
    ahead: list[Message] = []
    for message in messages:
        if tokens_of([*ahead, message], count) > budget // 3:
            break
        ahead.append(message)
    return Context(_fitting(ahead, messages[len(ahead) :], budget, count), {})


def previews(messages: Sequence[Message], budget: int, count: Count) -> Context:
    """Keep the start of every result, as long as all fit."""
    return _cut_results(messages, budget, count, lambda text, chars: text[:chars])


def heads_and_tails(messages: Sequence[Message], budget: int, count: Count) -> Context:
    """Keep the start and the end of every result, as long as all fit."""
    return _cut_results(
        messages,
        budget,
        count,
        lambda text, chars: f"{text[: chars // 2]}\n{text[-(chars // 2) :]}",
    )


def _fitting(
    kept: Sequence[Message], others: Sequence[Message], budget: int, count: Count
) -> list[str]:
    left = budget - tokens_of(kept, count)
    newest_first = []
    for message in reversed(others):
        left -= tokens_of([message], count)
        if left < 0:
            break
        newest_first.append(message)
    return [text_of(message) for message in [*kept, *reversed(newest_first)]]


def _cut_results(
    messages: Sequence[Message], budget: int, count: Count, cut: Callable[[str, int], str]
) -> Context:
    """Find the longest cut at which everything fits; where none does, keep what is newest."""

    def shortened(chars: int) -> list[Message]:
        return [
            {**message, "content": cut(message["content"], chars)}
            if message["role"] == "tool" and len(message["content"]) > chars
            else message
            for message in messages
        ]

    low, high = 0, _LONGEST_PREVIEW
    while low < high:
        middle = (low + high + 1) // 2
        if tokens_of(shortened(middle), count) <= budget:
            low = middle
        else:
            high = middle - 1
    return newest(shortened(low), budget, count)
