"""What may be folded: whole units, and never a result away from its call."""

from __future__ import annotations

import pytest

from ctxcompact.core.model import Message, Origin
from ctxcompact.core.units import PLANNED, foldable
from tests.fakes import answer, call, calls, result, results, system, user

NOTE = user("<note>")._replace(origin=Origin.CLIENT)
SUMMARY = answer("In short.")._replace(origin=Origin.SUMMARY)
PLAN = SUMMARY._replace(blocks=(SUMMARY.blocks[0]._replace(tag=PLANNED),))


def asks(*call_ids: str) -> Message:
    message = calls(*call_ids)
    return message._replace(blocks=tuple(x._replace(fixed=False) for x in message.blocks))


@pytest.mark.parametrize(
    ("messages", "start", "expected"),
    [
        pytest.param([user(), asks("a"), result("x", "a"), answer()], 1, [(1, 4)], id="a round"),
        pytest.param([asks("a"), user(), answer(), user()], 0, [(2, 3)], id="an open call stays"),
        pytest.param(
            [asks("a"), result("x", "a"), answer()], 0, [(0, 3)], id="from the very beginning"
        ),
        pytest.param(
            [answer(), answer(protected=True), answer()],
            0,
            [(0, 1), (2, 3)],
            id="a protected message stays",
        ),
        pytest.param(
            [answer(), results(), answer()], 0, [(0, 1), (2, 3)], id="what stands nowhere stays"
        ),
        pytest.param(
            [answer(), SUMMARY, answer()], 0, [(0, 1), (2, 3)], id="one of our summaries stays"
        ),
        pytest.param([answer(), PLAN, answer()], 0, [(0, 3)], id="one that is planned goes"),
        pytest.param(
            [answer(), call("p"), result("x", "p"), answer()],
            0,
            [(0, 1), (3, 4)],
            id="a plan stays with its result",
        ),
        pytest.param(
            [asks("a"), user(), result("x", "a"), answer()],
            0,
            [(3, 4)],
            id="with the result that comes after a person's words",
        ),
        pytest.param(
            [asks("a", "b"), result("x", "a"), system(), result("y", "b"), answer()],
            3,
            [(4, 5)],
            id="a result whose call stands before the stretch stays",
        ),
        pytest.param(
            [asks("a"), result("x", "a"), answer()],
            1,
            [(2, 3)],
            id="also one whose call stands right before it",
        ),
        pytest.param(
            [asks("a"), result("x", "a"), result("y", "a"), answer()],
            2,
            [(2, 4)],
            id="a second result of a call that is answered goes like any other",
        ),
        pytest.param(
            [call("a"), result("x", "a"), result("y", "a"), answer()],
            0,
            [(2, 4)],
            id="also after a plan",
        ),
        pytest.param(
            [asks("a"), system(), result("y", "a"), asks("a"), result("z", "a"), answer()],
            2,
            [(3, 6)],
            id="a later call of the same id has its own",
        ),
        pytest.param(
            [asks("a"), result("x", "a"), result("y", "b"), answer()],
            2,
            [(2, 4)],
            id="a result that nobody asked for goes like any other",
        ),
        pytest.param(
            [asks("a"), system(), NOTE, result("x", "a"), NOTE, answer()],
            2,
            [(5, 6)],
            id="a client's insertions go only between what goes",
        ),
    ],
)
def test_what_may_be_folded(
    messages: list[Message], start: int, expected: list[tuple[int, int]]
) -> None:
    assert list(foldable(messages, start, len(messages))) == expected
