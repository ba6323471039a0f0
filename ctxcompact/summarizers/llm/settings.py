"""What is asked of the llm summarizer. Where the values come from is for the caller."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ctxcompact.errors import UsageError
from ctxcompact.summarizers.llm.failures import redact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ctxcompact.core.tasks import Style


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmSettings:
    """Which model, and what it may take. None means no limit.

    `model` is a litellm name (`anthropic/claude-sonnet-4-5`), `api_base` the URL of an
    OpenAI-compatible server. `timeout_s` bounds the silence before and within an answer. `retries`
    are made of a request that got no answer; `max_calls` counts every request that is sent.
    `max_input_tokens` is the model's window, answer included; None: what litellm knows. `prompts`
    are texts that take the place of ours.

    Raises `UsageError` for a value that cannot be meant.
    """

    model: str
    api_base: str = ""
    timeout_s: float = 60
    retries: int = 2
    max_calls: int | None = None
    max_input_tokens: int | None = None
    max_cost_usd: float | None = None
    prompts: Mapping[Style, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check each value by itself."""
        if not self.model.strip():
            hint = "name one with --model, or use --summarizer offline"
            raise UsageError("the llm summarizer has no model", hint=hint)
        if self.timeout_s <= 0:
            _refuse("--timeout-s", self.timeout_s, "must be above 0")
        for option, value in (
            ("--retries", self.retries),
            ("--max-llm-calls", self.max_calls),
            ("--max-input-tokens", self.max_input_tokens),
            ("--max-cost-usd", self.max_cost_usd),
        ):
            if value is not None and value < 0:
                _refuse(option, value, "must be 0 or more")
        for style, text in self.prompts.items():
            if not text.strip():
                hint = "write one, or leave the file out to get ours"
                raise UsageError(f"the prompt for {style.value} is empty", hint=hint)

    @property
    def where(self) -> str:
        """The model and its server, as errors name them: without a password in the URL."""
        return f"{self.model} at {redact(self.api_base)}" if self.api_base else self.model


def _refuse(option: str, value: object, rule: str) -> None:
    raise UsageError(f"{option} {value}: {rule}", hint=f"give another value for {option}")
