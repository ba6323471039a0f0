from __future__ import annotations

import logging
import os
import sys
import types
import warnings
from typing import Any

import pytest

from ctxcompact.errors import SummarizerError
from ctxcompact.summarizers.llm import provider
from tests.summarizers.llm.fakes import FakeLitellm, usage

PRICED: dict[str, dict[str, Any]] = {
    "gpt-x": {"max_input_tokens": 9000, "max_output_tokens": 700, "input_cost_per_token": 1e-6},
    "groq/llama": {"max_tokens": 5000},
}


def test_a_missing_litellm_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "litellm", None)
    with pytest.raises(SummarizerError) as caught:
        provider.load()
    assert caught.value.hint == "pip install 'ctxcompact[llm]'"
    assert "not installed" in caught.value.message


def test_a_broken_litellm_says_what_is_broken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: os.PathLike[str]
) -> None:
    with open(os.path.join(tmp_path, "litellm.py"), "w", encoding="utf-8") as file:  # noqa: PTH118, PTH123
        file.write("import no_such_module_here\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "litellm", raising=False)
    with pytest.raises(SummarizerError, match="no_such_module_here"):
        provider.load()


def test_the_price_list_inside_the_package_is_asked_for_before_the_import(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "litellm", types.ModuleType("litellm"))
    monkeypatch.delenv("LITELLM_LOCAL_MODEL_COST_MAP", raising=False)
    assert provider.load() is sys.modules["litellm"]
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"


@pytest.mark.parametrize(
    ("model", "limits"),
    [
        pytest.param("gpt-x", (9000, 700, True), id="known by its name"),
        pytest.param("openai/gpt-x", (9000, 700, True), id="known without its provider"),
        pytest.param("groq/llama", (5000, 4096, True), id="known with its provider"),
        pytest.param("openai/stub", (128_000, 4096, False), id="not known"),
    ],
)
def test_the_limits_of_a_model_come_from_the_list(
    model: str, limits: tuple[int, int, bool]
) -> None:
    assert provider.limits_of(FakeLitellm([], PRICED), model) == limits


def test_a_price_is_told_only_where_there_is_one() -> None:
    litellm = FakeLitellm([], PRICED)
    assert provider.price_usd(litellm, "gpt-x", usage()) == 0.75
    assert provider.price_usd(litellm, "gpt-x", None) is None
    assert provider.price_usd(litellm, "groq/llama", usage()) is None
    assert provider.price_usd(litellm, "openai/stub", usage()) is None


@pytest.mark.parametrize(
    ("model", "base", "environ", "key"),
    [
        pytest.param("openai/stub", "http://127.0.0.1:1/v1", {}, {"api_key": "none"}, id="local"),
        pytest.param(
            "openai/stub", "http://127.0.0.1:1/v1", {"OPENAI_API_KEY": "k"}, {}, id="given"
        ),
        pytest.param("openai/gpt-x", "", {}, {}, id="the provider itself"),
        pytest.param("mistral/x", "http://127.0.0.1:1/v1", {}, {}, id="another provider"),
    ],
)
def test_only_a_server_of_ones_own_gets_a_made_up_key(
    model: str, base: str, environ: dict[str, str], key: dict[str, str]
) -> None:
    assert provider.key_for(model, base, environ) == key


def test_secrets_are_told_by_the_names_of_variables() -> None:
    environ = {"OPENAI_API_KEY": "a", "AWS_SECRET_ACCESS_KEY": "b", "HOME": "c", "my_token": "d"}
    assert provider.secrets(environ) == ["a", "b", "d"]


def test_nothing_is_printed_logged_or_warned_of_and_all_is_as_before_afterwards(
    capsys: pytest.CaptureFixture[str],
) -> None:
    litellm, logger = FakeLitellm([]), logging.getLogger("LiteLLM")
    with provider.quiet(litellm):
        warnings.warn("look out", UserWarning, stacklevel=1)
        logger.error("look out")
        assert litellm.suppress_debug_info is True
    assert litellm.suppress_debug_info is False
    assert not logger.disabled
    assert capsys.readouterr() == ("", "")
    with pytest.warns(UserWarning, match="look out"):
        warnings.warn("look out", UserWarning, stacklevel=1)
