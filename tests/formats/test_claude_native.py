"""The client's own marks, made from any line that they may have to stand after."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcompact.core.format import Native
from ctxcompact.formats.claude_native import native
from tests.formats.claude_session import line, live, said, user

LAST = said("a2", "u1", "m1", "Done.")


def lines(last: Any, spoken: Any = None) -> list[dict[str, Any]]:
    mark = Native("What was.", last, spoken, by_hand=False, tokens=7, own="a2", ids=("b1", "s1"))
    return native(mark)


@pytest.mark.parametrize(
    ("time", "after"),
    [
        pytest.param("2026-01-31T23:59:59.999Z", "2026-02-01T00:00:00.000Z", id="a client's"),
        pytest.param("2026-01-31T23:59:59+02:00", "2026-01-31T23:59:59.001+02:00", id="a zone"),
        pytest.param("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z", id="the last"),
        pytest.param("yesterday", "yesterday", id="none"),
        pytest.param(7, "", id="no text"),
    ],
)
def test_the_boundary_is_a_little_later(time: Any, after: str) -> None:
    assert lines({**LAST, "timestamp": time})[0]["timestamp"] == after


def test_the_size_before_and_who_asked_are_told() -> None:
    assert lines(LAST)[0]["compactMetadata"] == {"trigger": "auto", "preTokens": 7}


def test_nothing_before_the_boundary_is_live() -> None:
    rest = user("u3", "a2", "Go on.")
    assert live(user("u1", None, "Go."), LAST, *lines(LAST), rest) == [["a2"], ["u3"]]


def test_a_prompt_said_again_comes_after_the_summary() -> None:
    prompt = user("u1", None, "Go.", promptId="p")
    boundary, summary, again = lines(LAST, prompt)
    assert (boundary["uuid"], summary["uuid"], again["uuid"]) == ("b1", "s1", "a2")
    assert again == {**prompt, "parentUuid": "s1", "uuid": "a2", "timestamp": ""}


def test_a_line_without_an_envelope_will_do() -> None:
    assert [row["type"] for row in lines(line("attachment", "x", None))] == ["system", "user"]
