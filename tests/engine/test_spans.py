"""What a summarizer is told of a call."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcompact.engine.spans import arguments_of


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        pytest.param({"type": "tool_use", "input": {"a": 1}}, {"a": 1}, id="Anthropic"),
        pytest.param({"function": {"arguments": '{"a": 1}'}}, {"a": 1}, id="OpenAI Chat"),
        pytest.param({"custom": {"input": "***"}}, "***", id="a custom call, which is no JSON"),
        pytest.param({"arguments": '{"a": 1}', "name": "x"}, {"a": 1}, id="OpenAI Responses"),
        pytest.param({"action": {"command": ["ls"]}}, {"command": ["ls"]}, id="its local shell"),
        pytest.param({"operation": {"path": "x"}}, {"path": "x"}, id="its patches"),
        pytest.param({"name": "x", "args": {"a": 1}}, {"a": 1}, id="Gemini"),
        pytest.param({"type": "tool_call", "value": '{"a": 1}'}, {"a": 1}, id="LLaMA-Factory"),
        pytest.param({"name": "x"}, None, id="none"),
        pytest.param("text", None, id="what is no call"),
    ],
)
def test_the_arguments_of_a_call_are_found_wherever_its_api_keeps_them(
    call: Any, expected: Any
) -> None:
    assert arguments_of(call) == expected
