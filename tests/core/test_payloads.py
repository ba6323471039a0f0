"""What texts stand in a value: for looking through it."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcompact.core.payloads import strings

PICTURE = "iVBORw0KGgo+/" * 200


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("a\nb", ["a\nb"], id="a text"),
        pytest.param(["a", ["b"], "c"], ["a", "b", "c"], id="in order"),
        pytest.param(
            {"is_error": "no", "n": {"x": "y"}}, ["no", "y"], id="names of fields are none"
        ),
        pytest.param({"src/a.py": "x", "": "y"}, ["src/a.py", "x", "", "y"], id="other keys are"),
        pytest.param(
            {"port": 8080, "up": True, "at": 1.5, "to": None}, ["8080", "1.5"], id="numbers"
        ),
        pytest.param([{"type": "text", "text": "a"}, {"text": "b"}], ["a", "b"], id="a part"),
        pytest.param({"type": "text", "text": 7}, ["text", "7"], id="an odd part"),
        pytest.param([PICTURE, f"data:image/png;base64,{PICTURE}=="], [], id="a picture"),
        pytest.param([PICTURE + " ", "漢" * 3000], [PICTURE + " ", "漢" * 3000], id="long texts"),
        pytest.param(None, [], id="nothing"),
    ],
)
def test_texts_in_a_value(value: Any, expected: list[str]) -> None:
    assert list(strings(value)) == expected


def test_no_nesting_is_too_deep() -> None:
    value: Any = "deep"
    for _ in range(5000):
        value = [{"x": value}]
    assert list(strings(value)) == ["deep"]
