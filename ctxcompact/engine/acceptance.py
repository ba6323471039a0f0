"""Take over what was settled, unless it would add a problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core import laws
from ctxcompact.core.apply import apply, rewrite
from ctxcompact.core.model import Problem

if TYPE_CHECKING:
    from ctxcompact.core.model import Conversation
    from ctxcompact.engine.draft import Draft
    from ctxcompact.engine.outcomes import Outcome
    from ctxcompact.engine.settling import Settled


def take_over(
    conversation: Conversation, settled: Settled, outcome: Outcome, draft: Draft
) -> Problem | None:
    """Make what was settled part of the draft.

    Or leave all as it was and say what it would break.
    """
    if not settled.rewritten and not settled.folded:
        return None
    if not settled.folded:
        return _replace_blocks(conversation, settled, outcome, draft)
    view = apply(
        conversation.messages, settled.rewritten.rows(conversation.messages), settled.folded
    )
    problems = laws.problems(view.messages, draft.reading.format.rules)
    if new := laws.added(outcome.problems_after, problems):
        return new[0]
    records = settled.records
    draft.accept(records.changes, records.replaced, records.folds)
    conversation.messages[:] = view.messages
    fresh = {fold.message.blocks[0].tag for fold in settled.folded}
    for at, message in enumerate(conversation.messages):
        if message.blocks and message.blocks[0].tag in fresh:
            conversation.messages[at] = message._replace(protected=True)
    outcome.problems_after = problems
    outcome.tokens_after -= settled.saved_tokens
    return None


def _replace_blocks(
    conversation: Conversation, settled: Settled, outcome: Outcome, draft: Draft
) -> Problem | None:
    """Take over edits in place only: row by row, for there may be a hundred thousand."""
    messages = conversation.messages
    for at, position, row in settled.rewritten.rows(messages):
        if not laws.is_harmless(messages[at].blocks[position], row):
            return Problem(messages[at].line, "empty_content", "a text without content")
    draft.accept(settled.records.changes, settled.records.replaced)
    rewrite(messages, settled.rewritten.rows(messages))
    outcome.tokens_after -= settled.saved_tokens
    return None
