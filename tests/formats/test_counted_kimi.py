"""Kimi's sessions: what each record of both files counts as, and what a compaction leaves."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.model import Conversation, Kind, Recorded
from ctxcompact.formats import named
from tests.formats.builders import read, records_of, shared_files

KIMI = named("kimi")


def said(text: str, kind: str = "user") -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    message = {"role": "user", "content": content, "toolCalls": [], "origin": {"kind": kind}}
    return {"type": "context.append_message", "message": message}


def looped(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": "context.append_loop_event", "event": {"type": kind, **fields}}


def told(*records: Any) -> list[tuple[str, Kind, str, int]]:
    return [
        (message.role.value, block.kind, block.tool, block.chars)
        for message in one(*records).messages
        for block in message.blocks
    ]


def one(*records: Any) -> Conversation:
    (conversation,) = read(KIMI, *records)
    return conversation


STEP = [
    looped("content.part", part={"type": "think", "think": "why"}),
    looped("content.part", part={"type": "text", "text": "Yes."}),
    looped("tool.call", toolCallId="1", name="ls", args={}),
    looped("tool.result", toolCallId="1", result={"output": "a.txt"}),
    looped("step.end", usage={"inputOther": 5, "inputCacheRead": 7, "output": 900}),
]


def test_a_step_of_a_wire_is_what_the_model_says_calls_and_gets() -> None:
    model = {"type": "llm.request", "model": "kimi-k2"}
    found = one(model, said("Hi"), *STEP)
    assert told(model, said("Hi"), *STEP) == [
        ("user", Kind.TEXT, "", 2),
        ("assistant", Kind.THINKING, "", 3),
        ("assistant", Kind.TEXT, "", 4),
        ("assistant", Kind.CALL, "ls", 2),
        ("tool", Kind.RESULT, "ls", 5),
    ]
    assert (found.model, found.recorded) == ("kimi-k2", Recorded(7, 12))


def test_lines_of_a_context_are_messages_and_notes() -> None:
    lines = [
        {"role": "_system_prompt", "content": "Be."},
        {"role": "_checkpoint", "id": 0},
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": [{"type": "think", "think": "why"}]},
        {"role": "_usage", "token_count": 12},
    ]
    assert told(*lines) == [
        ("system", Kind.TEXT, "", 3),
        ("user", Kind.TEXT, "", 2),
        ("assistant", Kind.THINKING, "", 3),
    ]
    assert one(*lines).recorded == Recorded(5, 12)


@pytest.mark.parametrize(
    ("kept", "left"),
    [
        pytest.param(0, [5], id="none"),
        pytest.param(1, [2, 5], id="the newest"),
        pytest.param(9, [1, 2, 5], id="more than there are"),
        pytest.param(None, [5], id="not told"),
    ],
)
def test_a_compaction_leaves_its_summary_and_some_words_of_the_person(
    kept: int | None, left: list[int]
) -> None:
    compaction = {"type": "context.apply_compaction", "keptUserMessageCount": kept}
    start = [said("1"), *STEP, said("<system-reminder>", "injection"), said("22"), *STEP]
    found = one(*start, {**compaction, "summary": "short", "contextSummary": "short"})
    assert [message.blocks[0].chars for message in found.messages] == left
    assert found.recorded is None


def test_what_is_no_message_counts_nothing() -> None:
    records = [
        {"type": "config.update", "systemPrompt": "long"},
        {"type": "llm.tools_snapshot", "tools": "many"},
        {"type": "turn.prompt", "input": "Hi"},
        {"type": "metadata"},
        {"role": "narrator", "content": "x"},
        7,
    ]
    assert told(*records) == []


ODD: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers() | st.sampled_from(["x", "user", "assistant", "tool", "tool.call"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from("type role content toolCalls origin part args result usage".split()),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)
KINDS = st.sampled_from(
    [f"context.{x}" for x in ("append_message", "append_loop_event", "apply_compaction")]
)


@given(
    st.lists(
        st.fixed_dictionaries(
            {"type": KINDS},
            optional={"message": ODD, "event": ODD, "keptUserMessageCount": ODD, "summary": ODD},
        )
        | ODD,
        max_size=4,
    )
)
def test_fields_of_any_type_are_counted_or_passed_over(records: list[Any]) -> None:
    assert 0.0 <= KIMI.score(records) <= 1.0
    assert one(*records).tokens >= 0


def test_a_recorded_wire_begins_anew_with_what_its_compaction_kept() -> None:
    for path in shared_files("corpus/kimi-*"):
        found = one(*records_of(path))
        assert sum(message.is_human for message in found.messages) == 8
        assert len(found.messages) == 9
