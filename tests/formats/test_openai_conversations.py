"""OpenAI Chat, a conversation a line: each line by itself, addresses inside it, what is claimed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact.core import laws
from ctxcompact.core.model import Conversation, Kind, Recorded
from ctxcompact.core.splice import value_at
from ctxcompact.formats import openai_conversations
from tests.formats.builders import read, records_of, shared_files

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = openai_conversations.FORMAT
HELLO = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]
TOOL_USE = {"type": "tool_use", "id": "t1", "name": "grep", "input": {}}


def round_trip(tool: str, call_id: str = "c1") -> dict[str, Any]:
    call = {"id": call_id, "type": "function", "function": {"name": tool, "arguments": "{}"}}
    return {
        "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": call_id, "content": "done"},
        ]
    }


def results(conversation: Conversation) -> list[tuple[str, str]]:
    blocks = (block for message in conversation.messages for block in message.blocks)
    return [(block.call_id, block.tool) for block in blocks if block.kind is Kind.RESULT]


def test_each_line_is_a_conversation_with_pairs_of_its_own() -> None:
    unanswered = {"messages": round_trip("lost")["messages"][:2]}
    found = read(FORMAT, round_trip("grep"), unanswered, {"messages": [*HELLO]}, round_trip("sh"))
    assert [conversation.line for conversation in found] == [1, 2, 3, 4]
    assert [results(conversation) for conversation in found] == [
        [("c1", "grep")],
        [],
        [],
        [("c1", "sh")],
    ]


def test_every_message_of_a_line_has_the_number_of_that_line() -> None:
    found = read(FORMAT, {"note": "a header"}, round_trip("grep"))
    assert [message.line for message in found[0].messages] == [2, 2, 2]


@pytest.mark.parametrize(
    ("record", "start"),
    [
        pytest.param({"messages": HELLO, "x": 1}, ("messages",), id="messages beside other keys"),
        pytest.param(
            {"custom_id": "1", "url": "/v1/chat/completions", "body": {"messages": HELLO}},
            ("body", "messages"),
            id="a Batch request",
        ),
    ],
)
def test_addresses_lead_into_the_line(record: dict[str, Any], start: tuple[str, ...]) -> None:
    (conversation,) = read(FORMAT, record)
    paths = [message.blocks[0].path for message in conversation.messages]
    assert paths == [(*start, 0, "content"), (*start, 1, "content")]
    assert [value_at(record, path) for path in paths] == ["hello", "hi"]


def test_messages_of_unknown_roles_do_not_shift_the_addresses_of_others() -> None:
    (conversation,) = read(FORMAT, {"messages": [{"role": "narrator"}, "odd", *HELLO]})
    assert conversation.messages[0].blocks[0].path == ("messages", 2, "content")


@pytest.mark.parametrize(
    ("beside", "tokens"),
    [
        pytest.param({}, 0, id="nothing"),
        pytest.param({"tools": "[1,2]"}, 5, id="schemas as text"),
        pytest.param({"tools": [1, 2]}, 5, id="schemas as they are"),
        pytest.param({"functions": [1], "system": "four"}, 7, id="functions and a system text"),
        pytest.param({"tools": None, "weight": 1}, 0, id="an empty list, and what is not sent"),
    ],
)
def test_what_is_sent_beside_the_messages_is_framing_of_the_first(
    beside: dict[str, Any], tokens: int
) -> None:
    (conversation,) = read(FORMAT, {"messages": HELLO, **beside})
    assert [message.framing for message in conversation.messages] == [1000 + tokens, 1000]


def test_model_and_prompt_size_come_from_the_request() -> None:
    record = {"body": {"messages": HELLO, "model": "gpt-x"}, "usage": {"prompt_tokens": 7}}
    (conversation,) = read(FORMAT, record)
    assert (conversation.model, conversation.recorded) == ("gpt-x", Recorded(1, 7))


@pytest.mark.parametrize(
    "record",
    [
        pytest.param({"id": 1}, id="no messages"),
        pytest.param({"messages": []}, id="an empty list"),
        pytest.param({"messages": "x"}, id="messages that are a text"),
        pytest.param({"messages": [None, 1, {"role": []}]}, id="nothing that is a message"),
        pytest.param({"body": [1]}, id="a body that is a list"),
        pytest.param([{"role": "user", "content": "x"}], id="a list"),
        pytest.param(None, id="null"),
    ],
)
def test_a_line_without_messages_is_carried(record: Any) -> None:
    assert read(FORMAT, record) == []
    assert FORMAT.score([record]) == 0.0


def test_anthropic_requests_are_not_claimed_yet_read_as_what_they_are() -> None:
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "four"}
    record = {
        "messages": [
            {"role": "assistant", "content": [TOOL_USE]},
            {"role": "user", "content": [result]},
        ]
    }
    (conversation,) = read(FORMAT, record)
    assert results(conversation) == [("t1", "grep")]
    assert conversation.messages[1].blocks[0].path == ("messages", 1, "content", 0, "content")
    assert FORMAT.score([record]) == 0.0


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        pytest.param([{"messages": HELLO}], 1.0, id="conversations"),
        pytest.param([{"messages": HELLO}, {"note": 1}], 0.5, id="half other records"),
        pytest.param([{"messages": [*HELLO, {"type": "human"}]}], 0.0, id="other messages in it"),
        pytest.param([{"messages": [{"role": "user", "parts": []}]}], 0.0, id="nothing said"),
        pytest.param([], 0.0, id="nothing"),
    ],
)
def test_how_much_a_sample_is_claimed(sample: list[Any], expected: float) -> None:
    assert FORMAT.score(sample) == pytest.approx(expected)


RECORDED = shared_files("corpus/ft-*.jsonl", "corpus/oai-02*.jsonl")


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_recorded_files_read_whole_and_sound(path: Path) -> None:
    records = list(records_of(path))
    found = read(FORMAT, *records)
    assert [conversation.line for conversation in found] == list(range(1, len(records) + 1))
    sizes = [len(record["messages"]) for record in records]
    assert [len(conversation.messages) for conversation in found] == sizes
    assert [laws.problems(conversation.messages, FORMAT.rules) for conversation in found] == [
        []
    ] * len(found)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_every_result_of_a_recorded_file_is_named(path: Path) -> None:
    named = [tool for found in read(FORMAT, *records_of(path)) for _, tool in results(found)]
    assert all(named)
    assert named or path.name.startswith("ft-02")  # that one calls no tool
