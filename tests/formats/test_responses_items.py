"""Items of the Responses API: what each becomes, which calls are answered, what makes one message."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.blocks import Gauge
from ctxcompact.core.measure import MEDIA_TOKENS_MAX
from ctxcompact.core.model import Block, Kind, Message, Origin, Role
from ctxcompact.core.splice import value_at
from ctxcompact.formats.responses_items import KINDS, Item, ItemReader, messages
from tests.formats.builders import CharCounter

PICTURE = {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}


def said(role: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": content, **fields}


def words(text: str, kind: str = "input_text") -> dict[str, Any]:
    return {"type": kind, "text": text}


def call(call_id: Any, name: str = "grep", **fields: Any) -> dict[str, Any]:
    made = {"type": "function_call", "name": name, "arguments": "{}", "call_id": call_id}
    return {**made, **fields}


def output(call_id: Any, payload: Any = "four", **fields: Any) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": payload, **fields}


def thought(**fields: Any) -> dict[str, Any]:
    return {"type": "reasoning", "id": "rs_1", "summary": [], **fields}


def items(*records: Any, path: tuple[Any, ...] = (), **protected: list[str]) -> list[Item]:
    reader = ItemReader(Gauge(CharCounter(), **protected))
    found = (reader.read(n, n + 1, path, data) for n, data in enumerate(records))
    return [item for item in found if item is not None]


def one(*records: Any) -> Item:
    """Read records, and return the last of the items."""
    return items(*records)[-1]


def tools(found: list[Item], kind: Kind) -> list[tuple[str, str]]:
    return [(b.call_id, b.tool) for item in found for b in item.blocks if b.kind is kind]


@pytest.mark.parametrize(
    ("content", "path", "text"),
    [
        pytest.param("hello", ("content",), "hello", id="a string"),
        pytest.param([words("hello")], ("content", 0, "text"), "hello", id="a person's part"),
        pytest.param([words("hi", "output_text")], ("content", 0, "text"), "hi", id="the model's"),
        pytest.param([PICTURE, words("x")], ("content", 1, "text"), "x", id="beside a picture"),
    ],
)
def test_the_words_of_a_message_are_texts_at_their_place(
    content: Any, path: tuple[Any, ...], text: str
) -> None:
    record = {"payload": said("user", content)}
    reader = ItemReader(Gauge(CharCounter()))
    item = reader.read(0, 1, ("payload",), record["payload"])
    assert item is not None
    block = item.blocks[-1]
    assert (block.kind, block.path, block.chars) == (Kind.TEXT, ("payload", *path), len(text))
    assert value_at(record, block.path) == text


@pytest.mark.parametrize(
    ("record", "role", "origin"),
    [
        pytest.param(said("user", "go"), Role.USER, Origin.PERSON, id="a person"),
        pytest.param({"role": "user", "content": "go"}, Role.USER, Origin.PERSON, id="no type"),
        pytest.param(said("assistant", "yes"), Role.ASSISTANT, Origin.MODEL, id="the model"),
        pytest.param(said("developer", "be"), Role.SYSTEM, Origin.CLIENT, id="a developer"),
        pytest.param(said("system", "be"), Role.SYSTEM, Origin.CLIENT, id="the system"),
        pytest.param(
            said("user", [words("<environment_context>\n</environment_context>")]),
            Role.USER,
            Origin.CLIENT,
            id="surroundings that Codex tells",
        ),
        pytest.param(
            said("user", [words("# AGENTS.md instructions for /srv"), words("and do it")]),
            Role.USER,
            Origin.PERSON,
            id="rules, and a person's words beside them",
        ),
        pytest.param(thought(), Role.ASSISTANT, Origin.MODEL, id="reasoning"),
        pytest.param(call("c1"), Role.ASSISTANT, Origin.MODEL, id="a call"),
        pytest.param(output("c1"), Role.TOOL, Origin.TOOL, id="an output"),
        pytest.param(
            {"type": "additional_tools", "role": "developer", "tools": []},
            Role.SYSTEM,
            Origin.CLIENT,
            id="more tools",
        ),
        pytest.param({"type": "compaction"}, Role.USER, Origin.CLIENT, id="a compaction"),
    ],
)
def test_who_speaks(record: dict[str, Any], role: Role, origin: Origin) -> None:
    item = one(record)
    assert (item.role, item.origin) == (role, origin)


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(None, id="null"),
        pytest.param([call("c1")], id="a list"),
        pytest.param({}, id="an empty object"),
        pytest.param({"type": 7}, id="a kind that is a number"),
        pytest.param({"type": "message", "content": "x"}, id="a message of nobody"),
        pytest.param(said("narrator", "x"), id="a message of somebody unknown"),
        pytest.param({"type": "message", "role": "user"}, id="a message without content"),
        pytest.param({"type": "ghost_snapshot", "ghost_commit": {}}, id="a snapshot of Codex"),
        pytest.param({"role": "tool", "content": "x"}, id="a message of another API"),
    ],
)
def test_what_is_no_item_is_passed_over(record: Any) -> None:
    assert items(record) == []


@pytest.mark.parametrize(
    ("made", "answer", "pair"),
    [
        pytest.param(call("c1"), output("c1"), ("c1", "grep"), id="a function"),
        pytest.param(
            {"type": "custom_tool_call", "call_id": "c1", "name": "apply_patch", "input": "***"},
            {"type": "custom_tool_call_output", "call_id": "c1", "output": "ok"},
            ("c1", "apply_patch"),
            id="a custom tool",
        ),
        pytest.param(
            {"type": "local_shell_call", "id": "ls", "call_id": "c1", "action": {"command": []}},
            {"type": "local_shell_call_output", "id": "c1", "output": "ok"},
            ("c1", "local_shell"),
            id="the local shell, whose output names the call by its own id",
        ),
        pytest.param(
            {"type": "local_shell_call", "call_id": "c1", "action": {"command": []}},
            output("c1"),
            ("c1", "local_shell"),
            id="the local shell, answered as a function",
        ),
        pytest.param(
            {"type": "shell_call", "call_id": "c1", "action": {"commands": ["ls"]}},
            {"type": "shell_call_output", "call_id": "c1", "output": [{"stdout": "a"}]},
            ("c1", "shell"),
            id="the shell",
        ),
        pytest.param(
            {"type": "apply_patch_call", "call_id": "c1", "operation": {"type": "delete_file"}},
            {"type": "apply_patch_call_output", "call_id": "c1", "status": "completed"},
            ("c1", "apply_patch"),
            id="a patch, whose output says nothing",
        ),
        pytest.param(
            {"type": "computer_call", "call_id": "c1", "action": {"type": "click"}},
            {"type": "computer_call_output", "call_id": "c1", "output": {"image_url": "x"}},
            ("c1", "computer"),
            id="the computer",
        ),
        pytest.param(
            {"type": "tool_search_call", "call_id": None, "arguments": {}},
            {"type": "tool_search_output", "call_id": None, "tools": []},
            ("tool_search", "tool_search"),
            id="a search for tools, which the provider makes without ids",
        ),
        pytest.param(
            {"type": "mcp_approval_request", "id": "m1", "name": "drop", "arguments": "{}"},
            {"type": "mcp_approval_response", "approval_request_id": "m1", "approve": True},
            ("m1", "drop"),
            id="a question for leave",
        ),
        pytest.param(call(None), output(7), ("function", "grep"), id="a function without any id"),
    ],
)
def test_which_call_an_output_answers(
    made: dict[str, Any], answer: dict[str, Any], pair: tuple[str, str]
) -> None:
    found = items(made, answer)
    assert tools(found, Kind.CALL) == tools(found, Kind.RESULT) == [pair]
    assert not found[1].protected


def test_an_output_answers_the_nearest_open_call_of_its_id() -> None:
    found = items(call("c1", "old"), call("c1", "new"), output("c1"), output("c1"))
    assert tools(found, Kind.RESULT) == [("c1", "new"), ("c1", "old")]


def test_an_output_whose_call_is_elsewhere_stays_as_it_is() -> None:
    assert one(output("c9")).protected
    assert not one(call("c9"), output("c9")).protected


@pytest.mark.parametrize(
    ("record", "path", "chars", "tokens", "fixed"),
    [
        pytest.param(output("c1"), ("output",), 4, 104, False, id="a text"),
        pytest.param(output("c1", [words("four")]), ("output",), 4, 104, False, id="a part"),
        pytest.param(
            output("c1", [PICTURE]), ("output",), 0, 100 + MEDIA_TOKENS_MAX, False, id="a picture"
        ),
        pytest.param(output("c1", {"a": 1}), ("output",), 7, 107, True, id="an object"),
        pytest.param(output("c1", None), ("output",), 0, 100, True, id="null"),
        pytest.param(
            {"type": "program_output", "call_id": "c1", "result": "four"},
            ("result",),
            4,
            104,
            True,
            id="what a program of the provider returned",
        ),
        pytest.param(
            {"type": "computer_call_output", "call_id": "c1", "output": {"image_url": "x" * 9000}},
            ("output",),
            0,
            185,
            True,
            id="a screenshot, which is no text",
        ),
    ],
)
def test_what_an_output_costs_and_whether_it_may_go(
    record: dict[str, Any], path: tuple[str, ...], chars: int, tokens: int, *, fixed: bool
) -> None:
    (block,) = one(call("c1"), record).blocks
    assert (block.path, block.chars, block.tokens, block.fixed) == (path, chars, tokens, fixed)


def test_of_what_commands_wrote_the_longest_text_may_go() -> None:
    chunks = [{"stdout": "ab", "stderr": "", "outcome": {}}, {"stdout": "abcd", "stderr": "abc"}]
    record = {"type": "shell_call_output", "call_id": "c1", "output": chunks}
    text, rest = one(call("c1"), record).blocks
    assert (text.kind, text.path, text.tokens, text.fixed) == (
        Kind.RESULT,
        ("output", 1, "stdout"),
        104,
        False,
    )
    assert (rest.kind, rest.fixed) == (Kind.OPAQUE, True)
    assert rest.tokens == len('[{"stdout":"ab","stderr":"","outcome":{}},{"stderr":"abc"}]')


@pytest.mark.parametrize(
    ("payload", "key"),
    [
        pytest.param({"content": "four", "success": True}, "content", id="content"),
        pytest.param({"output": "four", "metadata": {"exit_code": 0}}, "output", id="output"),
        pytest.param({"type": "input_text", "text": "four"}, "text", id="a single part"),
        pytest.param({"content": [words("four")]}, "content", id="parts"),
    ],
)
def test_an_output_inside_an_object_may_go_and_the_object_stays(payload: Any, key: str) -> None:
    text, rest = one(call("c1"), output("c1", payload)).blocks
    assert (text.kind, text.path, text.tokens, text.fixed) == (
        Kind.RESULT,
        ("output", key),
        104,
        False,
    )
    assert (rest.kind, rest.fixed) == (Kind.OPAQUE, True)


@pytest.mark.parametrize(
    ("record", "kinds"),
    [
        pytest.param(
            {"type": "mcp_call", "id": "m1", "name": "look", "arguments": "{}", "output": "four"},
            [Kind.CALL, Kind.RESULT],
            id="a tool behind MCP",
        ),
        pytest.param(
            {"type": "mcp_call", "id": "m1", "name": "look", "arguments": "{}", "error": "no"},
            [Kind.OPAQUE],
            id="a tool behind MCP that failed",
        ),
        pytest.param(
            {"type": "code_interpreter_call", "id": "i1", "code": "1", "outputs": [{"logs": "1"}]},
            [Kind.CALL, Kind.RESULT],
            id="code and its output",
        ),
        pytest.param(
            {"type": "web_search_call", "id": "w1", "action": {"query": "x"}},
            [Kind.OPAQUE],
            id="a search",
        ),
        pytest.param(
            {"type": "image_generation_call", "id": "g1", "result": "aGk="},
            [Kind.MEDIA],
            id="a picture drawn",
        ),
    ],
)
def test_a_hosted_tool_is_one_item(record: dict[str, Any], kinds: list[Kind]) -> None:
    item = one(record)
    assert [block.kind for block in item.blocks] == kinds
    assert len({block.call_id for block in item.blocks}) == 1
    assert not item.protected


def test_a_picture_drawn_does_not_cost_its_base64() -> None:
    item = one({"type": "image_generation_call", "id": "g1", "result": "a" * 2_000_000})
    assert item.blocks[0].tokens == MEDIA_TOKENS_MAX


@pytest.mark.parametrize(
    ("record", "chars", "tokens"),
    [
        pytest.param(thought(), 0, 0, id="nothing told"),
        pytest.param(thought(summary=[words("four", "summary_text")]), 4, 4, id="a summary"),
        pytest.param(
            thought(
                content=[words("in full", "reasoning_text")],
                summary=[words("four", "summary_text")],
                encrypted_content="x" * 8000,
            ),
            7,
            7,
            id="the words themselves",
        ),
        pytest.param(
            thought(summary=[words("four", "summary_text")], encrypted_content="x" * 8000),
            4,
            1337,
            id="sealed: three quarters of it, without 650 bytes of seal, by four",
        ),
        pytest.param(thought(encrypted_content="x" * 800), 0, 0, id="little more than a seal"),
        pytest.param(thought(summary="text", content=7), 0, 0, id="odd values"),
    ],
)
def test_reasoning_is_counted_once(record: dict[str, Any], chars: int, tokens: int) -> None:
    (block,) = one(record).blocks
    assert (block.kind, block.fixed) == (Kind.THINKING, True)
    assert (block.chars, block.tokens) == (chars, tokens)


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(
            {"type": "item_reference", "id": "msg_1"}, id="a pointer to what is elsewhere"
        ),
        pytest.param({"type": "levitation_call", "id": "l1"}, id="a kind of tomorrow"),
        pytest.param({"type": "compaction", "encrypted_content": "x"}, id="a compaction"),
        pytest.param({"type": "mcp_list_tools", "tools": []}, id="a list of tools"),
        pytest.param({"type": "agent_message", "content": [words("x")]}, id="another agent"),
    ],
)
def test_what_nobody_can_tell_or_nobody_may_change_is_protected(record: dict[str, Any]) -> None:
    assert one(record).protected


def test_protected_words_protect_their_item() -> None:
    found = items(said("user", "the KEY is 1"), said("user", "no"), protect=["KEY"])
    assert [item.protected for item in found] == [True, False]


def grouped(*records: Any) -> list[Message]:
    return messages(items(*records), 1000)


def test_what_the_model_puts_out_in_a_row_is_one_message() -> None:
    found = grouped(
        said("user", "go"),
        thought(),
        said("assistant", "I look"),
        call("c1"),
        call("c2"),
        output("c1"),
        output("c2"),
        thought(),
        said("assistant", "done"),
        said("user", "thanks"),
    )
    assert [[block.record for block in message.blocks] for message in found] == [
        [0],
        [1, 2, 3, 4],
        [5],
        [6],
        [7, 8],
        [9],
    ]
    assert [message.line for message in found] == [1, 2, 6, 7, 8, 10]
    assert {message.framing for message in found} == {1000}


def test_a_message_is_protected_if_one_of_its_items_is() -> None:
    (message,) = grouped(thought(), {"type": "item_reference", "id": "fc_1"}, call("c1"))
    assert message.protected


def test_a_summary_of_ours_stays_a_message_by_itself() -> None:
    summary = "[Conversation compressed. Transcript: /srv/a.jsonl]"
    found = grouped(said("assistant", [words(summary, "output_text")]), thought(), call("c1"))
    assert [message.origin for message in found] == [Origin.SUMMARY, Origin.MODEL]


def test_every_item_has_a_block_so_that_its_record_goes_with_its_message() -> None:
    found = items(said("assistant", []), said("user", None), thought(summary=None))
    assert [[block.record for block in item.blocks] for item in found] == [[0], [1], [2]]
    assert sum(block.tokens for item in found for block in item.blocks) == 0


def test_reading_a_long_row_of_items_takes_linear_time() -> None:
    (message,) = grouped(*[said("assistant", "x")] * 30_000)
    assert len(message.blocks) == 30_000


FIELDS = [
    "role",
    "content",
    "output",
    "call_id",
    "id",
    "name",
    "arguments",
    "action",
    "summary",
    "encrypted_content",
    "tools",
    "result",
    "outputs",
    "text",
    "type",
    "stdout",
]
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.integers()
    | st.sampled_from(["user", "assistant", "c1", "", "input_text", "output_text", "input_image"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    st.lists(
        st.builds(
            lambda kind, rest: {**rest, "type": kind},
            st.sampled_from([*sorted(KINDS), "levitation_call"]),
            st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=6),
        )
        | VALUES,
        max_size=4,
    )
)
def test_whatever_stands_in_an_item_it_is_read_and_editable_blocks_lead_somewhere(
    records: list[Any],
) -> None:
    for item in items(*records):
        assert item.blocks
        for block in item.blocks:
            assert _is_sound(block, records)


def _is_sound(block: Block, records: list[Any]) -> bool:
    if block.fixed or block.kind not in {Kind.TEXT, Kind.RESULT}:
        return block.tokens >= 0
    value = value_at(records[block.record], block.path)
    return isinstance(value, str if block.kind is Kind.TEXT else (str, list))
