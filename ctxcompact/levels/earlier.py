"""Earlier summaries: what was compacted before becomes smaller, selected again from its originals.

No level of the chain, for it takes in nothing new: a transcript that has grown since needs their
room. A summary of ours never becomes part of another one; it keeps its mark, and gets a new text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.edits import Digest, Plan, Rewrite
from ctxcompact.core.model import Kind, Origin, Role
from ctxcompact.core.outline import is_seen, trace
from ctxcompact.core.tasks import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.model import Block, Conversation, Message
    from ctxcompact.core.settings import Settings

NAME = "earlier_summaries"
_SMALL_TOKENS = 150  # label, cue line and mark are most of that
_MARK_CHARS = 80  # dots, line feed and mark: no preview is longer than its own characters and these


def plan(conversation: Conversation, settings: Settings) -> Plan | None:
    """Plan new texts for all summaries that are not small already."""
    edits = tuple(_edits(conversation, settings.preview_chars + _MARK_CHARS))
    return Plan(NAME, edits) if edits else None


def _edits(conversation: Conversation, preview_chars: int) -> Iterator[Rewrite]:
    messages = conversation.messages
    outline = trace(messages)
    for at, message in enumerate(messages):
        if message.protected or message.role is Role.SYSTEM or message.is_human:
            continue
        for position, block in enumerate(message.blocks):
            is_small = block.tokens <= _SMALL_TOKENS or block.chars <= preview_chars
            if not block.tag or block.fixed or is_small:
                continue
            if block.kind is not Kind.RESULT or is_seen(messages, outline, at, position):
                yield Rewrite(at, position, Digest(_style(message, block)))


def _style(message: Message, block: Block) -> Style:
    """Return the style of a summary, by where it stands.

    Rounds and tool runs are both told by the assistant: which of them it was, their originals say.
    """
    if message.origin is not Origin.SUMMARY or block.kind is not Kind.TEXT:
        return Style.PAYLOAD
    return Style.ROUND if message.role is Role.ASSISTANT else Style.CURRENT_ROUND
