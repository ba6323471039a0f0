"""Claude Code sessions: one message of the API as one, who speaks, what counts, what is claimed."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcompact.core.model import Kind, Message, Origin, Recorded, Role
from ctxcompact.core.splice import value_at
from ctxcompact.formats.claude_code import score
from tests.formats.claude_session import (
    MODEL,
    answered,
    boundary,
    conversation,
    line,
    said,
    summary,
    user,
)

CALL = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}
PICTURE = {"type": "image", "source": {"type": "base64", "data": "A" * 100_000}}
SEALED = {"type": "thinking", "thinking": "", "signature": "s" * 42}


def messages(*lines: Any, **protected: list[str]) -> list[Message]:
    return conversation(*lines, **protected).messages


def test_one_message_over_several_lines_is_one_with_its_framing_once() -> None:
    _, reply, _ = messages(
        user("a", None, "hi"),
        said("b", "a", "m1", SEALED),
        said("c", "b", "m1", "I look."),
        said("d", "c", "m1", CALL),
        answered("r", "d", "t1"),
    )
    assert (reply.role, reply.origin, reply.line) == (Role.ASSISTANT, Origin.MODEL, 2)
    assert [(block.kind, block.record) for block in reply.blocks] == [
        (Kind.THINKING, 1),
        (Kind.TEXT, 2),
        (Kind.CALL, 3),
    ]
    assert reply.framing == 1000


def test_the_address_of_a_block_leads_inside_its_own_line() -> None:
    lines = [user("a", None, "hi"), said("b", "a", "m1", "hello"), answered("c", "b", "t1")]
    paths = [(block.record, block.path) for message in messages(*lines) for block in message.blocks]
    values = [value_at(lines[record], path) for record, path in paths]
    assert values == ["hi", "hello", "done"]


def test_a_result_knows_its_tool_also_when_lines_stand_twice() -> None:
    lines = [user("a", None, "hi"), said("b", "a", "m1", CALL), answered("c", "b", "t1")]
    found = messages(*lines, lines[2])
    assert found[-1].blocks[0].tool == "Bash"
    assert found[-1].line == 4


def test_results_of_plan_tools_keep_their_bytes() -> None:
    plan = {**CALL, "name": "TodoWrite"}
    found = messages(user("a", None, "hi"), said("b", "a", "m1", plan), answered("c", "b", "t1"))
    assert found[-1].blocks[0].fixed


def micro(uuid: str, parent: str, **cleared: list[str]) -> dict[str, Any]:
    return line(
        "system", uuid, parent, subtype="microcompact_boundary", microcompactMetadata=cleared
    )


def test_a_result_that_the_clients_micro_compaction_cleared_counts_as_its_marker() -> None:
    lines = [
        user("a", None, "hi"),
        said("b", "a", "m1", "call:t1", "call:t2"),
        user("r1", "b", [{"type": "tool_result", "tool_use_id": "t1", "content": [PICTURE]}]),
        answered("r2", "r1", "t2", text="y" * 500),
    ]
    found = messages(*lines, micro("x", "r2", compactedToolIds=["t1", "gone"]))
    (cleared,), (other,) = found[2].blocks, found[3].blocks
    assert cleared.tokens == len("[Old tool result content cleared]") + 100
    assert (cleared.fixed, cleared.media) == (True, False)
    assert (other.tokens, other.fixed) == (600, False)


def test_a_micro_compaction_on_a_rewound_branch_cleared_nothing() -> None:
    lines = [
        user("a", None, "hi"),
        said("b", "a", "m1", "call:t1"),
        answered("r1", "b", "t1", text="x" * 500),
        micro("x", "r1", compactedToolIds=["t1"]),
        user("old", "x", "wrong"),
        user("new", "r1", "right"),
    ]
    assert messages(*lines)[2].blocks[0].tokens == 600


def test_an_attachment_that_the_client_cleared_is_no_message() -> None:
    lines = [
        user("a", None, "hi"),
        line("attachment", "b", "a", attachment={"type": "file", "content": "words"}),
        micro("x", "b", clearedAttachmentUUIDs=["b"]),
    ]
    assert len(messages(*lines)) == 1


def test_protected_words_in_any_line_protect_the_whole_message() -> None:
    lines = [user("a", None, "hi"), said("b", "a", "m1", "more"), said("c", "b", "m1", "the RULE")]
    assert [message.protected for message in messages(*lines, protect=["RULE"])] == [False, True]


def test_inline_sidechains_are_others_conversations() -> None:
    side = said("s", None, "m9", "I am a helper.")
    lines = [user("a", None, "hi"), {**side, "isSidechain": True}, said("b", "a", "m1", "hello")]
    assert [message.line for message in messages(*lines)] == [1, 3]


def test_a_file_that_is_all_sidechain_is_a_conversation() -> None:
    lines = [user("a", None, "Count them."), said("b", "a", "m1", "Three.")]
    assert len(messages(*({**entry, "isSidechain": True} for entry in lines))) == 2


def test_the_newest_size_told_is_recorded_for_every_line_of_its_message() -> None:
    found = conversation(
        user("a", None, "hi"),
        said("b", "a", "m1", "old", prompt=50),
        user("c", "b", "so?"),
        said("d", "c", "m2", "new", prompt=70),
        said("e", "d", "m2", "newer", prompt=70),
    )
    path = ("message", "usage")
    assert found.recorded == Recorded(5, 70)
    assert found.counts == (
        (3, (*path, "input_tokens"), 1),
        (3, (*path, "cache_read_input_tokens"), 69),
        (4, (*path, "input_tokens"), 1),
        (4, (*path, "cache_read_input_tokens"), 69),
    )
    assert found.model == MODEL


def test_a_size_of_a_kept_line_is_older_than_the_compaction() -> None:
    kept: dict[str, Any] = {"preservedMessages": {"anchorUuid": "y", "allUuids": ["b"]}}
    found = conversation(
        user("a", None, "hi"),
        said("b", "a", "m1", "kept", prompt=50),
        boundary("x", **kept),
        summary("y", "x"),
    )
    assert (len(found.messages), found.recorded, found.counts) == (2, None, ())


def test_where_no_reply_is_live_the_model_of_the_session_is_named() -> None:
    lines = [said("b", None, "m1", "hello"), boundary("x"), summary("y", "x")]
    assert conversation(*lines).model == MODEL


def test_results_in_the_journal_of_requests_are_copies() -> None:
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "done"}
    blob = {
        "type": "api-request-blob",
        "message": {"role": "user", "content": [{"type": "text", "text": "x"}, result]},
    }
    lines = [user("a", None, "hi"), said("b", "a", "m1", CALL), answered("c", "b", "t1"), blob]
    found = conversation(*lines)
    assert found.copies == {"t1": [(3, ("message", "content", 1, "content"))]}
    assert len(found.messages) == 3


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(None, id="null"),
        pytest.param([], id="a list"),
        pytest.param({"type": ["user"]}, id="a kind that is a list"),
        pytest.param({"type": "user"}, id="no uuid"),
        pytest.param({"type": "user", "uuid": 7, "parentUuid": None}, id="a uuid that is a number"),
        pytest.param(line("user", "o", "a"), id="no message"),
        pytest.param(line("user", "o", "a", isCompactSummary=True), id="a summary without words"),
        pytest.param(line("user", "o", "a", message=7), id="a message that is a number"),
        pytest.param(line("attachment", "o", "a", attachment=7), id="an attachment of a number"),
        pytest.param(line("assistant", "o", "a", message=None), id="no answer"),
        pytest.param(
            {"type": "api-request-blob", "message": {"content": 7}}, id="a blob of a number"
        ),
        pytest.param({"type": "last-prompt"}, id="no leaf"),
    ],
)
def test_odd_records_do_not_disturb(odd: Any) -> None:
    lines = [user("a", None, "hi"), odd, said("b", "a", "m1", "hello")]
    assert [message.line for message in messages(*lines)] == [1, 3]


SIDE = {"type": "mode", "mode": "normal", "sessionId": "s"}
PLAIN = {"role": "user", "content": "hi"}
QWEN = line("user", "a", None, message={"role": "user", "parts": [{"text": "hi"}]})


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        pytest.param([user("a", None, "hi"), said("b", "a", "m1", "x")], 1.0, id="a session"),
        pytest.param([SIDE] * 60, 1.0, id="a session that begins with bookkeeping"),
        pytest.param([user("a", None, "hi"), PLAIN], 0.5, id="half of it"),
        pytest.param([PLAIN], 0.0, id="bare messages"),
        pytest.param([QWEN, SIDE], 0.0, id="Qwen Code"),
        pytest.param([{"type": "summary", "text": "x"}], 0.0, id="a word that others use"),
        pytest.param([{"type": ["user"]}, 7, None], 0.0, id="odd values"),
        pytest.param([], 0.0, id="nothing"),
    ],
)
def test_how_much_of_a_sample_is_claimed(sample: list[Any], expected: float) -> None:
    assert score(sample) == expected
