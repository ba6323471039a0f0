"""Parts of a text: what was asked for, in order, and never more than may be shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.excerpts import Part, excerpt

TEXT = "\n".join(f"row {number}" for number in range(1, 101))


@pytest.mark.parametrize(
    ("part", "rows"),
    [
        pytest.param(Part(head=2), [1, 2], id="the first"),
        pytest.param(Part(tail=2), [99, 100], id="the last"),
        pytest.param(Part(first=7, last=9), [7, 8, 9], id="from one to another"),
        pytest.param(Part(first=99), [99, 100], id="from one on"),
        pytest.param(Part(last=1), [1], id="up to one"),
        pytest.param(Part(query="ROW 50"), [48, 49, 50, 51, 52], id="around a text"),
        pytest.param(
            Part(query="row 1", head=1), [1, 2, 3, *range(8, 22), 98, 99, 100], id="around many"
        ),
    ],
)
def test_the_lines_that_are_asked_for_come_with_their_numbers(part: Part, rows: list[int]) -> None:
    first, *shown = excerpt(TEXT, part, 10_000, len).split("\n")
    assert first == f"[{len(rows)} of 100 lines]"
    assert shown == [f"{row}: row {row}" for row in rows]


@pytest.mark.parametrize(
    "part", [Part(), Part(head=100), Part(first=1, last=200), Part(tail=500)], ids=str
)
def test_a_text_that_fits_comes_as_it_is(part: Part) -> None:
    assert excerpt(TEXT, part, len(TEXT), len) == TEXT


@pytest.mark.parametrize(
    "part", [Part(query="none such"), Part(first=101), Part(first=9, last=3)], ids=str
)
def test_where_nothing_is_that_this_is_said(part: Part) -> None:
    assert excerpt(TEXT, part, 1000, len) == "[none of 100 lines is that]"


def test_of_more_than_fits_the_nearer_end_comes_and_the_rest_is_told() -> None:
    said = excerpt(TEXT, Part(tail=50), 100, len)
    assert said.endswith("\n99: row 99\n100: row 100")
    assert "more did not fit" in said
    assert excerpt(TEXT, Part(), 100, len).split("\n")[1] == "1: row 1"


def test_of_one_long_line_the_beginning_comes() -> None:
    said = excerpt("x" * 5000, Part(), 100, len)
    assert said.startswith("[the beginning of line 1 of 1]\n1: xxx")
    assert len(said) < 200


@given(
    text=st.text("ab\n", max_size=300),
    numbers=st.tuples(*(st.none() | st.integers(1, 400) for _ in range(4))),
    query=st.sampled_from(["", "a", "b\n", "AB"]),
    most=st.integers(1, 400),
)
def test_no_part_costs_more_than_is_allowed_beside_its_note(
    text: str, numbers: tuple[int | None, ...], query: str, most: int
) -> None:
    said = excerpt(text, Part(query, *numbers), most, len)
    body = said.partition("]\n")[2] if said.startswith("[") else said
    assert len(body) <= most
    for line in (
        body.split("\n") if said.startswith("[") and "beginning" not in said and body else ()
    ):
        number, _, row = line.partition(": ")
        assert text.split("\n")[int(number) - 1] == row
