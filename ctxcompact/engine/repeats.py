"""Results that a client sends to the model more than once: all change with the one that stands first."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ctxcompact.core.model import Conversation

Repeats: TypeAlias = "dict[str, list[tuple[int, int, int]]]"
"""By the id of the call: the message of a repeat, its block there, its tokens."""


def repeats_in(conversation: Conversation) -> Repeats:
    """Find the repeats of a conversation."""
    found: Repeats = {}
    if not conversation.copies and not conversation.is_scattered:
        return found
    for at, message in enumerate(conversation.messages):
        for position, block in enumerate(message.blocks):
            if block.is_repeat:
                found.setdefault(block.call_id, []).append((at, position, block.tokens))
    return found
