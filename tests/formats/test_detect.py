"""Telling formats apart: what is read, what is refused by name, and what is said about it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.lines import loads
from ctxcompact.errors import UnknownFormat, UsageError
from ctxcompact.formats import COUNTED, FORMATS, Detection, detect, named
from tests.formats.builders import records_of, shared_files

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [
    "claude-code",
    "codex",
    "anthropic",
    "openai-chat",
    "openai-conversations",
    "openai-responses",
    "gemini",
    "sharegpt",
    "pi",
    "gemini-cli",
    "qwen-code",
    "langchain",
    "agentscope",
]
SAMPLE_RECORDS = 200  # as many as the engine shows

HELLO = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]
TOOL_USE = {"type": "tool_use", "id": "t1", "name": "grep", "input": {}}
CALLED: dict[str, Any] = {"role": "assistant", "content": [TOOL_USE]}
TOOL_RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "x"}
CHAIN = {"uuid": "2", "parentUuid": "1", "sessionId": "s", "isSidechain": False}
NODE = {"type": "message", "id": "2", "parentId": "1"}
PI_ENTRY = {**NODE, "message": HELLO[0]}


def outcome(sample: list[Any]) -> str:
    """Return the name of the format, or the whole refusal."""
    try:
        return detect(sample).format.name
    except UnknownFormat as error:
        return error.message


READ: dict[str, tuple[str, list[Any]]] = {
    "a Claude Code session": (
        "claude-code",
        [{**CHAIN, "type": "user", "message": HELLO[0]}, {"type": "mode", "sessionId": "s"}],
    ),
    "a Codex rollout": (
        "codex",
        [
            {"timestamp": "", "type": "session_meta", "payload": {"id": "s"}},
            {"timestamp": "", "type": "response_item", "payload": {"type": "message"}},
            {"timestamp": "", "type": "event_msg", "payload": {}},
        ],
    ),
    "one of the oldest Codex rollouts": (
        "openai-responses",
        [
            {"id": "s", "timestamp": "", "instructions": None, "git": {}},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]},
            {"record_type": "state"},
            {"type": "reasoning", "summary": []},
        ],
    ),
    "Anthropic messages": (
        "anthropic",
        [{"role": "assistant", "content": [TOOL_USE]}, {"role": "user", "content": [TOOL_RESULT]}],
    ),
    "a response object a line": (
        "anthropic",
        [{"id": "m", "type": "message", "role": "assistant", "content": [TOOL_USE], "usage": {}}],
    ),
    "OpenAI messages": (
        "openai-chat",
        [*HELLO, {"role": "tool", "tool_call_id": "1", "content": ""}],
    ),
    "OpenAI messages with a developer's": ("openai-chat", [{"role": "developer", "content": ""}]),
    "conversations": ("openai-conversations", [{"messages": HELLO, "tools": []}]),
    "Batch requests": ("openai-conversations", [{"custom_id": "1", "body": {"messages": HELLO}}]),
    "items of the Responses API": (
        "openai-responses",
        [
            {"role": "developer", "content": "be brief"},
            *HELLO,
            {"type": "function_call", "call_id": "1"},
            {"type": "function_call_output", "output": ""},
        ],
    ),
    "messages of the Responses API": (
        "openai-responses",
        [{"role": "user", "content": [{"type": "input_text"}]}, *HELLO, {"record_type": "state"}],
    ),
    "a Gemini CLI session as one object": (
        "gemini-cli",
        [{"sessionId": "s", "projectHash": "h", "messages": [{"id": "1", "type": "user"}]}],
    ),
    "a piece of a Gemini CLI session": (
        "gemini-cli",
        [{"$set": {}}, {"id": "1", "type": "gemini", "content": ""}],
    ),
    "a Qwen Code session": (
        "qwen-code",
        [{**CHAIN, "type": "user", "message": {"role": "user", "parts": []}}],
    ),
    "a pi session": ("pi", [{"type": "session", "id": "s", "cwd": "/"}, PI_ENTRY]),
    "a piece of a pi session without its header": ("pi", [PI_ENTRY]),
    "a pi session of the first version": (
        "pi",
        [
            {"type": "session", "id": "s", "cwd": "/", "provider": "p"},
            {"type": "message", "timestamp": "", "message": HELLO[0]},
            {"type": "thinking_level_change", "timestamp": "", "thinkingLevel": "off"},
        ],
    ),
    "LangChain's dicts": ("langchain", [{"type": "human", "data": {"content": "x"}}]),
    "LangChain's constructors": (
        "langchain",
        [{"lc": 1, "type": "constructor", "id": ["AIMessage"], "kwargs": {"content": "x"}}],
    ),
    "AgentScope's results": (
        "agentscope",
        [
            {"role": "assistant", "content": [TOOL_USE]},
            {"role": "system", "content": [{"type": "tool_result", "id": "t1", "output": "x"}]},
        ],
    ),
    "AgentScope's roles in Java": (
        "agentscope",
        [{"role": "USER", "content": [{"type": "text", "text": "x"}]}],
    ),
    "AgentScope's messages without a result": (
        "agentscope",
        [
            {"id": "1", "name": "u", "metadata": {}, "timestamp": "", **message}
            for message in (*HELLO, CALLED)
        ],
    ),
    "a role in capitals among many messages": (
        "anthropic",
        [{"role": "USER", "content": "x"}, *HELLO * 10],
    ),
    "Gemini contents": ("gemini", [{"role": "user", "parts": [{"text": "hello"}]}]),
    "Gemini requests": (
        "gemini",
        [{"systemInstruction": {"parts": []}, "contents": [{"parts": [{"text": "hello"}]}]}],
    ),
    "Gemini batches": (
        "gemini",
        [{"key": "1", "request": {"contents": [{"role": "user", "parts": [{"text": "hello"}]}]}}],
    ),
    "ShareGPT's turns": ("sharegpt", [{"conversations": [{"from": "human", "value": "x"}]}]),
    "messages that are called conversations": (
        "openai-conversations",
        [{"conversations": HELLO, "source": "x"}],
    ),
    "messages between a few other records": ("anthropic", [{"event": 1}, None, *HELLO, *HELLO]),
    "one stray record of a rollout in thirty": (
        "openai-conversations",
        [{"type": "event_msg", "payload": {}}, *[{"messages": HELLO}] * 30],
    ),
}

FOREIGN: dict[str, tuple[str, list[Any]]] = {
    "stream-json": (
        "stream-json",
        [
            {"type": "system", "subtype": "init", "session_id": "s"},
            {"type": "user", "message": HELLO[0], "parent_tool_use_id": None, "session_id": "s"},
        ],
    ),
    "openhands events": ("OpenHands", [{"id": 1, "source": "agent", "action": "run", "args": {}}]),
    "anthropic requests": (
        "Anthropic requests",
        [{"model": "m", "messages": [{"role": "assistant", "content": [TOOL_USE]}]}],
    ),
}

COUNTED_ONLY: dict[str, tuple[str, list[Any]]] = {
    "kimi wire": ("kimi", [{"type": "context.append_message", "message": HELLO[0], "time": 1}]),
    "kimi context": ("kimi", [{"role": "_system_prompt", "content": "x"}, *HELLO]),
    "droid": (
        "droid",
        [
            {"type": "session_start", "id": "d"},
            {**NODE, "message": {"role": "assistant", "content": [TOOL_USE]}},
        ],
    ),
    "copilot": ("copilot", [{"type": "user.message", "data": {"content": "x"}, "id": "1"}]),
    "swe-agent": ("swe-agent", [{"trajectory": [], "history": HELLO, "info": {}}]),
    "openhands": ("openhands", [{"history": [], "git_patch": "", "instruction": ""}]),
    "opencode": ("opencode", [{"info": {}, "messages": [{"info": {}, "parts": []}]}]),
    "cursor": (
        "cursor",
        [{"role": "user", "message": {"content": [{"type": "text", "text": "x"}]}}],
    ),
    "grok": (
        "grok",
        [
            {"type": "user", "content": "x"},
            {"type": "tool_result", "tool_call_id": "1", "content": ""},
        ],
    ),
    "cline, an array": ("cline", [[{**HELLO[0], "ts": 1}, {**HELLO[1], "ts": 2}]]),
}


def test_the_formats_stand_in_their_order() -> None:
    assert [form.name for form in FORMATS] == NAMES


@pytest.mark.parametrize(("expected", "sample"), READ.values(), ids=READ)
def test_what_is_read(expected: str, sample: list[Any]) -> None:
    assert outcome(sample) == expected


@pytest.mark.parametrize(("system", "sample"), FOREIGN.values(), ids=FOREIGN)
def test_what_other_systems_write_is_refused_by_name(system: str, sample: list[Any]) -> None:
    said = outcome(sample)
    assert system in said.partition("looks like ")[2]
    assert said.endswith("which this version does not read yet")


@pytest.mark.parametrize(("expected", "sample"), COUNTED_ONLY.values(), ids=COUNTED_ONLY)
def test_what_is_counted_only(expected: str, sample: list[Any]) -> None:
    assert outcome(sample) == expected
    assert not named(expected).is_writable


def test_few_events_of_another_system_are_not_counted_as_its_transcript() -> None:
    event = {"type": "user.message", "data": {"content": "x"}}
    assert "looks like Copilot CLI events" in outcome([event, *HELLO * 4])


@pytest.mark.parametrize(
    ("sample", "said"),
    [
        pytest.param([], "no record to tell a format by", id="nothing"),
        pytest.param([1, "text", None, [HELLO]], "no record is a JSON object", id="no objects"),
        pytest.param([{}], "empty records: no format is clear", id="empty objects"),
        pytest.param(
            [{"a": 1, "b": 2}, {"b": 1, "a": 3}, {"c": 1}],
            "records with keys a, b: no format is clear (none claims any of it)",
            id="objects nobody knows",
        ),
        pytest.param(
            [{"event": 1}] * 5 + HELLO,
            "records with keys event: no format is clear (of 1: anthropic 0.11, openai-chat 0.11)",
            id="few messages among other records",
        ),
        pytest.param(
            [{**CHAIN, "type": "user", "message": HELLO[0]}, {"messages": HELLO}],
            "(of 1: claude-code 0.50, openai-conversations 0.50)",
            id="two formats, half and half",
        ),
        pytest.param(
            [{"role": "assistant", "content": [TOOL_USE], "tool_calls": []}, *HELLO],
            "no format is clear (none claims any of it)",
            id="marks of Anthropic and of OpenAI together",
        ),
        pytest.param(
            [{"role": "user", "content": [{"type": "image_url"}, {"type": "thinking"}]}],
            "(of 1: anthropic 1.00, openai-chat 1.00)",
            id="parts of both together",
        ),
    ],
)
def test_what_is_not_clear_is_refused(sample: list[Any], said: str) -> None:
    assert said in outcome(sample)


def test_a_refusal_names_keys_and_never_values() -> None:
    sample = [{"k" * 50: "secret", **{f"key{n}": "secret" for n in range(9)}}]
    said = outcome(sample)
    assert "records with keys " + ", ".join(f"key{n}" for n in range(6)) + ", …" in said
    assert "secret" not in said


def test_a_refusal_says_what_format_takes() -> None:
    with pytest.raises(UnknownFormat) as refused:
        detect([{"conversations": []}])
    assert all(name in refused.value.hint for name in ("--format", *NAMES))


def test_role_and_text_alone_are_read_by_the_stricter_rules_and_it_says_so() -> None:
    found: Detection = detect(HELLO)
    assert found.format.name == "anthropic"
    assert "2 of 2 records are role and plain content, which openai-chat has too" in found.said
    assert "--format openai-chat" in found.said


def test_a_detection_says_how_many_records_speak_for_it() -> None:
    found = detect([*[{"messages": HELLO}] * 3, {"note": 1}])
    assert found.said.startswith("openai-conversations: 3 of 4 records fit (")
    assert found.scores[0] == ("openai-conversations", 0.75)
    assert sorted(name for name, _ in found.scores) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_format_is_found_by_its_name(name: str) -> None:
    assert named(name).name == name


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        pytest.param("antropic", "did you mean anthropic? --format takes claude-code", id="a slip"),
        pytest.param("OpenAI-Chat", "did you mean openai-chat?", id="capitals"),
        pytest.param("opencod", "did you mean opencode?", id="one that is counted only"),
        pytest.param("xml", "--format takes claude-code", id="nothing like it"),
        pytest.param("", "--format takes claude-code", id="empty"),
    ],
)
def test_an_unknown_name_is_answered_with_the_known_ones(name: str, hint: str) -> None:
    with pytest.raises(UsageError) as refused:
        named(name)
    assert refused.value.hint.startswith(hint)


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers() | st.sampled_from(["user", "assistant", "message", "tool_use", "."]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                [
                    "role",
                    "type",
                    "content",
                    "message",
                    "messages",
                    "data",
                    "history",
                    "parts",
                    "uuid",
                ]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@given(st.lists(JSON, max_size=5))
def test_no_sample_ends_in_anything_but_a_format_or_a_refusal(sample: list[Any]) -> None:
    assert outcome(sample)


# --- Recorded transcripts, where they are there ---------------------------------------------------

CORPUS = {
    "an-": "anthropic",
    "as-": "agentscope",
    "cc-": "claude-code",
    "copilot-": "copilot",
    "cursor-": "cursor",
    "cx-": "codex",
    "droid-": "droid",
    "ft-": "openai-conversations",
    "gm-02": "gemini-cli",
    "gm-03": "gemini",
    "grok-": "grok",
    "kimi-": "kimi",
    "lc-": "langchain",
    "messy-01": "claude-code",
    "messy-02": "claude-code",
    "messy-03": "anthropic",
    "oai-01": "openai-chat",
    "oai-02": "openai-conversations",
    "oh-": "openhands",
    "openclaw-": "pi",
    "pi-": "pi",
    "qwen-": "qwen-code",
    "sharegpt-": "sharegpt",
    "swe-": "swe-agent",
}
CLIENTS = {
    "claude-": "claude-code",
    "codex-": "codex",
    "gemini-": "gemini-cli",
    "opencode-": "opencode",
    "pi-": "pi",
}
CASES = {"01-": "openai-chat"}  # all others: anthropic


def expected_of(path: Path) -> str:
    """Look a recorded file up; a file nobody listed is an error of the table."""
    if path.name == "input.jsonl":
        return next((CASES[x] for x in CASES if path.parent.name.startswith(x)), "anthropic")
    table, name = (
        (CORPUS, path.name) if path.parent.name == "corpus" else (CLIENTS, path.parent.name)
    )
    (expected,) = (table[start] for start in table if name.startswith(start))
    return expected


def spoken(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def judged(sample: list[Any], expected: str) -> bool:
    said = outcome(sample)
    is_known = expected in NAMES or expected in {form.name for form in COUNTED}
    return said == expected if is_known else expected in said.partition("looks like ")[2]


LINES = shared_files("corpus/*.jsonl", "client-sessions/*/*.jsonl", "cases/*/input.jsonl")
WHOLE = shared_files("corpus/*.traj", "client-sessions/*/*.json")


@pytest.mark.parametrize("path", LINES, ids=spoken)
def test_every_recorded_file_is_told_right(path: Path) -> None:
    sample = list(islice(records_of(path), SAMPLE_RECORDS))
    assert judged(sample, expected_of(path)), outcome(sample)


@pytest.mark.parametrize("path", LINES, ids=spoken)
def test_no_five_records_in_a_row_are_taken_for_another_format(path: Path) -> None:
    sample = list(islice(records_of(path), SAMPLE_RECORDS))
    windows = (sample[at : at + 5] for at in range(max(len(sample) - 4, 1)))
    taken = {said for said in map(outcome, windows) if said in NAMES}
    assert taken <= {expected_of(path)}


@pytest.mark.parametrize("path", WHOLE, ids=spoken)
def test_a_file_that_is_one_json_value_is_told_by_it_and_never_by_its_lines(path: Path) -> None:
    assert judged([loads(path.read_bytes())], expected_of(path))
    assert outcome(list(islice(records_of(path), SAMPLE_RECORDS))) not in NAMES
