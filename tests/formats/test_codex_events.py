"""Codex rollouts: what events repeat, and the sizes they tell."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcompact.core.splice import value_at
from tests.formats.codex_session import (
    answered,
    called,
    compacted,
    completed,
    conversation,
    counted,
    event,
    message,
    said,
)

LONG = "a line of a log\n" * 20
STREAMS = {"stdout": "out", "stderr": "", "aggregated_output": "all", "formatted_output": "all"}


def copies(*events: Any) -> list[str]:
    """Return what stands where the result of call `c1` is repeated."""
    found = conversation(called("c1"), answered("c1"), *events).copies.get("c1", ())
    rows = [None, None, *events]
    values = [value_at(rows[at], path) for at, path in found]
    assert all(isinstance(value, str) for value in values)
    return sorted(values)


@pytest.mark.parametrize(
    ("row", "repeated"),
    [
        pytest.param(
            event("exec_command_end", call_id="c1", status="completed", **STREAMS),
            ["all", "all", "out"],
            id="what a command wrote",
        ),
        pytest.param(
            completed("CommandExecution", id="c1", status="completed", aggregated_output="all"),
            ["all"],
            id="what a command wrote, in newer versions",
        ),
        pytest.param(
            event("patch_apply_end", call_id="c1", stdout="M a", changes={"a": {"content": LONG}}),
            ["M a"],
            id="what a patch wrote, and not the patch",
        ),
        pytest.param(
            event(
                "mcp_tool_call_end",
                call_id="c1",
                invocation={"arguments": {"text": "asked"}},
                result={
                    "Ok": {
                        "content": [
                            {"type": "text", "text": "four"},
                            {"type": "image", "data": "A" * 300, "mimeType": "image/png"},
                        ],
                        "structuredContent": {"rows": [LONG, "short"]},
                        "isError": False,
                    }
                },
            ),
            ["A" * 300, LONG, "four"],
            id="a result of MCP, with its picture and its second shape",
        ),
        pytest.param(
            completed("McpToolCall", id="c1", result={"content": [{"type": "text", "text": "x"}]}),
            ["x"],
            id="a result of MCP, in newer versions",
        ),
        pytest.param(
            event(
                "dynamic_tool_call_response",
                call_id="c1",
                content_items=[{"type": "inputText", "text": "four"}],
            ),
            ["four"],
            id="a result of a tool of the surroundings",
        ),
        pytest.param(
            event(
                "collab_waiting_end",
                call_id="c1",
                agent_statuses=[{"thread_id": "t", "status": {"completed": "found it"}}],
            ),
            ["found it"],
            id="what other agents found",
        ),
        pytest.param(event("exec_command_end", **STREAMS), [], id="no call named"),
        pytest.param(event("exec_command_end", call_id="c2", **STREAMS), [], id="another call"),
        pytest.param(completed("CommandExecution", id=7, stdout="out"), [], id="an odd id"),
        pytest.param(event("item_completed", item=None), [], id="no item"),
        pytest.param(event("x", call_id="c1", stdout=["out"], result=LONG), [], id="odd types"),
    ],
)
def test_where_the_result_of_a_call_is_repeated(row: Any, repeated: list[str]) -> None:
    assert copies(row) == sorted(repeated)


@pytest.mark.parametrize(
    ("role", "row", "path"),
    [
        pytest.param("user", event("user_message", message=LONG), ("message",), id="a person"),
        pytest.param(
            "assistant", event("agent_message", message=LONG), ("message",), id="the model"
        ),
        pytest.param(
            "assistant",
            event("task_complete", last_agent_message=LONG),
            ("last_agent_message",),
            id="its last words",
        ),
        pytest.param(
            "assistant",
            completed("AgentMessage", content=[{"type": "Text", "text": LONG}]),
            ("item", "content", 0, "text"),
            id="the model, in newer versions",
        ),
        pytest.param(
            "user",
            completed("UserMessage", content=["", {"type": "text", "text": LONG}]),
            ("item", "content", 1, "text"),
            id="a person, in newer versions",
        ),
    ],
)
def test_where_words_are_repeated(role: str, row: Any, path: tuple[Any, ...]) -> None:
    text = (1, ("payload", "content", 0, "text"))
    found = conversation(row, said(role, LONG), said(role, LONG.upper())).copies
    assert found == {text: [(0, ("payload", *path))]}


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(event("user_message", message="other"), id="other words"),
        pytest.param(event("user_message", message=None), id="no words"),
        pytest.param(event("agent_reasoning", text=LONG), id="no message"),
        pytest.param(
            event("user_message", message=LONG, text_elements=[{"byte_range": [0, 4]}]),
            id="words that something points into",
        ),
        pytest.param(completed("UserMessage", content=LONG), id="content of another type"),
    ],
)
def test_what_repeats_no_words(row: Any) -> None:
    assert conversation(row, said("user", LONG)).copies == {}


def test_the_newest_size_is_recorded_and_lowered() -> None:
    found = conversation(said("user", "go"), counted(900), said("assistant", "yes"), counted(950))
    assert found.recorded == (4, 950)
    usage = ("payload", "info", "last_token_usage")
    assert found.counts == [(3, (*usage, "input_tokens"), 950), (3, (*usage, "total_tokens"), 960)]


def test_a_count_that_tells_nothing_changes_nothing() -> None:
    nothing = [event("token_count", info=None), event("token_count", info={"last_token_usage": 7})]
    assert conversation(counted(900), *nothing).recorded == (1, 900)
    assert conversation(*nothing).recorded is None


def test_a_size_from_before_a_compaction_is_not_recorded_but_lowered() -> None:
    found = conversation(counted(900), compacted(message("user", "go")))
    assert found.recorded is None
    assert [size for _, _, size in found.counts] == [900, 910]
