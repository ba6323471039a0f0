"""Plan the levels in order, each on the conversation as it would become, before anything is settled."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.settings import Until
from ctxcompact.engine.foresight import Foresight
from ctxcompact.engine.intents import Intents
from ctxcompact.engine.pressing import press

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.format import Rules
    from ctxcompact.core.model import Conversation
    from ctxcompact.core.settings import Settings
    from ctxcompact.levels import Level


class Goal(NamedTuple):
    """When planning may stop: at so many tokens and, unless None, below so many messages."""

    tokens: int
    messages: int | None


def intend(
    conversation: Conversation,
    levels: Sequence[Level],
    settings: Settings,
    rules: Rules,
    goal: Goal | None,
) -> Intents:
    """Plan levels until the goal is met, or nothing more can be done.

    Without a goal every level once. With the stop rule of the source, the first level that finds
    something is the only one.
    """
    # Without a goal each level is planned on what is there: nothing has to be thought ahead for in-place edits.
    is_last = goal is None and len(levels) == 1
    foresight = Foresight(conversation, settings, rules, is_last=is_last)
    intents = Intents([], set(), set())
    while _plan_all(levels, settings, foresight, goal, intents) and goal:
        pass
    if goal:
        press(conversation, levels, settings, foresight, goal.tokens, intents)
    return intents


def _plan_all(
    levels: Sequence[Level],
    settings: Settings,
    foresight: Foresight,
    goal: Goal | None,
    intents: Intents,
) -> bool:
    """Plan each level once; tell whether there is any reason to do so again."""
    found_any = False
    for level in levels:
        if goal and _meets(goal, level, foresight):
            continue
        intents.tried.add(level.number)
        intent = foresight.plan(level)
        if intent is None:
            continue
        intents.made.append(intent)
        found_any = found_any or intent.problem is None
        if settings.until is Until.FIRST and intent.problem is None:
            return False
    return found_any


def _meets(goal: Goal, level: Level, foresight: Foresight) -> bool:
    """Tell whether nothing is left to do for a level."""
    if foresight.tokens > goal.tokens:
        return False
    too_many = goal.messages is not None and foresight.messages >= goal.messages
    return not (too_many and level.folds)
