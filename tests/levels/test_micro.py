"""Which results micro-compaction clears, and what it says in their place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ctxcompact.core.edits import Placeholder
from ctxcompact.core.model import Kind, Origin
from ctxcompact.core.settings import Mode, Settings
from ctxcompact.levels.micro import plan
from tests.fakes import (
    MARK,
    answer,
    call,
    calls,
    result,
    result_block,
    results,
    rewritten,
    system,
    talk,
    text_block,
    user,
)

if TYPE_CHECKING:
    from ctxcompact.core.model import Message

LONG = "r" * 11
SMALL = Settings(mode=Mode.MICRO, micro_min_chars=10, keep_recent=1)
NONE = replace(SMALL, keep_recent=0)


def selected(settings: Settings, *messages: Message) -> set[tuple[int, int]]:
    return rewritten(plan(talk(*messages), settings))


def turns(*texts: str) -> list[Message]:
    """Make a call and a result for each text, and an answer that has seen them all."""
    found = [user()]
    for n, text in enumerate(texts):
        found += [call(f"c{n}"), result(text, f"c{n}")]
    return [*found, answer()]


@pytest.mark.parametrize(
    ("settings", "messages", "expected"),
    [
        pytest.param(SMALL, turns(LONG, LONG), {(2, 0)}, id="the newest result stays"),
        pytest.param(SMALL, turns(LONG), set(), id="as many as are kept"),
        pytest.param(SMALL, [], set(), id="an empty conversation"),
        pytest.param(NONE, turns(LONG, LONG), {(2, 0), (4, 0)}, id="none is kept"),
        pytest.param(
            replace(SMALL, keep_recent=9), turns(LONG, LONG), set(), id="more kept than there are"
        ),
        pytest.param(SMALL, turns("r" * 10, LONG), set(), id="exactly at the threshold stays"),
        pytest.param(
            SMALL, turns("r" * 10, LONG, "x"), {(4, 0)}, id="short ones count among the newest"
        ),
        pytest.param(SMALL, turns("漢" * 10, LONG), set(), id="ten characters of three bytes stay"),
        pytest.param(SMALL, turns("漢" * 11, LONG), {(2, 0)}, id="eleven of them go"),
        pytest.param(
            NONE, [user(), call(), result(LONG)], set(), id="a result that the model has not read"
        ),
        pytest.param(
            NONE,
            [user(), call(), result(LONG), user("And?"), call("c2"), result(LONG, "c2")],
            {(2, 0)},
            id="only the newest is unread",
        ),
        pytest.param(
            NONE,
            [user(), calls("a", "b"), results(result_block(LONG, "a")), call("d")],
            {(2, 0)},
            id="a pending call beside it does not matter",
        ),
        pytest.param(
            NONE,
            [
                user(),
                call(),
                result(LONG),
                answer("Not logged in.")._replace(origin=Origin.CLIENT),
            ],
            set(),
            id="a notice of the client has read nothing",
        ),
        pytest.param(
            SMALL,
            [
                user(),
                calls("a", "b", "c"),
                results(*(result_block(LONG, x) for x in "abc")),
                answer(),
            ],
            {(2, 0), (2, 1)},
            id="parallel results count one by one",
        ),
        pytest.param(
            NONE,
            [user(), call(), user("Stop!", result_block(LONG)), answer()],
            {(2, 0)},
            id="a result beside a person's words",
        ),
    ],
)
def test_old_long_results_that_were_read_are_cleared(
    settings: Settings, messages: list[Message], expected: set[tuple[int, int]]
) -> None:
    assert selected(settings, *messages) == expected


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(result_block(LONG, fixed=True), id="bytes that mean something to the client"),
        pytest.param(result_block(f"{LONG}\n{MARK}"), id="our own preview"),
        pytest.param(text_block(LONG), id="a text"),
        pytest.param(result_block(LONG)._replace(kind=Kind.OPAQUE), id="a block nobody knows"),
    ],
)
def test_nothing_else_is_cleared(row: object) -> None:
    messages = [user(), call(), results(row), answer()]  # type: ignore[arg-type]
    assert selected(NONE, *messages) == set()


def test_a_protected_message_keeps_its_results_and_they_count_among_the_newest() -> None:
    messages = turns(LONG, LONG)
    messages[4] = messages[4]._replace(protected=True)
    assert selected(SMALL, *messages) == {(2, 0)}
    assert selected(NONE, *messages) == {(2, 0)}


def test_a_short_result_with_a_picture_is_cleared() -> None:
    messages = [user(), call(), results(result_block("ok", media=True)), answer()]
    assert selected(NONE, *messages) == {(2, 0)}


def test_a_system_message_is_no_result() -> None:
    assert selected(NONE, system(LONG * 9), *turns("ok")) == set()


@pytest.mark.parametrize(
    ("tool", "tagged", "expected"),
    [
        pytest.param("Bash", True, Placeholder("[Previous: used Bash]"), id="with a mark"),
        pytest.param(
            "Bash", False, Placeholder("[Previous: used Bash]", tagged=False), id="without one"
        ),
        pytest.param("", True, Placeholder("[Previous: used unknown]"), id="nobody asked for it"),
    ],
)
def test_the_placeholder_names_the_tool(tool: str, tagged: bool, expected: Placeholder) -> None:  # noqa: FBT001
    messages = [user(), call(), result(LONG, tool=tool), answer()]
    found = plan(talk(*messages), replace(NONE, micro_tag=tagged))
    assert found is not None
    assert [edit.content for edit in found.edits] == [expected]


def test_planning_changes_nothing_and_repeats_itself() -> None:
    conversation = talk(*turns(LONG, LONG, LONG))
    before = list(conversation.messages)
    assert plan(conversation, SMALL) == plan(conversation, SMALL)
    assert conversation.messages == before
