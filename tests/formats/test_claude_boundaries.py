"""What is live after the client's own compaction, and the lines that it kept."""

from __future__ import annotations

from typing import Any

import pytest

from tests.formats.claude_session import answered, boundary, line, live, said, summary, user


def test_nothing_before_a_boundary_is_live() -> None:
    lines = [
        user("a", None, "hi"),
        said("b", "a", "m1", "hello"),
        boundary("x", logicalParentUuid="b"),
        summary("y", "x"),
        user("c", "y", "go on"),
    ]
    assert live(*lines) == [["y"], ["c"]]


def test_a_boundary_in_the_middle_with_the_tail_hung_on_it() -> None:
    lines = [
        user("a", None, "hi"),
        said("b", "a", "m1", "hello"),
        boundary("x"),
        summary("y", "x"),
        user("c", "y", "go on"),
        said("d", "c", "m2", "gone on"),
    ]
    assert live(*lines) == [["y"], ["c"], ["d"]]


def test_a_boundary_stops_the_walk_even_if_it_has_a_parent() -> None:
    lines = [user("a", None, "hi"), boundary("x", "a"), summary("y", "x")]
    assert live(*lines) == [["y"]]


BEFORE = [
    user("a", None, "hi"),
    said("b", "a", "m1", "hello"),
    user("c", "b", "keep this"),
    said("d", "c", "m2", "kept"),
    line("system", "s", "d", subtype="turn_duration"),
    user("e", "b", "rewound"),
]
LISTED: dict[str, Any] = {
    "preservedMessages": {"anchorUuid": "y", "uuids": ["c"], "allUuids": ["c", "d"]}
}
ENDS: dict[str, Any] = {"preservedSegment": {"anchorUuid": "y", "headUuid": "c", "tailUuid": "d"}}


@pytest.mark.parametrize(
    "metadata",
    [
        pytest.param(LISTED, id="listed"),
        pytest.param(
            {"preservedMessages": {"anchorUuid": "y", "uuids": ["c", "d"]}}, id="in one list"
        ),
        pytest.param(ENDS, id="first and last"),
        pytest.param(LISTED | ENDS, id="both"),
    ],
)
@pytest.mark.parametrize(
    ("after", "expected"),
    [
        pytest.param([], [["y"], ["c"], ["d"]], id="nothing said since"),
        pytest.param(
            [user("f", "y", "so?")], [["y"], ["c"], ["d"], ["f"]], id="going on at the summary"
        ),
        pytest.param(
            [user("f", "d", "so?")], [["y"], ["c"], ["d"], ["f"]], id="going on at the kept lines"
        ),
    ],
)
def test_kept_lines_stand_after_the_summary(
    metadata: dict[str, Any], after: list[Any], expected: list[list[str]]
) -> None:
    assert live(*BEFORE, boundary("x", **metadata), summary("y", "x"), *after) == expected


@pytest.mark.parametrize(
    "metadata",
    [
        pytest.param(
            {"preservedMessages": {"anchorUuid": "y", "allUuids": ["c", "gone"]}},
            id="a listed line is not there",
        ),
        pytest.param(
            {"preservedMessages": {"anchorUuid": "gone", "allUuids": ["c", "d"]}},
            id="the anchor is not there",
        ),
        pytest.param(
            {"preservedSegment": {"anchorUuid": "y", "headUuid": "e", "tailUuid": "d"}},
            id="the last does not hang below the first",
        ),
        pytest.param(
            {"preservedMessages": {"anchorUuid": "y", "allUuids": ["y", "c"]}},
            id="the anchor is in its own list",
        ),
        pytest.param({"preservedMessages": 7, "preservedSegment": []}, id="no such lists"),
    ],
)
def test_a_wrong_list_keeps_nothing(metadata: dict[str, Any]) -> None:
    lines = [*BEFORE, boundary("x", **metadata), summary("y", "x"), user("f", "y", "so?")]
    assert live(*lines) == [["y"], ["f"]]


def test_siblings_of_kept_lines_are_kept_as_well() -> None:
    ends = {"anchorUuid": "y", "headUuid": "b", "tailUuid": "r2"}
    lines = [
        user("a", None, "look"),
        said("b", "a", "m1", "call:t1"),
        said("c", "b", "m1", "call:t2"),
        answered("r1", "b", "t1"),
        answered("r2", "c", "t2"),
        boundary("x", preservedSegment=ends),
        summary("y", "x"),
    ]
    assert live(*lines) == [["y"], ["b", "c"], ["r1"], ["r2"]]


def test_only_the_newest_boundary_keeps_lines() -> None:
    lines = [
        *BEFORE,
        boundary("x", **LISTED),
        summary("y", "x"),
        user("f", "y", "so?"),
        boundary("x2"),
        summary("y2", "x2"),
    ]
    assert live(*lines) == [["y2"]]
