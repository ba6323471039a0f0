"""Sentences which tell of the work instead of its outcome, and have no place in some styles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ctxcompact.core.tasks import Style
from ctxcompact.core.words import gives_decision

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_STEPS = re.compile(
    r"\b(?:let me|I[' ]?(?:ll|will)|I(?:['’]m| am) going to|tool|function call|calling)\b"  # noqa: RUF001
    r"|\bI (?:called|ran|used|invoked)\b|让我|我来|我将|调用|工具",
    re.IGNORECASE,
)
_WISHES = re.compile(
    r"\b(?:the |your )?user(?:'s)?\b[^.]{0,40}\b(?:ask|want|request|said|say|need|would like)"
    r"|\byou (?:asked|wanted|requested)\b|\bas (?:asked|requested)\b|用户(?:要求|想|希望|说|问|需要)|您(?:要求|问)",
    re.IGNORECASE,
)
_TELLING_NAME = re.compile(r"_|[a-z][A-Z]|[^\x00-\x7f]")


def telling_names(tools: Iterable[str]) -> list[str]:
    """Return the names which cannot be words of a language: `read_file` is one, `search` is none."""
    return sorted({tool for tool in tools if _TELLING_NAME.search(tool)})


def is_narration(sentence: str, style: Style, tools: Sequence[str]) -> bool:
    """Tell whether a sentence may not stand in a style.

    A round is told without tools and steps, the current round without what the user wished.
    """
    if style is Style.CURRENT_ROUND:
        return _WISHES.search(sentence) is not None
    if style is not Style.ROUND:
        return False
    if any(tool in sentence for tool in tools):
        return True
    return _STEPS.search(sentence) is not None and not gives_decision(sentence)
