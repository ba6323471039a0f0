"""The whole summarizer against a real server that fails, or against none."""

from __future__ import annotations

import socket
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact.errors import SummarizerError
from tests.summarizers.llm.fakes import Naps
from tests.summarizers.llm.server import Reply, Server, refusal
from tests.summarizers.llm.wired import GOOD, KEY, make, summarize

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.mark.parametrize(
    ("fault", "waited"),
    [
        pytest.param(refusal(429, "Slow down", Retry_After="3"), 3.0, id="too many requests"),
        pytest.param(refusal(500, "boom"), 1.0, id="a server's fault"),
        pytest.param(refusal(503, "loading"), 1.0, id="not ready"),
        pytest.param(replace(GOOD, breaks=True), 1.0, id="a lost connection"),
        pytest.param(replace(GOOD, ends_early=True), 1.0, id="a stream without an end"),
    ],
)
def test_a_passing_fault_is_got_over(
    litellm: Any, serve: Callable[..., Server], fault: Reply, waited: float
) -> None:
    naps = Naps()
    summary = summarize(make(litellm, serve(fault, GOOD).url, naps))
    assert summary.text == GOOD.text
    assert naps.taken == [waited]
    assert summary.spending is not None
    assert summary.spending.calls == 2


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        pytest.param(refusal(500, "boom"), "the server failed (boom) (tried 3 times)", id="500"),
        pytest.param(
            refusal(429, "Slow down"), "too many requests (Slow down) (tried 3 times)", id="429"
        ),
        pytest.param(replace(GOOD, breaks=True), "the connection failed", id="always broken off"),
    ],
)
def test_a_lasting_fault_ends_after_all_tries(
    litellm: Any, serve: Callable[..., Server], fault: Reply, told: str
) -> None:
    server = serve(fault)
    with pytest.raises(SummarizerError) as caught:
        summarize(make(litellm, server.url))
    assert told in caught.value.message
    assert server.url in caught.value.message
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(Reply(hangs=True), id="never answers"),
        pytest.param(Reply(comments=True), id="sends nothing but comments"),
    ],
)
def test_a_server_that_does_not_come_to_the_point_is_left(
    litellm: Any, serve: Callable[..., Server], reply: Reply, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ctxcompact.summarizers.llm.chat._GRACE_S", 0.2)
    server = serve(reply)
    with pytest.raises(SummarizerError, match=r"no answer within 0\.3 s \(tried 2 times\)"):
        summarize(make(litellm, server.url, timeout_s=0.3, retries=1))


@pytest.mark.parametrize(
    ("reply", "told", "hint"),
    [
        pytest.param(
            refusal(401, f"Incorrect API key provided: {KEY}", "invalid_api_key"),
            "access was refused (Incorrect API key provided: [hidden])",
            "OPENAI_API_KEY",
            id="a wrong key",
        ),
        pytest.param(
            refusal(404, "The model `stub` does not exist", "model_not_found"),
            "not found (The model `stub` does not exist)",
            "--model",
            id="no such model",
        ),
        pytest.param(
            refusal(400, "Unknown field"),
            "the request failed (Unknown field)",
            "--model",
            id="a bad request",
        ),
        pytest.param(
            Reply(body={"hello": 1}), "the reply is no chat completion", "/v1", id="another shape"
        ),
        pytest.param(
            Reply(body={"choices": []}), "the reply is no chat completion", "/v1", id="no choice"
        ),
        pytest.param(Reply(body=[1, 2]), "the reply is no chat completion", "/v1", id="a list"),
        pytest.param(
            Reply(body=b"<html>hello</html>"),
            "the reply is no chat completion",
            "/v1",
            id="a web page",
        ),
    ],
)
def test_what_a_person_has_to_change_is_one_clear_error_at_once(
    litellm: Any, serve: Callable[..., Server], reply: Reply, told: str, hint: str
) -> None:
    naps, server = Naps(), serve(reply)
    with pytest.raises(SummarizerError) as caught:
        summarize(make(litellm, server.url, naps))
    assert caught.value.message.startswith(f"openai/stub at {server.url}: {told}")
    assert hint in caught.value.hint
    assert KEY not in caught.value.message
    assert naps.taken == []


def test_an_address_where_nobody_listens_is_named(litellm: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(SummarizerError) as caught:
        summarize(make(litellm, f"http://127.0.0.1:{port}/v1"))
    assert f"127.0.0.1:{port}/v1: the connection failed" in caught.value.message
    assert "--api-base" in caught.value.hint


def test_a_model_without_a_known_provider_is_an_error_without_a_request(litellm: Any) -> None:
    with pytest.raises(SummarizerError, match="litellm knows no provider of that name") as caught:
        summarize(make(litellm, "", model="stub-of-nobody"))
    assert "PROVIDER/MODEL" in caught.value.hint


@pytest.mark.parametrize(
    ("model", "variables"),
    [
        pytest.param("openai/gpt-4o", ("OPENAI_API_KEY",), id="OpenAI"),
        pytest.param(
            "anthropic/claude-sonnet-4-5",
            ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
            id="Anthropic",
        ),
        pytest.param("gemini/gemini-2.5-flash", ("GEMINI_API_KEY", "GOOGLE_API_KEY"), id="Gemini"),
    ],
)
def test_a_missing_key_is_an_error_without_a_request(
    litellm: Any, monkeypatch: pytest.MonkeyPatch, model: str, variables: tuple[str, ...]
) -> None:
    for variable in variables:
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(SummarizerError, match="access was refused") as caught:
        summarize(make(litellm, "", model=model))
    assert "environment" in caught.value.hint


def test_a_server_of_ones_own_needs_no_key(
    litellm: Any, serve: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert summarize(make(litellm, serve(GOOD).url)).text == GOOD.text
