"""Experiments that only read: what records count, and what our rows say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.blocks import Gauge
from ctxcompact.counters import choose
from ctxcompact.formats import named
from tests.conformance.shapes import OPENAI

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ctxcompact.core.model import Block, Conversation, Message


def read(records: list[Any], form: str = OPENAI) -> Conversation:
    """Read records of a format, counted as the reference counts."""
    reader = named(form).reader(Gauge(choose("agentscope")))
    for number, record in enumerate(records):
        reader.feed(number, number + 1, record)
    return reader.finish()[0]


def blocks(records: list[Any], form: str = OPENAI) -> list[Block]:
    return [block for message in read(records, form).messages for block in message.blocks]


def counts(
    tokens: int, *records: dict[str, Any], form: str = OPENAI, messages: int | None = None
) -> Callable[[Path], None]:
    """Expect the records to cost so many tokens, and each to be a message."""

    def check(_: Path) -> None:
        found = read(list(records), form)
        expected = len(records) if messages is None else messages
        assert (found.tokens, len(found.messages)) == (tokens, expected)

    return check


def measures(
    chars: list[int], *records: dict[str, Any], form: str = OPENAI
) -> Callable[[Path], None]:
    """Expect the blocks of the records to have so many characters."""

    def check(_: Path) -> None:
        assert [block.chars for block in blocks(list(records), form)] == chars

    return check


def yes(
    ask: Callable[[Message], bool], record: dict[str, Any], form: str = OPENAI
) -> Callable[[Path], None]:
    """Expect a question about a message to be answered so."""

    def check(_: Path) -> None:
        assert ask(read([record], form).messages[0])

    return check


def no(
    ask: Callable[[Message], bool], record: dict[str, Any], form: str = OPENAI
) -> Callable[[Path], None]:
    """Expect a question about a message to be answered so."""
    return yes(lambda message: not ask(message), record, form)


def human(text: Any = "Hello World") -> dict[str, Any]:
    return {"role": "user", "content": text}


def reply(text: Any = "Hi there!") -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def called(
    arguments: str,
    name: str = "search_tool",
    call_id: str = "tool-call-123",
    text: str | None = None,
) -> dict[str, Any]:
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
    return {"role": "assistant", "content": text, "tool_calls": [call]}


def got(text: Any, call_id: str = "tool-call-123") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": text}
