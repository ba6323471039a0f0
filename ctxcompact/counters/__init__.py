"""Counters: what a text costs a model. `choose` makes one; nothing is loaded until it counts.

Framing and the count of a whole transcript belong to `core.measure`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ctxcompact.counters.counter import Framing, TextCounter
from ctxcompact.counters.encodings import count_tokens
from ctxcompact.counters.estimates import count_agentscope, count_chars4
from ctxcompact.counters.models import CLAUDE_4_7, GEMINI, Family, family_of
from ctxcompact.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["NAMES", "TextCounter", "choose"]

# What the framing rests on:
# - message: OpenAI's cookbook, "How to count tokens with tiktoken": 3 and the role. The published
#   harmony format comes to the same: <|start|>user<|message|>...<|end|>.
# - o200k: in recorded sessions of GPT-5.4 and 5.5 a call costs 12 tokens beside its name and
#   arguments, a result 11 beside its text (medians); less the 4 of the message around it.
# - cl100k: hmarr/openai-chat-tokens, checked against the API of its day: 3 a call, 0 a result.
# - claude: 20 to 37 tokens a block in sessions of Opus and Sonnet 4.5 to 4.8, by least squares.
# - gemini: Gemma's turn, <start_of_turn>user, line feed, ..., <end_of_turn>, line feed. Its calls
#   are not public; they are taken to cost what OpenAI's cost.
_O200K_FRAMING = Framing(message=4, call=8, result=7)
_CL100K_FRAMING = Framing(message=4, call=3, result=0)
_CLAUDE_FRAMING = Framing(message=4, call=25, result=25)
_GEMINI_FRAMING = Framing(message=5, call=8, result=7)
_AGENTSCOPE_FRAMING = Framing(message=5, call=10, result=8)


def choose(name: str, model: str = "") -> TextCounter:
    """Make the counter `name`, which is one of `NAMES`.

    `model` is the name recorded in the transcript, if any: `auto` goes by it, `claude` takes its
    generation from it, and the encodings say by it whether they are exact.

    Raises UsageError for any other name.
    """
    family = family_of(model)
    wanted = family.counter if name == "auto" else name
    if wanted not in _MAKERS:
        raise _unknown(name)
    return _MAKERS[wanted](family)


def _make_o200k(family: Family) -> TextCounter:
    return _encoding_counter("o200k_base", _O200K_FRAMING, family)


def _make_cl100k(family: Family) -> TextCounter:
    return _encoding_counter("cl100k_base", _CL100K_FRAMING, family)


def _encoding_counter(name: str, framing: Framing, family: Family) -> TextCounter:
    exact = name in family.own
    error_pct = 0.0 if exact else family.uncorrected_pct
    return TextCounter(name, exact, error_pct, framing, partial(count_tokens, name))


def _make_claude(family: Family) -> TextCounter:
    claude = family if family.counter == "claude" else CLAUDE_4_7
    return _scaled_counter(claude, _CLAUDE_FRAMING)


def _make_gemini(_: Family) -> TextCounter:
    return _scaled_counter(GEMINI, _GEMINI_FRAMING)


def _scaled_counter(family: Family, framing: Framing) -> TextCounter:
    def count(text: str) -> int:
        return round(count_tokens("o200k_base", text) * family.factor)

    return TextCounter(
        family.counter, exact=False, error_pct=family.error_pct, framing=framing, rule=count
    )


def _make_chars4(_: Family) -> TextCounter:
    return _length_counter("chars4", 57.0, Framing(), count_chars4)


def _make_agentscope(_: Family) -> TextCounter:
    return _length_counter("agentscope", 68.0, _AGENTSCOPE_FRAMING, count_agentscope)


def _length_counter(
    name: str, error_pct: float, framing: Framing, rule: Callable[[str], int]
) -> TextCounter:
    return TextCounter(name, exact=False, error_pct=error_pct, framing=framing, rule=rule)


_MAKERS: dict[str, Callable[[Family], TextCounter]] = {
    "o200k_base": _make_o200k,
    "cl100k_base": _make_cl100k,
    "claude": _make_claude,
    "gemini": _make_gemini,
    "chars4": _make_chars4,
    "agentscope": _make_agentscope,
}
NAMES: tuple[str, ...] = ("auto", *_MAKERS)


def _unknown(name: str) -> UsageError:
    import difflib  # noqa: PLC0415 - 5 ms that only a slip of the fingers pays

    close = difflib.get_close_matches(name, NAMES, n=1)
    meant = f"Did you mean {close[0]!r}? " if close else ""
    return UsageError(
        f"no counter is called {name!r}", hint=f"{meant}There are: {', '.join(NAMES)}."
    )
