from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.tasks import Said, Spending, Style
from ctxcompact.errors import SummarizerError
from ctxcompact.summarizers.llm import NO_ROOM, Llm, LlmSettings, shares
from tests.summarizers.llm.fakes import (
    GOOD,
    FakeLitellm,
    Refusal,
    call,
    event,
    got,
    llm,
    span,
    task,
)

if TYPE_CHECKING:
    from ctxcompact.core.tasks import Summarizer

BUSY = Refusal("Slow down", 429)
NO_KEY = Refusal("wrong key", 401)


def test_it_is_a_summarizer_that_uses_a_model() -> None:
    made: Summarizer = Llm.of(LlmSettings(model="openai/stub"))
    assert (made.name, made.uses_model) == ("llm", True)


@given(st.lists(st.integers(0, 10_000), max_size=8), st.integers(-5, 50_000))
def test_shares_keep_within_the_budget_and_below_their_spans(sizes: list[int], budget: int) -> None:
    parted = shares(task(*(span(tokens=size) for size in sizes), budget=budget))
    if not sizes:
        return
    assert sum(parted) <= max(budget, 0)
    assert all(0 <= share <= max(size - 1, 0) for share, size in zip(parted, sizes, strict=True))


def test_a_share_goes_by_the_size_of_the_span() -> None:
    assert shares(task(span(tokens=3000), span(tokens=1000), budget=400)) == (300, 100)


@given(
    st.lists(st.integers(40, 3000), min_size=1, max_size=4),
    st.integers(0, 3000),
    st.lists(st.integers(0, 4000), min_size=1, max_size=4),
)
def test_whatever_a_model_writes_the_texts_keep_to_the_budget(
    sizes: list[int], budget: int, answers: list[int]
) -> None:
    litellm = FakeLitellm(["word " * (size // 5) for size in answers])
    spans = [span(tokens=size) for size in sizes]
    made = llm(litellm).summarize(task(*spans, budget=budget), len)
    assert len(made) == len(spans)
    assert sum(len(summary.text) for summary in made) <= budget
    for one, summary in zip(spans, made, strict=True):
        assert len(summary.text) < one.tokens
        assert bool(summary.text) != bool(summary.reason)


def test_each_span_is_told_its_share_and_accounted_for_by_itself() -> None:
    litellm = FakeLitellm([GOOD])
    first, second = llm(litellm).summarize(
        task(span(tokens=3000), span(call(), got("port = 9000"), tokens=1000), budget=800), len
    )
    assert (first.text, second.text) == (GOOD, GOOD)
    assert "at most 480 tokens" in litellm.prompt(0)
    assert "at most 160 tokens" in litellm.prompt(1)
    assert isinstance(first.spending, Spending)
    assert (first.spending.calls, first.spending.input_tokens) == (1, 100)
    assert first.spending.cost_usd is None


def test_a_share_too_small_for_a_text_is_no_failure_and_costs_nothing() -> None:
    litellm = FakeLitellm([GOOD])
    small, large = llm(litellm).summarize(task(span(tokens=60), span(tokens=4000)), len)
    assert small == ("", NO_ROOM, None)
    assert large.text == GOOD
    assert len(litellm.requests) == 1


def test_the_prompt_is_that_of_the_style_or_the_users_own() -> None:
    litellm = FakeLitellm([GOOD])
    spans = [span(style=style) for style in Style]
    own = {Style.FULL: "Write a haiku."}
    llm(litellm, prompts=own).summarize(task(*spans, budget=9000), len)
    seen = [litellm.prompt(number) for number in range(len(spans))]
    assert ["finished run of tool calls" in text for text in seen] == [True] + [False] * 4
    assert ["Write a haiku." in text for text in seen] == [False] * 4 + [True]
    assert len({text.split("\n\n")[3] for text in seen}) == len(spans)


def test_focus_plan_and_question_go_in_as_data() -> None:
    litellm = FakeLitellm([GOOD])
    asked = span(question="Which port?")
    llm(litellm).summarize(task(asked, focus="the port", plan="1. look\n2. tell"), len)
    data = litellm.requests[0]["messages"][1]["content"]
    assert "focus: what matters most to the reader]\nthe port\n" in data
    assert "for orientation alone]\n1. look\n2. tell\n" in data
    assert "stays in the transcript]\nWhich port?\n" in data


@pytest.mark.parametrize(
    ("asked", "sample"),
    [
        pytest.param(
            task(span(), seed_words=("", "Bitte lies die Datei.")),
            "Bitte lies die Datei.",
            id="from elsewhere",
        ),
        pytest.param(
            task(span(), span(question="Quel port ?")), "Quel port ?", id="of another span"
        ),
        pytest.param(
            task(span(), span(Said("user", "¿Qué puerto?"))), "¿Qué puerto?", id="in another span"
        ),
    ],
)
def test_a_span_without_the_users_words_comes_with_some(asked: Any, sample: str) -> None:
    litellm = FakeLitellm([GOOD])
    llm(litellm).summarize(asked, len)
    data = litellm.requests[0]["messages"][1]["content"]
    assert f"for the language of the answer alone]\n{sample}\n" in data


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(span(question="Which port?"), id="a question"),
        pytest.param(span(Said("user", "Which port?"), call(), got()), id="words of its own"),
    ],
)
def test_a_span_with_the_users_words_needs_no_others(asked: Any) -> None:
    litellm = FakeLitellm([GOOD])
    llm(litellm).summarize(task(asked, seed_words=("Bitte lies die Datei.",)), len)
    assert "Bitte" not in litellm.prompt()


def test_a_failure_before_any_answer_is_an_error_and_stays_one_without_more_requests() -> None:
    litellm = FakeLitellm([BUSY])
    made = llm(litellm, retries=1)
    for _ in range(2):
        with pytest.raises(SummarizerError, match="too many requests"):
            made.summarize(task(), len)
    assert len(litellm.requests) == 2
    assert made.spent.calls == 2


def test_a_server_that_stops_answering_costs_the_rest_but_not_what_is_done() -> None:
    litellm = FakeLitellm([GOOD, BUSY])
    made = llm(litellm, retries=1)
    first, second, third = made.summarize(task(span(), span(), span()), len)
    assert first.text == GOOD
    assert second.reason == "openai/stub: too many requests (Slow down) (tried 2 times)"
    assert third.reason == f"not asked again after: {second.reason}"
    assert third.spending is None
    [later] = made.summarize(task(), len)
    assert later.reason == third.reason
    assert len(litellm.requests) == 3


def test_settings_that_cannot_work_are_an_error_at_any_time() -> None:
    litellm = FakeLitellm([GOOD, NO_KEY])
    made = llm(litellm)
    for _ in range(2):
        with pytest.raises(SummarizerError, match="access was refused") as caught:
            made.summarize(task(span(), span()), len)
        assert "key" in caught.value.hint
    assert made.spent.calls == 2


def test_a_cap_leaves_the_rest_without_texts() -> None:
    first, second = llm(FakeLitellm([GOOD]), max_calls=1).summarize(task(span(), span()), len)
    assert first.text == GOOD
    assert second == ("", "the cap of 1 request is reached", None)


def test_progress_is_told_in_words() -> None:
    words: list[str] = []
    made = llm(FakeLitellm([GOOD]), max_input_tokens=9000)
    made.tell = words.append
    texts = [entry for number in range(40) for entry in (call(f"{number}"), got("x " * 200))]
    made.summarize(task(span(), span(*texts, tokens=16_000), budget=3000), len)
    assert words[0] == "text 1 of 2"
    assert words[1] == "text 2 of 2"
    assert words[2].startswith("text 2 of 2, part 1 of ")
    assert words[-1] == "text 2 of 2, joining the parts"


def test_the_same_task_makes_the_same_requests() -> None:
    one, other = FakeLitellm([GOOD]), FakeLitellm([event(GOOD)])
    for litellm in (one, other):
        llm(litellm).summarize(task(span(), focus="the port"), len)
    assert all(a == b for a, b in itertools.zip_longest(one.requests, other.requests))
