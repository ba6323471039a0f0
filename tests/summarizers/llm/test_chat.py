from __future__ import annotations

from typing import Any

import pytest

from ctxcompact.summarizers.llm.chat import CapReached
from ctxcompact.summarizers.llm.failures import CallFailed, Kind
from tests.summarizers.llm.fakes import FakeLitellm, Naps, Refusal, chat, event, usage

MESSAGES = [{"role": "user", "content": "hello"}]
BUSY = Refusal("Slow down", 429)
PRICES = {"stub": {"max_input_tokens": 9000, "input_cost_per_token": 1e-6}}


def ask(litellm: FakeLitellm, naps: Naps | None = None, **settings: Any) -> str:
    return chat(litellm, naps, **settings).ask(MESSAGES, 500, 42).text


def test_a_request_carries_no_tools_and_litellm_makes_no_retries_of_its_own() -> None:
    litellm = FakeLitellm(["fine"])
    assert ask(litellm, api_base="http://127.0.0.1:1/v1", timeout_s=7) == "fine"
    [request] = litellm.requests
    assert request["messages"] == MESSAGES
    assert request["max_tokens"] == 500
    assert request["timeout"] == 7.0
    assert request["api_base"] == "http://127.0.0.1:1/v1"
    assert (request["num_retries"], request["max_retries"]) == (0, 0)
    assert "tools" not in request
    assert "functions" not in request


def test_without_a_base_none_is_sent() -> None:
    litellm = FakeLitellm(["fine"])
    ask(litellm)
    assert "api_base" not in litellm.requests[0]


@pytest.mark.parametrize(
    ("failures", "naps"),
    [
        pytest.param([BUSY], [1.0], id="once"),
        pytest.param([BUSY, Refusal("boom", 503)], [1.0, 2.0], id="twice, and longer each time"),
        pytest.param([Refusal("Slow down", 429, "7")], [7.0], id="as long as the server asks for"),
        pytest.param([Refusal("Slow down", 429, "900")], [30.0], id="but not for ever"),
        pytest.param([Refusal("Request timed out", 408)], [1.0], id="after a time-out"),
        pytest.param([Refusal("Connection error.", 500)], [1.0], id="after a lost connection"),
    ],
)
def test_what_may_pass_is_tried_again(failures: list[Exception], naps: list[float]) -> None:
    litellm, taken = FakeLitellm([*failures, "fine"]), Naps()
    assert ask(litellm, taken) == "fine"
    assert taken.taken == naps


def test_tries_are_bounded_and_the_error_says_how_many() -> None:
    litellm, naps = FakeLitellm([BUSY]), Naps()
    with pytest.raises(CallFailed) as caught:
        ask(litellm, naps, retries=3, api_base="http://127.0.0.1:1/v1")
    assert len(litellm.requests) == 4
    assert naps.taken == [1.0, 2.0, 4.0]
    assert caught.value.message == (
        "openai/stub at http://127.0.0.1:1/v1: too many requests (Slow down) (tried 4 times)"
    )


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        pytest.param(Refusal("no", 401), Kind.STOP, id="no access"),
        pytest.param(Refusal("no", 404), Kind.STOP, id="not found"),
        pytest.param(Refusal("no", 400), Kind.STOP, id="a bad request"),
        pytest.param(Refusal("maximum context length", 400), Kind.WINDOW, id="too large"),
        pytest.param(IndexError("list index out of range"), Kind.STOP, id="another shape"),
    ],
)
def test_what_cannot_pass_is_not_tried_again(error: Exception, kind: Kind) -> None:
    litellm, naps = FakeLitellm([error]), Naps()
    with pytest.raises(CallFailed) as caught:
        ask(litellm, naps)
    assert caught.value.kind is kind
    assert (len(litellm.requests), naps.taken) == (1, [])


def test_a_stream_of_nothing_is_asked_for_again_as_one_reply_and_so_are_all_others() -> None:
    litellm = FakeLitellm([event(""), event("fine", usage=usage()), "more"])
    talk = chat(litellm)
    assert talk.ask(MESSAGES, 500, 42).text == "fine"
    assert talk.ask(MESSAGES, 500, 42).text == "more"
    assert ["stream" in request for request in litellm.requests] == [True, False, False]
    assert talk.account.answers == 2


def test_the_account_takes_what_the_provider_tells_and_counts_failed_tries() -> None:
    talk = chat(FakeLitellm([BUSY, event("fine", usage=usage(70, 9))], PRICES))
    talk.ask(MESSAGES, 500, 42)
    talk.ask(MESSAGES, 500, 42)
    account = talk.account
    assert (account.calls, account.answers) == (3, 2)
    assert (account.input_tokens, account.output_tokens) == (140, 18)
    assert account.cost_usd == 1.5
    assert account.seconds >= 0


def test_where_the_provider_does_not_tell_sizes_are_estimates_and_the_cost_is_unknown() -> None:
    talk = chat(FakeLitellm([event("x" * 40)], PRICES))
    talk.ask(MESSAGES, 500, 42)
    assert (talk.account.input_tokens, talk.account.output_tokens) == (42, 10)
    assert talk.account.cost_usd is None


def test_the_cap_on_requests_counts_all_of_them() -> None:
    talk = chat(FakeLitellm(["fine"]), max_calls=2)
    talk.ask(MESSAGES, 500, 42)
    talk.ask(MESSAGES, 500, 42)
    with pytest.raises(CapReached, match="the cap of 2 requests is reached"):
        talk.ask(MESSAGES, 500, 42)


def test_a_cap_that_ends_the_tries_leaves_the_failure_to_be_told() -> None:
    naps = Naps()
    with pytest.raises(CallFailed, match="too many requests"):
        ask(FakeLitellm([BUSY]), naps, max_calls=1)
    assert naps.taken == []


def test_the_cap_on_the_cost_stops_before_the_next_request() -> None:
    talk = chat(FakeLitellm(["fine"], PRICES), max_cost_usd=1.0)
    talk.ask(MESSAGES, 500, 42)
    talk.ask(MESSAGES, 500, 42)
    with pytest.raises(CapReached, match="the cap of 1 USD is reached"):
        talk.ask(MESSAGES, 500, 42)


def test_a_cap_on_the_cost_needs_a_known_price() -> None:
    with pytest.raises(CallFailed, match="knows no price") as caught:
        ask(FakeLitellm(["fine"]), max_cost_usd=1.0)
    assert "--max-llm-calls" in caught.value.hint


def test_the_cost_of_a_model_without_a_price_is_unknown_from_the_start() -> None:
    talk = chat(FakeLitellm([BUSY]), retries=0)
    with pytest.raises(CallFailed):
        talk.ask(MESSAGES, 500, 42)
    assert talk.account.cost_usd is None


def test_the_window_is_the_one_given_else_the_known_one() -> None:
    assert chat(FakeLitellm([], PRICES)).limits().window_tokens == 9000
    assert chat(FakeLitellm([], PRICES), max_input_tokens=3000).limits().window_tokens == 3000
    assert chat(FakeLitellm([])).limits() == (128_000, 4096, False)


@pytest.mark.parametrize(
    ("model", "given", "note"),
    [
        pytest.param("openai/stub", None, "9,000 tokens, as litellm knows", id="known"),
        pytest.param("openai/other", None, "128,000 tokens, litellm knows none", id="not known"),
        pytest.param("openai/other", 3000, "3,000 tokens, as given", id="given"),
    ],
)
def test_it_is_said_which_window_was_taken(model: str, given: int | None, note: str) -> None:
    talk = chat(FakeLitellm([], PRICES), model=model, max_input_tokens=given)
    assert talk.window_note == ""
    talk.limits()
    assert talk.window_note == f"{model}: a window of {note}"


def test_an_interrupt_goes_through() -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(FakeLitellm([interrupt]))
