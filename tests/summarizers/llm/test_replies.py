from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from ctxcompact.summarizers.llm.replies import Answer, gather
from tests.summarizers.llm.fakes import event, usage

USAGE = usage()
CALL = [SimpleNamespace(id="1")]


def whole(text: str | None, **more: Any) -> Any:
    """Make a reply that is no stream."""
    message = SimpleNamespace(content=text, **more)
    choice = SimpleNamespace(message=message, finish_reason="stop")
    return SimpleNamespace(choices=[choice], usage=USAGE)


@pytest.mark.parametrize(
    ("events", "answer"),
    [
        pytest.param(
            [event("one ", None), event("two"), event("", None, usage=USAGE)],
            Answer("one two", "stop", usage=USAGE),
            id="a stream",
        ),
        pytest.param([whole("one two")], Answer("one two", "stop", usage=USAGE), id="one reply"),
        pytest.param([event("half", "length")], Answer("half", "length"), id="a cut one"),
        pytest.param([event("half", None)], Answer("half", ""), id="one that never finished"),
        pytest.param(
            [event("", None, tool_calls=CALL), event("", "tool_calls")],
            Answer("", "tool_calls", called_tool=True),
            id="a tool call",
        ),
        pytest.param(
            [whole("text", tool_calls=CALL)],
            Answer("text", "stop", called_tool=True, usage=USAGE),
            id="a tool call beside a text",
        ),
        pytest.param(
            [event("", reasoning_content="first I")],
            Answer("", "stop", reasoned=True),
            id="reasoning",
        ),
        pytest.param(
            [SimpleNamespace(choices=[], usage=USAGE)],
            Answer("", "", usage=USAGE),
            id="usage alone",
        ),
        pytest.param([], Answer("", ""), id="nothing"),
    ],
)
def test_an_answer_is_put_together(events: list[Any], answer: Answer) -> None:
    assert gather(events, 1000) == answer


def test_an_answer_that_never_ends_is_left_and_counts_as_cut() -> None:
    events = (event("word " * 10, None) for _ in iter(int, 1))
    answer = gather(events, 120)
    assert answer.finish == "length"
    assert len(answer.text) == 150


@pytest.mark.parametrize(
    ("answer", "is_void"),
    [
        pytest.param(Answer("", "stop"), True, id="nothing but an end"),
        pytest.param(Answer("", "stop", usage=USAGE), False, id="an empty text that was counted"),
        pytest.param(Answer("", "stop", reasoned=True), False, id="reasoning"),
        pytest.param(Answer("", "length"), False, id="cut before the first word"),
        pytest.param(Answer("a", "stop"), False, id="a text"),
    ],
)
def test_a_void_answer_is_told_from_an_empty_one(answer: Answer, is_void: bool) -> None:  # noqa: FBT001
    assert answer.is_void is is_void
