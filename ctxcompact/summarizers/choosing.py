"""Choose a summarizer from what is asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ctxcompact.errors import UsageError
from ctxcompact.summarizers.offline import Offline

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ctxcompact.core.tasks import Style, Summarizer

KINDS = ("offline", "llm", "none")
WAYS_OUT = ("offline", "skip", "fail")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Who is to write summaries, and with what.

    `kind` is offline, llm or none; "" means llm if a model is named, else offline. `on_failure`
    says what happens to a part that the model gives no acceptable summary for: offline, skip or
    fail. The rest is as in `LlmSettings`.
    """

    kind: str = ""
    on_failure: str = "offline"
    model: str = ""
    api_base: str = ""
    timeout_s: float = 60
    retries: int = 2
    max_calls: int | None = None
    max_input_tokens: int | None = None
    prompts: Mapping[Style, str] = field(default_factory=dict)

    def without_model(self) -> Wanted:
        """Return the same, with the offline summarizer in the place of a model."""
        return self if self.kind == "none" else Wanted(on_failure=self.on_failure)


def choose(wanted: Wanted) -> Summarizer | None:
    """Return a summarizer, None if none is wanted. No model is called, and litellm is not imported.

    Raises `UsageError` for a word that is none of the known ones.
    """
    kind = wanted.kind or ("llm" if wanted.model else "offline")
    if kind not in KINDS:
        raise UsageError(f"no summarizer is called {kind!r}", hint=f"one of {', '.join(KINDS)}")
    if wanted.on_failure not in WAYS_OUT:
        words = ", ".join(WAYS_OUT)
        raise UsageError(f"--on-failure {wanted.on_failure}: unknown", hint=f"one of {words}")
    if kind == "none":
        return None
    return Offline() if kind == "offline" else _with_model(wanted)


def _with_model(wanted: Wanted) -> Summarizer:
    from ctxcompact.summarizers.guarding import Guarded  # noqa: PLC0415 - only where a model is wanted
    from ctxcompact.summarizers.llm import Llm, LlmSettings  # noqa: PLC0415

    settings = LlmSettings(
        model=wanted.model,
        api_base=wanted.api_base,
        timeout_s=wanted.timeout_s,
        retries=wanted.retries,
        max_calls=wanted.max_calls,
        max_input_tokens=wanted.max_input_tokens,
        prompts=wanted.prompts,
    )
    fallback = Offline() if wanted.on_failure == "offline" else None
    return Guarded(Llm.of(settings), fallback, strict=wanted.on_failure == "fail")
