"""Level 5: large payloads of the current round become summaries, each by its own size.

Calls keep id, name and arguments, results keep their id. What the model has not read yet stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.edits import Digest, Plan, Rewrite
from ctxcompact.core.model import Kind
from ctxcompact.core.outline import is_seen, movable, trace
from ctxcompact.core.tasks import Style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.model import Conversation, Message
    from ctxcompact.core.outline import Outline
    from ctxcompact.core.settings import Settings

NAME = "current_payloads"


def plan(conversation: Conversation, settings: Settings) -> Plan | None:
    """Plan the summaries of large payloads after the newest human message."""
    messages = conversation.messages
    outline = trace(messages)
    edits = tuple(
        Rewrite(message, position, Digest(Style.PAYLOAD))
        for message, position in movable(
            messages, outline, outline.newest_reply + 1, settings.large_payload_chars
        )
        if message > outline.newest_human and _is_read(messages, outline, message, position)
    )
    return Plan(NAME, edits) if edits else None


def _is_read(messages: Sequence[Message], outline: Outline, message: int, position: int) -> bool:
    """Tell whether a payload is behind the model; of its newest message only results may be."""
    if message < outline.newest_reply:
        return True
    is_result = messages[message].blocks[position].kind is Kind.RESULT
    return is_result and is_seen(messages, outline, message, position)
