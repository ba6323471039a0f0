from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.summarizers.llm import requests
from ctxcompact.summarizers.llm.layout import (
    TooSmall,
    cost_of,
    lay_out,
    more_room,
    size_of,
    tokens_of,
)
from ctxcompact.summarizers.llm.provider import Limits
from ctxcompact.summarizers.llm.records import Record
from ctxcompact.summarizers.llm.wording import read

PROMPT = read("full")


def none_of(_: str) -> int:
    """Count nothing: what is left is the rough estimate."""
    return 0


@given(
    st.integers(2500, 200_000),
    st.integers(1, 50_000),
    st.integers(500, 32_000),
    st.lists(st.integers(1, 9000), max_size=3),
)
def test_a_full_request_and_its_answer_fit_the_window(
    window: int, limit: int, output: int, context: list[int]
) -> None:
    records = [Record("focus", "word " * words) for words in context]
    limits = Limits(window, output, is_known=True)
    layout = lay_out(PROMPT, records, limit, limits, none_of)
    filling = Record("user", "x" * 4 * (layout.room - cost_of(Record("user", ""), none_of) - 1))
    wish = requests.Wish(PROMPT, layout.asked, 100_000, (read("merge"),))
    request = requests.make((*layout.context, filling), wish, read("again"))
    assert size_of(request, none_of) + layout.answer_room <= window
    assert layout.answer_room <= output
    assert 1 <= layout.asked <= limit


def test_less_is_asked_for_than_is_allowed() -> None:
    limits = Limits(128_000, 4096, is_known=False)
    assert lay_out(PROMPT, [], 1000, limits, none_of).asked == 800


def test_a_window_without_room_says_how_much_would_do() -> None:
    with pytest.raises(TooSmall) as caught:
        lay_out(PROMPT, [], 500, Limits(800, 4096, is_known=False), none_of)
    needed = caught.value.needed_tokens
    assert lay_out(PROMPT, [], 500, Limits(needed, 4096, is_known=False), none_of).room >= 256


@pytest.mark.parametrize(
    ("room", "request_tokens", "window", "expected"),
    [
        pytest.param(1000, 2000, 100_000, 4000, id="four times as much"),
        pytest.param(1000, 2000, 5000, 2750, id="what the window leaves"),
        pytest.param(1000, 4500, 5000, 1000, id="never less than before"),
        pytest.param(3000, 2000, 100_000, 8000, id="what the model can write"),
    ],
)
def test_a_cut_answer_gets_more_room(
    room: int, request_tokens: int, window: int, expected: int
) -> None:
    assert more_room(room, request_tokens, Limits(window, 8000, is_known=True)) == expected


@pytest.mark.parametrize(
    ("text", "counted", "expected"),
    [
        pytest.param("x" * 400, 250, 250, id="as counted"),
        pytest.param("x" * 400, 10, 100, id="never below four characters a token"),
        pytest.param("漢" * 100, 25, 80, id="nor below what other scripts take"),
    ],
)
def test_a_size_is_never_believed_to_be_too_small(text: str, counted: int, expected: int) -> None:
    assert tokens_of(text, lambda _: counted) == expected
