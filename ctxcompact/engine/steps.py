"""What each level did in a pass, as the report says it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.counts import counted
from ctxcompact.core.events import Step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.core.model import Problem
    from ctxcompact.engine.intents import Intents
    from ctxcompact.engine.settling import Settled, Tally
    from ctxcompact.levels import Level


class Pass(NamedTuple):
    """One round of planning and settling.

    `problem` is why nothing of it was taken over; `no_summaries` says why nothing is summarized, "" if it is.
    """

    intents: Intents
    settled: Settled
    problem: Problem | None
    no_summaries: str
    conversation: int | None


def steps(done: Pass, levels: Sequence[Level], tokens: int) -> Iterator[Step]:
    """Yield a step for each of some levels, in order; `tokens` is the size before the pass."""
    for level in dict.fromkeys(levels):
        tally = done.settled.tally(level)
        status, reason = _judge(done, level, tally)
        applied = status == "applied"
        step = Step(
            level=level.number,
            name=level.name,
            status=status,
            reason=reason,
            edits=tally.edits if applied else 0,
            tokens_before=tokens,
            tokens_after=tokens - (tally.saved_tokens if applied else 0),
            offloads=tuple(dict.fromkeys(tally.uuids)) if applied else (),
            touched=tally.lines if applied else (),
            facts=tally.facts if applied else None,
            spending=tally.spending,
            conversation=done.conversation,
        )
        yield step
        tokens = step.tokens_after


def _judge(done: Pass, level: Level, tally: Tally) -> tuple[str, str]:
    """Return the status of a level, and the reason unless it was applied."""
    if tally.edits and not done.problem:
        return "applied", ""
    if level.summarizes and done.no_summaries:
        return "skipped", done.no_summaries
    if level.number not in done.intents.tried:
        return "skipped", "not needed: what was wanted is reached before it"
    wanted = [intent for intent in done.intents.made if intent.level is level]
    broken = next((intent.problem for intent in wanted if intent.problem), done.problem)
    if broken and wanted:
        return "undone", f"it would add a problem: line {broken.line}: {broken.message}"
    if tally.reasons:
        return "failed", "; ".join(tally.reasons)
    reason = "a later level takes it all in" if wanted else "nothing here for it"
    if tally.too_small:
        reason = f"{counted(tally.too_small, 'edit')} would not save enough"
    return "skipped", reason
