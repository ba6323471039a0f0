"""Numbers and what they count."""

from __future__ import annotations

import pytest

from ctxcompact.core.counts import counted, noun, number


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param(number(1234567), "1,234,567", id="a number"),
        pytest.param(counted(0, "edit"), "0 edits", id="none"),
        pytest.param(counted(1, "edit"), "1 edit", id="one"),
        pytest.param(counted(1234, "edit"), "1,234 edits", id="many"),
        pytest.param(counted(2, "entry", "entries"), "2 entries", id="another plural"),
        pytest.param(noun(1, "entry", "entries"), "entry", id="the word alone"),
    ],
)
def test_a_number_and_its_word(said: str, expected: str) -> None:
    assert said == expected
