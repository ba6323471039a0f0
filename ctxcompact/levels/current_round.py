"""Level 6: the seen part of the current round becomes one summary, the last resort.

Everything after the newest human message up to the newest unit, which stays, as does what the model
has not read. Where nobody has spoken since the client's own summary of what was before, all after that
is the current round. Nothing to do when only our own summaries are left. The summary speaks as the user's:
inside an open tool loop a merged assistant turn would have to begin with its thinking.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.edits import Digest, Fold, Plan
from ctxcompact.core.model import Origin, Role
from ctxcompact.core.outline import says_what_was, trace
from ctxcompact.core.tasks import Style
from ctxcompact.core.units import foldable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.model import Conversation, Message
    from ctxcompact.core.settings import Settings

NAME = "current_round"


def plan(conversation: Conversation, settings: Settings) -> Plan | None:
    """Plan the summary of the current round."""
    del settings
    messages = conversation.messages
    outline = trace(messages)
    asked = outline.newest_human if outline.newest_human >= 0 else _taken_up(messages)
    if asked < 0:
        return None
    edits = tuple(
        Fold(start, stop, Role.USER, Digest(Style.CURRENT_ROUND))
        for start, stop in foldable(messages, asked + 1, outline.newest_reply)
        if not all(message.origin is Origin.SUMMARY for message in messages[start:stop])
    )
    return Plan(NAME, edits) if edits else None


def _taken_up(messages: Sequence[Message]) -> int:
    """Return where the client says what was before, -1 if nowhere."""
    return next((at for at, message in enumerate(messages) if says_what_was(message)), -1)
