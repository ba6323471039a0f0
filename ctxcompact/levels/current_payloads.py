"""Level 5: large payloads of the current round become summaries, each by its own size.

Calls keep id, name and arguments, results keep their id. What the model has not read yet stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.edits import Digest, Plan, Rewrite
from ctxcompact.core.outline import movable, trace
from ctxcompact.core.tasks import Style

if TYPE_CHECKING:
    from ctxcompact.core.model import Conversation
    from ctxcompact.core.settings import Settings

NAME = "current_payloads"


def plan(conversation: Conversation, settings: Settings) -> Plan | None:
    """Plan the summaries of large payloads after the newest human message."""
    messages = conversation.messages
    outline = trace(messages)
    edits = tuple(
        Rewrite(message, position, Digest(Style.PAYLOAD))
        for message, position in movable(
            messages, outline, outline.newest_reply, settings.large_payload_chars
        )
        if message > outline.newest_human
    )
    return Plan(NAME, edits) if edits else None
