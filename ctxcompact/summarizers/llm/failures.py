"""What went wrong with a request, told from the exception: whether to try again, and what to say.

Texts of providers are shown in one short line, without anything that could be a key.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.errors import SummarizerError

if TYPE_CHECKING:
    from collections.abc import Iterable


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


class Kind(Enum):
    """What a failure is to the next request."""

    AGAIN = "the same may work in a moment"
    WINDOW = "a smaller one may work"
    STOP = "none will work"


class Failure(NamedTuple):
    """What happened, the next step for a person, and how long the server asks to be left alone."""

    kind: Kind
    told: str
    hint: str
    wait_s: float | None = None


class CallFailed(SummarizerError):  # noqa: N818 - reads as what happened
    """A model could not be had: settings that cannot work, or no answer after all tries."""

    def __init__(self, failure: Failure, message: str) -> None:
        super().__init__(message, hint=failure.hint)
        self.kind = failure.kind
        self.told = failure.told


_WINDOW = _words("context.{0,20}(?:length|window|size)", "too many tokens", "prompt is too long")
_PROVIDER = _words("LLM Provider NOT provided", "unmapped LLM provider")
_SHAPE = _words(
    "no 'choices'",
    "empty or invalid response",
    "expecting value",
    "list index out of range",
    "validation error",
    "invalid response object",
    "received response",
    "unable to parse",
)
_KEY = _words(
    r"(?:missing|no|set|provide|invalid|incorrect|locate|wrong)\b.{0,40}"
    r"(?:api[ _-]?keys?\b|credentials)",
    "api_key client option must be set",
    "unauthori[sz]ed",
    "authentication",
)
_QUOTA = _words("insufficient_quota", "current quota", "billing", "credit balance", "payment")
_LOST = _words(
    "connection",
    "connect call failed",
    "name or service not known",
    "nodename nor servname",
    "no route to host",
    "network is unreachable",
    "peer closed",
    "timed? ?out",
    "stream ended before",
    "server disconnected",
)
_TIMED_OUT, _TOO_MANY, _UNPAID, _NOT_FOUND, _SERVERS_FAULT = 408, 429, 402, 404, 500
_NO_ACCESS = (401, 403)

_NAME_HINT = (
    "write PROVIDER/MODEL, as in anthropic/claude-sonnet-4-5; for an OpenAI-compatible server,"
    " openai/NAME with --api-base"
)
_BASE_HINT = "--api-base wants the base of an OpenAI-compatible API, most often ending in /v1"

_PREFIX = re.compile(r"\A(?:litellm\.)?\w*(?:Error|Exception|Timeout)\s*(?::|-)\s*")
_SHOWN_CHARS = 200
_HIDDEN = "[hidden]"
_SECRETS = (
    (re.compile(r"(?<=://)[^/\s@]+@"), f"{_HIDDEN}@"),
    (re.compile(r"\b(?:sk|pk|rk|gsk|xai|ghp|hf|AIza|AKIA)[-_A-Za-z0-9*]{8,}"), _HIDDEN),
    (re.compile(r"(?i)(?<=bearer )[^\s\"',]+"), _HIDDEN),
    (
        re.compile(
            r"(?i)((?:api[_-]?key|token|secret|password|access[_-]?key)\s*[=:]\s*)[^\s\"',&]+"
        ),
        rf"\1{_HIDDEN}",
    ),
)
_SECRET_CHARS_MIN = 8


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """Hide what is or looks like a key or password."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SECRET_CHARS_MIN:
            text = text.replace(secret, _HIDDEN)
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return text


def failure_of(error: Exception, timeout_s: float, secrets: Iterable[str] = ()) -> Failure:
    """Tell what an exception of litellm, or a `TimeoutError` of ours, means.

    litellm files one failure under several classes and numbers, so that words count before those.
    """
    status = getattr(error, "status_code", None)
    if isinstance(error, TimeoutError) or status == _TIMED_OUT:
        hint = "give it more time with --timeout-s, or look whether the server is busy"
        return Failure(Kind.AGAIN, f"no answer within {timeout_s:g} s", hint)
    text = _line_of(error, secrets)
    return _of_settings(status, text) or _of_the_moment(status, text, _wait_of(error))


def _of_settings(status: object, text: str) -> Failure | None:
    """Find what a person has to change before anything can work."""
    rows = (
        (_PROVIDER.search(text), "litellm knows no provider of that name", _NAME_HINT),
        (_SHAPE.search(text), f"the reply is no chat completion ({text})", _BASE_HINT),
        (
            status == _UNPAID or (status == _TOO_MANY and _QUOTA.search(text)),
            f"the account is used up ({text})",
            "check the account's billing",
        ),
        (
            status in _NO_ACCESS or (status != _TOO_MANY and _KEY.search(text)),
            f"access was refused ({text})",
            "set the provider's key in the environment, as in OPENAI_API_KEY or ANTHROPIC_API_KEY",
        ),
        (
            status == _NOT_FOUND,
            f"not found ({text})",
            "check the name given with --model, and --api-base if there is one",
        ),
    )
    found = (Failure(Kind.STOP, told, hint) for is_it, told, hint in rows if is_it)
    return next(found, None)


def _of_the_moment(status: object, text: str, wait_s: float | None) -> Failure:
    if status == _TOO_MANY:
        hint = "wait a little, or make fewer requests with --max-llm-calls"
        return Failure(Kind.AGAIN, f"too many requests ({text})", hint, wait_s)
    if _WINDOW.search(text):
        hint = "name the model's window with --max-input-tokens"
        return Failure(Kind.WINDOW, f"the request does not fit the window ({text})", hint)
    if _LOST.search(text):
        hint = "check the network, and --api-base if there is one: is the server running?"
        return Failure(Kind.AGAIN, f"the connection failed ({text})", hint)
    if isinstance(status, int) and status >= _SERVERS_FAULT:
        return Failure(Kind.AGAIN, f"the server failed ({text})", "try again later", wait_s)
    return Failure(Kind.STOP, f"the request failed ({text})", "check --model and --api-base")


def _line_of(error: Exception, secrets: Iterable[str]) -> str:
    """Return the first line of what a provider said, without the names of classes around it."""
    lines = str(error).partition(" Original exception:")[0].splitlines()
    text = next((line for line in lines if line.strip()), type(error).__name__)

    while shorter := _PREFIX.sub("", text, count=1):
        if shorter == text:
            break
        text = shorter
    text = " ".join(redact(text, secrets).split())
    return text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + "..."


def _wait_of(error: Any) -> float | None:
    """Read the seconds of a Retry-After header; one with a date is left out."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        return max(0.0, float(headers.get("retry-after") or "none"))
    except ValueError:
        return None
