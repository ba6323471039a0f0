"""What a receipt tells of its run."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core import journal
from ctxcompact.core.events import Step
from ctxcompact.core.journal import Counted, Deed, Journal, Size, decode, deeds, spell_lines
from ctxcompact.core.tasks import Spending

ASKED = Spending("openai/stub", 2, 300, 40, 1.5, 0.25)
JOURNAL = Journal(
    input="s.jsonl",
    counter=Counted("claude", exact=False, error_pct=16.0),
    before=Size(9, 1000),
    after=Size(4, 300),
    target=400,
    archive=None,
    deeds=(
        Deed(2, "large_payloads", 3, 2, "4,8-9", 500),
        Deed(4, "past_rounds", 1, 5, "1-5", 200, ASKED._replace(seconds=0.0)),
    ),
    pack="pack-0.jsonl",
)
ODD: tuple[Any, ...] = (None, True, 7, -1.5, float("nan"), "x", [], [[]], {}, {"level": 1}, [None])


def test_it_comes_back_as_it_was_written() -> None:
    assert decode(json.loads(json.dumps(JOURNAL.as_json()))) == JOURNAL


def test_the_seconds_of_a_model_are_left_out() -> None:
    with_seconds = JOURNAL._replace(deeds=(JOURNAL.deeds[1]._replace(llm=ASKED),))
    (step,) = with_seconds.as_json()["steps"]
    assert set(step["llm"]) == {"model", "calls", "input_tokens", "output_tokens", "cost_usd"}


def _places(value: Any) -> list[tuple[Any, ...]]:
    """Return the address of every value inside a value."""
    if not isinstance(value, dict | list):
        return []
    items = value.items() if isinstance(value, dict) else enumerate(value)
    return [path for key, one in items for path in [(key,), *((key, *p) for p in _places(one))]]


@pytest.mark.parametrize("place", _places(JOURNAL.as_json()), ids=str)
def test_whatever_stands_at_a_place_instead_is_read_right_or_not_at_all(
    place: tuple[Any, ...],
) -> None:
    """What comes back could have been written: it is written again as it was read."""
    for odd in ODD:
        fields = json.loads(json.dumps(JOURNAL.as_json()))
        holder = fields
        for key in place[:-1]:
            holder = holder[key]
        holder[place[-1]] = odd
        told = decode(fields)
        assert told is None or told.as_json() == fields
        del holder[place[-1]]
        told = decode(fields)
        assert told is None or isinstance(place[-1], int)


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_what_is_no_journal_at_all_is_none(odd: object) -> None:
    assert decode(odd) is None


def _step(level: int, **more: Any) -> Step:
    return Step(level=level, name=f"n{level}", status="applied", **more)


def test_a_level_is_told_once_with_all_it_did() -> None:
    steps = (
        _step(2, edits=2, tokens_before=90, tokens_after=70, touched=(8, 3)),
        _step(4, edits=1, tokens_before=70, tokens_after=50, touched=(5, 6, 7), spending=ASKED),
        _step(2, edits=1, tokens_before=50, tokens_after=45, touched=(4,)),
        _step(4, edits=1, tokens_before=45, tokens_after=44, spending=ASKED),
    )
    assert deeds(steps) == (
        Deed(2, "n2", 3, 3, "3-4,8", 25),
        Deed(4, "n4", 2, 3, "5-7", 21, Spending("openai/stub", 4, 600, 80, 3.0, 0.5)),
    )


def test_what_did_nothing_is_told_only_if_a_model_was_used() -> None:
    idle = Step(level=1, name="n1", status="skipped", reason="nothing here for it")
    failed = Step(level=5, name="n5", status="failed", spending=ASKED)
    assert deeds((idle, failed)) == (Deed(5, "n5", 0, 0, "", 0, ASKED),)


@given(st.lists(st.integers(1, 60)))
def test_lines_are_spelled_so_that_each_can_be_read_back(lines: list[int]) -> None:
    read: list[int] = []
    for part in filter(None, spell_lines(lines).split(",")):
        start, _, stop = part.partition("-")
        read += range(int(start), int(stop or start) + 1)
    assert read == sorted(set(lines))


def test_a_list_of_lines_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MOST_STRETCHES", 2)
    assert spell_lines([1, 3]) == "1,3"
    assert spell_lines([1, 3, 5, 6]) == "1,3,…"
