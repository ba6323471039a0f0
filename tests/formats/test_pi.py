"""pi sessions: who speaks, what counts, what else changes with a result, what stands for a fold."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from ctxcompact.core.model import Kind, Origin, Recorded, Role
from ctxcompact.core.splice import value_at
from ctxcompact.formats.pi import FORMAT, compose, score, twins
from tests.formats.hostile import spoiled
from tests.formats.pi_session import (
    HEADER,
    SOURCE,
    answered,
    compaction,
    conversation,
    entry,
    message,
    said,
    user,
)

PICTURE = {"type": "image", "data": "A" * 100_000, "mimeType": "image/png"}
USAGE = {"input": 5, "output": 9, "cacheRead": 700, "cacheWrite": 20, "totalTokens": 734}


def of(*records: Any, **protected: list[str]) -> list[Any]:
    return conversation(HEADER, *records, **protected).messages


def test_people_the_model_and_tools_speak() -> None:
    found = of(
        user("a", None, "hi"),
        said("b", "a", "I look.", "call:t1"),
        answered("c", "b", "t1"),
        said("d", "c", "Done."),
    )
    assert [(x.role, x.origin, x.line) for x in found] == [
        (Role.USER, Origin.PERSON, 2),
        (Role.ASSISTANT, Origin.MODEL, 3),
        (Role.TOOL, Origin.TOOL, 4),
        (Role.ASSISTANT, Origin.MODEL, 5),
    ]
    call, result = found[1].blocks[1], found[2].blocks[0]
    assert (call.call_id, call.tool) == (result.call_id, result.tool) == ("t1", "bash")


def test_the_address_of_a_block_leads_to_its_payload() -> None:
    records = [
        HEADER,
        user("a", None, "hi"),
        said("b", "a", "hello", "call:t1"),
        answered("c", "b", "t1"),
        entry("custom_message", "d", "c", customType="x", content="from an extension"),
    ]
    blocks = [block for row in conversation(*records).messages for block in row.blocks]
    assert [value_at(records[block.record], block.path) for block in blocks] == [
        "hi",
        "hello",
        {"type": "toolCall", "id": "t1", "name": "bash", "arguments": {}},
        [{"type": "text", "text": "done"}],
        "from an extension",
    ]


def test_a_result_of_pictures_and_text_counts_both() -> None:
    parts = [{"type": "text", "text": "x" * 50}, PICTURE]
    _, result = of(
        said("a", None, "call:t1"),
        message("b", "a", role="toolResult", toolCallId="t1", toolName="read", content=parts),
    )
    (block,) = result.blocks
    assert (block.chars, block.tokens, block.media) == (50, 50 + 100 + 500, True)


@pytest.mark.parametrize("reason", ["error", "aborted"])
def test_a_reply_that_broke_off_is_not_sent(reason: str) -> None:
    found = of(user("a", None, "hi"), said("b", "a", "call:t1", stopReason=reason))
    assert [row.line for row in found] == [2]


def test_an_empty_message_is_none() -> None:
    assert [row.line for row in of(user("a", None, "hi"), said("b", "a"), user("c", "b", []))] == [
        2
    ]


def test_a_command_of_the_person_counts_with_its_output_that_may_move() -> None:
    ran = {"role": "bashExecution", "command": "ls -l", "output": "x" * 400}
    (row,) = of(message("a", None, **ran))
    command, output = row.blocks
    assert (row.role, row.origin) == (Role.USER, Origin.CLIENT)
    assert (command.kind, command.tokens) == (Kind.OPAQUE, 5)
    assert (output.kind, output.path, output.chars, output.fixed) == (
        Kind.TEXT,
        ("message", "output"),
        400,
        False,
    )


def test_a_command_that_the_model_is_not_told_counts_nothing() -> None:
    ran = {"role": "bashExecution", "command": "ls", "output": "x", "excludeFromContext": True}
    assert of(message("a", None, **ran)) == []


def test_the_system_prompt_counts_with_its_sections_and_tools() -> None:
    prompt = {
        "role": "system",
        "content": "12",
        "sections": {"rules": "345", "gone": None},
        "toolsAdded": [{"name": "read"}],
    }
    (row,) = of(message("a", None, **prompt))
    assert (row.role, row.blocks[0].fixed) == (Role.SYSTEM, True)
    assert row.blocks[0].tokens == len('12\n345\n{"name":"read"}')


@pytest.mark.parametrize(
    "data",
    [
        entry("model_change", "a", None, provider="p", modelId="m"),
        entry("custom", "a", None, data={"text": "words"}),
        entry("label", "a", None, label="words"),
        entry("session_info", "a", None, name="words"),
        entry("words", "a", None, summary="of a kind nobody knows"),
        message("a", None, role="nobody", content="words"),
    ],
    ids=lambda data: str(data["type"]),
)
def test_what_the_model_is_not_told_is_no_message(data: Any) -> None:
    assert of(data) == []


def test_thinking_counts_by_its_text_or_by_what_is_sealed() -> None:
    open_one = {"type": "thinking", "thinking": "hmm", "thinkingSignature": "s" * 42}
    sealed = {"type": "thinking", "thinking": "", "thinkingSignature": "s" * 42}
    (row,) = of(said("a", None, open_one, sealed))
    assert [(block.kind, block.tokens) for block in row.blocks] == [
        (Kind.THINKING, 3),
        (Kind.THINKING, 10),
    ]


def test_the_thinking_of_another_model_is_not_sent() -> None:
    thought = {"type": "thinking", "thinking": "hmm"}
    found = of(
        said("a", None, thought, "one", model="other"),
        said("b", "a", thought, "two"),
        said("c", "b", "three", stopReason="aborted"),
    )
    assert [[block.kind for block in row.blocks] for row in found] == [
        [Kind.TEXT],
        [Kind.THINKING, Kind.TEXT],
    ]


def test_a_branch_summary_is_the_clients_and_keeps_its_bytes() -> None:
    (row,) = of(entry("branch_summary", "a", None, summary="What was tried.", fromId="z"))
    assert (row.origin, row.blocks[0].fixed) == (Origin.CLIENT, True)


def test_the_newest_reply_tells_model_and_size_and_its_counts_are_lowered() -> None:
    found = conversation(HEADER, user("a", None, "hi"), said("b", "a", "x", usage=USAGE))
    assert (found.model, found.recorded) == ("pi-x", Recorded(3, 725))
    assert found.counts == (
        (2, ("message", "usage", "input"), 5),
        (2, ("message", "usage", "cacheRead"), 700),
        (2, ("message", "usage", "cacheWrite"), 20),
        (2, ("message", "usage", "totalTokens"), 734),
    )


@pytest.mark.parametrize(
    "later",
    [compaction("c", "b", "b"), entry("context_edit", "c", "b", targetId="b", replacement=None)],
    ids=lambda data: str(data["type"]),
)
def test_a_size_from_before_a_compaction_or_edit_tells_nothing(later: Any) -> None:
    found = conversation(HEADER, user("a", None, "hi"), said("b", "a", "x", usage=USAGE), later)
    assert (found.recorded, found.counts) == (None, ())


def test_a_reply_that_broke_off_tells_no_size() -> None:
    found = conversation(
        HEADER,
        said("a", None, "x", usage=USAGE),
        said("b", "a", usage={**USAGE, "input": 0, "cacheRead": 0}, stopReason="error"),
    )
    assert found.recorded == Recorded(2, 725)


def test_a_diff_shown_beside_a_result_goes_with_it() -> None:
    data = answered("a", None, "t1", details={"diff": "+ line\n" * 90, "path": "/x", "n": 3})
    assert twins(data, ("message", "content"), "gone") == [
        (("message", "details", "diff"), "[cleared]")
    ]


def test_the_repeated_text_of_a_result_becomes_what_the_result_becomes() -> None:
    text = "line\n" * 90
    data = answered("a", None, "t1", text, details={"truncation": {"content": text, "lines": 9}})
    assert twins(data, ("message", "content"), "gone") == [
        (("message", "details", "truncation", "content"), "gone")
    ]


def test_nothing_is_shown_beside_a_text() -> None:
    assert twins(user("a", None, "x" * 900), ("message", "content"), "gone") == []


def test_a_fold_takes_the_place_of_its_last_entry_and_the_source_of_its_reply() -> None:
    first, last = said("a", "z", "x", "call:t1"), answered("b", "a", "t1", timestamp=17)
    made = compose(Role.ASSISTANT, "All done.", first, last, "ignored")
    assert {key: made[key] for key in ("type", "id", "parentId", "timestamp")} == {
        "type": "message",
        "id": "b",
        "parentId": "a",
        "timestamp": "t",
    }
    assert made["message"].items() >= {**SOURCE, "role": "assistant", "timestamp": 17}.items()
    assert made["message"]["usage"]["cost"]["total"] == 0
    assert value_at(made, FORMAT.composed_path) == "All done."


def test_a_fold_reads_back_as_one_of_ours() -> None:
    made = compose(Role.USER, "text", user("a", None, "x"), answered("b", "a", "t1"), "")
    (row,) = of(made)
    assert (row.role, [block.kind for block in row.blocks]) == (Role.USER, [Kind.TEXT])


def test_half_of_the_records_are_no_clear_session() -> None:
    assert score([HEADER, {"event": 1}]) == 0.5
    assert score([{"type": "message", "message": {"role": "user", "content": ""}}]) == 0.4
    assert score([]) == 0.0


TALK = [
    HEADER,
    user("a", None, [{"type": "text", "text": "hi"}]),
    said("b", "a", {"type": "thinking", "thinking": "x"}, "call:t1", usage=USAGE),
    answered("c", "b", "t1", details={"diff": "x"}),
    message("d", "c", role="bashExecution", command="ls", output="x"),
    message("e", "d", role="system", content="", sections={"a": "b"}, toolsAdded=[{}]),
    entry("branch_summary", "f", "e", summary="x"),
    compaction("g", "f", "c", systemMessage={"content": "x"}, firstKeptEntryIndex=1),
    entry("context_edit", "h", "g", targetId="c", replacement={"content": [PICTURE]}),
    entry("custom_message", "i", "h", content=[{"type": "text", "text": "x"}]),
]


@settings(max_examples=150)
@given(spoiled(TALK))
def test_wrong_types_anywhere_never_break_the_reading(records: list[Any]) -> None:
    found = conversation(*records)
    for row in found.messages:
        for block in row.blocks:
            assert block.fixed or value_at(records[block.record], block.path) is not None
    assert 0.0 <= score(records) <= 1.0
