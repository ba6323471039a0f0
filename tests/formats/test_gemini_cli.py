"""Gemini CLI sessions: which messages are live, what they say, and what repeats a result."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from ctxcompact.core.model import Kind, Origin, Recorded, Role
from ctxcompact.core.splice import value_at
from ctxcompact.formats.gemini_cli import FORMAT, compose, score
from ctxcompact.formats.gemini_repeats import twins
from tests.formats.gemini_session import (
    HEADER,
    call,
    called,
    conversation,
    live,
    response,
    said,
    snapshot,
    user,
)
from tests.formats.hostile import spoiled

TALK = [HEADER, user("a", "hi"), said("b", "", "t1", result="x" * 500), said("c", "Done.")]
LONG = "line\n" * 90


def of(*records: Any, **protected: list[str]) -> list[Any]:
    return conversation(HEADER, *records, **protected).messages


def test_the_models_message_holds_its_calls_and_their_results() -> None:
    found = conversation(*TALK).messages
    assert [(x.role, x.origin, x.line) for x in found] == [
        (Role.USER, Origin.PERSON, 2),
        (Role.ASSISTANT, Origin.MODEL, 3),
        (Role.USER, Origin.TOOL, 3),
        (Role.ASSISTANT, Origin.MODEL, 4),
    ]
    (call,), (result,) = found[1].blocks, found[2].blocks
    assert (call.call_id, call.tool) == (result.call_id, result.tool) == ("t1", "shell")
    assert (result.kind, result.chars, result.tokens) == (Kind.RESULT, 500, 600)


def test_the_address_of_a_block_leads_to_its_payload() -> None:
    records = [*TALK, snapshot(user("d", "one"), said("e", "two", "t2", result="three"))]
    for rows in (conversation(*TALK), conversation(*records)):
        blocks = [block for row in rows.messages for block in row.blocks]
        values = [value_at(records[block.record], block.path) for block in blocks]
        assert [value if isinstance(value, str) else value["name"] for value in values] in (
            ["hi", "shell", "x" * 500, "Done."],
            ["one", "two", "shell", "three"],
        )


def test_a_message_takes_the_place_of_the_one_with_its_id() -> None:
    records = [HEADER, user("a", "hi"), said("b"), user("c", "wait"), said("b", "Yes?")]
    assert live(*records) == [[1], [4], [3]]
    assert conversation(*records).older == {(4, ()): ((2, ()),)}


def test_a_snapshot_replaces_all_before_it() -> None:
    records = [*TALK, snapshot(user("a", "hi"), said("c", "Done.")), user("d", "more")]
    assert live(*records) == [[4], [4], [5]]
    assert conversation(*records).arrays == {4: ("$set", "messages")}


def test_a_snapshot_without_messages_changes_nothing() -> None:
    assert live(*TALK, {"$set": {"lastUpdated": "x"}}) == live(*TALK)


def test_messages_in_the_header_are_read() -> None:
    records = [{**HEADER, "messages": [user("a", "hi")]}, said("b", "hello")]
    assert live(*records) == [[0], [1]]
    assert conversation(*records).arrays == {0: ("messages",)}


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        pytest.param("b", [[1]], id="a message"),
        pytest.param("a", [], id="the first one"),
        pytest.param("z", [], id="one that is not there"),
    ],
)
def test_a_rewind_takes_out_a_message_and_all_after_it(to: str, expected: list[Any]) -> None:
    assert live(*TALK, {"$rewindTo": to}) == expected


def test_what_takes_the_place_of_an_item_is_told_with_it() -> None:
    records = [HEADER, snapshot(user("a", "hi"), said("b", "one")), said("b", "two")]
    item = (1, ("$set", "messages", 1))
    assert conversation(*records).older == {(2, ()): (item,)}
    assert conversation(*records).arrays == {1: ("$set", "messages")}
    assert conversation(*records, said("b", "three")).older == {(3, ()): (item, (2, ()))}


def test_of_items_with_one_id_the_last_counts() -> None:
    found = conversation(HEADER, snapshot(said("b", "one"), user("a", "hi"), said("b", "two")))
    assert [value.blocks[0].path[2] for value in found.messages] == [2, 1]
    array = ("$set", "messages")
    assert found.older == {(1, (*array, 2)): ((1, (*array, 0)),)}


@pytest.mark.parametrize(
    "text", ["/help", "?", " /chat", "<session_context>x", "<hook_context>x", " ", ""]
)
def test_what_the_client_does_not_send_is_no_message(text: str) -> None:
    assert of(user("a", text), {**user("b"), "content": text}) == []


@pytest.mark.parametrize("kind", ["info", "error", "warning", "anything"])
def test_the_clients_notices_are_no_messages(kind: str) -> None:
    assert of({**user("a", "words"), "type": kind}) == []


def test_a_picture_before_a_slash_is_sent() -> None:
    picture = {"inlineData": {"mimeType": "image/png", "data": "A" * 100_000}}
    (row,) = of(user("a", picture, "/looks like a command"))
    assert [block.kind for block in row.blocks] == [Kind.MEDIA, Kind.TEXT]


def test_calls_in_the_content_are_the_whole_message() -> None:
    data = {**said("a", [{"text": "I look."}, called("t1")]), "toolCalls": [call("t1", "done")]}
    model, results = of(data)
    assert [block.path for block in model.blocks] == [
        ("content", 0, "text"),
        ("content", 1, "functionCall"),
    ]
    assert results.blocks[0].path[:3] == ("toolCalls", 0, "result")


def test_thoughts_are_not_sent_again() -> None:
    thoughts = [{"subject": "Plan", "description": "look"}]
    parts = [{"text": "hmm", "thought": True}, {"text": "words"}]
    found = of(said("a", "words", thoughts=thoughts), said("b", parts), said("c", parts[:1]))
    assert [[(block.kind, block.tokens) for block in row.blocks] for row in found] == [
        [(Kind.TEXT, 5)],
        [(Kind.TEXT, 5)],
    ]


def test_a_message_without_anything_is_none() -> None:
    assert of({**said("a"), "toolCalls": []}) == []


def test_a_result_that_is_a_plain_text_is_read() -> None:
    data = {**said("a"), "toolCalls": [{**call("t1"), "result": "done"}]}
    assert of(data)[1].blocks[0].path == ("toolCalls", 0, "result")


def test_protected_words_protect_their_message_and_not_the_next() -> None:
    found = of(user("a", "the RULE"), said("b", "x"), protect=["RULE"])
    assert [row.protected for row in found] == [True, False]


def test_the_newest_reply_tells_model_and_size() -> None:
    told = {"tokens": {"input": 70, "output": 3}, "model": "gemini-x"}
    found = conversation(*TALK[:3], said("c", "x", **told), user("d", "y"))
    assert (found.model, found.recorded) == ("gemini-x", Recorded(4, 70))


def test_a_repeated_result_counts_and_changes_with_the_first() -> None:
    found = conversation(*TALK[:3], user("r", response("t1", "x" * 500)), TALK[3])
    assert [len(row.blocks) for row in found.messages] == [1, 1, 2, 1]
    first, again = found.messages[2].blocks
    assert (first.record, first.tokens, first.is_repeat) == (2, 600, False)
    assert (again.record, again.tokens, again.is_repeat) == (3, 600, True)
    assert (again.fixed, again.call_id, again.tool) == (True, "t1", "shell")
    path = ("content", 0, "functionResponse", "response", "output")
    assert found.copies == {"t1": [(3, path)]}


def test_a_repeat_is_left_alone_where_its_id_is_called_more_than_once() -> None:
    found = conversation(
        HEADER,
        said("a", "", "t1", result="one"),
        user("r", response("t1", "one")),
        said("b", "", "t1", result="two"),
    )
    again = found.messages[1].blocks[1]
    assert (again.tokens, again.fixed, again.is_repeat) == (103, True, False)
    assert found.copies == {}


@pytest.mark.parametrize(("between", "changes"), [([], True), ([user("n", "Wait.")], False)])
def test_a_repeat_in_an_array_changes_if_it_is_in_the_next_item(
    between: list[Any], *, changes: bool
) -> None:
    answers = [user("b", response("t1", "x")), *between, user("c", response("t1", "x"))]
    found = conversation(HEADER, snapshot(said("a", [called("t1")]), *answers))
    (again,) = (x for row in found.messages for x in row.blocks if x.kind is Kind.OPAQUE)
    assert again.is_repeat is changes
    assert found.copies == {}


def test_a_repeated_result_beside_words_leaves_the_words() -> None:
    found = conversation(*TALK[:3], user("r", response("t1", "x" * 500), "and this"))
    assert [block.kind for block in found.messages[3].blocks] == [Kind.OPAQUE, Kind.TEXT]


def test_a_result_for_an_id_that_is_called_again_is_no_repeat() -> None:
    found = of(
        said("a", "", "t1", result="one"), said("b", "", "t1", result="two"), said("c", "", "t1")
    )
    assert [row.blocks[0].tokens for row in found if row.has_results] == [103, 103]


def test_calls_without_ids_pair_by_name() -> None:
    part = {"functionResponse": {"name": "shell", "response": {"output": "x"}}}
    body = {"functionCall": {"name": "shell", "args": {}}}
    model, results = of(said("a", [body, body]), user("b", part, part))
    assert [block.call_id for block in (*model.blocks, *results.blocks)] == ["shell"] * 4
    assert [block.kind for block in results.blocks] == [Kind.RESULT] * 2


def test_what_the_screen_shows_goes_with_a_result() -> None:
    data = said("a", "", "t1", result=LONG)
    data["toolCalls"][0]["resultDisplay"] = LONG.strip()
    path = conversation(HEADER, data).messages[1].blocks[0].path
    assert twins(data, path, "gone") == [(("toolCalls", 0, "resultDisplay"), "gone")]


def test_a_display_that_is_an_object_keeps_its_shape() -> None:
    data = said("a", "", "t1", result="Wrote it.")
    data["toolCalls"][0]["resultDisplay"] = {"fileDiff": LONG, "fileName": "x"}
    path = conversation(HEADER, data).messages[1].blocks[0].path
    assert twins(data, path, "gone") == [
        (("toolCalls", 0, "resultDisplay", "fileDiff"), "[cleared]")
    ]


def test_the_same_result_beside_it_or_in_the_next_item_changes_with_it() -> None:
    again = response("t1", LONG)
    data = snapshot(said("a", [called("t1")]), user("b", again, "x", again), user("c", again))
    found = conversation(HEADER, data)
    path = found.messages[1].blocks[0].path
    inner = ("functionResponse", "response", "output")
    assert path == ("$set", "messages", 1, "content", 0, *inner)
    assert twins(data, path, "gone") == [
        (("$set", "messages", 1, "content", 2, *inner), "gone"),
        (("$set", "messages", 2, "content", 0, *inner), "gone"),
    ]
    assert found.copies == {}


def test_a_text_has_no_twins() -> None:
    assert twins(user("a", LONG), ("content", 0, "text"), "gone") == []


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        (Role.USER, {"type": "user"}),
        (Role.ASSISTANT, {"type": "gemini", "model": "gemini-x"}),
    ],
)
def test_a_fold_has_the_id_of_its_first_message_and_the_time_of_its_last(
    role: Role, expected: dict[str, Any]
) -> None:
    made = compose(role, "All done.", TALK[1], {**TALK[3], "timestamp": "u"}, "gemini-x")
    assert {key: value for key, value in made.items() if key != "content"} == {
        "id": "a",
        "timestamp": "u",
        **expected,
    }
    assert value_at(made, FORMAT.composed_path) == "All done."
    (row,) = of(made)
    assert row.role is role


def test_plain_records_are_no_session() -> None:
    assert score([user("a", "hi"), user("b", "hi")]) == 0.0
    assert score([said("a", "hi"), user("b", "hi"), {"event": 1}, None]) == 0.5
    assert score([]) == 0.0


EVERY = [
    HEADER,
    *TALK[1:],
    user("r", response("t1", "x" * 500), "words"),
    said("d", [{"text": "t", "thought": True}, called("t2")], thoughts=[{"description": "x"}]),
    {**said("e", "x", "t3", result="y", tokens={"input": 5}), "model": "m"},
    snapshot(user("f", "g"), said("h", [called("t4")]), user("i", response("t4", "z"))),
    {"$rewindTo": "i"},
]


@settings(max_examples=150)
@given(spoiled(EVERY))
def test_wrong_types_anywhere_never_break_the_reading(records: list[Any]) -> None:
    found = conversation(*records)
    for row in found.messages:
        for block in row.blocks:
            if not block.fixed:
                assert value_at(records[block.record], block.path) is not None
                twins(records[block.record], block.path, "gone")
    assert 0.0 <= score(records) <= 1.0
