"""Level 1: past runs of tool calls become one summary each.

Before the newest final answer and the newest `last_keep` messages; the oldest runs of more than
`min_consecutive_tool_messages` tool messages that cost `min_compression_tokens`. With the stop rule
of the source at most five runs a pass; a run that is too small does not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.edits import Digest, Fold, Plan
from ctxcompact.core.model import Role
from ctxcompact.core.outline import trace
from ctxcompact.core.settings import Until
from ctxcompact.core.tasks import Style
from ctxcompact.core.units import foldable, is_tool_message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.core.model import Conversation, Message
    from ctxcompact.core.outline import Outline
    from ctxcompact.core.settings import Settings

NAME = "tool_runs"
RUNS_A_PASS = 5


def plan(conversation: Conversation, settings: Settings) -> Plan | None:
    """Plan the summaries of past tool runs."""
    messages = conversation.messages
    if len(messages) < settings.last_keep:
        return None
    outline = trace(messages)
    stop = min(outline.newest_answer, len(messages) - settings.last_keep)
    edits = [
        Fold(start, end, _speaker(start, outline), Digest(Style.TOOL_RUN))
        for start, end in _runs(messages, stop)
        if _tool_messages(messages, start, end) > settings.min_consecutive_tool_messages
        and _tokens(messages, start, end) >= settings.min_compression_tokens
    ]
    if settings.until is Until.FIRST:
        edits = edits[:RUNS_A_PASS]
    return Plan(NAME, tuple(edits)) if edits else None


def _speaker(start: int, outline: Outline) -> Role:
    """Return who says the summary: in the current round the user.

    There it may stand before an assistant message that has to begin with its thinking.
    """
    return Role.ASSISTANT if start < outline.newest_human else Role.USER


def _runs(messages: Sequence[Message], stop: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches of consecutive tool messages, whole units only."""
    start = 0
    for at in range(max(stop, 0) + 1):
        if at == stop or not _belongs(messages[at]):
            if start < at:
                yield from foldable(messages, start, at)
            start = at + 1


def _belongs(message: Message) -> bool:
    from_client = not message.is_human and message.role is Role.USER
    return is_tool_message(message) or from_client


def _tool_messages(messages: Sequence[Message], start: int, stop: int) -> int:
    return sum(map(is_tool_message, messages[start:stop]))


def _tokens(messages: Sequence[Message], start: int, stop: int) -> int:
    return sum(message.tokens for message in messages[start:stop])
