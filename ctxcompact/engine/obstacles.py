"""What stands in the way of a target: the large things that must or may not go."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ctxcompact.core.counts import noun
from ctxcompact.core.model import Block, Conversation, Kind, Message, Origin, Role
from ctxcompact.core.outline import Outline, trace
from ctxcompact.core.settings import LEVELS, Mode
from ctxcompact.engine.pressing import held_guards

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
    largest = [(name, tokens) for name, tokens in sizes.most_common(_SHOWN) if tokens]
    return [f"{name}: {tokens} {noun(tokens, 'token')}" for name, tokens in largest]


def ways_on(settings: Settings) -> list[str]:
    """Say which options would let a chain that missed its target go further."""
    if settings.mode is not Mode.CHAIN:
        return []
    found = []
    if settings.levels != LEVELS:
        found.append(
            f"only the levels {','.join(map(str, settings.levels))} were asked for (--levels)"
        )
    if held := held_guards(settings):
        options = (f"--{name.replace('_', '-')} {getattr(settings, name)}" for name in held)
        found.append(f"these hold, for they were set to another size: {', '.join(options)}")
    found.append("to go further, --mode manual makes one summary of all but what is still open")
    return found


def _name(at: int, message: Message, block: Block, outline: Outline) -> str:
    if message.role is Role.SYSTEM:
        return "system messages"
    if block.kind is Kind.TEXT and outline.keeps_words(at):
        return f"{'newest' if at == outline.newest_human else 'first'} human message"
    if message.origin is Origin.SUMMARY:
        return "our own summaries"
    if message.protected:
        return "protected messages"
    return _block_name(at, message, block, outline)


def _block_name(at: int, message: Message, block: Block, outline: Outline) -> str:
    if block.kind is Kind.RESULT:
        return _result_name(at, block, outline)
    if block.tag:
        return "previews and placeholders"
    if block.is_repeat:
        return "results that the client repeats"
    return _text_name(at, message, outline) if block.kind is Kind.TEXT else _PLAIN[block.kind]


def _text_name(at: int, message: Message, outline: Outline) -> str:
    if message.is_human:
        return "other human messages, which stay word for word"
    if message.origin is Origin.CLIENT:
        return "texts that the client put in"
    return "the newest answer" if at == outline.newest_answer else "texts that no level takes"


def _result_name(at: int, block: Block, outline: Outline) -> str:
    if at > outline.newest_reply:
        return "results the model has not read yet"
    if block.tag:
        return "previews and placeholders"
    return (
        "tool results that keep their bytes" if block.fixed else "tool results that no level takes"
    )


_PLAIN = {
    Kind.THINKING: "thinking",
    Kind.CALL: "tool calls",
    Kind.RESULT: "tool results",
    Kind.MEDIA: "pictures and documents",
    Kind.OPAQUE: "blocks of unknown kinds",
}
