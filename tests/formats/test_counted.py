"""Transcripts that are counted and never rewritten: what of a record is counted, and as what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcompact.core.model import Conversation, Kind, Recorded
from ctxcompact.formats import COUNTED, named
from tests.formats.builders import read, records_of, shared_files

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [form.name for form in COUNTED]
TOOL_USE = {"type": "tool_use", "id": "1", "name": "ls", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "1", "content": "a.txt"}


def one(name: str, *records: Any) -> Conversation:
    (conversation,) = read(named(name), *records)
    return conversation


def told(conversation: Conversation) -> list[tuple[str, Kind, str, int]]:
    """List role, kind, tool and characters of all blocks."""
    return [
        (message.role.value, block.kind, block.tool, block.chars)
        for message in conversation.messages
        for block in message.blocks
    ]


CALL_AND_RESULT = [
    ("user", Kind.TEXT, "", 2),
    ("assistant", Kind.TEXT, "", 4),
    ("assistant", Kind.CALL, "ls", 2),
    ("tool", Kind.RESULT, "ls", 5),
]
# The same in each spelling: a prompt, words with a call, its result.
TALKS: dict[str, list[Any]] = {
    "copilot": [
        {"type": "session.start", "data": {"selectedModel": "m"}},
        {"type": "user.message", "data": {"content": "Hi", "transformedContent": "Hi"}},
        {
            "type": "assistant.message",
            "data": {
                "content": "Yes.",
                "model": "m",
                "toolRequests": [{"toolCallId": "1", "name": "ls", "arguments": {}}],
            },
        },
        {"type": "hook.start", "data": {"input": {"toolResult": "a.txt"}}},
        {
            "type": "tool.execution_complete",
            "data": {"toolCallId": "1", "result": {"content": "a.txt"}},
        },
        {"type": "assistant.message", "data": {"content": "not here", "parentToolCallId": "1"}},
        {"type": "abort", "data": {"reason": "user"}},
    ],
    "grok": [
        {"type": "user", "content": [{"type": "text", "text": "Hi"}]},
        {
            "type": "assistant",
            "content": "Yes.",
            "tool_calls": [{"id": "1", "name": "ls", "arguments": "{}"}],
            "model_id": "m",
        },
        {"type": "tool_result", "tool_call_id": "1", "content": "a.txt"},
    ],
    "openhands": [
        {
            "git_patch": "",
            "history": [
                {"action": "message", "content": "Hi"},
                {"action": "ls", "thought": "Yes.", "args": {}, "is_confirmed": "yes"},
                {"observation": "ls", "content": "a.txt", "exit_code": 0},
            ],
        }
    ],
    "swe-agent": [
        {
            "trajectory": [{"response": "Yes.", "observation": "a.txt"}],
            "history": [
                {"role": "user", "content": "Hi"},
                {
                    "role": "assistant",
                    "content": "Yes.",
                    "thought": "Yes.",
                    "tool_calls": [{"id": "1", "function": {"name": "ls", "arguments": "{}"}}],
                },
                {"role": "tool", "content": "a.txt", "tool_call_ids": ["1"]},
            ],
        }
    ],
    "opencode": [
        {"info": {"role": "user"}, "parts": [{"type": "text", "text": "Hi"}]},
        {
            "info": {"role": "assistant", "modelID": "m", "tokens": {"input": 7, "cache": {}}},
            "parts": [
                {"type": "step-start"},
                {"type": "text", "text": "Yes."},
                {
                    "type": "tool",
                    "tool": "ls",
                    "callID": "1",
                    "state": {"input": {}, "output": "a.txt", "title": "ls"},
                },
            ],
        },
    ],
}


@pytest.mark.parametrize("name", TALKS)
def test_the_same_talk_counts_the_same_in_each_spelling(name: str) -> None:
    assert told(one(name, *TALKS[name])) == CALL_AND_RESULT


@pytest.mark.parametrize("name", ["copilot", "grok", "opencode"])
def test_the_model_is_told(name: str) -> None:
    assert one(name, *TALKS[name]).model == "m"


def test_opencode_tells_the_size_of_the_prompt() -> None:
    assert one("opencode", *TALKS["opencode"]).recorded == Recorded(2, 7)


@pytest.mark.parametrize(
    ("name", "wrapper"),
    [pytest.param("droid", {"type": "message"}), pytest.param("cursor", {})],
)
def test_messages_of_anthropic_are_taken_out_of_their_wrapper(
    name: str, wrapper: dict[str, Any]
) -> None:
    found = one(
        name,
        *(
            {**wrapper, "role": role, "message": {"role": role, "content": content}}
            for role, content in (("assistant", [TOOL_USE]), ("user", [RESULT]))
        ),
    )
    assert told(found) == [
        ("assistant", Kind.CALL, "ls", 2),
        ("user", Kind.RESULT, "ls", 5),
    ]


def test_a_task_of_cline_is_one_record() -> None:
    task = [{"role": "assistant", "content": [TOOL_USE], "ts": 1}]
    assert told(one("cline", task)) == [("assistant", Kind.CALL, "ls", 2)]


def test_an_exported_session_of_opencode_is_read_like_its_messages() -> None:
    session = {"info": {"id": "s"}, "messages": TALKS["opencode"]}
    assert told(one("opencode", session)) == CALL_AND_RESULT


def test_a_result_that_opencode_cleared_counts_as_what_is_sent() -> None:
    state = {"output": "o" * 900, "time": {"compacted": 1}}
    part = {"type": "tool", "tool": "ls", "callID": "1", "state": state}
    found = one("opencode", {"info": {"role": "assistant"}, "parts": [part]})
    assert told(found)[-1] == ("tool", Kind.RESULT, "ls", len("[Old tool result content cleared]"))


def test_reasoning_and_searches_of_grok_are_counted() -> None:
    found = one(
        "grok",
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "why"}]},
        {"type": "backend_tool_call", "kind": {"tool_type": "web_search"}},
    )
    assert [kind for _, kind, *_ in told(found)] == [Kind.THINKING, Kind.OPAQUE]


def test_the_summary_of_copilot_is_counted() -> None:
    event = {"type": "session.compaction_complete", "data": {"summaryContent": "short"}}
    assert told(one("copilot", event)) == [("user", Kind.TEXT, "", 5)]


def test_each_run_is_a_conversation_of_its_own() -> None:
    for name in ("openhands", "swe-agent"):
        found = read(named(name), *TALKS[name] * 2)
        assert [conversation.line for conversation in found] == [1, 2]


def test_pairs_of_events_are_taken_apart() -> None:
    action, observation = {"action": "finish", "thought": "ok"}, {"observation": "null"}
    found = one("openhands", {"history": [[action, observation], None], "test_result": {}})
    assert [role for role, *_ in told(found)] == ["assistant", "tool"]


ODD: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["", "x", "message", "tool"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "type role content data message parts state info action observation args".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
FIELDS = (
    "role content data message history trajectory parts info messages tool_calls kind summary "
    "git_patch ts tool_call_ids model_id"
).split()
TYPES = (
    "user.message assistant.message tool.execution_complete session.compaction_complete "
    "session_start message user assistant tool_result reasoning backend_tool_call"
).split()


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=20)
@given(
    st.lists(
        ODD
        | st.fixed_dictionaries(
            {"type": st.sampled_from(TYPES)}, optional=dict.fromkeys(FIELDS, ODD)
        )
        | st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, ODD)),
        max_size=4,
    )
)
def test_fields_of_any_type_are_counted_or_passed_over(name: str, records: list[Any]) -> None:
    form = named(name)
    assert 0.0 <= form.score(records) <= 1.0
    for conversation in read(form, *records):
        assert conversation.tokens >= 0


RECORDED = {
    "copilot-": "copilot",
    "cursor-": "cursor",
    "droid-": "droid",
    "grok-": "grok",
    "oh-": "openhands",
}


@pytest.mark.parametrize("start", RECORDED)
def test_recorded_files_hold_calls_and_results(start: str) -> None:
    for path in shared_files(f"corpus/{start}*"):
        _holds_calls_and_results(path, RECORDED[start])


def _holds_calls_and_results(path: Path, name: str) -> None:
    found = read(named(name), *records_of(path))
    kinds = {block.kind for c in found for message in c.messages for block in message.blocks}
    assert kinds >= {Kind.TEXT, Kind.CALL, Kind.RESULT}
