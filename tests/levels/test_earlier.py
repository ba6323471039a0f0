"""Earlier summaries: which of them may become smaller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact.core.edits import Digest
from ctxcompact.core.model import Origin, Role
from ctxcompact.core.settings import Settings
from ctxcompact.core.tasks import Style
from ctxcompact.levels import earlier
from tests.fakes import (
    MARK,
    answer,
    call,
    result,
    result_block,
    results,
    rewritten,
    system,
    talk,
    text_block,
    user,
)

if TYPE_CHECKING:
    from ctxcompact.core.model import Message

LONG = f"{'word ' * 100}\n{MARK}"
SHORT = f"words\n{MARK}"


def summary(text: str = LONG, role: Role = Role.ASSISTANT, **fields: Any) -> Message:
    return answer(text)._replace(role=role, origin=Origin.SUMMARY, **fields)


@pytest.mark.parametrize(
    ("role", "style"),
    [(Role.ASSISTANT, Style.ROUND), (Role.USER, Style.CURRENT_ROUND)],
    ids=["of a past round", "of the current round"],
)
def test_a_long_summary_is_written_anew(role: Role, style: Style) -> None:
    plan = earlier.plan(talk(user(), summary(role=role), answer()), Settings())
    assert rewritten(plan) == {(1, 0)}
    assert plan is not None
    assert plan.edits[0].content == Digest(style)


def test_a_long_payload_that_was_summarized_is_too() -> None:
    plan = earlier.plan(talk(user(), call(), result(LONG), answer()), Settings())
    assert rewritten(plan) == {(2, 0)}
    assert plan is not None
    assert plan.edits[0].content == Digest(Style.PAYLOAD)


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([user(), answer()], id="nothing of ours"),
        pytest.param([user(), summary(SHORT), answer()], id="a short one"),
        pytest.param([user(), summary("word " * 100), answer()], id="one without a mark"),
        pytest.param([user(), summary(protected=True), answer()], id="one that no store knows"),
        pytest.param([user(LONG), answer()], id="a person's words"),
        pytest.param([system(LONG), answer()], id="a system message"),
        pytest.param([user(), call(), result(LONG)], id="what the model has not read"),
        pytest.param(
            [user(), call(), results(result_block(LONG, fixed=True)), answer()],
            id="what keeps its bytes",
        ),
        pytest.param(
            [user(), call(), results(text_block(f"{'w' * 200}...\n{MARK}")), answer()],
            id="a preview",
        ),
    ],
)
def test_the_rest_is_left_alone(messages: list[Message]) -> None:
    assert earlier.plan(talk(*messages), Settings()) is None
