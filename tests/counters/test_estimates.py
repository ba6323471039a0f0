from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.counters.estimates import count_agentscope, count_chars4


@pytest.mark.parametrize(
    ("text", "tokens"), [("abc", 0), ("abcd", 1), ("abcdefg", 1), ("你" * 8, 2)]
)
def test_chars4_rounds_down_over_code_points(text: str, tokens: int) -> None:
    assert count_chars4(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("Hello World", 5, id="11 / 2.5 rounded up"),
        pytest.param("A" * 100, 40, id="no rest"),
        pytest.param("你好" * 5, 4, id="Chinese by character"),
        pytest.param("😀", 1, id="two units"),
        pytest.param("😀😀", 2, id="four units"),
        pytest.param("\ud800", 1, id="a lone surrogate is one unit"),
    ],
)
def test_agentscope_takes_two_and_a_half_utf16_units_for_a_token(text: str, tokens: int) -> None:
    assert count_agentscope(text) == tokens


@given(st.text(st.characters(exclude_categories=[])))
def test_agentscope_rounds_as_java_does(text: str) -> None:
    units = sum(2 if ord(character) > 0xFFFF else 1 for character in text)
    assert count_agentscope(text) == math.ceil(units / 2.5)
