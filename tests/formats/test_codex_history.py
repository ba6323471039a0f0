"""Codex rollouts: which items are live after compactions and rollbacks."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcompact.core.model import Kind, Origin, Role
from tests.formats.codex_session import (
    META,
    answered,
    called,
    compacted,
    conversation,
    event,
    item,
    live,
    message,
    record,
    said,
)

SUMMARY = "Another language model started to solve this problem and produced a summary of it: done."
TURN = [said("user", "go"), called("c1"), answered("c1"), said("assistant", "yes")]


def back(turns: Any = 1) -> dict[str, Any]:
    return event("thread_rolled_back", num_turns=turns)


def texts(*records: Any) -> list[tuple[Any, ...]]:
    """Name the place of each text that is live."""
    messages = conversation(*records).messages
    return [(b.record, *b.path) for m in messages for b in m.blocks if b.kind is Kind.TEXT]


def test_without_any_compaction_all_items_are_live() -> None:
    assert live(META, *TURN, *TURN) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_the_history_that_the_newest_compaction_kept_stands_for_all_before_it() -> None:
    kept = compacted(message("user", "go"), message("user", SUMMARY))
    found = conversation(META, *TURN, compacted(message("user", "old")), *TURN, kept, *TURN)
    places = [(m.blocks[0].record, m.blocks[0].path[:3]) for m in found.messages]
    assert places == [
        (10, ("payload", "replacement_history", 0)),
        (10, ("payload", "replacement_history", 1)),
        (11, ("payload", "content", 0)),
        (12, ("payload",)),
        (13, ("payload", "output")),
        (14, ("payload", "content", 0)),
    ]


def test_what_a_compaction_kept_is_counted_and_may_change_but_for_what_is_sealed() -> None:
    sealed = {"type": "compaction", "encrypted_content": "x" * 4000}
    kept = compacted(message("user", "four"), sealed, message("developer", "be"))
    found = conversation(*TURN, kept, said("user", "next"))
    assert [m.protected for m in found.messages] == [False, True, False, False]
    assert [m.tokens - 1000 for m in found.messages] == [4, (4000 * 3 // 4 - 650) // 4, 2, 4]
    assert found.arrays == {4: ("payload", "replacement_history")}


def test_where_the_client_tells_more_of_each_item_that_it_kept_they_stay_as_they_are() -> None:
    """It passes over a compaction whose two lists are not of one length."""
    kept = compacted(message("user", "four"), replacement_history_metadata=[{"n": 1}])
    found = conversation(*TURN, kept, said("user", "next"))
    assert [m.protected for m in found.messages] == [True, False]
    assert found.arrays == {}


def test_a_summary_is_the_clients_and_tells_what_was_before() -> None:
    found = conversation(compacted(message("user", "go"), message("user", SUMMARY))).messages
    assert [(m.origin, m.blocks[0].fixed) for m in found] == [
        (Origin.PERSON, False),
        (Origin.CLIENT, True),
    ]


def test_a_call_that_a_compaction_kept_is_answered_after_it() -> None:
    call = called("c1")["payload"]
    found = conversation(called("c1"), compacted(call), answered("c1")).messages
    assert [[b.tool for b in m.blocks] for m in found] == [["exec_command"]] * 2
    assert not any(m.protected for m in found)


def test_an_output_after_a_compaction_that_did_not_keep_its_call_is_nobodys() -> None:
    found = conversation(called("c1"), compacted(message("user", "go")), answered("c1")).messages
    assert found[1].protected


@pytest.mark.parametrize("history", [pytest.param({}, id="missing"), pytest.param(None, id="null")])
def test_where_only_a_summary_is_recorded_what_people_said_stands_before_it(history: Any) -> None:
    fields = {} if history == {} else {"replacement_history": history}
    old = record("compacted", message="We did things.", **fields)
    rows = [said("user", "<environment_context>"), *TURN, old, said("user", "next")]
    found = conversation(*rows).messages
    assert [(m.blocks[0].record, m.origin, m.protected) for m in found] == [
        (1, Origin.PERSON, True),
        (5, Origin.CLIENT, True),
        (6, Origin.PERSON, False),
    ]
    assert found[1].blocks[0][:5] == (Kind.TEXT, 5, ("payload", "message"), 14, 14)


def test_before_a_summary_the_newest_words_stand_as_far_as_the_client_keeps_them() -> None:
    words = [said("user", "x" * 15_000), said("user", "y" * 15_000), said("user", "z" * 15_000)]
    assert live(*words, record("compacted", message="so far")) == [1, 2, 3]


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param({}, id="empty"),
        pytest.param({"message": None, "replacement_history": None}, id="nothing told"),
        pytest.param({"message": 7, "replacement_history": {"a": 1}}, id="other types"),
    ],
)
def test_a_compaction_that_tells_nothing_is_none(payload: dict[str, Any]) -> None:
    assert live(*TURN, record("compacted", **payload)) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("turns", "left"),
    [
        pytest.param(1, [0, 1, 2, 3, 4, 10], id="one"),
        pytest.param(2, [0, 10], id="two"),
        pytest.param(9, [0, 10], id="more than there are: what is before the first stays"),
        pytest.param(0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 10], id="none"),
        pytest.param(-1, [0, 1, 2, 3, 4, 5, 6, 7, 8, 10], id="less than none"),
        pytest.param("1", [0, 1, 2, 3, 4, 5, 6, 7, 8, 10], id="a text"),
        pytest.param(None, [0, 1, 2, 3, 4, 5, 6, 7, 8, 10], id="null"),
    ],
)
def test_turns_that_were_rolled_back_are_gone(turns: Any, left: list[int]) -> None:
    assert live(said("developer", "be"), *TURN, *TURN, back(turns), said("user", "next")) == left


def test_a_second_rollback_goes_on_from_what_the_first_has_left() -> None:
    rows = [*TURN, *TURN, back(), *TURN, back(2), said("user", "next")]
    assert live(*rows) == [14]


def test_a_rollback_takes_a_compaction_with_it_and_what_was_before_is_live_again() -> None:
    kept = compacted(message("user", SUMMARY))
    assert live(*TURN, said("user", "more"), kept, said("assistant", "ok"), back()) == [0, 1, 2, 3]
    assert live(*TURN, kept, said("user", "more"), back()) == [4]


def test_what_the_client_says_is_no_turn() -> None:
    rows = [*TURN, said("user", "<turn_aborted>\n"), said("user", "<environment_context>"), back()]
    assert live(*rows) == []


def test_reasoning_and_what_it_led_to_are_one_message_with_events_between_them() -> None:
    thought = item("reasoning", id="rs_1", summary=[], encrypted_content="x" * 900)
    rows = [said("user", "go"), thought, event("agent_reasoning", text="…"), called("c1")]
    rows += [event("token_count", info=None), called("c2"), answered("c1"), answered("c2")]
    found = conversation(*rows).messages
    assert [[b.record for b in m.blocks] for m in found] == [[0], [1, 3, 5], [6], [7]]
    assert [m.role for m in found] == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.TOOL]
