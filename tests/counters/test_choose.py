from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.counters import NAMES, TextCounter, choose
from ctxcompact.errors import UsageError

if TYPE_CHECKING:
    from ctxcompact.core.measure import Counter

ANY_TEXT = st.text(st.characters(exclude_categories=[]))  # lone surrogates too


def trust(counter: TextCounter) -> tuple[str, bool, float]:
    return counter.name, counter.exact, counter.error_pct


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        pytest.param("", ("o200k_base", True, 0), id="nothing recorded"),
        pytest.param("gpt-5.4", ("o200k_base", True, 0), id="GPT-5"),
        pytest.param("gpt-4-0613", ("cl100k_base", True, 0), id="GPT-4"),
        pytest.param("claude-opus-4-6", ("claude", False, 16), id="Claude before 4.7"),
        pytest.param("claude-opus-4-7", ("claude", False, 28), id="Claude from 4.7"),
        pytest.param("gemini-3-flash-preview", ("gemini", False, 28), id="Gemini"),
        pytest.param("kimi-k2.7-code", ("o200k_base", False, 33), id="unknown model"),
    ],
)
def test_auto_takes_the_counter_of_the_recorded_model(
    model: str, expected: tuple[str, bool, float]
) -> None:
    assert trust(choose("auto", model)) == expected


@pytest.mark.parametrize(
    ("name", "model", "expected"),
    [
        pytest.param("cl100k_base", "", ("cl100k_base", True, 0), id="no model to miss"),
        pytest.param("cl100k_base", "gpt-5", ("cl100k_base", False, 22), id="a newer GPT"),
        pytest.param("o200k_base", "gpt-4", ("o200k_base", False, 22), id="an older GPT"),
        pytest.param("o200k_base", "claude-opus-4-8", ("o200k_base", False, 44), id="Claude"),
        pytest.param("o200k_base", "kimi-k2.7", ("o200k_base", False, 33), id="an unknown model"),
    ],
)
def test_an_encoding_is_exact_only_for_its_own_models(
    name: str, model: str, expected: tuple[str, bool, float]
) -> None:
    assert trust(choose(name, model)) == expected


def test_claude_without_a_claude_model_means_the_newest() -> None:
    assert trust(choose("claude", "gpt-5")) == trust(choose("claude", "claude-opus-4-8"))


def test_the_estimates_scale_the_o200k_count() -> None:
    text = "Compact the transcript, keep a way back. " * 50
    o200k = choose("o200k_base").count(text)
    assert choose("claude", "claude-sonnet-4-5").count(text) == round(o200k * 1.16)
    assert choose("claude", "claude-opus-4-7").count(text) == round(o200k * 1.37)
    assert choose("gemini").count(text) == round(o200k * 1.2)


@pytest.mark.parametrize("name", NAMES)
def test_every_accepted_name_makes_a_counter(name: str) -> None:
    counter: Counter = choose(name)
    assert counter.name == ("o200k_base" if name == "auto" else name)
    assert counter.exact == (counter.error_pct == 0)
    assert counter.count("") == 0
    assert counter.count("a message of some words") > 0


@pytest.mark.parametrize(
    ("name", "framing"),
    [
        pytest.param("o200k_base", (4, 8, 7), id="o200k"),
        pytest.param("cl100k_base", (4, 3, 0), id="cl100k"),
        pytest.param("claude", (4, 25, 25), id="claude"),
        pytest.param("gemini", (5, 8, 7), id="gemini"),
        pytest.param("chars4", (0, 0, 0), id="chars4 counts framing as characters"),
        pytest.param("agentscope", (5, 10, 8), id="agentscope as its source"),
    ],
)
def test_framing_is_paid_by_message_call_and_result(
    name: str, framing: tuple[int, int, int]
) -> None:
    counter = choose(name)
    assert (counter.message_tokens, counter.call_tokens, counter.result_tokens) == framing


@given(ANY_TEXT)
def test_no_text_makes_any_counter_raise(text: str) -> None:
    for name in NAMES:
        assert choose(name).count(text) >= 0


def test_a_slip_in_the_name_gets_a_suggestion_and_the_list() -> None:
    with pytest.raises(UsageError) as caught:
        choose("o200k-base")
    assert "'o200k-base'" in caught.value.message
    assert "Did you mean 'o200k_base'?" in caught.value.hint
    assert all(name in caught.value.hint for name in NAMES)


def test_a_name_like_no_other_gets_the_list_alone() -> None:
    with pytest.raises(UsageError) as caught:
        choose("words")
    assert "Did you mean" not in caught.value.hint
    assert "agentscope" in caught.value.hint


def test_choosing_and_counting_nothing_loads_no_tokenizer() -> None:
    program = (
        "import sys; from ctxcompact.counters import choose; choose('auto', 'gpt-5').count('');"
        "assert choose('agentscope').count('abc') == 2; print('tiktoken' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "False"
