"""What a full summary takes in: all that is closed, and never a call without its results."""

from __future__ import annotations

import pytest

from ctxcompact.engine.cutting import cut
from tests.fakes import answer, call, calls, result, system, user

TALK = [
    system(),
    user("Look."),
    calls("c1", "c2"),
    result("one", "c1"),
    result("two", "c2"),
    answer(),
    user("And now?"),
    call("c3"),
    result("three", "c3"),
    call("c4"),
    result("four", "c4"),
]


def test_the_prompt_that_is_open_and_its_newest_unit_stay() -> None:
    found = cut(TALK)
    assert found.taken == (1, 2, 3, 4, 5, 7, 8)
    assert (found.kept, found.human) == ((0, 6, 9, 10), 6)


@pytest.mark.parametrize(
    ("protected", "unit"),
    [(2, {2, 3, 4}), (3, {2, 3, 4}), (4, {2, 3, 4}), (8, {7, 8}), (5, {5}), (1, {1})],
)
def test_what_is_protected_stays_with_its_calls_and_their_results(
    protected: int, unit: set[int]
) -> None:
    messages = list(TALK)
    messages[protected] = messages[protected]._replace(protected=True)
    assert set(cut(messages).kept) == {0, 6, 9, 10} | unit
