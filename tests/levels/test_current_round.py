"""Level 6: what is the current round, and what of it is folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ctxcompact.core.edits import Fold
from ctxcompact.core.model import Origin
from ctxcompact.core.settings import Settings
from ctxcompact.levels import current_round
from tests.fakes import answer, call, result, talk, text_block, user

if TYPE_CHECKING:
    from ctxcompact.core.model import Message


def unit(call_id: str) -> tuple[Message, Message]:
    asked = call(call_id)
    free = tuple(block._replace(fixed=False) for block in asked.blocks)
    return asked._replace(blocks=free), result("ok", call_id)


UNIT, NEWEST = unit("a"), unit("b")
TAKEN_UP = user()._replace(
    origin=Origin.CLIENT, blocks=(text_block("What was before: all went well.", fixed=True),)
)
NOTICE = user("<notice/>")._replace(origin=Origin.CLIENT)


def folded(*messages: Message) -> list[tuple[int, int]]:
    plan = current_round.plan(talk(*messages), Settings())
    return [(e.start, e.stop) for e in plan.edits if isinstance(e, Fold)] if plan else []


@pytest.mark.parametrize(
    ("messages", "folds"),
    [
        pytest.param([user(), *UNIT, *NEWEST], [(1, 3)], id="up to the newest unit"),
        pytest.param([user(), answer(), user(), *UNIT, *NEWEST], [(3, 5)], id="of this round"),
        pytest.param([TAKEN_UP, *UNIT, *NEWEST], [(1, 3)], id="since the client's summary"),
        pytest.param([TAKEN_UP, user(), *UNIT, *NEWEST], [(2, 4)], id="since somebody spoke"),
        pytest.param([user(), *NEWEST], [], id="only the newest unit"),
        pytest.param([*UNIT, *NEWEST], [], id="nobody has spoken"),
        pytest.param([NOTICE, *UNIT, *NEWEST], [], id="no more than a notice"),
    ],
)
def test_the_seen_part_of_the_current_round_is_folded(
    messages: list[Message], folds: list[tuple[int, int]]
) -> None:
    assert folded(*messages) == folds
