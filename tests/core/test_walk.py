"""Where values start and end, for any nesting, and nothing but JSON is walked over."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.walk import DEPTH_MAX, Key, container_end, opens, value_end, walk

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
texts = st.builds(
    json.dumps, values, ensure_ascii=st.booleans(), indent=st.none() | st.integers(0, 3)
)


def seen(text: str, *, enter: bool) -> list[tuple[Key, str]]:
    """Walk a text; return each key with the text from where its value starts."""
    found: list[tuple[Key, str]] = []

    def visit(place: str, key: Key, at: int) -> str | int:
        found.append((key, text[at:]))
        return place if enter and opens(text, at) else value_end(text, at)

    walk(text, "here", visit)
    return found


def flat(value: Any, key: Key = 0) -> list[tuple[Key, Any]]:
    """List the keys and values of a parsed text in the order of the text."""
    inside = dict(enumerate(value)) if isinstance(value, list) else value
    parts = inside.items() if isinstance(inside, dict) else ()
    return [(key, value), *(found for name, part in parts for found in flat(part, name))]


@given(texts)
def test_every_value_is_shown_once_and_in_order(text: str) -> None:
    decode = json.JSONDecoder().raw_decode
    shown = [(key, decode(rest)[0]) for key, rest in seen(text, enter=True)]
    assert shown == flat(json.loads(text))


@given(texts, st.text())
def test_a_value_ends_where_it_was_written_to(text: str, rest: str) -> None:
    assert value_end(f"[0,{text} {rest}", 3) == 3 + len(text)


@given(st.lists(values, min_size=1).map(json.dumps), st.text())
def test_going_by_brackets_ends_a_container_at_the_same_place(text: str, rest: str) -> None:
    assert container_end(text + rest, 0) == value_end(text + rest, 0) == len(text)


@given(texts, st.data())
def test_what_json_refuses_is_refused(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    put = data.draw(st.sampled_from(["", ",", ":", '"', "]", "}", "[", "1", "\\", "x"]))
    damaged = text[:at] + put + text[at + data.draw(st.integers(0, 1)) :]
    try:
        json.loads(damaged)
    except ValueError:
        with pytest.raises(ValueError, match="char"):
            seen(damaged, enter=True)
    else:
        assert seen(damaged, enter=True)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("{", id="an object without an end"),
        pytest.param("[1,]", id="a comma before the end of an array"),
        pytest.param('{"a":1,}', id="a comma before the end of an object"),
        pytest.param('{"a":1]', id="an object closed as an array"),
        pytest.param("[1}", id="an array closed as an object"),
        pytest.param('{"a":1]"b":2}', id="an object closed as an array in the middle"),
        pytest.param("[1}2]", id="an array closed as an object in the middle"),
        pytest.param('{"a" 1}', id="no colon"),
        pytest.param(r'{"\n"1}', id="no colon after an escaped key"),
        pytest.param("{1:1}", id="a number as key"),
        pytest.param("[1 2]", id="no comma"),
        pytest.param("[] []", id="two values"),
        pytest.param("[\xa0]", id="white space that is not JSON's"),
    ],
)
def test_malformed_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="char"):
        seen(text, enter=True)


def test_nesting_is_followed_to_the_limit_and_no_deeper() -> None:
    deepest = "[" * DEPTH_MAX + "]" * DEPTH_MAX
    assert value_end(deepest, 0) == len(deepest)
    starts = [len(rest) for _, rest in seen(deepest, enter=True)]
    assert all(left == right + 1 for left, right in pairwise(starts))
    with pytest.raises(ValueError, match=f"nested deeper than {DEPTH_MAX}"):
        container_end(f"[{deepest}]", 0)


def test_numbers_of_any_length_are_passed_over() -> None:
    digits = "9" * 5000
    assert value_end(f"[{digits}]", 1) == 1 + len(digits)
