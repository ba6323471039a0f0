"""Landmarks of a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ctxcompact.core.model import Kind, Origin
from ctxcompact.core.outline import (
    Outline,
    is_movable,
    is_round,
    movable,
    rounds,
    seen_results,
    trace,
)
from tests.fakes import (
    MARK,
    answer,
    call,
    calls,
    result,
    result_block,
    results,
    system,
    talk,
    text_block,
    user,
)

if TYPE_CHECKING:
    from ctxcompact.core.model import Block, Message

NOTICE = answer("Not logged in.")._replace(origin=Origin.CLIENT)
REMINDER = user("<system-reminder>")._replace(origin=Origin.CLIENT)
DONE = answer("Done.").blocks


def reply(*blocks: Block) -> Message:
    """Make a message of the model with blocks of several kinds, as AgentScope writes it."""
    return answer()._replace(blocks=blocks)


CALL, RESULT = call().blocks[0], result_block("ok")
SUMMARY = answer("In short.")._replace(origin=Origin.SUMMARY)


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param([], Outline(0, -1, -1, -1, -1), id="nothing"),
        pytest.param([system()], Outline(1, -1, -1, -1, -1), id="a system message alone"),
        pytest.param([system(), user()], Outline(2, 1, 1, -1, -1), id="only asked"),
        pytest.param([user(), answer()], Outline(2, 0, 0, 1, 1), id="asked and answered"),
        pytest.param([user(), call(), result()], Outline(3, 0, 0, -1, 1), id="still at work"),
        pytest.param(
            [user(), answer(), user(), call(), result(), call()],
            Outline(6, 0, 2, 1, 5),
            id="an older answer, a newer call",
        ),
        pytest.param([user(), answer(), NOTICE], Outline(3, 0, 0, 1, 1), id="a client's notice"),
        pytest.param([user(), SUMMARY], Outline(2, 0, 0, -1, -1), id="our own summary"),
        pytest.param([REMINDER, user(), REMINDER], Outline(3, 1, 1, -1, -1), id="a reminder"),
        pytest.param(
            [user(), call(), user("Stop!", result_block("ok"))],
            Outline(3, 0, 2, -1, 1),
            id="words beside results are human",
        ),
        pytest.param([user(), calls("a", "b")], Outline(2, 0, 0, -1, 1), id="pending calls"),
        pytest.param(
            [user(), reply(CALL, RESULT, *DONE)],
            Outline(2, 0, 0, 1, 1),
            id="a call, its result and an answer in one",
        ),
        pytest.param(
            [user(), reply(CALL, RESULT)], Outline(2, 0, 0, -1, 1), id="a result at the end of it"
        ),
        pytest.param(
            [user(), reply(CALL, RESULT, CALL, *DONE)],
            Outline(2, 0, 0, -1, 1),
            id="words after a pending call in it",
        ),
    ],
)
def test_the_landmarks_are_found(messages: list[Message], expected: Outline) -> None:
    assert trace(talk(*messages).messages) == expected


def test_the_first_and_the_newest_human_message_keep_their_words() -> None:
    outline = trace([user(), answer(), user(), answer(), user()])
    assert [outline.keeps_words(at) for at in range(5)] == [True, False, False, False, True]
    assert not trace([answer()]).keeps_words(0)


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([user(), answer()], [(0, 2)], id="one round"),
        pytest.param([system(), user(), answer()], [(0, 1), (1, 3)], id="something before it"),
        pytest.param([user(), user(), answer()], [(0, 1), (1, 3)], id="two prompts in a row"),
        pytest.param([answer(), call(), result()], [(0, 3)], id="nobody asked"),
        pytest.param([user(), REMINDER, answer()], [(0, 3)], id="a reminder begins none"),
    ],
)
def test_a_round_goes_from_a_prompt_to_the_next(
    messages: list[Message], expected: list[tuple[int, int]]
) -> None:
    assert rounds(messages) == expected


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param([user(), call(), result()], [], id="not read yet"),
        pytest.param([user(), call(), result(), answer()], [(2, 0)], id="read"),
        pytest.param(
            [
                user(),
                calls("a", "b"),
                results(result_block("x", "a"), result_block("y", "b")),
                call("c"),
                result("z", "c"),
            ],
            [(2, 0), (2, 1)],
            id="the newest unit is not read",
        ),
        pytest.param([user(), call(), result(), NOTICE], [], id="a notice reads nothing"),
        pytest.param([result(), answer()], [(0, 0)], id="a result that nobody asked for"),
        pytest.param(
            [reply(CALL, RESULT), user(), reply(CALL, RESULT, CALL, RESULT)],
            [(0, 1), (2, 1)],
            id="in the newest message those before its last words",
        ),
    ],
)
def test_results_before_the_newest_reply_are_seen(
    messages: list[Message], expected: list[tuple[int, int]]
) -> None:
    assert seen_results(messages, trace(messages)) == expected


def test_calls_and_results_in_one_message_are_a_round() -> None:
    assert is_round(reply(CALL, RESULT))
    assert not is_round(reply(CALL, *DONE))
    assert not is_round(result())


def test_movable_stops_where_it_is_told() -> None:
    messages = [user(), answer("long"), answer("long"), answer("long")]
    outline = trace(messages)
    assert list(movable(messages, outline, 2, 3)) == [(1, 0)]
    assert list(movable(messages, outline, -1, 3)) == []
    assert list(movable(messages, outline, 4, 4)) == []


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        pytest.param(text_block("x"), True, id="a text"),
        pytest.param(result_block("x"), True, id="a result"),
        pytest.param(text_block("x", fixed=True), False, id="fixed"),
        pytest.param(text_block(MARK), False, id="one of ours"),
        *(
            pytest.param(text_block("x")._replace(kind=kind), False, id=kind.value)
            for kind in Kind
            if kind not in {Kind.TEXT, Kind.RESULT}
        ),
    ],
)
def test_only_texts_and_results_that_nothing_binds_may_move(block: object, expected: bool) -> None:  # noqa: FBT001
    assert is_movable(block) is expected  # type: ignore[arg-type]
