"""What stands in the way of a target: the large things that must or may not go."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ctxcompact.core.model import Block, Conversation, Kind, Message, Origin, Role
from ctxcompact.core.outline import Outline, trace

if TYPE_CHECKING:
    from ctxcompact.core.settings import Settings

_SHOWN = 5


def obstacles(conversation: Conversation, settings: Settings) -> list[str]:
    """List what the remaining tokens are, as short sentences with their tokens.

    The largest kinds come first.
    """
    outline = trace(conversation.messages)
    sizes: Counter[str] = Counter()
    for at, message in enumerate(conversation.messages):
        sizes["framing of messages"] += message.framing
        for block in message.blocks:
            sizes[_name(at, message, block, outline)] += block.tokens
    if settings.overhead_tokens:
        sizes["system prompt and tools outside the file"] = settings.overhead_tokens
    return [f"{name}: {tokens} tokens" for name, tokens in sizes.most_common(_SHOWN) if tokens]


def _name(at: int, message: Message, block: Block, outline: Outline) -> str:
    if message.role is Role.SYSTEM:
        return "system messages"
    if block.kind is Kind.TEXT and outline.keeps_words(at):
        return f"{'newest' if at == outline.newest_human else 'first'} human message"
    if message.origin is Origin.SUMMARY:
        return "our own summaries"
    if message.protected:
        return "protected messages"
    if block.kind is Kind.RESULT:
        return _result_name(at, block, outline)
    return "previews and placeholders" if block.tag else _plain_name(block)


def _plain_name(block: Block) -> str:
    return "results that the client repeats" if block.is_repeat else _PLAIN[block.kind]


def _result_name(at: int, block: Block, outline: Outline) -> str:
    if at > outline.newest_reply:
        return "results the model has not read yet"
    if block.tag:
        return "previews and placeholders"
    return (
        "tool results that keep their bytes" if block.fixed else "tool results that no level takes"
    )


_PLAIN = {
    Kind.TEXT: "texts that no level takes",
    Kind.THINKING: "thinking",
    Kind.CALL: "tool calls",
    Kind.RESULT: "tool results",
    Kind.MEDIA: "pictures and documents",
    Kind.OPAQUE: "blocks of unknown kinds",
}
