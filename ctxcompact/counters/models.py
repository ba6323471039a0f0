"""Which tokenizer a model has, by the name a transcript records for it. No tokenizer is here.

OpenAI's names follow tiktoken's own list of models. For Claude and Gemini there is no tokenizer to
ship. Their factors are tokens for each o200k token, measured on 14 kinds of text (prose, code,
JSON, logs, terminal output, trajectories, CSV, base64, four languages) with a reconstruction of
Claude's tokenizer and with Gemma 3's, which Google's own client takes for Gemini. A stated error
held for nine of ten messages (Claude's factors) or of the kinds of text (the rest).
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Family(NamedTuple):
    """Models with one tokenizer.

    `counter` serves them best; `own` are the encodings that give their tokens exactly. An o200k
    count times `factor` is within `error_pct`; an encoding not their own, taken as it is, within
    `uncorrected_pct`.
    """

    counter: str
    own: tuple[str, ...] = ()
    factor: float = 1.0
    error_pct: float = 0.0
    uncorrected_pct: float = 0.0


UNRECORDED = Family("o200k_base", own=("o200k_base", "cl100k_base"))
UNKNOWN = Family("o200k_base", error_pct=33.0, uncorrected_pct=33.0)
O200K = Family("o200k_base", own=("o200k_base",), uncorrected_pct=22.0)
CL100K = Family("cl100k_base", own=("cl100k_base",), uncorrected_pct=22.0)
CLAUDE_3 = Family("claude", factor=1.16, error_pct=16.0, uncorrected_pct=26.0)
CLAUDE_4_7 = Family("claude", factor=1.37, error_pct=28.0, uncorrected_pct=44.0)
# The factor is right for what agents carry (code, JSON, terminal output: 1.16 to 1.38) and 30 % off
# at the edges (CSV 1.72, Japanese 0.89): it moves the middle, not the stated error.
GEMINI = Family("gemini", factor=1.2, error_pct=28.0, uncorrected_pct=26.0)

_NEW_CLAUDE = (4, 7)  # Opus 4.7 brought a new tokenizer; all later ones have it
_CLAUDE = re.compile(r"claude|^(?:opus|sonnet|haiku|fable|mythos)\b")
_VERSION = re.compile(r"-v?(\d{1,2})(?:[.-](\d{1,2})(?!\d))?(?!\d)")
_GEMINI = re.compile(r"gemini|gemma")
_O200K = re.compile(
    # gpt-oss has o200k_harmony: the same tokens for text, other special ones
    r"gpt-?(?:4o|4\.1|4\.5|5(?!\d)|oss)|codex|(?:^|[/:])o[134]\b"
)
_CL100K = re.compile(r"gpt-?(?:4|3\.5|35)(?![\d.])")


def family_of(model: str) -> Family:
    """Tell the family of `model`, a recorded name with or without provider, date and suffixes."""
    name = model.strip().lower()
    if not name:
        return UNRECORDED
    if claude := _CLAUDE.search(name):
        return _claude_family(name[claude.end() :])
    if _GEMINI.search(name):
        return GEMINI
    if _O200K.search(name):
        return O200K
    return CL100K if _CL100K.search(name) else UNKNOWN


def _claude_family(rest: str) -> Family:
    """Read the version behind the family name; a name without one means the newest."""
    version = _VERSION.search(rest)
    if version and (int(version[1]), int(version[2] or 0)) < _NEW_CLAUDE:
        return CLAUDE_3
    return CLAUDE_4_7
