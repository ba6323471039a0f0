"""Micro-compaction: old tool results become a placeholder that names the tool.

Of the results the model has read, the newest `keep_recent` stay; an older one longer than
`micro_min_chars`, or with a picture in it, is cleared. The calls stay, so every provider still sees
pairs.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ctxcompact.core.edits import Placeholder, Plan, Rewrite
from ctxcompact.core.outline import is_movable, seen_results, trace
from ctxcompact.core.tags import PLACEHOLDER_START

if TYPE_CHECKING:
    from ctxcompact.core.model import Block, Conversation
    from ctxcompact.core.settings import Settings

NAME = "micro"


def plan(conversation: Conversation, settings: Settings) -> Plan | None:
    """Plan the clearing of old results."""
    messages = conversation.messages
    results = seen_results(messages, trace(messages))
    old = results[: max(len(results) - settings.keep_recent, 0)]
    tagged = settings.micro_tag
    edits = tuple(
        Rewrite(
            message, position, _placeholder(messages[message].blocks[position].tool, tagged=tagged)
        )
        for message, position in old
        if not messages[message].protected
        and _is_worth_clearing(messages[message].blocks[position], settings)
    )
    return Plan(NAME, edits) if edits else None


def _is_worth_clearing(block: Block, settings: Settings) -> bool:
    return is_movable(block) and (block.chars > settings.micro_min_chars or block.media)


@cache
def _placeholder(tool: str, *, tagged: bool) -> Placeholder:
    return Placeholder(f"{PLACEHOLDER_START}{tool or 'unknown'}]", tagged)
