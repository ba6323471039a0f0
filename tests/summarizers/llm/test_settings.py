from __future__ import annotations

from typing import Any

import pytest

from ctxcompact.core.tasks import Style
from ctxcompact.errors import UsageError
from ctxcompact.summarizers.llm.settings import LlmSettings


@pytest.mark.parametrize(
    ("given", "message"),
    [
        pytest.param({"model": " "}, "the llm summarizer has no model", id="no model"),
        pytest.param({"timeout_s": 0}, "--timeout-s 0: must be above 0", id="no time"),
        pytest.param({"retries": -1}, "--retries -1: must be 0 or more", id="retries"),
        pytest.param({"max_calls": -1}, "--max-llm-calls -1: must be 0 or more", id="calls"),
        pytest.param(
            {"max_input_tokens": -1}, "--max-input-tokens -1: must be 0 or more", id="window"
        ),
        pytest.param({"max_cost_usd": -1.0}, "--max-cost-usd -1.0: must be 0 or more", id="cost"),
        pytest.param({"prompts": {Style.FULL: "\n"}}, "the prompt for full is empty", id="prompt"),
    ],
)
def test_what_cannot_be_meant_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        LlmSettings(**{"model": "m", **given})
    assert caught.value.message == message
    assert caught.value.hint


def test_a_password_in_the_address_is_not_shown() -> None:
    assert LlmSettings(model="m").where == "m"
    settings = LlmSettings(model="m", api_base="https://me:pass@host/v1")
    assert settings.where == "m at https://[hidden]@host/v1"
