"""litellm: the one place that imports it, keeps it quiet, and asks what it knows of a model.

It takes seconds and 200 MB to import, so that happens with the first request. It is imported by
name: type checkers would read all of it otherwise.
"""

from __future__ import annotations

import importlib
import logging
import os
import re
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.errors import SummarizerError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

UNKNOWN_WINDOW_TOKENS = 128_000
UNKNOWN_OUTPUT_TOKENS = 4096

_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_KEYLESS = "none"


class Limits(NamedTuple):
    """What a model can take, answer included, and write. `is_known`: litellm knows the model."""

    window_tokens: int
    output_tokens: int
    is_known: bool


def load() -> Any:
    """Import litellm, without the requests and the reading of files that it does by default.

    Raises `SummarizerError` if it is not installed.
    """
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else it fetches its price list at import
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")  # some releases load .env files otherwise
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module("litellm")
    except ImportError as error:
        message = "the llm summarizer needs litellm, which is not installed"
        if error.name != "litellm":
            message = f"litellm cannot be imported: {error}"
        raise SummarizerError(message, hint="pip install 'ctxcompact[llm]'") from error


@contextmanager
def quiet(litellm: Any) -> Iterator[None]:
    """Keep litellm from printing, logging and warning, for the time of a request."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    were_off = [logger.disabled for logger in loggers]
    was_off = litellm.suppress_debug_info
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        litellm.suppress_debug_info = True
        for logger in loggers:
            logger.disabled = True
        try:
            yield
        finally:
            litellm.suppress_debug_info = was_off
            for logger, off in zip(loggers, were_off, strict=True):
                logger.disabled = off


def limits_of(litellm: Any, model: str) -> Limits:
    """Look a model up in litellm's table; asking litellm itself makes requests for some."""
    known = _entry(litellm, model)
    window = known.get("max_input_tokens") or known.get("max_tokens")
    return Limits(
        int(window or UNKNOWN_WINDOW_TOKENS),
        int(known.get("max_output_tokens") or UNKNOWN_OUTPUT_TOKENS),
        is_known=bool(window),
    )


def is_priced(litellm: Any, model: str) -> bool:
    """Tell whether litellm knows a price for a model."""
    return _entry(litellm, model).get("input_cost_per_token") is not None


def price_usd(litellm: Any, model: str, usage: Any) -> float | None:
    """Return what litellm says a reply has cost; None if it knows no price."""
    if usage is None or not is_priced(litellm, model):
        return None
    try:
        return float(sum(litellm.cost_per_token(model=model, usage_object=usage)))
    except Exception:  # noqa: BLE001 - a price that cannot be told is no reason to lose a summary
        return None


def key_for(model: str, api_base: str, environ: Mapping[str, str]) -> dict[str, str]:
    """Return a key for a server that wants none: OpenAI's client refuses to go without."""
    needs_one = bool(api_base) and model.startswith("openai/")
    return {"api_key": _KEYLESS} if needs_one and not environ.get("OPENAI_API_KEY") else {}


def secrets(environ: Mapping[str, str]) -> list[str]:
    """List the values of the environment that must not be shown."""
    return [value for name, value in environ.items() if _SECRET_NAME.search(name)]


def _entry(litellm: Any, model: str) -> Mapping[str, Any]:
    """Find a model under its full name, else without its provider."""
    table: Mapping[str, Mapping[str, Any]] = litellm.model_cost
    return table.get(model) or table.get(model.partition("/")[2]) or {}
