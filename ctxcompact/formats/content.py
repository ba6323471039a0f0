"""What several formats read the same way."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from ctxcompact.core import payloads, tags
from ctxcompact.core.model import Block, Kind, Origin, Role

if TYPE_CHECKING:
    from ctxcompact.core.splice import Path


@cache
def below(path: Path, *steps: str | int) -> Path:
    """Return the address some steps below `path`.

    The same few occur in every message, and are shared.
    """
    return (*path, *steps)


def origin_of(role: Role, found: tuple[Block, ...], content: Any) -> Origin:
    """Say where a message comes from when nothing but its role and its blocks tells."""
    if role is Role.TOOL:
        return Origin.TOOL
    if role is Role.SYSTEM:
        return Origin.CLIENT
    if found and found[0].kind is Kind.TEXT and tags.is_summary(_first_text(content)):
        return Origin.SUMMARY
    if role is Role.ASSISTANT:
        return Origin.MODEL
    for block in found:
        if block.kind is Kind.RESULT or (block.tool and block.kind is not Kind.CALL):
            continue  # what a tool said, or what stands beside that
        if block.chars or block.media or block.kind is Kind.OPAQUE:
            return Origin.PERSON
    return Origin.TOOL


def _first_text(content: Any) -> str:
    """Return what a message begins with; ours are one text each."""
    if isinstance(content, str):
        return content
    return payloads.part_text(content[0]) or "" if isinstance(content, list) and content else ""


def prompt_tokens(usage: Any) -> int:
    """Return the size of the prompt an Anthropic `usage` tells, cached parts included.

    0 if it tells none.
    """
    if not isinstance(usage, dict):
        return 0
    tokens = 0
    for key in PROMPT_COUNTS:
        value = usage.get(key)
        if isinstance(value, int):
            tokens += value
    return tokens


PROMPT_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def sealed_tokens(chars: int) -> int:
    """Estimate the tokens of reasoning that the provider keeps sealed, by its signature's length.

    Measured on recorded sessions as 3.5 to 4.8 characters a token, by model.
    """
    return chars * 10 // 42
