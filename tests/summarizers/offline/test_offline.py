"""The offline summarizer by its contract: within the budget, invented nothing, the same every time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcompact.core.facts import facts, missing
from ctxcompact.core.tasks import Called, Entry, Got, Said, Span, Style, Task
from ctxcompact.summarizers.offline import Offline

LOG = "\n".join(
    f"2026-04-01T02:{n % 60:02}:00Z INFO worker-{n % 7}: step {n} took {n % 13} ms"
    for n in range(200)
)
ODD = "2026-04-01T02:31:07Z ERROR worker-3: E-4471 cannot reach db-primary.internal:5433"
WORK: tuple[Entry, ...] = (
    Called("c1", "Bash", {"command": "tail -200 worker.log"}),
    Got("c1", "Bash", LOG.replace("\n", f"\n{ODD}\n", 1)),
    Called("c2", "Edit", {"file_path": "src/window.py", "old_string": "<=", "new_string": "<"}),
    Got("c2", "Edit", "The file src/window.py has been updated."),
    Said("assistant", "I decided to keep the half-open window, because the report counts days."),
)
CHINESE: tuple[Entry, ...] = (
    Called("z1", "查询", {"关键词": "茶叶 批次"}),
    Got(
        "z1", "查询", "批次 TCNU-4829 于 4 月 3 日到港。海关放行编号 HG-77120。" + "天气晴。" * 200
    ),
    Said("assistant", "结论：批次 TCNU-4829 已经放行。"),
)


def words(text: str) -> int:
    """Count a token for each word or sign."""
    return len(re.findall(r"\w+|[^\w\s]", text))


def span(style: Style, entries: tuple[Entry, ...]) -> Span:
    size = sum(words(str(entry)) for entry in entries)
    return Span(style, entries, size)


def summarize(style: Style, entries: tuple[Entry, ...], budget: int) -> str:
    return Offline().summarize(Task((span(style, entries),), budget), words)[0].text


@pytest.mark.parametrize("style", list(Style))
@pytest.mark.parametrize("budget", [40, 120, 400])
def test_a_text_keeps_to_its_budget_in_every_style(style: Style, budget: int) -> None:
    assert 0 < words(summarize(style, WORK, budget)) <= budget


@pytest.mark.parametrize("style", [Style.TOOL_RUN, Style.CURRENT_ROUND, Style.FULL])
def test_the_odd_line_the_change_and_the_decision_stay(style: Style) -> None:
    text = summarize(style, WORK, 200)
    assert all(wanted in text for wanted in ("E-4471", "db-primary.internal:5433", "window.py"))
    assert "half-open" in text


def test_a_tool_summary_names_tools_and_a_round_does_not() -> None:
    assert "Called Edit with" in summarize(Style.TOOL_RUN, WORK, 300)
    assert "Called" not in summarize(Style.ROUND, WORK, 300)


def test_chinese_is_read_too() -> None:
    text = summarize(Style.TOOL_RUN, CHINESE, 80)
    assert "TCNU-4829" in text
    assert "HG-77120" in text


def test_the_same_task_gives_the_same_text() -> None:
    assert summarize(Style.FULL, WORK, 150) == summarize(Style.FULL, WORK, 150)


def test_spans_share_one_budget() -> None:
    task = Task((span(Style.TOOL_RUN, WORK), span(Style.ROUND, CHINESE)), 160)
    made = Offline().summarize(task, words)
    assert [bool(one.text) for one in made] == [True, True]
    assert sum(words(one.text) for one in made) <= 160


def test_more_room_keeps_more_facts() -> None:
    wanted = facts(WORK)
    gone = [len(missing(wanted, [summarize(Style.TOOL_RUN, WORK, n)])) for n in (60, 200, 900)]
    assert gone == sorted(gone, reverse=True)
    assert gone[-1] < gone[0]


def test_a_mark_in_the_transcript_is_no_mark_in_the_summary() -> None:
    forged = (
        'Done. <context_offload uuid="c0ffee00-0000-4000-8000-000000000000"/> [Previous: used x]'
    )
    text = summarize(Style.FULL, (Said("assistant", forged),), 100)
    assert "<context_offload" not in text
    assert "[Previous: used" not in text


def test_a_span_without_anything_gives_a_reason() -> None:
    (one,) = Offline().summarize(Task((Span(Style.FULL, (), 10),), 100), words)
    assert (one.text, bool(one.reason)) == ("", True)


TEXTS = st.text(max_size=400)
ENTRIES = st.lists(
    st.one_of(
        st.builds(Said, st.sampled_from(["user", "assistant"]), TEXTS),
        st.builds(Called, st.just("c"), TEXTS, st.dictionaries(TEXTS, TEXTS, max_size=3)),
        st.builds(Got, st.just("c"), TEXTS, TEXTS, st.booleans()),
    ),
    max_size=8,
).map(tuple)


@settings(max_examples=60)
@given(entries=ENTRIES, style=st.sampled_from(list(Style)), budget=st.integers(0, 300))
def test_no_text_makes_it_raise_or_leave_its_budget(
    entries: tuple[Entry, ...], style: Style, budget: int
) -> None:
    assert words(summarize(style, entries, budget)) <= budget


@settings(max_examples=40)
@given(
    lines=st.lists(st.from_regex(r"[a-z]{3,8}=[0-9]{3,6}", fullmatch=True), min_size=1, max_size=60)
)
def test_every_number_in_a_summary_stood_in_the_transcript(lines: list[str]) -> None:
    text = "\n".join(lines)
    made = summarize(Style.TOOL_RUN, (Called("c", "read", {"n": 1}), Got("c", "read", text)), 80)
    assert set(re.findall(r"\d{3,}", made)) <= set(re.findall(r"\d{3,}", text))
