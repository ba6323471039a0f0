"""AgentScope messages: three spellings, results by their call's id, and what it compressed itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core import laws
from ctxcompact.core.model import Kind, Message, Origin, Recorded, Role
from ctxcompact.core.outline import trace
from ctxcompact.formats import agentscope
from tests.fakes import MARK
from tests.formats.builders import read, records_of, shared_files

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = agentscope.FORMAT
UUID = "3f2b0c1e-5a77-4c0e-9d0f-7a1b2c3d4e5f"


def said(role: str, content: Any, **fields: Any) -> dict[str, Any]:
    more = {"id": "m", "name": "n", "metadata": {}, "timestamp": "2026-01-01 00:00:00.000"}
    return {**more, "role": role, "content": content, **fields}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(call_id: str, given: Any = None, **fields: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "grep", "input": given, **fields}


def result(call_id: str, output: Any = "found") -> dict[str, Any]:
    return {"type": "tool_result", "id": call_id, "name": "grep", "output": output}


def messages(*records: Any) -> list[Message]:
    (conversation,) = read(FORMAT, *records)
    return conversation.messages


@pytest.mark.parametrize(
    ("record", "role", "origin"),
    [
        pytest.param(said("USER", [text("x")]), Role.USER, Origin.PERSON, id="Java's user"),
        pytest.param(said("user", "x"), Role.USER, Origin.PERSON, id="Python's user"),
        pytest.param(said("ASSISTANT", [text("x")]), Role.ASSISTANT, Origin.MODEL, id="assistant"),
        pytest.param(said("SYSTEM", [text("x")]), Role.SYSTEM, Origin.CLIENT, id="system"),
        pytest.param(said("TOOL", [result("1")]), Role.TOOL, Origin.TOOL, id="Java's result"),
        pytest.param(said("system", [result("1")]), Role.TOOL, Origin.TOOL, id="Python's result"),
        pytest.param(
            said("assistant", [call("1"), result("1")]),
            Role.ASSISTANT,
            Origin.MODEL,
            id="a call with its result",
        ),
    ],
)
def test_role_and_blocks_tell_who_speaks(record: Any, role: Role, origin: Origin) -> None:
    (message,) = messages(record)
    assert (message.role, message.origin) == (role, origin)


@pytest.mark.parametrize(
    "records",
    [
        pytest.param(
            [said("ASSISTANT", [call("1", {})]), said("TOOL", [result("1")])], id="Java 1.x"
        ),
        pytest.param(
            [said("assistant", [call("1", {})]), said("system", [result("1")])], id="Python 1.x"
        ),
        pytest.param(
            [said("assistant", [call("1", "{}", type="tool_call"), result("1")])], id="Python 2"
        ),
    ],
)
def test_a_result_is_paired_by_its_calls_id(records: list[Any]) -> None:
    found = messages(said("user", "x"), *records)
    blocks = [block for message in found for block in message.blocks if block.call_id]
    assert [(block.kind, block.call_id, block.tool) for block in blocks] == [
        (Kind.CALL, "1", "grep"),
        (Kind.RESULT, "1", "grep"),
    ]
    assert blocks[1].path[-1] == "output"
    assert laws.problems(found, FORMAT.rules) == []


def test_a_result_without_a_call_keeps_the_name_it_has() -> None:
    found = messages(said("TOOL", [result("1")]))
    assert found[0].blocks[0].tool == "grep"
    assert [problem.code for problem in laws.problems(found, FORMAT.rules)] == ["orphan_result"]


def test_a_reply_that_goes_on_after_its_results_is_an_answer() -> None:
    reply = [call("1"), result("1")]
    asked = said("user", "x")
    assert trace(messages(asked, said("assistant", [*reply, text("done")]))).newest_answer == 1
    assert trace(messages(asked, said("assistant", reply))).newest_answer == -1


@pytest.mark.parametrize(
    ("part", "kind", "tokens"),
    [
        pytest.param(call("1", {}, content="abc"), Kind.CALL, 207, id="empty input: the raw text"),
        pytest.param(call("1", {"a": 1}, content='{"a":1}'), Kind.CALL, 211, id="input once"),
        pytest.param(call("1"), Kind.CALL, 204, id="no input"),
        pytest.param({"type": "thinking", "thinking": "hm"}, Kind.THINKING, 2, id="thinking"),
        pytest.param(
            {"type": "thinking", "thinking": "", "redacted_thinking_data": "s" * 42},
            Kind.THINKING,
            10,
            id="sealed thinking",
        ),
        pytest.param({"type": "hint", "hint": "x"}, Kind.OPAQUE, 26, id="a hint"),
        pytest.param("words", Kind.OPAQUE, 5, id="a part that is no object"),
    ],
)
def test_what_is_never_edited_is_counted_once(part: Any, kind: Kind, tokens: int) -> None:
    (message,) = messages(said("assistant", [part]))
    assert [(block.kind, block.tokens) for block in message.blocks] == [(kind, tokens)]


def test_pictures_are_media_in_both_versions() -> None:
    source = {"type": "base64", "data": "aaaa", "media_type": "image/png"}
    parts = [{"type": "image", "source": source}, {"type": "data", "source": source}]
    found = messages(said("user", parts), said("assistant", [call("1"), result("1", parts[1:])]))
    assert [block.kind for block in found[0].blocks] == [Kind.MEDIA, Kind.MEDIA]
    assert (found[1].blocks[1].media, found[1].blocks[1].fixed) == (True, False)


def test_what_agentscope_compressed_is_left_alone() -> None:
    meta = {"_compress_meta": {"offloaduuid": UUID}}
    (bare,) = messages(said("ASSISTANT", [text("in short")], metadata=meta))
    assert bare.protected
    mark = f"in short <!-- CONTEXT_OFFLOAD: uuid={UUID} -->"
    (marked,) = messages(said("ASSISTANT", [text(mark)], metadata=meta))
    assert (marked.protected, marked.blocks[0].tag) == (False, UUID)


def test_a_summary_of_the_current_round_is_no_answer() -> None:
    meta = {"_compress_meta": {"offloaduuid": UUID, "compressed_current_round": True}}
    found = messages(said("USER", [text("x")]), said("ASSISTANT", [text("y")], metadata=meta))
    assert trace(found).newest_answer == -1


def test_the_recorded_size_is_of_a_turn_and_not_of_a_summary() -> None:
    usage = {"_chat_usage": {"inputTokens": 812, "outputTokens": 41}}
    other = {"_chat_usage": {"inputTokens": 9}, "_compress_meta": {"offloaduuid": UUID}}
    (conversation,) = read(
        FORMAT,
        said("ASSISTANT", [text("x")], metadata=usage),
        said("ASSISTANT", [text("y")], metadata=other),
        said("ASSISTANT", [text("z")], metadata={"_chat_usage": None}),
    )
    assert conversation.recorded == Recorded(1, 812)


@pytest.mark.parametrize(
    ("last", "role", "expected"),
    [
        pytest.param(
            said("TOOL", []), Role.ASSISTANT, {"role": "ASSISTANT", "name": "Friday"}, id="Java"
        ),
        pytest.param(
            said("system", []), Role.USER, {"role": "user", "name": "user"}, id="Python's user"
        ),
        pytest.param(
            said("assistant", [], name="Sunday"),
            Role.ASSISTANT,
            {"role": "assistant", "name": "Sunday"},
            id="Python's assistant",
        ),
    ],
)
def test_a_composed_message_is_spelled_as_its_neighbors(
    last: Any, role: Role, expected: dict[str, str]
) -> None:
    first = said("assistant", [], name="Friday")
    made = FORMAT.compose(role, f"summary\n{MARK}", first, last, "")
    (message,) = messages(made)
    assert {key: made[key] for key in expected} == expected
    assert (made["id"], made["timestamp"]) == (last["id"], last["timestamp"])
    assert (message.role, message.blocks[0].path) == (role, FORMAT.composed_path)
    assert made["metadata"]["_compress_meta"] == {"offloaduuid": message.blocks[0].tag}


def test_a_composed_message_without_a_mark_has_no_metadata() -> None:
    made = FORMAT.compose(Role.USER, "summary", None, {"role": "user"}, "")
    assert made == {"name": "user", "role": "user", "content": [text("summary")], "metadata": {}}


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        pytest.param([], 0.0, id="nothing"),
        pytest.param([{"role": "user", "content": "x"}], 0.0, id="anybody's messages"),
        pytest.param([said("user", "x"), {"a": 1}], 0.5, id="half"),
        pytest.param([{"role": "USER", "content": []}], 1.0, id="a role in capitals"),
        pytest.param([{"role": "GHOST", "content": []}], 0.0, id="an unknown role"),
        pytest.param([{"role": "user", "content": [result("1")]}], 1.0, id="its results"),
        pytest.param(
            [
                {
                    "role": "user",
                    "content": [{**result("1"), "tool_use_id": "1"}],
                }
            ],
            0.0,
            id="Anthropic's results",
        ),
    ],
)
def test_the_score_asks_for_a_mark(sample: list[Any], expected: float) -> None:
    assert FORMAT.score(sample) == expected


ODD: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers() | st.sampled_from(["", "x", "tool_use", "tool_result", "text"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "id", "text", "name", "input", "output", "thinking"]), inner
        )
    ),
    max_leaves=6,
)


@given(
    st.lists(
        st.fixed_dictionaries(
            {"role": st.sampled_from(["USER", "assistant", "system", "TOOL"])},
            optional=dict.fromkeys(["content", "metadata", "id", "name", "timestamp"], ODD),
        ),
        max_size=4,
    )
)
def test_fields_of_any_type_are_carried(records: list[Any]) -> None:
    found = messages(*records)
    assert len(found) == len(records)
    for record in records:
        (made,) = messages(FORMAT.compose(Role.USER, "x", records[0], record, ""))
        assert made.blocks[0].chars == 1
    assert 0.0 <= FORMAT.score(records) <= 1.0


@pytest.mark.parametrize("path", shared_files("corpus/as-*"), ids=lambda path: path.name)
def test_recorded_files_are_read_whole(path: Path) -> None:
    records = list(records_of(path))
    found = messages(*records)
    assert len(found) == len(records)
    assert not any(block.kind is Kind.OPAQUE for message in found for block in message.blocks)
    assert laws.problems(found, FORMAT.rules) == []
