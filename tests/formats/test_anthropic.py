"""Anthropic Messages: what becomes a block, who speaks, and which samples are claimed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core import laws
from ctxcompact.core.model import Kind, Message, Origin, Recorded, Role
from ctxcompact.formats import anthropic
from tests.formats.builders import read, records_of, shared_files

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = anthropic.FORMAT
CALL = {"type": "tool_use", "id": "t1", "name": "grep", "input": {"q": 1}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "found"}
SEALED = {"type": "thinking", "thinking": "", "signature": "s" * 42}
PICTURE = {"type": "image", "source": {"type": "base64", "data": "A" * 100_000}}
LOADED = {"type": "tool_reference", "tool_name": "grep"}


def messages(*records: Any, **protected: list[str]) -> list[Message]:
    (conversation,) = read(FORMAT, *records, **protected)
    return conversation.messages


def user(*content: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(content)}


def assistant(*content: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(content)}


@pytest.mark.parametrize(
    ("content", "kind", "path", "chars", "tokens", "fixed"),
    [
        pytest.param("four", Kind.TEXT, ("content",), 4, 4, False, id="a plain string"),
        pytest.param(" \n", Kind.TEXT, ("content",), 0, 2, False, id="a blank string"),
        pytest.param(
            [{"type": "text", "text": "four"}],
            Kind.TEXT,
            ("content", 0, "text"),
            4,
            4,
            False,
            id="a text block",
        ),
        pytest.param([CALL], Kind.CALL, ("content", 0), 7, 4 + 7 + 200, False, id="a call"),
        pytest.param(
            [{"type": "thinking", "thinking": "hmm"}],
            Kind.THINKING,
            ("content", 0),
            3,
            3,
            True,
            id="reasoning in clear",
        ),
        pytest.param([SEALED], Kind.THINKING, ("content", 0), 0, 10, True, id="sealed reasoning"),
        pytest.param(
            [{"type": "redacted_thinking", "data": "s" * 84}],
            Kind.THINKING,
            ("content", 0),
            0,
            20,
            True,
            id="redacted reasoning",
        ),
        pytest.param(
            [{"type": "odd"}], Kind.OPAQUE, ("content", 0), 0, 14, True, id="an unknown block"
        ),
        pytest.param(
            [{"type": ["odd"]}],
            Kind.OPAQUE,
            ("content", 0),
            0,
            16,
            True,
            id="a type that is a list",
        ),
    ],
)
def test_each_kind_of_content_has_its_address_and_its_size(
    content: Any, kind: Kind, path: tuple[str | int, ...], chars: int, tokens: int, *, fixed: bool
) -> None:
    (message,) = messages({"role": "assistant", "content": content})
    (block,) = message.blocks
    assert (block.kind, block.path, block.chars) == (kind, path, chars)
    assert (block.tokens, block.fixed) == (tokens, fixed)
    assert message.tokens == tokens + 1000


def test_a_result_names_the_tool_of_its_call_and_may_be_edited() -> None:
    block = messages(assistant(CALL), user(RESULT))[1].blocks[0]
    assert (block.kind, block.path) == (Kind.RESULT, ("content", 0, "content"))
    assert (block.call_id, block.tool, block.tokens) == ("t1", "grep", 5 + 100)
    assert not block.fixed


def test_an_id_used_again_means_the_nearest_earlier_call() -> None:
    read_call = {**CALL, "name": "read"}
    found = messages(assistant(CALL), user(RESULT), assistant(read_call), user(RESULT))
    assert [found[at].blocks[0].tool for at in (1, 3)] == ["grep", "read"]


def test_a_result_without_a_call_has_no_tool() -> None:
    assert messages(user(RESULT))[0].blocks[0].tool == ""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("TodoWrite", "done", id="a plan tool"),
        pytest.param("grep", [LOADED], id="a reference to a loaded tool"),
        pytest.param("grep", None, id="no payload"),
    ],
)
def test_results_that_keep_their_bytes(name: str, content: Any) -> None:
    found = messages(assistant({**CALL, "name": name}), user({**RESULT, "content": content}))
    assert found[1].blocks[0].fixed


def test_a_picture_costs_by_its_bounded_size_alone_or_in_a_result() -> None:
    alone, inside = messages(user(PICTURE, {**RESULT, "content": [PICTURE]}))[0].blocks
    assert (alone.kind, alone.media, alone.fixed) == (Kind.MEDIA, True, True)
    assert (inside.kind, inside.media, inside.fixed) == (Kind.RESULT, True, False)
    assert alone.tokens == inside.tokens - 100 < 1600


@pytest.mark.parametrize(
    ("record", "role", "origin"),
    [
        pytest.param(user(RESULT), Role.USER, Origin.TOOL, id="results alone"),
        pytest.param(
            user(RESULT, {"type": "text", "text": "and go on"}),
            Role.USER,
            Origin.PERSON,
            id="results and a person's words",
        ),
        pytest.param(
            {"role": "user", "content": "[Conversation compressed. Transcript: x]"},
            Role.USER,
            Origin.SUMMARY,
            id="a full summary",
        ),
        pytest.param(
            {"role": "system", "content": "be brief"}, Role.SYSTEM, Origin.CLIENT, id="system"
        ),
        pytest.param(
            {"role": "developer", "content": "x"}, Role.SYSTEM, Origin.CLIENT, id="developer"
        ),
        pytest.param(assistant(CALL), Role.ASSISTANT, Origin.MODEL, id="the model"),
    ],
)
def test_who_speaks(record: Any, role: Role, origin: Origin) -> None:
    (message,) = messages(record)
    assert (message.role, message.origin) == (role, origin)


def test_records_that_are_no_messages_are_carried_and_lines_keep_their_numbers() -> None:
    odd = ({"role": ["user"]}, [1], "text", None, {"role": "narrator", "content": "x"})
    assert [m.line for m in messages(*odd, {"role": "user", "content": "hi"})] == [6]


def test_the_newest_model_and_prompt_size_are_kept() -> None:
    usage = {"input_tokens": 5, "cache_read_input_tokens": 70, "cache_creation_input_tokens": 9}
    first = {**assistant(CALL), "model": "old", "usage": {"input_tokens": 1}}
    (conversation,) = read(FORMAT, first, {**assistant(CALL), "model": "new", "usage": usage})
    assert (conversation.model, conversation.recorded) == ("new", Recorded(2, 84))


def test_a_model_that_is_no_name_is_none() -> None:
    (conversation,) = read(FORMAT, {**assistant(CALL), "model": {"id": 1}})
    assert conversation.model == ""


def test_protected_words_and_tools_are_honored() -> None:
    found = messages(
        assistant(CALL),
        user(RESULT),
        {"role": "user", "content": "the KEY word"},
        protect_tool=["gr*"],
        protect=["KEY"],
    )
    assert found[1].blocks[0].fixed
    assert [message.protected for message in found] == [False, False, True]


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        pytest.param([assistant(CALL), user(RESULT)], 1.0, id="calls and results"),
        pytest.param([user(PICTURE)], 1.0, id="a picture with a source"),
        pytest.param([user(RESULT), {"event": 1}], 0.5, id="half of it other records"),
        pytest.param([{"role": "user", "content": "hi"}], 0.4, id="role and text only"),
        pytest.param([{"role": "user", "message": {"content": []}}], 0.0, id="content elsewhere"),
        pytest.param(
            [assistant(CALL), user({"type": "tool_result", "id": "t1", "output": "x"})],
            0.0,
            id="results that pair another way",
        ),
        pytest.param(
            [assistant(CALL), {"role": "tool", "tool_call_id": "1", "content": "x"}],
            0.0,
            id="an OpenAI result among them",
        ),
        pytest.param(
            [{"role": "assistant", "content": "x", "tool_calls": None}], 0.0, id="OpenAI's own keys"
        ),
        pytest.param([], 0.0, id="nothing"),
        pytest.param(
            [{"role": {}}, {"role": "user", "content": [{"type": []}]}], 0.2, id="oddities"
        ),
    ],
)
def test_how_much_a_sample_is_claimed(sample: list[Any], expected: float) -> None:
    assert FORMAT.score(sample) == pytest.approx(expected)


ODD: st.SearchStrategy[Any] = (
    st.none() | st.integers() | st.text(max_size=3) | st.just([]) | st.just({"a": [1]})
)
ODD_PART = st.fixed_dictionaries(
    {"type": ODD | st.sampled_from(["text", "tool_use", "thinking", "image", "redacted_thinking"])},
    optional=dict.fromkeys(["text", "id", "name", "input", "thinking", "signature", "source"], ODD),
)
ODD_MESSAGE = st.fixed_dictionaries(
    {"role": ODD | st.sampled_from(["user", "assistant"])},
    optional={"content": ODD | st.lists(ODD | ODD_PART, max_size=3), "model": ODD, "usage": ODD},
)


@given(st.lists(ODD | ODD_MESSAGE, max_size=5))
def test_no_value_in_any_field_stops_the_reader(records: list[Any]) -> None:
    (conversation,) = read(FORMAT, *records)
    assert len(conversation.messages) <= len(records)
    assert 0.0 <= FORMAT.score(records) <= 1.0


@pytest.mark.parametrize("path", shared_files("corpus/an-*.jsonl"), ids=lambda path: path.name)
def test_a_recorded_transcript_reads_whole_and_sound(path: Path) -> None:
    records = list(records_of(path))
    (conversation,) = read(FORMAT, *records)
    assert len(conversation.messages) == len(records)
    problems = laws.problems(conversation.messages, FORMAT.rules)
    assert {problem.code for problem in problems} <= {"empty_content"}  # two texts are line breaks
    results = [b for m in conversation.messages for b in m.blocks if b.kind is Kind.RESULT]
    assert results
    assert all(block.tool for block in results)
