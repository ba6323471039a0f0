"""Which lines of a session are live: leaves, branches, siblings, and broken trees."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.claude_session import (
    answered,
    boundary,
    conversation,
    line,
    live,
    said,
    summary,
    user,
)


def test_the_walk_goes_from_the_newest_leaf_to_the_root() -> None:
    lines = [user("a", None, "hi"), said("b", "a", "m1", "hello"), user("c", "b", "so?")]
    assert live(*lines) == [["a"], ["b"], ["c"]]


def test_lines_without_words_of_a_message_are_links_only() -> None:
    lines = [
        user("a", None, "hi"),
        line("progress", "p", "a"),
        line("system", "s", "p", subtype="turn_duration"),
        said("b", "s", "m1", "hello"),
    ]
    assert live(*lines) == [["a"], ["b"]]


def test_a_rewound_branch_is_not_live() -> None:
    lines = [
        user("a", None, "hi"),
        said("b", "a", "m1", "hello"),
        user("old", "b", "wrong question"),
        said("older", "old", "m2", "wrong answer"),
        user("new", "b", "right question"),
    ]
    assert live(*lines) == [["a"], ["b"], ["new"]]


def test_a_late_notice_on_an_old_line_makes_no_branch() -> None:
    lines = [
        user("a", None, "hi"),
        said("b", "a", "m1", "hello"),
        user("c", "b", "so?"),
        line("system", "late", "a", subtype="stop_hook_summary"),
        line("attachment", "later", "a", attachment={"type": "text", "content": "late"}),
    ]
    assert live(*lines) == [["a"], ["b"], ["c"]]


def test_attachments_after_the_last_words_are_live() -> None:
    lines = [
        user("a", None, "hi"),
        line("attachment", "b", "a", attachment={"type": "skill_listing", "content": "skills"}),
    ]
    assert live(*lines) == [["a"], ["b"]]


RIVALS = [
    user("a", None, "hi"),
    said("b", "a", "m1", "hello"),
    user("c", "b", "first"),
    user("d", "b", "second"),
]


@pytest.mark.parametrize(
    ("leaf", "last"),
    [
        pytest.param("c", "c", id="a line on another branch wins"),
        pytest.param("b", "d", id="an ancestor tells nothing new"),
        pytest.param("d", "d", id="the newest line itself"),
        pytest.param("gone", "d", id="a line that is not there"),
        pytest.param(None, "d", id="no leaf at all"),
    ],
)
def test_a_leaf_told_last(leaf: str | None, last: str) -> None:
    told = {"type": "last-prompt", "leafUuid": leaf, "sessionId": "s"}
    assert live(*RIVALS, told)[-1] == [last]


def test_a_told_leaf_is_old_when_something_was_said_after_it() -> None:
    told = {"type": "last-prompt", "leafUuid": "c", "sessionId": "s"}
    assert live(*RIVALS[:3], told, RIVALS[3])[-1] == ["d"]


def test_a_told_leaf_takes_what_hangs_on_it_along() -> None:
    told = {"type": "last-prompt", "leafUuid": "c", "sessionId": "s"}
    below = said("e", "c", "m2", "the first answer")
    assert live(*RIVALS[:3], below, RIVALS[3], told)[-2:] == [["c"], ["e"]]


def test_a_told_leaf_before_a_boundary_is_old() -> None:
    told = {"type": "last-prompt", "leafUuid": "d", "sessionId": "s"}
    assert live(*RIVALS, boundary("x"), summary("y", "x"), told) == [["y"]]


PARALLEL = [
    user("a", None, "look"),
    said("b", "a", "m1", "call:t1"),
    said("c", "b", "m1", "call:t2"),
    said("d", "c", "m1", "call:t3"),
    answered("r1", "b", "t1"),
    answered("r2", "c", "t2"),
    answered("r3", "d", "t3"),
]


@pytest.mark.parametrize("hook", ["r1", "r2", "r3"])
def test_parallel_calls_and_their_results_are_all_live(hook: str) -> None:
    lines = [*PARALLEL, said("e", hook, "m2", "all done")]
    assert live(*lines) == [["a"], ["b", "c", "d"], ["r1"], ["r2"], ["r3"], ["e"]]


def test_results_stand_after_their_calls_where_lines_are_interleaved() -> None:
    lines = [
        user("a", None, "look"),
        said("b", "a", "m1", "call:t1"),
        answered("r1", "b", "t1"),
        said("c", "b", "m1", "call:t2"),
        answered("r2", "c", "t2"),
        said("e", "r2", "m2", "all done"),
    ]
    assert live(*lines) == [["a"], ["b", "c"], ["r1"], ["r2"], ["e"]]


def test_a_result_beside_the_progress_of_its_tool_is_live() -> None:
    lines = [
        user("a", None, "look"),
        said("b", "a", "m1", "call:t1"),
        line("progress", "p", "b"),
        answered("r1", "b", "t1"),
        said("e", "p", "m2", "all done"),
    ]
    assert live(*lines) == [["a"], ["b"], ["r1"], ["e"]]


def test_a_second_result_for_an_answered_call_is_another_branch() -> None:
    lines = [
        user("a", None, "look"),
        said("b", "a", "m1", "call:t1"),
        answered("old", "b", "t1"),
        said("c", "old", "m2", "wrong way"),
        answered("new", "b", "t1"),
        said("d", "new", "m3", "right way"),
    ]
    assert live(*lines) == [["a"], ["b"], ["new"], ["d"]]


def test_of_two_results_beside_the_chain_the_first_counts() -> None:
    lines = [*PARALLEL, answered("again", "b", "t1"), said("e", "r3", "m2", "all done")]
    assert live(*lines) == [["a"], ["b", "c", "d"], ["r1"], ["r2"], ["r3"], ["e"]]


def test_a_parent_that_is_not_there_ends_the_walk() -> None:
    lines = [user("a", None, "hi"), said("b", "gone", "m1", "hello"), user("c", "b", "so?")]
    assert live(*lines) == [["b"], ["c"]]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([user("a", "a", "hi")], id="of one line"),
        pytest.param([user("a", "b", "hi"), said("b", "a", "m1", "hello")], id="of two lines"),
        pytest.param(
            [user("a", "b", "hi"), said("b", "a", "m1", "hello"), user("c", "b", "so?")],
            id="above the leaf",
        ),
    ],
)
def test_a_cycle_is_gone_around_once(lines: list[Any]) -> None:
    assert sorted(live(*lines)) == [[entry["uuid"]] for entry in lines]


def test_of_two_lines_with_one_id_the_last_counts() -> None:
    lines = [user("a", None, "draft"), user("a", None, "final"), said("b", "a", "m1", "hello")]
    assert [message.line for message in conversation(*lines).messages] == [2, 3]


def test_a_file_with_every_line_twice_is_read_once() -> None:
    once = [*PARALLEL, said("e", "r3", "m2", "all done")]
    twice = [entry for entry in once for _ in range(2)]
    assert live(*twice) == live(*once)


def test_a_file_in_reverse_is_read_in_the_order_of_its_tree() -> None:
    lines = [user("a", None, "hi"), said("b", "a", "m1", "hello"), user("c", "b", "so?")]
    assert live(*reversed(lines)) == live(*lines)


def test_a_file_of_bookkeeping_has_no_messages() -> None:
    assert live({"type": "summary", "leafUuid": "a", "summary": "Old title"}) == []


KEPT: list[dict[str, Any]] = [
    {"preservedMessages": {"anchorUuid": "a", "allUuids": ["b", "c"]}},
    {"preservedSegment": {"anchorUuid": "a", "headUuid": "c", "tailUuid": "d"}},
]


@st.composite
def trees(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Draw lines with any parents: later ones, none, missing ones, themselves."""
    names = draw(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=10))
    parents = st.sampled_from([*"abcdefgh", "gone", None])
    calls = st.sampled_from(["t1", "t2"])
    lines: list[dict[str, Any]] = []
    for name in names:
        parent = draw(parents)
        made = [
            user(name, parent, "words"),
            said(name, parent, draw(st.sampled_from(["m1", "m2"])), f"call:{draw(calls)}"),
            answered(name, parent, draw(calls)),
            line("progress", name, parent),
            boundary(name, parent, **draw(st.sampled_from([{}, *KEPT]))),
        ]
        lines.append(draw(st.sampled_from(made)))
    told = {"type": "last-prompt", "leafUuid": draw(parents)}
    return [*lines, told] if draw(st.booleans()) else lines


@given(trees())
def test_whatever_the_tree_each_line_is_live_at_most_once(lines: list[dict[str, Any]]) -> None:
    found = [uuid for message in live(*lines) for uuid in message]
    assert len(found) == len(set(found))


@given(trees())
def test_whatever_the_tree_the_newest_words_of_a_single_branch_are_live(
    lines: list[dict[str, Any]],
) -> None:
    chained = [
        {**entry, "uuid": str(n), "parentUuid": str(n - 1) if n else None}
        for n, entry in enumerate(lines)
        if "uuid" in entry
    ]
    spoken = [entry["uuid"] for entry in chained if entry["type"] in {"user", "assistant"}]
    after = [x for x in chained if x.get("subtype") == "compact_boundary"]
    start = int(after[-1]["uuid"]) if after else -1
    found = {uuid for message in live(*chained) for uuid in message}
    assert found == {uuid for uuid in spoken if int(uuid) > start}
