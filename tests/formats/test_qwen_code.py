"""Qwen Code sessions: which lines are live, what they say, and what stands beside a result."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from ctxcompact.core.model import Kind, Origin, Recorded, Role
from ctxcompact.core.splice import value_at
from ctxcompact.formats.qwen_code import FORMAT, compose, score, twins
from tests.formats.hostile import spoiled
from tests.formats.qwen_session import (
    answered,
    compression,
    content,
    conversation,
    line,
    live,
    said,
    user,
)

TALK = [
    user("a", None, "hi"),
    said("b", "a", "I look.", "call:t1"),
    answered("c", "b", "t1", text="x" * 500),
    said("d", "c", "Done."),
]
RESULT = ("message", "parts", 0, "functionResponse", "response", "output")
LONG = "line\n" * 90


def test_people_the_model_and_tools_speak() -> None:
    found = conversation(*TALK).messages
    assert [(x.role, x.origin, x.line) for x in found] == [
        (Role.USER, Origin.PERSON, 1),
        (Role.ASSISTANT, Origin.MODEL, 2),
        (Role.USER, Origin.TOOL, 3),
        (Role.ASSISTANT, Origin.MODEL, 4),
    ]
    call, result = found[1].blocks[1], found[2].blocks[0]
    assert (call.call_id, call.tool) == (result.call_id, result.tool) == ("t1", "shell")
    assert (result.path, result.tokens) == (RESULT, 600)


def test_the_last_line_leads_up_to_the_root() -> None:
    assert live(*TALK, user("e", "a", "instead")) == [0, 4]
    assert live(*TALK, line("system", "e", "b", subtype="rewind")) == [0, 1]


def test_a_parent_that_is_not_there_ends_the_walk_and_so_does_a_cycle() -> None:
    assert live(*TALK[1:]) == [0, 1, 2]
    assert live(user("a", "b", "x"), said("b", "a", "y")) == [0, 1]


def test_lines_with_one_id_are_all_read_and_the_first_has_the_parent() -> None:
    assert live(*TALK, said("d", "gone", "More."), user("e", "d", "on")) == [0, 1, 2, 3, 4, 5]


def test_every_line_is_linked() -> None:
    links = conversation(*TALK, user("e", "a", "instead")).links
    assert [(link.record, link.uuid, link.parent) for link in links][-2:] == [
        (3, "d", "c"),
        (4, "e", "a"),
    ]


@pytest.mark.parametrize(
    ("subtype", "origin"),
    [
        ("mid_turn_user_message", Origin.PERSON),
        ("notification", Origin.CLIENT),
        ("cron", Origin.CLIENT),
    ],
)
def test_a_users_line_with_a_subtype_is_the_clients_but_for_words_typed_meanwhile(
    subtype: str, origin: Origin
) -> None:
    (row,) = conversation(user("a", None, "words", subtype=subtype)).messages
    assert row.origin is origin


@pytest.mark.parametrize(
    "data",
    [
        line("system", "a", None, subtype="ui_telemetry", message=content("system", "words")),
        user("a", None, "words", subtype="realtime_message"),
        answered("a", None, "t1", subtype="code_mode_tool_result"),
        user("a", None),
        line("user", "a", None),
    ],
)
def test_what_the_model_is_not_told_is_no_message(data: Any) -> None:
    assert conversation(data).messages == []


def ran(own: str, parent: str, command: str, **payload: Any) -> dict[str, Any]:
    shown = [{"type": "assistant", "text": "x"}]
    told = {"phase": "result", "rawCommand": command, "outputHistoryItems": shown, **payload}
    return line("system", own, parent, subtype="slash_command", systemPayload=told)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        pytest.param(ran("f", "e", "/stats"), [0, 1, 2, 3], id="answered by the client"),
        pytest.param(ran("f", "e", "/other"), [0, 1, 2, 3, 4], id="another command"),
        pytest.param(ran("f", "e", "/stats", sentToModel=True), [0, 1, 2, 3, 4], id="sent"),
        pytest.param(ran("f", "e", "/stats", outputHistoryItems=[]), [0, 1, 2, 3, 4], id="silent"),
    ],
)
def test_a_command_for_the_client_alone_is_no_message(told: Any, expected: list[int]) -> None:
    assert live(*TALK, user("e", "d", "/stats"), told) == expected


def test_a_compression_is_all_that_is_left_of_what_was_before_and_stays() -> None:
    history = [content("user", "The story."), content("model", "Got it.", "call:t2")]
    records = [*TALK, compression("e", "d", *history), answered("f", "e", "t2")]
    found = conversation(*records).messages
    assert [(row.line, row.protected) for row in found] == [(5, True), (5, True), (6, False)]
    path = ("systemPayload", "compressedHistory", 1, "parts", 0, "text")
    assert found[1].blocks[0].path == path
    assert value_at(records[4], path) == "Got it."
    assert found[2].blocks[0].tool == "shell"


def test_a_compression_without_a_history_changes_nothing() -> None:
    data = compression("e", "d")
    data["systemPayload"]["compressedHistory"] = "none"
    assert live(*TALK, data) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"totalTokenCount": 90, "promptTokenCount": 70}, 70),
        ({"totalTokenCount": 90}, 90),
        ({"promptTokenCount": None, "totalTokenCount": [9]}, 0),
    ],
)
def test_the_newest_reply_tells_model_and_sizes(usage: dict[str, Any], tokens: int) -> None:
    found = conversation(*TALK, said("e", "d", "More.", usageMetadata=usage))
    assert (found.model, found.recorded) == ("qwen-x", Recorded(5, tokens) if tokens else None)
    assert {path[1]: size for _, path, size in found.counts} == (usage if tokens else {})
    assert {(record, path[0]) for record, path, _ in found.counts} <= {(4, "usageMetadata")}


def test_a_size_from_before_a_compression_tells_nothing() -> None:
    usage = {"promptTokenCount": 70}
    records = [said("a", None, "x", usageMetadata=usage), compression("b", "a")]
    found = conversation(*records)
    assert (found.recorded, found.counts) == (None, ())


def test_thoughts_are_thinking_and_keep_their_bytes() -> None:
    (row,) = conversation(said("a", None, {"text": "hmm", "thought": True}, "x")).messages
    assert [(block.kind, block.fixed) for block in row.blocks] == [
        (Kind.THINKING, True),
        (Kind.TEXT, False),
    ]


def test_protected_words_protect_their_message_and_not_the_next() -> None:
    records = [user("a", None, "the RULE"), said("b", "a", "x")]
    found = conversation(*records, protect=["RULE"]).messages
    assert [row.protected for row in found] == [True, False]


def test_what_the_screen_shows_goes_with_a_result() -> None:
    shown = {"callId": "t1", "resultDisplay": LONG, "status": "success"}
    data = answered("a", None, "t1", text=LONG, toolCallResult=shown)
    assert twins(data, RESULT, "gone") == [(("toolCallResult", "resultDisplay"), "gone")]


def test_of_several_results_only_what_repeats_one_goes_with_it() -> None:
    shown = {"resultDisplay": "other\n" * 90, "more": LONG}
    data = answered("a", None, "t1", "t2", text=LONG, toolCallResult=shown)
    assert twins(data, RESULT, "gone") == [(("toolCallResult", "more"), "gone")]
    assert twins(user("a", None, LONG), ("message", "parts", 0, "text"), "gone") == []


@pytest.mark.parametrize(
    ("role", "expected"),
    [(Role.USER, {"type": "user"}), (Role.ASSISTANT, {"type": "assistant", "model": "qwen-x"})],
)
def test_a_fold_takes_the_place_of_its_last_line(role: Role, expected: dict[str, Any]) -> None:
    made = compose(role, "All done.", TALK[1], {**TALK[2], "toolCallResult": {}}, "ignored")
    assert made.items() >= {"uuid": "c", "parentUuid": "b", "sessionId": "s", **expected}.items()
    assert "toolCallResult" not in made
    assert value_at(made, FORMAT.composed_path) == "All done."
    (row,) = conversation(made).messages
    assert row.role is role


def test_lines_without_parts_are_another_clients() -> None:
    claude = {"uuid": "a", "parentUuid": None, "type": "user", "message": {"content": "hi"}}
    assert score([claude]) == 0.0
    assert score([*TALK, {"event": 1}]) == 0.8
    assert score([]) == 0.0


EVERY = [
    *TALK,
    said("e", "d", {"text": "t", "thought": True}, usageMetadata={"promptTokenCount": 5}),
    compression("f", "e", content("user", "x"), content("model", "call:t2")),
    answered("g", "f", "t2", toolCallResult={"resultDisplay": {"fileDiff": LONG}}),
    user("h", "g", "/stats"),
    ran("i", "h", "/stats"),
]


@settings(max_examples=150)
@given(spoiled(EVERY))
def test_wrong_types_anywhere_never_break_the_reading(records: list[Any]) -> None:
    for row in conversation(*records).messages:
        for block in row.blocks:
            if not block.fixed:
                assert value_at(records[block.record], block.path) is not None
                twins(records[block.record], block.path, "gone")
    assert 0.0 <= score(records) <= 1.0
