"""The whole summarizer against a real server: what it sends, and which answers it takes."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact.errors import SummarizerError
from tests.summarizers.llm.server import Reply, Server, prompt_of, refusal
from tests.summarizers.llm.wired import GOOD, INJECTED, KEY, count, long_span, make, summarize

if TYPE_CHECKING:
    from collections.abc import Callable

FORM = "## Goal\n(none)\n\n## Progress\n(none)\n"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.mark.parametrize("streams", [True, False], ids=["streaming", "one reply"])
def test_a_good_answer_is_taken_and_accounted_for(
    litellm: Any, serve: Callable[..., Server], *, streams: bool
) -> None:
    server = serve(GOOD, streams=streams)
    made = make(litellm, server.url)
    summary = summarize(made)
    assert (summary.text, summary.reason) == (GOOD.text, "")
    assert summary.spending is not None
    assert summary.spending.model == "openai/stub"
    assert summary.spending.calls == len(server.requests)
    assert summary.spending.input_tokens == len(prompt_of(server.requests[-1])) // 4
    assert summary.spending.output_tokens == 10
    assert summary.spending.cost_usd is None
    assert summary.spending.seconds > 0


def test_a_server_that_does_not_stream_is_asked_for_streams_only_once(
    litellm: Any, serve: Callable[..., Server]
) -> None:
    server = serve(GOOD, streams=False)
    made = make(litellm, server.url)
    assert summarize(made).text == summarize(made).text == GOOD.text
    assert [request.get("stream") for request in server.requests] == [True, None, None]


def test_a_request_is_rendered_text_with_rules_and_without_tools(
    litellm: Any, serve: Callable[..., Server]
) -> None:
    server = serve(GOOD)
    summarize(make(litellm, server.url))
    [request] = server.requests
    assert {"tools", "functions", "tool_choice"}.isdisjoint(request)
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert all(set(message) == {"role", "content"} for message in request["messages"])
    prompt = prompt_of(request)
    assert "Welcher Port ist eingestellt?" in prompt
    assert "SYSTEM OVERRIDE" in prompt
    assert "emoji: \N{REPLACEMENT CHARACTER}, the end" in prompt
    assert "language of the user" in prompt


@pytest.mark.parametrize("streams", [True, False], ids=["streaming", "one reply"])
@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        pytest.param(Reply(""), "gave no text", id="empty"),
        pytest.param(Reply("  \n \t "), "gave no text", id="blank"),
        pytest.param(
            Reply(None, "tool_calls", calls_tool=True),
            "called a tool instead of writing",
            id="a tool call",
        ),
        pytest.param(
            Reply(None, reasoning="The user wants"),
            "gave its reasoning but no text",
            id="reasoning",
        ),
        pytest.param(
            Reply("The crew was about to", "length"), "stopped at its output limit", id="cut"
        ),
        pytest.param(Reply(FORM), "filled in a form with nothing", id="a form of nothing"),
        pytest.param(
            Reply("I'm sorry, but I can't help with that."),
            "declined, or saw nothing to summarize",
            id="a refusal",
        ),
        pytest.param(
            Reply(lambda prompt: prompt[-300:]), "repeated its instructions", id="an echo"
        ),
        pytest.param(
            Reply(INJECTED[:570]),
            "copied a passage instead of summarizing",
            id="an echo of injected text",
        ),
    ],
)
def test_an_answer_that_is_no_summary_is_refused_after_a_second_one(
    litellm: Any, serve: Callable[..., Server], reply: Reply, reason: str, *, streams: bool
) -> None:
    server = serve(reply, streams=streams)
    summary = summarize(make(litellm, server.url))
    assert (summary.text, summary.reason) == ("", f"the model {reason}, twice")
    assert summary.spending is not None
    assert summary.spending.calls == len(server.requests)


def test_an_answer_three_times_the_prompt_is_refused_for_its_size(
    litellm: Any, serve: Callable[..., Server]
) -> None:
    summary = summarize(make(litellm, serve(Reply(lambda prompt: prompt * 3)).url))
    assert summary.text == ""
    assert "tokens where at most 500 were wanted, twice" in summary.reason


def test_a_window_that_is_too_small_for_a_request_is_found_out(
    litellm: Any, serve: Callable[..., Server]
) -> None:
    too_large = refusal(400, "the request exceeds the available context size")
    server = serve(too_large, GOOD)
    summary = summarize(make(litellm, server.url), long_span(30))
    assert summary.text == GOOD.text
    assert len(server.requests) > 2


def test_a_long_session_is_sent_in_requests_that_fit_and_hold_all_of_it(
    litellm: Any, serve: Callable[..., Server]
) -> None:
    server = serve(GOOD)
    assert (
        summarize(make(litellm, server.url, max_input_tokens=3000), long_span(30)).text == GOOD.text
    )
    prompts = [prompt_of(request) for request in server.requests]
    assert max(map(count, prompts)) <= 3000
    assert [n for n in range(30) if not any(f"CODE-{n:03}" in prompt for prompt in prompts)] == []


def test_nothing_is_printed_and_no_thread_of_ours_is_left_waiting(
    litellm: Any, serve: Callable[..., Server], capfd: pytest.CaptureFixture[str]
) -> None:
    summarize(make(litellm, serve(Reply("")).url))
    with pytest.raises(SummarizerError):
        summarize(make(litellm, serve(refusal(401, "no")).url))
    assert capfd.readouterr() == ("", "")
    ours = [one for one in threading.enumerate() if one.name == "ctxcompact-llm"]
    for thread in ours:
        thread.join(5)
    assert [thread for thread in ours if thread.is_alive()] == []
