"""Numbers as they are told to people, and the words for what they count."""

from __future__ import annotations


def number(count: float) -> str:
    """Write a number with commas. Numbers of lines, and what is to be pasted, are written plainly."""
    return f"{count:,}"


def noun(count: int, thing: str, many: str = "") -> str:
    """Return the word for so many of a thing."""
    return thing if count == 1 else many or thing + "s"


def counted(count: int, thing: str, many: str = "") -> str:
    """Write a number and the thing it counts: "1 message", "1,234 messages"."""
    return f"{number(count)} {noun(count, thing, many)}"
