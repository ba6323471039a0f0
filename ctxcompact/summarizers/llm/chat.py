"""Talking to a model: one request, tried a bounded number of times, and the account of all of them.

What to ask and whether an answer will do is decided elsewhere.
"""

from __future__ import annotations

import os
import time
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ctxcompact.core.counts import counted
from ctxcompact.core.tasks import Spending
from ctxcompact.summarizers.llm import provider
from ctxcompact.summarizers.llm.failures import CallFailed, Failure, Kind, failure_of
from ctxcompact.summarizers.llm.replies import gather
from ctxcompact.summarizers.llm.waiting import bounded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ctxcompact.summarizers.llm.provider import Limits
    from ctxcompact.summarizers.llm.replies import Answer
    from ctxcompact.summarizers.llm.settings import LlmSettings

_FIRST_WAIT_S = 1.0
_LONGEST_WAIT_S = 30.0
# An answer may take this many time-outs as long as it keeps coming.
_TOTAL_TIMEOUTS = 10
# The library's own time-out comes first; ours is for what escapes it.
_GRACE_S = 2.0
_CHARS_PER_TOKEN_MAX = 20
_SMALLEST_WINDOW_TOKENS = 1024


class CapReached(Exception):  # noqa: N818 - reads as what happened
    """No further request is allowed; the text says which cap it was."""


@dataclass
class Account:
    """What all requests took; `cost_usd` is None as soon as one of them has no known price."""

    calls: int = 0
    answers: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost_usd: float | None = 0.0


@dataclass
class Chat:
    """A model and what is known of it. litellm is imported with the first question about it.

    The window shrinks when a server says that a request did not fit.
    """

    settings: LlmSettings
    load: Callable[[], Any] = provider.load
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    account: Account = field(default_factory=Account)
    _litellm: Any = None
    _limits: Limits | None = None
    _streams: bool = True
    _asked_tokens: int = 0
    _has_shrunk: bool = False

    def limits(self) -> Limits:
        """Return what is known of the model. Raises `SummarizerError` if that cannot be had."""
        if self._limits is None:
            self._litellm = self.load()
            self._look_up_price()
            known = provider.limits_of(self._litellm, self.settings.model)
            window = self.settings.max_input_tokens or known.window_tokens
            self._limits = known._replace(window_tokens=window)
        return self._limits

    @property
    def window_note(self) -> str:
        """Which window was taken, and why; "" as long as nothing was asked."""
        if self._limits is None:
            return ""
        source = "as litellm knows" if self._limits.is_known else "litellm knows none"
        if self.settings.max_input_tokens:
            source = "as given"
        if self._has_shrunk:
            source = "its server takes no more"
        window = counted(self._limits.window_tokens, "token")
        return f"{self.settings.model}: a window of {window}, {source}"

    @property
    def calls_left(self) -> int | None:
        """How many requests the cap still allows; None without a cap."""
        cap = self.settings.max_calls
        return None if cap is None else max(0, cap - self.account.calls)

    def shrink(self, failure: CallFailed) -> None:
        """Believe that the window is smaller than the request that did not fit.

        Raises the failure when that leads nowhere.
        """
        window = min(self.limits().window_tokens // 2, self._asked_tokens)
        if window < _SMALLEST_WINDOW_TOKENS:
            raise failure
        self._limits = self.limits()._replace(window_tokens=window)
        self._has_shrunk = True

    def ask(self, messages: list[dict[str, str]], max_tokens: int, estimate: int) -> Answer:
        """Send a request and return the answer, whatever it is worth.

        `estimate` is the size of the messages in tokens, for a server that does not tell. Raises
        `CallFailed` if there is none after all tries, and `CapReached`.
        """
        self.limits()
        self._asked_tokens = estimate + max_tokens
        answer = self._ask_patiently(messages, max_tokens)
        if self._streams and answer.is_void:
            # Some servers send one whole reply whether a stream was asked for or not.
            self._streams = False
            answer = self._ask_patiently(messages, max_tokens)
        self._enter(answer, estimate)
        return answer

    def spending_since(self, before: Account) -> Spending:
        """Return what was taken since a copy of the account was made."""
        now = self.account
        known = now.cost_usd is not None and before.cost_usd is not None
        return Spending(
            self.settings.model,
            now.calls - before.calls,
            now.input_tokens - before.input_tokens,
            now.output_tokens - before.output_tokens,
            now.seconds - before.seconds,
            (now.cost_usd or 0.0) - (before.cost_usd or 0.0) if known else None,
        )

    def _ask_patiently(self, messages: list[dict[str, str]], max_tokens: int) -> Answer:
        wait_s = _FIRST_WAIT_S
        for left in range(self.settings.retries, -1, -1):
            self._refuse_beyond_caps()
            try:
                return self._ask_once(messages, max_tokens)
            except Exception as error:  # noqa: BLE001 - litellm raises anything, also IndexError
                failure = self._failure_of(error)
            if failure.kind is not Kind.AGAIN or not left or self.calls_left == 0:
                break
            self.sleep(min(_LONGEST_WAIT_S, max(wait_s, failure.wait_s or 0.0)))
            wait_s *= 2
        raise self._failed(failure)

    def _ask_once(self, messages: list[dict[str, str]], max_tokens: int) -> Answer:
        settings, litellm = self.settings, self._litellm
        wanted = {
            "model": settings.model,
            "messages": messages,
            "max_tokens": max_tokens,
            "timeout": float(settings.timeout_s),
            "num_retries": 0,
            "max_retries": 0,
            "drop_params": True,
            **provider.key_for(settings.model, settings.api_base, os.environ),
        }
        if settings.api_base:
            wanted["api_base"] = settings.api_base
        if self._streams:
            wanted |= {"stream": True, "stream_options": {"include_usage": True}}

        def start() -> Iterable[Any]:
            reply: Any = litellm.completion(**wanted)
            if not wanted.get("stream") and not reply.choices:
                raise ValueError("the provider returned a response with no 'choices'")
            return iter(reply) if wanted.get("stream") else iter([reply])

        self.account.calls += 1
        began = self.clock()
        silence_s = settings.timeout_s + _GRACE_S
        total_s = settings.timeout_s * _TOTAL_TIMEOUTS + _GRACE_S
        try:
            with (
                provider.quiet(litellm),
                closing(bounded(start, silence_s=silence_s, total_s=total_s)) as events,
            ):
                return gather(events, max_tokens * _CHARS_PER_TOKEN_MAX)
        finally:
            self.account.seconds += self.clock() - began

    def _enter(self, answer: Answer, estimate: int) -> None:
        """Put an answer into the account; where the provider does not tell, sizes are estimates."""
        account, usage = self.account, answer.usage
        account.answers += 1
        account.input_tokens += getattr(usage, "prompt_tokens", None) or estimate
        account.output_tokens += getattr(usage, "completion_tokens", None) or len(answer.text) // 4
        cost = provider.price_usd(self._litellm, self.settings.model, usage)
        known = account.cost_usd is not None and cost is not None
        account.cost_usd = (account.cost_usd or 0.0) + (cost or 0.0) if known else None

    def _refuse_beyond_caps(self) -> None:
        if self.calls_left == 0:
            cap_calls = counted(self.settings.max_calls or 0, "request")
            raise CapReached(f"the cap of {cap_calls} is reached")
        cap, cost = self.settings.max_cost_usd, self.account.cost_usd
        if cap is not None and (cost is None or cost >= cap):
            raise CapReached(f"the cap of {cap:g} USD is reached")

    def _look_up_price(self) -> None:
        """Let the cost be unknown if it is. Raises `CallFailed` if there is a cap on it."""
        model = self.settings.model
        if provider.is_priced(self._litellm, model):
            return
        self.account.cost_usd = None
        if self.settings.max_cost_usd is None:
            return
        told = "litellm knows no price for it, so a cap on the cost cannot be kept"
        hint = "cap the number of requests instead, with --max-llm-calls"
        raise CallFailed(Failure(Kind.STOP, told, hint), f"{model}: {told}")

    def _failure_of(self, error: Exception) -> Failure:
        return failure_of(error, self.settings.timeout_s, provider.secrets(os.environ))

    def _failed(self, failure: Failure) -> CallFailed:
        tries = self.settings.retries + 1
        after = f" (tried {tries} times)" if failure.kind is Kind.AGAIN and tries > 1 else ""
        return CallFailed(failure, f"{self.settings.where}: {failure.told}{after}")
