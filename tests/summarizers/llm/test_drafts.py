from __future__ import annotations

import re
from typing import Any

import pytest

from ctxcompact.core.tasks import Got, Style, Summary
from ctxcompact.errors import SummarizerError
from ctxcompact.summarizers.llm import Llm
from tests.summarizers.llm.fakes import (
    GOOD,
    FakeLitellm,
    Refusal,
    data_of,
    event,
    llm,
    long_talk,
    span,
    task,
    usage,
)

TOO_LARGE = Refusal("This model's maximum context length is exceeded", 400)


def quarter(text: str) -> int:
    """Count a token for four characters."""
    return len(text) // 4 + 1


def summarized(by: FakeLitellm | Llm, rounds: int, **settings: Any) -> Summary:
    entries = long_talk(rounds)
    tokens = sum(quarter(str(entry)) for entry in entries)
    made = by if isinstance(by, Llm) else llm(by, **settings)
    asked = task(span(*entries, style=Style.FULL, tokens=tokens))
    [summary] = made.summarize(asked, quarter)
    return summary


def codes(text: str) -> set[str]:
    return set(re.findall(r"CODE-\d{3}", text))


def all_codes(rounds: int) -> set[str]:
    return {f"CODE-{number:03}" for number in range(rounds)}


def size_of(request: dict[str, Any]) -> int:
    return sum(quarter(message["content"]) for message in request["messages"])


def test_what_fits_is_asked_for_at_once() -> None:
    litellm = FakeLitellm([GOOD])
    assert summarized(litellm, 10).text == GOOD
    assert len(litellm.requests) == 1
    assert codes(litellm.prompt()) == all_codes(10)


def test_what_does_not_fit_is_summarized_in_parts_which_are_then_joined() -> None:
    litellm = FakeLitellm([GOOD])
    assert summarized(litellm, 30, max_input_tokens=3000).text == GOOD
    prompts = [litellm.prompt(number) for number in range(len(litellm.requests))]
    assert len(prompts) > 5
    assert codes(data_of(prompts)) == all_codes(30)
    assert all(size_of(request) + request["max_tokens"] <= 3000 for request in litellm.requests)
    assert "part 1 of " in prompts[0]
    assert "notes on part 1]" in prompts[-1]
    assert prompts[-1].count(GOOD) == len(prompts) - 1


def test_notes_that_do_not_fit_together_are_joined_in_groups() -> None:
    def long_note(request: dict[str, Any]) -> Any:
        text = request["messages"][1]["content"]
        facts = " ".join(sorted(codes(text))) or "notes"
        filling = "it was read and found to be in order, and " * 30
        return event(f"{facts}: {filling}done." if "joined later" in str(request) else GOOD)

    litellm = FakeLitellm([long_note])
    assert summarized(litellm, 30, max_input_tokens=2500).text == GOOD
    merges = [text for text in map(str, litellm.requests) if "are notes on" in text]
    assert len(merges) > 1
    assert codes(data_of(merges)) == all_codes(30)


def test_the_parts_are_about_even() -> None:
    litellm = FakeLitellm([GOOD])
    summarized(litellm, 30, max_input_tokens=3000)
    sizes = [size_of(request) for request in litellm.requests[:-1]]
    assert min(sizes) > 0.6 * max(sizes)


def test_a_window_that_is_smaller_than_believed_is_found_out() -> None:
    def pick_up(request: dict[str, Any]) -> Any:
        return TOO_LARGE if size_of(request) > 3000 else event(GOOD, usage=usage())

    litellm = FakeLitellm([pick_up])
    made = llm(litellm)
    assert summarized(made, 60).text == GOOD
    assert made.note.endswith("its server takes no more")
    sent = [request for request in litellm.requests if size_of(request) <= 3000]
    assert codes(data_of(map(str, sent))) == all_codes(60)
    assert len(litellm.requests) - len(sent) <= 4


def test_a_server_that_finds_everything_too_large_is_given_up() -> None:
    litellm = FakeLitellm([TOO_LARGE])
    with pytest.raises(SummarizerError) as caught:
        summarized(litellm, 10)
    assert "--max-input-tokens" in caught.value.hint
    assert len(litellm.requests) < 8


def test_a_window_too_small_for_the_rules_is_refused_before_any_request() -> None:
    litellm = FakeLitellm([GOOD])
    with pytest.raises(SummarizerError, match="a window of 700 tokens is too small") as caught:
        summarized(litellm, 10, max_input_tokens=700)
    needed = int(caught.value.hint.split()[1])
    assert litellm.requests == []
    assert summarized(litellm, 10, max_input_tokens=needed).text == GOOD


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        pytest.param("", "gave no text", id="empty"),
        pytest.param(event("", tool_calls=[1]), "called a tool", id="a tool call"),
        pytest.param(event("half of", "length"), "stopped at its output limit", id="cut"),
        pytest.param("I'm sorry, but I cannot do that.", "declined", id="a refusal"),
        pytest.param(
            "word " * 4000, "wrote 5000 tokens where at most 1000 were wanted", id="too long"
        ),
    ],
)
def test_a_bad_answer_is_asked_for_once_more_and_told_what_was_wrong(bad: Any, told: str) -> None:
    litellm = FakeLitellm([bad, GOOD])
    assert summarized(litellm, 10).text == GOOD
    assert told in litellm.prompt(1)
    assert told not in litellm.prompt(0)
    assert codes(litellm.prompt(1)) == all_codes(10)


def test_a_second_bad_answer_is_refused_and_accounted_for() -> None:
    litellm = FakeLitellm([event("  ", usage=usage(100, 2))])
    summary = summarized(litellm, 10)
    assert (summary.text, summary.reason) == ("", "the model gave no text, twice")
    assert summary.spending is not None
    assert (summary.spending.calls, summary.spending.input_tokens) == (2, 200)


def test_a_cut_answer_is_asked_for_with_more_room() -> None:
    litellm = FakeLitellm([event("half of", "length"), GOOD])
    summarized(litellm, 10, max_input_tokens=20_000)
    first, second = (request["max_tokens"] for request in litellm.requests)
    assert second > first


def test_a_part_without_a_note_leaves_the_whole_without_a_text() -> None:
    litellm = FakeLitellm([GOOD, ""])
    summary = summarized(litellm, 30, max_input_tokens=3000)
    assert summary.text == ""
    assert len(litellm.requests) == 3


def test_parts_are_not_begun_when_the_cap_cannot_hold_them() -> None:
    litellm = FakeLitellm([GOOD])
    summary = summarized(litellm, 30, max_input_tokens=3000, max_calls=4)
    assert re.fullmatch(r"\d+ requests are needed, and the cap leaves 4", summary.reason)
    assert litellm.requests == []
    assert summary.spending is None


def test_a_span_without_words_is_not_asked_about() -> None:
    litellm = FakeLitellm([GOOD])
    [summary] = llm(litellm).summarize(task(span(Got("c", "run", " "))), len)
    assert summary == ("", "there was nothing to summarize", None)
    assert litellm.requests == []


def test_a_payload_may_come_back_as_it_was() -> None:
    text = " ".join(f"key{number}=value{number}" for number in range(60))
    payload = span(Got("c", "cat", text + " and noise" * 300), style=Style.PAYLOAD)
    round_ = payload._replace(style=Style.TOOL_RUN)
    kept, refused = llm(FakeLitellm([text])).summarize(task(payload, round_, budget=4000), len)
    assert kept.text == text
    assert refused.reason == "the model copied a passage instead of summarizing, twice"
