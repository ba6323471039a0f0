"""OpenAI Chat, one message a line: dialects, pairing with and without ids, and what is claimed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core import laws
from ctxcompact.core.model import Block, Kind, Message, Origin, Recorded, Role
from ctxcompact.formats import openai_chat
from tests.formats.builders import read, records_of, shared_files

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = openai_chat.FORMAT


def messages(*records: Any, **protected: list[str]) -> list[Message]:
    (conversation,) = read(FORMAT, *records, **protected)
    return conversation.messages


def said(**fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, **fields}


def part(**fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": [fields]}


def call(name: str, call_id: str = "", arguments: Any = "{}") -> dict[str, Any]:
    ids = {"id": call_id} if call_id else {}
    return {**ids, "type": "function", "function": {"name": name, "arguments": arguments}}


def calls(*made: dict[str, Any]) -> dict[str, Any]:
    return said(tool_calls=list(made))


def answer(content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": "tool", "content": content, **fields}


def tools(found: list[Message], kind: Kind) -> list[tuple[str, str]]:
    return [(b.call_id, b.tool) for message in found for b in message.blocks if b.kind is kind]


@pytest.mark.parametrize(
    ("record", "kind", "path", "chars", "tokens", "fixed"),
    [
        pytest.param(
            {"role": "user", "content": "four"}, Kind.TEXT, ("content",), 4, 4, False, id="a string"
        ),
        pytest.param(
            part(type="text", text="four"),
            Kind.TEXT,
            ("content", 0, "text"),
            4,
            4,
            False,
            id="a text part",
        ),
        pytest.param(
            part(type="text", value="four"),
            Kind.TEXT,
            ("content", 0, "value"),
            4,
            4,
            False,
            id="a text part of LLaMA-Factory",
        ),
        pytest.param(
            {"role": "user", "content": ["four"]},
            Kind.TEXT,
            ("content", 0),
            4,
            4,
            False,
            id="a bare string in a list",
        ),
        pytest.param(
            part(type="refusal", refusal="no"),
            Kind.TEXT,
            ("content", 0, "refusal"),
            2,
            2,
            True,
            id="a refusal part",
        ),
        pytest.param(
            said(refusal="no"),
            Kind.TEXT,
            ("refusal",),
            2,
            2,
            True,
            id="a refusal beside the content",
        ),
        pytest.param(
            part(type="image_url", image_url={"url": "data:" + "A" * 30_000}),
            Kind.MEDIA,
            ("content", 0),
            0,
            150,
            True,
            id="a picture",
        ),
        pytest.param(
            part(type="input_audio", input_audio={"data": "A" * 30_000, "format": "wav"}),
            Kind.MEDIA,
            ("content", 0),
            0,
            150,
            True,
            id="sound",
        ),
        pytest.param(
            said(audio={"id": "a1"}), Kind.MEDIA, ("audio",), 0, 1600, True, id="a spoken answer"
        ),
        pytest.param(
            part(type="file", file={"file_id": "f"}),
            Kind.MEDIA,
            ("content", 0),
            0,
            1600,
            True,
            id="a file by its id",
        ),
        pytest.param(
            part(type="odd"), Kind.OPAQUE, ("content", 0), 0, 14, True, id="an unknown part"
        ),
        pytest.param(
            part(type=["odd"]), Kind.OPAQUE, ("content", 0), 0, 16, True, id="a type that is a list"
        ),
        pytest.param(
            {"role": "user", "content": 12.5},
            Kind.OPAQUE,
            ("content",),
            0,
            4,
            True,
            id="a content that is a number",
        ),
        pytest.param(
            said(reasoning_content="hmm"),
            Kind.THINKING,
            ("reasoning_content",),
            3,
            3,
            True,
            id="reasoning as DeepSeek has it",
        ),
        pytest.param(
            said(reasoning="hmm"),
            Kind.THINKING,
            ("reasoning",),
            3,
            3,
            True,
            id="reasoning as OpenRouter has it",
        ),
        pytest.param(
            said(
                reasoning="hmm",
                reasoning_details=[
                    {"type": "reasoning.text", "text": "hmm", "signature": "s" * 84}
                ],
            ),
            Kind.THINKING,
            ("reasoning_details",),
            3,
            3,
            True,
            id="reasoning said twice",
        ),
        pytest.param(
            said(reasoning_details=[{"type": "reasoning.encrypted", "data": "s" * 84}]),
            Kind.THINKING,
            ("reasoning_details",),
            0,
            20,
            True,
            id="sealed reasoning",
        ),
        pytest.param(
            {"role": "assistant", "content": [{"type": "reasoning", "value": "hmm"}]},
            Kind.THINKING,
            ("content", 0),
            3,
            3,
            True,
            id="a reasoning part",
        ),
        pytest.param(
            calls(call("grep", "c1", '{"q": 1}')),
            Kind.CALL,
            ("tool_calls", 0),
            8,
            4 + 8 + 200,
            False,
            id="a call, its arguments counted as written",
        ),
        pytest.param(
            calls(call("grep", "c1", {"q": 1})),
            Kind.CALL,
            ("tool_calls", 0),
            7,
            4 + 7 + 200,
            False,
            id="a call with an object of arguments",
        ),
        pytest.param(
            calls({"id": "c1", "type": "custom", "custom": {"name": "sh", "input": "ls"}}),
            Kind.CALL,
            ("tool_calls", 0),
            2,
            2 + 2 + 200,
            False,
            id="a custom call",
        ),
        pytest.param(
            said(function_call={"name": "grep", "arguments": "{}"}),
            Kind.CALL,
            ("function_call",),
            2,
            4 + 2 + 200,
            False,
            id="a call of the older kind",
        ),
        pytest.param(
            answer("four", tool_call_id="c1"),
            Kind.RESULT,
            ("content",),
            4,
            4 + 100,
            False,
            id="a result",
        ),
        pytest.param(
            answer([{"type": "text", "text": "four"}], tool_call_id="c1"),
            Kind.RESULT,
            ("content",),
            4,
            4 + 100,
            False,
            id="a result in parts",
        ),
        pytest.param(
            answer(None, tool_call_id="c1"), Kind.RESULT, ("content",), 0, 100, True, id="no result"
        ),
    ],
)
def test_each_kind_of_content_has_its_address_and_its_size(
    record: Any, kind: Kind, path: tuple[str | int, ...], chars: int, tokens: int, *, fixed: bool
) -> None:
    (message,) = messages(record)
    (block,) = message.blocks
    assert (block.kind, block.path, block.chars) == (kind, path, chars)
    assert (block.tokens, block.fixed) == (tokens, fixed)
    assert message.tokens == tokens + 1000


def test_the_parts_of_one_message_stand_in_the_order_the_model_writes_them() -> None:
    record = said(content="text", reasoning_content="hmm", tool_calls=[call("grep", "c1")])
    kinds = [block.kind for block in messages(record)[0].blocks]
    assert kinds == [Kind.THINKING, Kind.TEXT, Kind.CALL]


@pytest.mark.parametrize(
    ("role", "expected", "origin"),
    [
        pytest.param("system", Role.SYSTEM, Origin.CLIENT, id="system"),
        pytest.param("developer", Role.SYSTEM, Origin.CLIENT, id="developer"),
        pytest.param("user", Role.USER, Origin.PERSON, id="user"),
        pytest.param("assistant", Role.ASSISTANT, Origin.MODEL, id="assistant"),
        pytest.param("tool", Role.TOOL, Origin.TOOL, id="tool"),
        pytest.param("function", Role.TOOL, Origin.TOOL, id="function"),
    ],
)
def test_who_speaks(role: str, expected: Role, origin: Origin) -> None:
    (message,) = messages({"role": role, "content": "x"})
    assert (message.role, message.origin) == (expected, origin)


@pytest.mark.parametrize(
    ("records", "results"),
    [
        pytest.param(
            [
                calls(call("a", "1"), call("b", "2")),
                answer("y", tool_call_id="2"),
                answer("x", tool_call_id="1"),
            ],
            [("2", "b"), ("1", "a")],
            id="by id, in any order",
        ),
        pytest.param(
            [
                calls(call("a", "1")),
                answer("x", tool_call_id="1"),
                calls(call("b", "1")),
                answer("y", tool_call_id="1"),
            ],
            [("1", "a"), ("1", "b")],
            id="an id used again means the nearest earlier call",
        ),
        pytest.param(
            [calls(call("a"), call("b")), answer("y", name="b"), answer("x", name="a")],
            [("b", "b"), ("a", "a")],
            id="without ids, by name",
        ),
        pytest.param(
            [calls(call("a"), call("b"), call("a")), answer("x"), answer("y"), answer("z")],
            [("a", "a"), ("b", "b"), ("a", "a")],
            id="without ids or names, in order",
        ),
        pytest.param(
            [calls(call("a")), calls(call("b")), answer("y")],
            [("b", "b")],
            id="without ids or names, only the newest turn is meant",
        ),
        pytest.param(
            [
                said(function_call={"name": "a", "arguments": "{}"}),
                {"role": "function", "name": "a", "content": "x"},
            ],
            [("a", "a")],
            id="the older kind, by name",
        ),
        pytest.param(
            [answer("x", tool_call_id="1", name="grep")],
            [("1", "grep")],
            id="no call at all: its own name",
        ),
        pytest.param([answer("x")], [("", "")], id="nothing to go by"),
    ],
)
def test_which_call_a_result_answers(records: list[Any], results: list[tuple[str, str]]) -> None:
    assert tools(messages(*records), Kind.RESULT) == results


def test_the_calls_of_a_llama_factory_message_are_one_turn_with_one_answer() -> None:
    values = ['{"name": "a", "arguments": {}}', '{"name": "b"}', '{"name": "a"}', "no JSON"]
    thought = {"type": "reasoning", "value": "hmm"}
    content = [thought, *({"type": "tool_call", "value": value} for value in values)]
    found = messages(
        {"role": "assistant", "content": content}, answer([{"type": "text", "value": "x"}])
    )
    block = found[0].blocks[1]
    assert (block.kind, block.path, block.tool) == (Kind.CALL, ("content", 1), "a, b, ")
    assert block.chars == len("\n".join(values))
    (conversation,) = read(FORMAT, *({"role": "assistant", "content": content}, answer("x")))
    assert laws.problems(conversation.messages, FORMAT.rules) == []
    assert tools(found, Kind.RESULT) == [("a, b, ", "a, b, ")]


def test_a_plan_tool_among_such_calls_keeps_the_answer() -> None:
    values = ['{"name": "grep"}', '{"name": "TodoWrite"}']
    content = [{"type": "tool_call", "value": value} for value in values]
    assert messages({"role": "assistant", "content": content}, answer("x"))[1].blocks[0].fixed


def test_anthropic_blocks_in_such_a_file_are_read_as_what_they_are() -> None:
    use = {"type": "tool_use", "id": "t1", "name": "grep", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "four"}
    found = messages({"role": "assistant", "content": [use]}, {"role": "user", "content": [result]})
    assert tools(found, Kind.RESULT) == [("t1", "grep")]
    assert found[1].blocks[0].path == ("content", 0, "content")
    assert found[1].origin is Origin.TOOL


def test_records_that_are_no_messages_are_carried_and_lines_keep_their_numbers() -> None:
    odd = ({"role": ["user"]}, [1], "text", None, {"role": "narrator", "content": "x"})
    assert [m.line for m in messages(*odd, {"role": "user", "content": "hi"})] == [6]


def test_the_newest_model_and_prompt_size_are_kept() -> None:
    usage = {"prompt_tokens": 84, "prompt_tokens_details": {"cached_tokens": 70}}
    first = said(content="x", model="old", usage={"prompt_tokens": 1})
    (conversation,) = read(FORMAT, first, said(content="y", model="new", usage=usage))
    assert (conversation.model, conversation.recorded) == ("new", Recorded(2, 84))


def test_protected_words_and_tools_are_honored() -> None:
    found = messages(
        calls(call("grep", "1")),
        answer("x", tool_call_id="1"),
        {"role": "user", "content": "the KEY word"},
        protect_tool=["gr*"],
        protect=["KEY"],
    )
    assert found[1].blocks[0].fixed
    assert [message.protected for message in found] == [False, False, True]


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        pytest.param([calls(call("a", "1")), answer("x", tool_call_id="1")], 1.0, id="calls"),
        pytest.param([{"role": "developer", "content": "x"}], 1.0, id="a developer message"),
        pytest.param([part(type="image_url", image_url={"url": "x"})], 1.0, id="a picture by URL"),
        pytest.param([said(content="x", tool_calls=None)], 1.0, id="its keys, though empty"),
        pytest.param([{"role": "user", "content": "x"}], 0.4, id="role and text only"),
        pytest.param([answer("x", tool_call_id="1"), {"event": 1}], 0.5, id="half other records"),
        pytest.param(
            [part(type="tool_result", tool_use_id="1"), answer("x", tool_call_id="1")],
            0.0,
            id="Anthropic's blocks among them",
        ),
        pytest.param([{"role": "user", "parts": [{"text": "x"}]}], 0.0, id="nothing said"),
        pytest.param([], 0.0, id="nothing"),
    ],
)
def test_how_much_a_sample_is_claimed(sample: list[Any], expected: float) -> None:
    assert FORMAT.score(sample) == pytest.approx(expected)


ODD_SCALAR: st.SearchStrategy[Any] = st.none() | st.integers() | st.text(max_size=3)
ODD: st.SearchStrategy[Any] = ODD_SCALAR | st.just([]) | st.just({"a": [1]})
ODD_PART = st.fixed_dictionaries(
    {"type": ODD_SCALAR | st.sampled_from(["text", "tool_call", "reasoning", "refusal"])},
    optional=dict.fromkeys(["text", "value", "id", "name", "refusal"], ODD),
)
ODD_CALL = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(["id", "function", "custom", "name", "arguments"], ODD)
)
ODD_MESSAGE = st.fixed_dictionaries(
    {"role": ODD | st.sampled_from(["user", "assistant", "tool", "function"])},
    optional={
        "content": ODD | st.lists(ODD | ODD_PART, max_size=3),
        "tool_calls": ODD | st.lists(ODD | ODD_CALL, max_size=2),
        "function_call": ODD | ODD_CALL,
        **dict.fromkeys(["tool_call_id", "name", "model", "usage", "refusal", "audio"], ODD),
        "reasoning_details": ODD | st.lists(ODD, max_size=2),
    },
)


@given(st.lists(ODD | ODD_MESSAGE, max_size=5))
def test_no_value_in_any_field_stops_the_reader(records: list[Any]) -> None:
    (conversation,) = read(FORMAT, *records)
    assert len(conversation.messages) <= len(records)
    assert 0.0 <= FORMAT.score(records) <= 1.0


@pytest.mark.parametrize("path", shared_files("corpus/oai-01*.jsonl"), ids=lambda path: path.name)
def test_a_recorded_transcript_reads_whole_and_sound(path: Path) -> None:
    records = list(records_of(path))
    (conversation,) = read(FORMAT, *records)
    assert len(conversation.messages) == len(records)
    assert laws.problems(conversation.messages, FORMAT.rules) == []


@pytest.mark.parametrize("path", shared_files("corpus/oai-01*.jsonl"), ids=lambda path: path.name)
def test_where_ids_repeat_each_result_has_the_name_it_states_itself(path: Path) -> None:
    records = list(records_of(path))
    stated = [(x["tool_call_id"], x["name"]) for x in records if x["role"] == "tool"]
    nameless = [{key: x[key] for key in x if key != "name"} for x in records]
    (conversation,) = read(FORMAT, *nameless)
    assert len({call_id for call_id, _ in stated}) < len(stated)
    assert tools(conversation.messages, Kind.RESULT) == stated


def test_a_block_is_addressed_inside_its_own_record() -> None:
    found = messages({"role": "user", "content": "a"}, {"role": "user", "content": "b"})
    blocks: list[Block] = [message.blocks[0] for message in found]
    assert [block.record for block in blocks] == [0, 1]
