"""Replies that hold calls, their results and words in one message, as AgentScope writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.edits import Fold
from ctxcompact.core.settings import Settings
from ctxcompact.levels import current_payloads, past_rounds
from tests.fakes import answer, call, result_block, rewritten, talk, user

if TYPE_CHECKING:
    from ctxcompact.core.edits import Plan
    from ctxcompact.core.model import Block, Message

SETTINGS = Settings(large_payload_chars=100, preview_chars=10, min_compression_tokens=1)
LONG = "r" * 101


def reply(*blocks: Block) -> Message:
    return answer()._replace(blocks=blocks)


def step(call_id: str) -> tuple[Block, Block]:
    return call(call_id).blocks[0]._replace(fixed=False), result_block(LONG, call_id)


WORDS = answer().blocks


def folded(plan: Plan | None) -> list[tuple[int, int]]:
    return [(x.start, x.stop) for x in plan.edits if isinstance(x, Fold)] if plan else []


def test_a_past_reply_becomes_a_summary() -> None:
    newest = [user(), answer()]
    old = [user(), reply(*step("a"), *WORDS)]
    assert folded(past_rounds.plan(talk(*old, *newest), SETTINGS)) == [(1, 2)]
    assert folded(past_rounds.plan(talk(user(), answer(), *newest), SETTINGS)) == []


def test_the_newest_reply_is_no_past_round() -> None:
    only = talk(user(), reply(*step("a"), *WORDS))
    assert past_rounds.plan(only, SETTINGS) is None


def test_of_the_newest_reply_the_results_before_its_last_words_are_payloads() -> None:
    at_work = talk(user(), reply(*step("a"), *step("b")))
    assert rewritten(current_payloads.plan(at_work, SETTINGS)) == {(1, 1)}
    done = talk(user(), reply(*step("a"), *answer(LONG).blocks))
    assert rewritten(current_payloads.plan(done, SETTINGS)) == {(1, 1)}
