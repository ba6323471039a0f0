"""Messages that are left alone because of where they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.model import Kind
from ctxcompact.core.tags import RELOAD_TOOL

if TYPE_CHECKING:
    from ctxcompact.core.format import Format
    from ctxcompact.core.model import Conversation
    from ctxcompact.engine.ports import Ports


def protect(conversation: Conversation, form: Format, ports: Ports) -> None:
    """Mark the messages of a conversation that no level may select."""
    _protect_foreign(conversation, ports)
    _protect_reloaded(conversation)
    if conversation.links and not form.is_read_to_move:
        _protect_moved(conversation)


def _protect_foreign(conversation: Conversation, ports: Ports) -> None:
    """Leave messages alone whose marks no store knows: what they stand for is not ours to lose."""
    for at, message in enumerate(conversation.messages):
        marks = [block.tag for block in message.blocks if block.tag]
        if marks and not all(map(ports.is_known, marks)):
            conversation.messages[at] = message._replace(protected=True)


def _protect_reloaded(conversation: Conversation) -> None:
    """Leave alone, for the round it was asked for, what the model has had brought back."""
    messages = conversation.messages
    for at in range(len(messages) - 1, -1, -1):
        if messages[at].is_human:
            return
        if any(
            block.kind is Kind.RESULT and block.tool.endswith(RELOAD_TOOL)
            for block in messages[at].blocks
        ):
            messages[at] = messages[at]._replace(protected=True)


def _protect_moved(conversation: Conversation) -> None:
    """Leave alone what a client carried over its own compaction, and the summary it hangs on.

    Such messages stand earlier in the file than in the conversation, linked by a list in the
    client's own record.
    """
    newest, last = -1, -1
    for at, message in enumerate(conversation.messages):
        record = message.blocks[0].record if message.blocks else newest
        if record < newest:
            last = at
        newest = max(newest, record)
    for at in range(last + 1):
        conversation.messages[at] = conversation.messages[at]._replace(protected=True)
