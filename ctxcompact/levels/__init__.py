"""The levels, in the order in which they are tried. Each is a pure planner, one file a level."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ctxcompact.core.edits import Plan
from ctxcompact.core.model import Conversation
from ctxcompact.core.settings import Settings
from ctxcompact.levels import large_payloads, micro

Planner = Callable[[Conversation, Settings], Plan | None]


class Level(NamedTuple):
    """One way of making room. `number` is its place in the chain, or the name of the layer it is."""

    number: int | str
    name: str
    plan: Planner


MICRO = Level("micro", micro.NAME, micro.plan)

# Levels 1, 4, 5 and 6 need a summarizer. Their places are kept by number; until they are here `compact` says so.
LEVELS: tuple[Level, ...] = (
    Level(2, large_payloads.NAME, large_payloads.plan_sparing),
    Level(3, large_payloads.NAME, large_payloads.plan_all),
)
MISSING: tuple[tuple[int, str], ...] = (
    (1, "tool_runs"),
    (4, "past_rounds"),
    (5, "current_payloads"),
    (6, "current_round"),
)
