"""Which payloads levels 2 and 3 move out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import pytest

from ctxcompact.core.edits import Preview
from ctxcompact.core.model import Kind, Origin
from ctxcompact.core.settings import Settings
from ctxcompact.levels.large_payloads import plan_all, plan_sparing
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
    from collections.abc import Callable

    from ctxcompact.core.edits import Plan
    from ctxcompact.core.model import Conversation, Message


Planner: TypeAlias = "Callable[[Conversation, Settings], Plan | None]"
LONG = "r" * 11
SMALL = Settings(large_payload_chars=10, preview_chars=4, last_keep=2)
PAST = [user(), call(), result(LONG), answer()]


def selected(planner: Planner, settings: Settings, *messages: Message) -> set[tuple[int, int]]:
    return rewritten(planner(talk(*messages), settings))


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param(PAST, {(2, 0)}, id="a large result of a past round"),
        pytest.param([], set(), id="an empty conversation"),
        pytest.param(
            [user(), call(), result("r" * 10), answer()], set(), id="exactly at the threshold stays"
        ),
        pytest.param(
            [user(), call(), result("漢" * 10), answer()], set(), id="ten of three bytes stay"
        ),
        pytest.param(
            [user(), call(), result("漢" * 11), answer()], {(2, 0)}, id="eleven of three bytes go"
        ),
        pytest.param(
            [user(), call(), result(LONG), call("d"), result(LONG, "d")],
            set(),
            id="no final answer",
        ),
        pytest.param(
            [*PAST, user("More."), call("d"), result(LONG, "d")],
            {(2, 0)},
            id="the current round stays",
        ),
        pytest.param([user(), answer(LONG)], set(), id="the newest final answer stays"),
        pytest.param(
            [user(), answer(LONG), user("More."), answer()], {(1, 0)}, id="an older answer goes"
        ),
        pytest.param(
            [user(LONG), answer(), user(LONG), answer(), user(LONG), answer()],
            {(2, 0)},
            id="the first and the newest human message stay",
        ),
        pytest.param([user(LONG), answer()], set(), id="the only human message stays"),
        pytest.param(
            [user(), answer(), user(LONG)._replace(origin=Origin.CLIENT), answer()],
            {(2, 0)},
            id="words that the client put in go",
        ),
        pytest.param([system(LONG), *PAST], {(3, 0)}, id="a system message stays"),
        pytest.param(
            [user(), call(text=LONG), result(LONG), answer()],
            {(1, 0), (2, 0)},
            id="a large text beside a call may go",
        ),
        pytest.param(
            [
                user(),
                calls("a", "b", "c"),
                results(
                    result_block(LONG, "a"), result_block("short", "b"), result_block(LONG, "c")
                ),
                answer(),
            ],
            {(2, 0), (2, 2)},
            id="each block by its own size",
        ),
        pytest.param(
            [user(), call(), user(LONG, result_block(LONG)), answer()],
            {(2, 0)},
            id="a result beside the newest human words goes and they stay",
        ),
        pytest.param(
            [user(), call(), results(result_block(LONG, fixed=True)), answer()],
            set(),
            id="fixed bytes stay",
        ),
        pytest.param(
            [user(), call(), result(f"{LONG}\n{MARK}"), answer()], set(), id="a preview stays"
        ),
        pytest.param(
            [user(), call(), result(LONG)._replace(protected=True), answer()],
            set(),
            id="a protected message stays",
        ),
    ],
)
def test_level_3_moves_large_payloads_before_the_newest_answer(
    messages: list[Message], expected: set[tuple[int, int]]
) -> None:
    assert selected(plan_all, SMALL, *messages) == expected


@pytest.mark.parametrize(
    "kind", [kind for kind in Kind if kind not in {Kind.TEXT, Kind.RESULT}], ids=lambda x: x.value
)
def test_blocks_of_other_kinds_never_move(kind: Kind) -> None:
    message = answer()._replace(blocks=(text_block(LONG)._replace(kind=kind), text_block("x")))
    assert selected(plan_all, SMALL, user(), message, user(), answer()) == set()


@pytest.mark.parametrize(
    ("last_keep", "messages", "expected"),
    [
        pytest.param(2, PAST, set(), id="among the newest that are spared"),
        pytest.param(1, PAST, {(2, 0)}, id="just before them"),
        pytest.param(0, PAST, {(2, 0)}, id="none is spared"),
        pytest.param(4, PAST, set(), id="as many messages as are spared"),
        pytest.param(5, PAST, set(), id="fewer messages than are spared"),
        pytest.param(
            1,
            [*PAST, user(), call("d"), result(LONG, "d")],
            {(2, 0)},
            id="the newest answer comes before them",
        ),
        pytest.param(0, [user(), call(), result(LONG)], set(), id="no final answer"),
    ],
)
def test_level_2_spares_the_newest_messages(
    last_keep: int, messages: list[Message], expected: set[tuple[int, int]]
) -> None:
    assert selected(plan_sparing, replace(SMALL, last_keep=last_keep), *messages) == expected


def test_the_default_spares_fifty() -> None:
    filler = [user(), answer()] * 24
    default = Settings(large_payload_chars=10, preview_chars=4)
    assert selected(plan_sparing, default, *PAST[:3], *filler) == set()
    assert selected(plan_sparing, default, *PAST[:3], *filler, user(), answer()) == {(2, 0)}


def test_the_edit_is_a_preview_of_the_wanted_size() -> None:
    found = plan_all(talk(*PAST), SMALL)
    assert found is not None
    assert [edit.content for edit in found.edits] == [Preview(4)]


@pytest.mark.parametrize("planner", [plan_sparing, plan_all])
def test_planning_changes_nothing_and_repeats_itself(planner: Planner) -> None:
    conversation = talk(*PAST, *PAST)
    before = list(conversation.messages)
    assert planner(conversation, SMALL) == planner(conversation, SMALL)
    assert conversation.messages == before
