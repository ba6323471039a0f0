"""Counts by length alone: the rules of the two systems whose levels and layers ctxcompact follows.

They are here to compare with. Against o200k, on 1,449 messages of 17 kinds of text, `chars4` is
35 % too low in sum and off by up to 57 % in nine of ten; `agentscope` is 5 % too high and off by up
to 68 %.
"""

from __future__ import annotations


def count_chars4(text: str) -> int:
    """Take four characters for a token and round down (learn-claude-code's estimate)."""
    return len(text) // 4


def count_agentscope(text: str) -> int:
    """Take 2.5 UTF-16 units for a token and round up (AgentScope Java's TokenCounterUtil)."""
    units = len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
    return -(-2 * units // 5)
