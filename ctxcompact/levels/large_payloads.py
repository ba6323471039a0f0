"""Levels 2 and 3: large payloads of past rounds move out, a preview stays.

No model is called. Level 2 spares the newest `last_keep` messages, level 3 does not. Both stop
before the newest final answer, and each large block of a message moves by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.edits import Plan, Preview, Rewrite
from ctxcompact.core.outline import movable, trace

if TYPE_CHECKING:
    from ctxcompact.core.model import Conversation
    from ctxcompact.core.settings import Settings

NAME = "large_payloads"


def plan_sparing(conversation: Conversation, settings: Settings) -> Plan | None:
    """Plan level 2.

    Nothing in the newest `last_keep` messages, nothing if there are no more than those.
    """
    size = len(conversation.messages)
    if size < settings.last_keep:
        return None
    return _plan(conversation, settings, size - settings.last_keep)


def plan_all(conversation: Conversation, settings: Settings) -> Plan | None:
    """Plan level 3: everything before the newest final answer."""
    return _plan(conversation, settings, len(conversation.messages))


def _plan(conversation: Conversation, settings: Settings, stop: int) -> Plan | None:
    outline = trace(conversation.messages)
    preview = Preview(settings.preview_chars)
    before = min(stop, outline.newest_answer)
    edits = tuple(
        Rewrite(message, position, preview)
        for message, position in movable(
            conversation.messages, outline, before, settings.large_payload_chars
        )
    )
    return Plan(NAME, edits) if edits else None
