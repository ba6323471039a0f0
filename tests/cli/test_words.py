"""Texts and numbers as a person reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.cli import words


@given(st.text(st.characters()))
def test_what_is_shown_is_printable_and_on_one_line(text: str) -> None:
    assert words.shown(text).isprintable()


@given(st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" ")))
def test_a_printable_text_is_shown_as_it_is(text: str) -> None:
    assert words.shown(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\x1b[31mb", "a\\x1b[31mb", id="escape"),
        pytest.param("a\x9bb", "a\\x9bb", id="C1"),
        pytest.param("a\nb\r", "a\\nb\\r", id="line ends"),
        pytest.param("\u202eabc\u2066", "\\u202eabc\\u2066", id="bidi"),
        pytest.param("\ud83d", "\\ud83d", id="half a character"),
        pytest.param("[/INST] [red]x[/red]", "[/INST] [red]x[/red]", id="markup"),
        pytest.param("日本語 😀", "日本語 😀", id="letters of the world"),
    ],
)
def test_what_would_act_on_a_terminal_is_escaped(text: str, shown: str) -> None:
    assert words.shown(text) == shown


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param(words.counted(1, "message"), "1 message", id="one"),
        pytest.param(words.counted(1234, "message"), "1,234 messages", id="many"),
        pytest.param(words.counted(2, "entry", "entries"), "2 entries", id="another plural"),
        pytest.param(words.share(1, 3), "33.3 %", id="a share"),
        pytest.param(words.share(0, 0), "-", id="no share"),
        pytest.param(words.level(2, "large_payloads"), "2 large_payloads", id="a level"),
        pytest.param(words.level("micro", "micro"), "micro", id="a layer"),
        pytest.param(words.place("-"), "standard input", id="input"),
        pytest.param(words.place("-", writing=True), "standard output", id="output"),
        pytest.param(words.quoted("a b'c"), "'a b'\"'\"'c'", id="a path for the shell"),
    ],
)
def test_words(said: str, expected: str) -> None:
    assert said == expected


def test_a_long_list_says_how_much_is_left_out() -> None:
    assert words.listed("abcd", 4, "") == ["a", "b", "c", "d"]
    assert words.listed("abcd", 2, " (-v)") == ["a", "b", "and 2 more (-v)"]
