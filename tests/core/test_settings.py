"""Defaults, and the rules that settings keep."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcompact.core.settings import Mode, Settings, Until
from ctxcompact.errors import UsageError


def test_the_defaults_are_those_of_the_sources() -> None:
    found = Settings()
    assert (found.mode, found.until, found.levels) == (Mode.CHAIN, Until.TARGET, (1, 2, 3, 4, 5, 6))
    assert (found.msg_threshold, found.last_keep, found.large_payload_chars) == (100, 50, 5120)
    assert (found.preview_chars, found.min_consecutive_tool_messages) == (200, 6)
    assert (found.min_compression_tokens, found.current_round_ratio) == (5000, 0.3)
    assert (found.keep_recent, found.micro_min_chars, found.threshold) == (3, 100, 50_000)
    assert (found.floor_tokens, found.min_gain_tokens) == (8000, 40)
    assert (found.trigger_tokens, found.target_tokens) == (98_304, 65_536)


@pytest.mark.parametrize(
    ("given", "trigger", "target"),
    [
        pytest.param({"target": 500}, 500, 500, id="a target is the trigger, exactly"),
        pytest.param({"max_tokens": 1000}, 750, 500, id="both follow the window"),
        pytest.param({"max_tokens": 1000, "target": 300}, 750, 300, id="both given"),
        pytest.param({"max_tokens": 1000, "token_ratio": 1.0}, 1000, 500, id="a ratio of one"),
        pytest.param({"max_tokens": 3, "token_ratio": 0.5}, 1, 1, id="rounded down"),
        pytest.param({"target": 0}, 0, 0, id="a target of nothing"),
    ],
)
def test_trigger_and_target_come_from_what_is_given(
    given: dict[str, Any], trigger: int, target: int
) -> None:
    found = Settings(**given)
    assert (found.trigger_tokens, found.target_tokens) == (trigger, target)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        pytest.param({"last_keep": -1}, "--last-keep -1: must be 0 or more", id="below nothing"),
        pytest.param({"target": -5}, "--target -5", id="a target below nothing"),
        pytest.param(
            {"token_ratio": 0}, "--token-ratio 0: must be above 0", id="a ratio of nothing"
        ),
        pytest.param({"target_ratio": 1.01}, "at most 1", id="a ratio above one"),
        pytest.param({"summary_ratio": float("nan")}, "--summary-ratio nan", id="no number"),
        pytest.param({"preview_chars": 5120}, "below large_payload_chars", id="no room for a cut"),
        pytest.param({"large_payload_chars": 0}, "--preview-chars 200", id="large at nothing"),
        pytest.param(
            {"target": 10, "max_tokens": 10},
            "--target 10: must be below max_tokens",
            id="no room to save",
        ),
        pytest.param({"mode": "x"}, "--mode x: must be one of chain, ", id="no mode"),
        pytest.param({"until": "x"}, "--until x: must be one of first, target", id="no end"),
        pytest.param({"write": "x"}, "--write x: must be one of ", id="no way to write"),
        pytest.param({"levels": ()}, "--levels", id="no level"),
        pytest.param(
            {"levels": (2, 7)}, "--levels 2,7: must be some of 1,2,3,4,5,6", id="a seventh"
        ),
        pytest.param(
            {"protect": ("a", "(")}, "--protect (: must be a regular expression", id="regex"
        ),
    ],
)
def test_what_breaks_a_rule_is_refused_by_its_option(given: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        Settings(**given)
    assert said in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    "given",
    [
        {"preview_chars": 0, "large_payload_chars": 1},
        {"target": 9, "max_tokens": 10},
        {"token_ratio": 1, "target_ratio": 1},
        {"levels": (6, 2)},
        {"mode": "micro", "until": "first", "write": "edit"},
        {"keep_recent": 0, "micro_min_chars": 0, "msg_threshold": 0, "min_gain_tokens": 0},
    ],
    ids=", ".join,
)
def test_what_is_just_allowed_is_taken(given: dict[str, Any]) -> None:
    found = Settings(**given)
    assert {name: getattr(found, name) for name in given} == given
