"""Short ways to write entries, spans and tasks for the tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.tasks import Called, Entry, Got, Said, Span, Style, Task
from ctxcompact.summarizers.offline import Offline

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BIG = 1_000_000
"""More tokens than any span of a test has."""


def count_words(text: str) -> int:
    """Count as a plain tokenizer would: about four characters a token."""
    return (len(text) + 3) // 4


def call(tool: str, arguments: Any, result: str, *, failed: bool = False) -> tuple[Entry, Entry]:
    """Make a call and its result; its id comes from what it is."""
    call_id = f"{tool} {arguments}"
    return Called(call_id, tool, arguments), Got(call_id, tool, result, failed)


def said(text: str, speaker: str = "assistant") -> tuple[Entry]:
    """Make words of a message."""
    return (Said(speaker, text),)


def span(style: Style, *parts: Sequence[Entry], question: str = "", tokens: int = BIG) -> Span:
    """Make a span of entries."""
    return Span(style, tuple(entry for part in parts for entry in part), tokens, question)


def text_of(
    one: Span, budget: int = 400, *, count: Callable[[str], int] = count_words, focus: str = ""
) -> str:
    """Summarize one span."""
    return Offline().summarize(Task((one,), budget, focus), count)[0].text
