"""The levels, in the order in which they are tried. Each is a pure planner, one file a level."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ctxcompact.core.edits import Plan
from ctxcompact.core.model import Conversation
from ctxcompact.core.settings import Settings
from ctxcompact.levels import (
    current_payloads,
    current_round,
    earlier,
    large_payloads,
    micro,
    past_rounds,
    tool_runs,
)

Planner = Callable[[Conversation, Settings], Plan | None]


class Level(NamedTuple):
    """One way of making room. `number` is its place in the chain, or the name of the layer it is.

    `folds` says that it lowers the number of messages, `summarizes` that it needs a summarizer.
    """

    number: int | str
    name: str
    plan: Planner
    folds: bool = False
    summarizes: bool = False


MICRO = Level("micro", micro.NAME, micro.plan)
EARLIER = Level("earlier", earlier.NAME, earlier.plan, summarizes=True)

LEVELS: tuple[Level, ...] = (
    Level(1, tool_runs.NAME, tool_runs.plan, folds=True, summarizes=True),
    Level(2, large_payloads.NAME, large_payloads.plan_sparing),
    Level(3, large_payloads.NAME, large_payloads.plan_all),
    Level(4, past_rounds.NAME, past_rounds.plan, folds=True, summarizes=True),
    Level(5, current_payloads.NAME, current_payloads.plan, summarizes=True),
    Level(6, current_round.NAME, current_round.plan, folds=True, summarizes=True),
)
