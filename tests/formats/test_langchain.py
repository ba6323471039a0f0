"""LangChain messages: both spellings, calls written up to three times, and removals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core import laws
from ctxcompact.core.model import Kind, Message, Origin, Recorded, Role
from ctxcompact.formats import langchain
from tests.formats.builders import read, records_of, shared_files

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = langchain.FORMAT


def told(kind: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "data": {"content": content, "type": kind, **fields}}


def built(name: str, content: Any, **fields: Any) -> dict[str, Any]:
    path = ["langchain", "schema", "messages", name]
    return {
        "lc": 1,
        "type": "constructor",
        "id": path,
        "kwargs": {"content": content, **fields},
    }


def call(call_id: str | None, tool: str = "grep", **args: Any) -> dict[str, Any]:
    return {"name": tool, "args": args, "id": call_id, "type": "tool_call"}


def chat_call(call_id: str) -> dict[str, Any]:
    function = {"name": "grep", "arguments": '{"a": 1}'}
    return {"id": call_id, "type": "function", "function": function}


def answer(call_id: str, content: Any = "found", **fields: Any) -> dict[str, Any]:
    return told("tool", content, tool_call_id=call_id, **fields)


def messages(*records: Any, **protected: list[str]) -> list[Message]:
    (conversation,) = read(FORMAT, *records, **protected)
    return conversation.messages


def rows(record: Any) -> list[tuple[Kind, tuple[str | int, ...]]]:
    (message,) = messages(record)
    return [(block.kind, block.path) for block in message.blocks]


@pytest.mark.parametrize(
    ("record", "role", "origin"),
    [
        pytest.param(told("human", "x"), Role.USER, Origin.PERSON, id="human"),
        pytest.param(told("ai", "x"), Role.ASSISTANT, Origin.MODEL, id="ai"),
        pytest.param(told("system", "x"), Role.SYSTEM, Origin.CLIENT, id="system"),
        pytest.param(told("function", "x", name="f"), Role.TOOL, Origin.TOOL, id="function"),
        pytest.param(told("chat", "x", role="user"), Role.USER, Origin.PERSON, id="chat"),
        pytest.param(told("AIMessageChunk", "x"), Role.ASSISTANT, Origin.MODEL, id="a chunk"),
        pytest.param(built("HumanMessage", "x"), Role.USER, Origin.PERSON, id="HumanMessage"),
        pytest.param(built("AIMessageChunk", "x"), Role.ASSISTANT, Origin.MODEL, id="built chunk"),
        pytest.param(built("ToolMessage", "x"), Role.TOOL, Origin.TOOL, id="ToolMessage"),
        pytest.param(
            told("human", [{"type": "tool_result", "tool_use_id": "1", "content": "x"}]),
            Role.TOOL,
            Origin.TOOL,
            id="results in a human message",
        ),
    ],
)
def test_the_type_tells_who_speaks(record: Any, role: Role, origin: Origin) -> None:
    (message,) = messages(record)
    assert (message.role, message.origin) == (role, origin)


@pytest.mark.parametrize(
    "record",
    [
        pytest.param({"type": "human", "data": "x"}, id="data that is no object"),
        pytest.param({"type": "human", "data": {"id": "1"}}, id="no content"),
        pytest.param({"type": 1, "data": {"content": "x"}}, id="a type that is no string"),
        pytest.param({"type": "robot", "data": {"content": "x"}}, id="an unknown type"),
        pytest.param(told("chat", "x", role="ghost"), id="chat of an unknown role"),
        pytest.param({"lc": 1, "id": [], "kwargs": {"content": "x"}}, id="a class without name"),
        pytest.param({"lc": 1, "id": None, "kwargs": {"content": "x"}}, id="no class"),
        pytest.param(built("PromptTemplate", "x"), id="a class that is no message"),
        pytest.param({"lc": 1, "type": "not_implemented", "id": ["a"], "repr": "x"}, id="a repr"),
        pytest.param(None, id="null"),
    ],
)
def test_what_is_no_message_is_carried(record: Any) -> None:
    assert messages(record) == []


def test_a_text_stands_where_it_is_edited() -> None:
    assert rows(told("human", "x")) == [(Kind.TEXT, ("data", "content"))]
    parts = [{"type": "text", "text": "x"}, "y"]
    assert rows(built("HumanMessage", parts)) == [
        (Kind.TEXT, ("kwargs", "content", 0, "text")),
        (Kind.TEXT, ("kwargs", "content", 1)),
    ]


def test_a_call_written_three_times_is_one() -> None:
    said = told(
        "ai",
        [
            {"type": "text", "text": "x"},
            {"type": "tool_use", "id": "1", "name": "grep", "input": {"a": 1}},
        ],
        tool_calls=[call("1", a=1)],
        additional_kwargs={"tool_calls": [chat_call("1")]},
    )
    assert rows(said) == [
        (Kind.TEXT, ("data", "content", 0, "text")),
        (Kind.CALL, ("data", "tool_calls", 0)),
    ]


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        pytest.param(
            {"additional_kwargs": {"tool_calls": [chat_call("1")]}},
            ("data", "additional_kwargs", "tool_calls", 0),
            id="in the provider's spelling alone",
        ),
        pytest.param(
            {"tool_calls": [], "invalid_tool_calls": [call("1")]},
            ("data", "invalid_tool_calls", 0),
            id="that could not be parsed",
        ),
        pytest.param(
            {"content": [{"type": "tool_use", "id": "1", "name": "grep", "input": {}}]},
            ("data", "content", 0),
            id="in the content alone",
        ),
        pytest.param(
            {"content": [{"type": "function_call", "call_id": "1", "name": "grep"}]},
            ("data", "content", 0),
            id="of the Responses API",
        ),
    ],
)
def test_a_call_is_found_wherever_it_stands(
    fields: dict[str, Any], path: tuple[str | int, ...]
) -> None:
    said = told("ai", **{"content": "", **fields})
    found = messages(said, answer("1"))
    (made,) = (block for block in found[0].blocks if block.kind is Kind.CALL)
    (result,) = found[1].blocks
    assert (made.path, made.call_id, made.tool) == (path, "1", "grep")
    assert (result.call_id, result.tool) == ("1", "grep")
    assert laws.problems(found, FORMAT.rules) == []


def test_a_function_call_is_answered_by_name() -> None:
    old = {"function_call": {"name": "grep", "arguments": "{}"}}
    found = messages(told("ai", "", additional_kwargs=old), told("function", "found", name="grep"))
    assert laws.problems(found, FORMAT.rules) == []
    assert found[1].blocks[0].tool == "grep"


def test_a_call_that_waits_for_its_result_is_told() -> None:
    found = messages(told("ai", "", tool_calls=[call("1")]), told("human", "next"))
    assert [problem.code for problem in laws.problems(found, FORMAT.rules)] == ["unanswered_call"]


def test_reasoning_is_counted_once_and_kept() -> None:
    parts = [{"type": "thinking", "thinking": "hm", "signature": "s" * 42}]
    (message,) = messages(told("ai", parts, additional_kwargs={"reasoning_content": "why"}))
    assert [(block.kind, block.tokens, block.fixed) for block in message.blocks] == [
        (Kind.THINKING, 3, True),
        (Kind.THINKING, 2, True),
    ]
    (sealed,) = messages(told("ai", [{"type": "redacted_thinking", "data": "s" * 42}]))
    assert sealed.blocks[0].tokens == 10


def test_an_artifact_is_not_sent_and_not_counted() -> None:
    (message,) = messages(answer("1", "found", artifact={"rows": ["x" * 1000]}))
    assert message.tokens == 1000 + 100 + len("found")


def test_what_an_artifact_repeats_goes_with_the_payload() -> None:
    line = "a line that says something"
    record = answer("1", line, artifact={"text": line, "own": "y" * 300, "n": 1})
    assert FORMAT.twins(record, ("data", "content"), "gone") == [
        (("data", "artifact", "text"), "gone")
    ]
    assert FORMAT.twins(answer("1", line), ("data", "content"), "gone") == []


def test_a_removed_message_does_not_reach_the_model() -> None:
    first, second = told("human", "one", id="a"), told("human", "two", id="b")
    left = messages(first, second, told("remove", "", id="a"), told("human", "three"))
    assert [message.line for message in left] == [2, 4]
    everything = built("RemoveMessage", "", id="__remove_all__")
    assert [message.line for message in messages(first, second, everything, second)] == [4]


def test_a_removal_of_what_is_not_there_changes_nothing() -> None:
    left = messages(told("human", "one"), told("remove", ""), told("remove", "", id="x"))
    assert [message.line for message in left] == [1]


def test_model_and_recorded_size_are_the_newest() -> None:
    usage = {"input_tokens": 7, "output_tokens": 1, "total_tokens": 8}
    (conversation,) = read(
        FORMAT,
        told("ai", "x", response_metadata={"model_name": "m1"}, usage_metadata={"input_tokens": 3}),
        told("ai", "x", response_metadata={"model": "m2"}, usage_metadata=usage),
        told("ai", "x", response_metadata=None, usage_metadata=None),
    )
    assert (conversation.model, conversation.recorded) == ("m2", Recorded(2, 7))


@pytest.mark.parametrize("role", [Role.USER, Role.ASSISTANT])
@pytest.mark.parametrize(
    "last",
    [
        pytest.param(answer("1"), id="messages_to_dict"),
        pytest.param(built("ToolMessage", "x", tool_call_id="1"), id="dumpd"),
    ],
)
def test_a_composed_message_is_spelled_as_its_neighbor(last: Any, role: Role) -> None:
    made = FORMAT.compose(role, "summary", None, last, "")
    (message,) = messages(made)
    assert (message.role, message.blocks[0].chars) == (role, len("summary"))
    assert made.keys() == last.keys()


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        pytest.param([], 0.0, id="nothing"),
        pytest.param([told("human", "x"), built("AIMessage", "x")], 1.0, id="both spellings"),
        pytest.param([told("human", "x"), {"a": 1}], 0.5, id="half"),
        pytest.param([{"type": "user.message", "data": {"content": "x"}}], 0.0, id="events"),
    ],
)
def test_the_score_is_the_share_of_messages(sample: list[Any], expected: float) -> None:
    assert FORMAT.score(sample) == expected


ODD: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers() | st.sampled_from(["", "x", "tool_use", "text", "1"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "id", "text", "function", "args"]), inner)
    ),
    max_leaves=6,
)
FIELDS = (
    "tool_calls invalid_tool_calls additional_kwargs tool_call_id name id artifact "
    "response_metadata usage_metadata role"
).split()


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["human", "ai", "system", "tool", "function", "chat", "remove"]),
            st.booleans(),
            st.fixed_dictionaries({"content": ODD}, optional=dict.fromkeys(FIELDS, ODD)),
        ),
        max_size=4,
    )
)
def test_fields_of_any_type_are_carried(drawn: list[tuple[str, bool, dict[str, Any]]]) -> None:
    records = [
        {"lc": 1, "id": [f"{kind}Message"], "kwargs": body}
        if is_built
        else {"type": kind, "data": body}
        for kind, is_built, body in drawn
    ]
    for message in messages(*records):
        for block in message.blocks:
            FORMAT.twins(records[block.record], block.path, "x")
    assert FORMAT.score(records) in {0.0, 1.0}


@pytest.mark.parametrize("path", shared_files("corpus/lc-*"), ids=lambda path: path.name)
def test_recorded_files_are_read_whole(path: Path) -> None:
    found = messages(*records_of(path))
    assert [message.role.value for message in found] == (
        "system user assistant tool tool assistant".split()
    )
    assert laws.problems(found, FORMAT.rules) == []
    tools = [block.tool for message in found for block in message.blocks if block.tool]
    assert tools == ["weather"] * 4
