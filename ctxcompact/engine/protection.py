"""Messages that are left alone because of where they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxcompact.core.model import Conversation
    from ctxcompact.engine.ports import Ports


def protect_foreign(conversation: Conversation, ports: Ports) -> None:
    """Leave messages alone whose marks no store knows: what they stand for is not ours to lose."""
    for at, message in enumerate(conversation.messages):
        marks = [block.tag for block in message.blocks if block.tag]
        if marks and not all(map(ports.is_known, marks)):
            conversation.messages[at] = message._replace(protected=True)


def protect_moved(conversation: Conversation) -> None:
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
