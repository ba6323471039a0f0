from __future__ import annotations

import pytest

from ctxcompact.summarizers.llm.failures import Kind, failure_of, redact
from tests.summarizers.llm.fakes import Refusal

LITELLM = "litellm.{0}: {0}: OpenAIException - {1}"
SECRET = "very-secret-value"  # noqa: S105 - made up


@pytest.mark.parametrize(
    ("error", "kind", "told"),
    [
        pytest.param(TimeoutError(), Kind.AGAIN, "no answer within 60 s", id="our own time-out"),
        pytest.param(
            Refusal("litellm.Timeout: Request timed out.", 408),
            Kind.AGAIN,
            "no answer within 60 s",
            id="litellm's time-out",
        ),
        pytest.param(
            Refusal(LITELLM.format("RateLimitError", "Slow down"), 429),
            Kind.AGAIN,
            "too many requests (Slow down)",
            id="too many requests",
        ),
        pytest.param(
            Refusal("Rate limit reached for this api key", 429),
            Kind.AGAIN,
            "too many requests (Rate limit reached for this api key)",
            id="also of a key",
        ),
        pytest.param(
            Refusal(LITELLM.format("InternalServerError", "boom"), 500),
            Kind.AGAIN,
            "the server failed (boom)",
            id="a server's fault",
        ),
        pytest.param(
            Refusal("overloaded", 529),
            Kind.AGAIN,
            "the server failed (overloaded)",
            id="a busy server",
        ),
        pytest.param(
            Refusal(LITELLM.format("InternalServerError", "Connection error."), 500),
            Kind.AGAIN,
            "the connection failed (Connection error.)",
            id="no connection",
        ),
        pytest.param(
            Refusal("OllamaException - [Errno 111] Connection refused", 500),
            Kind.AGAIN,
            "the connection failed ([Errno 111] Connection refused)",
            id="nobody listens",
        ),
        pytest.param(
            Refusal(
                "litellm.MidStreamFallbackError: litellm.APIConnectionError: APIConnectionError: "
                "OpenAIException - Stream ended before a finish_reason was received "
                "Original exception: "
                "APIConnectionError: litellm.APIConnectionError: x\nTraceback",
                500,
            ),
            Kind.AGAIN,
            "the connection failed (Stream ended before a finish_reason was received)",
            id="a stream that broke off",
        ),
        pytest.param(
            Refusal("This model's maximum context length is 4096 tokens.", 400),
            Kind.WINDOW,
            "the request does not fit the window (This model's maximum context length is 4096"
            " tokens.)",
            id="too large",
        ),
        pytest.param(
            Refusal("the request exceeds the available context size", 400),
            Kind.WINDOW,
            "the request does not fit the window (the request exceeds the available context size)",
            id="too large for a local server",
        ),
        pytest.param(
            Refusal("prompt is too long: 210000 tokens > 200000 maximum", 400),
            Kind.WINDOW,
            "the request does not fit the window (prompt is too long: 210000 tokens > 200000"
            " maximum)",
            id="too large elsewhere",
        ),
        pytest.param(
            Refusal("You exceeded your current quota", 429),
            Kind.STOP,
            "the account is used up (You exceeded your current quota)",
            id="no quota",
        ),
        pytest.param(
            Refusal("Payment Required", 402),
            Kind.STOP,
            "the account is used up (Payment Required)",
            id="not paid",
        ),
        pytest.param(Refusal("nope", 401), Kind.STOP, "access was refused (nope)", id="no access"),
        pytest.param(
            Refusal("forbidden", 403), Kind.STOP, "access was refused (forbidden)", id="forbidden"
        ),
        pytest.param(
            Refusal("litellm.APIConnectionError: Missing Gemini API key. Set it.\nTraceback", 500),
            Kind.STOP,
            "access was refused (Missing Gemini API key. Set it.)",
            id="a missing key that looks like a lost connection",
        ),
        pytest.param(
            Refusal("Missing credentials. Please pass one of `api_key`", 500),
            Kind.STOP,
            "access was refused (Missing credentials. Please pass one of `api_key`)",
            id="missing credentials",
        ),
        pytest.param(
            Refusal("The api_key client option must be set", 500),
            Kind.STOP,
            "access was refused (The api_key client option must be set)",
            id="a client's demand",
        ),
        pytest.param(
            Refusal("The model `x` does not exist", 404),
            Kind.STOP,
            "not found (The model `x` does not exist)",
            id="no such model",
        ),
        pytest.param(
            Refusal("LLM Provider NOT provided. Pass in the LLM provider", 400),
            Kind.STOP,
            "litellm knows no provider of that name",
            id="no such provider",
        ),
        pytest.param(
            Refusal("provider returned a response with no 'choices'. Raw keys: ['a']", 500),
            Kind.STOP,
            "the reply is no chat completion (provider returned a response with no"
            " 'choices'. Raw keys: ['a'])",
            id="another shape",
        ),
        pytest.param(
            IndexError("list index out of range"),
            Kind.STOP,
            "the reply is no chat completion (list index out of range)",
            id="no choice",
        ),
        pytest.param(
            Refusal("Invalid value for temperature", 400),
            Kind.STOP,
            "the request failed (Invalid value for temperature)",
            id="a bad request",
        ),
        pytest.param(KeyError("x"), Kind.STOP, "the request failed ('x')", id="a fault in litellm"),
        pytest.param(
            ValueError(), Kind.STOP, "the request failed (ValueError)", id="one without words"
        ),
    ],
)
def test_a_failure_is_told_and_filed(error: Exception, kind: Kind, told: str) -> None:
    failure = failure_of(error, 60)
    assert (failure.kind, failure.told) == (kind, told)
    assert failure.hint


@pytest.mark.parametrize(
    ("header", "wait_s"),
    [
        pytest.param("7", 7.0, id="seconds"),
        pytest.param("", None, id="none"),
        pytest.param("Wed, 21 Oct 2026 07:28:00 GMT", None, id="a date"),
        pytest.param("-1", 0.0, id="the past"),
    ],
)
def test_the_time_a_server_asks_for_is_read(header: str, wait_s: float | None) -> None:
    assert failure_of(Refusal("Slow down", 429, header), 60).wait_s == wait_s


def test_a_long_text_is_shown_in_part_and_on_one_line() -> None:
    told = failure_of(Refusal("bad " * 500, 400), 60).told
    assert len(told) < 260
    assert told.endswith("...)")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param(
            "Incorrect API key: sk-abcdef123456 given",
            "Incorrect API key: [hidden] given",
            id="a key by its form",
        ),
        pytest.param(
            "header Bearer abc.def-ghi, sent", "header Bearer [hidden], sent", id="a header"
        ),
        pytest.param("http://me:pass@host/v1", "http://[hidden]@host/v1", id="a password in a URL"),
        pytest.param("GET /x?api_key=abc&b=1", "GET /x?api_key=[hidden]&b=1", id="a key in a URL"),
        pytest.param(f"got {SECRET}!", "got [hidden]!", id="a value of the environment"),
        pytest.param(
            "the task asks for a token count",
            "the task asks for a token count",
            id="plain words stay",
        ),
        pytest.param("dummy", "dummy", id="a short value of the environment stays"),
    ],
)
def test_keys_are_hidden(text: str, shown: str) -> None:
    assert redact(text, [SECRET, "dummy"]) == shown


def test_a_failure_shows_no_key() -> None:
    told = failure_of(Refusal(f"Wrong key {SECRET}", 401), 60, [SECRET]).told
    assert told == "access was refused (Wrong key [hidden])"
