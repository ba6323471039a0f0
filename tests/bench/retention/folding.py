"""A session folded round by round, with marks and cue lines in the budget: what stays, and what is behind a mark.

The engine does this to files; here the summarizer alone is measured, every past round one span.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from ctxcompact.core import tags
from ctxcompact.core.facts import cue
from ctxcompact.core.tasks import Called, Got, Said, Span, Style, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ctxcompact.core.tasks import Entry, Summarizer
    from tests.bench.retention.sessions import Message

    Count = Callable[[str], int]

MESSAGE_TOKENS = 4
_WORTHWHILE_TOKENS = 150


class Context(NamedTuple):
    """The texts of the messages that are left, and the texts behind each mark, by the text which holds it."""

    texts: list[str]
    behind: dict[int, list[str]]


def text_of(message: Message) -> str:
    """Return all that a message says."""
    calls = (call["function"] for call in message.get("tool_calls") or ())
    told = (f"{call['name']} {call['arguments']}" for call in calls)
    return "\n".join([message.get("content") or "", *told])


def tokens_of(messages: Sequence[Message], count: Count) -> int:
    """Count messages with their framing."""
    return sum(count(text_of(message)) + MESSAGE_TOKENS for message in messages)


def rounds_of(messages: Sequence[Message]) -> list[list[Message]]:
    """Cut a session before each message of the person's and after a leading system message."""
    rounds: list[list[Message]] = []
    for message in messages:
        if not rounds or message["role"] == "user":
            rounds.append([])
        rounds[-1].append(message)
    return rounds


def entries_of(messages: Sequence[Message]) -> Iterator[Entry]:
    """Read messages as the engine would."""
    for message in messages:
        if message["role"] == "tool":
            yield Got(message["tool_call_id"], message["name"], message["content"])
        elif message.get("content"):
            yield Said(message["role"], message["content"])
        for call in message.get("tool_calls") or ():
            function = call["function"]
            yield Called(call["id"], function["name"], json.loads(function["arguments"]))


def spans_of(messages: Sequence[Message], count: Count, style: Style = Style.ROUND) -> list[Span]:
    """Make a span of each round that is worth it: what follows the message of the person's."""
    parts = (_span(one, count, style) for one in rounds_of(messages))
    return [span for span, _ in parts if span]


def fold(
    messages: Sequence[Message], budget: int, summarizer: Summarizer, count: Count, style: Style
) -> Context:
    """Fold all rounds; what people said stays, and so do rounds too small to be worth it."""
    parts = [_span(one, count, style) for one in rounds_of(messages)]
    spans = [span for span, _ in parts if span]
    kept = [message for _, stays in parts for message in stays]
    carriers = [f"{tags.SUMMARY_LABEL}\n\n{_last_line(span)}" for span in spans]
    fixed = tokens_of(kept, count) + sum(count(text) + MESSAGE_TOKENS + 2 for text in carriers)
    said = tuple(message["content"] for message in kept if message["role"] == "user")
    task = Task(tuple(spans), max(0, budget - fixed), seed_words=said)
    made = iter(summarizer.summarize(task, count))
    texts: list[str] = []
    behind: dict[int, list[str]] = {}
    for one, (span, stays) in zip(rounds_of(messages), parts, strict=True):
        texts.extend(map(text_of, stays))
        if span:
            behind[len(texts)] = [text_of(message) for message in one[1:]]
            texts.append(f"{tags.SUMMARY_LABEL}\n{next(made).text}\n{_last_line(span)}")
    return Context(texts, behind)


def _span(
    one: Sequence[Message], count: Count, style: Style
) -> tuple[Span | None, Sequence[Message]]:
    """Return the span of a round and what of the round stays."""
    rest = one[1:]
    tokens = tokens_of(rest, count)
    if one[0]["role"] != "user" or tokens < _WORTHWHILE_TOKENS:
        return None, one
    return Span(style, tuple(entries_of(rest)), tokens, one[0]["content"]), one[:1]


def _last_line(span: Span) -> str:
    digest = sha256(repr(span.entries).encode()).digest()
    return f"Originals of: {cue(span.entries)} {tags.render(str(UUID(bytes=digest[:16])))}"
