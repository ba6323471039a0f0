"""Level 4: a past round becomes its human message and one summary of all that followed.

Every pair of a human message and the last final answer before the next human message, before the
newest final answer, with something between the two that costs `min_compression_tokens`; the newest
pair first. What has to stay inside stays, and the round then gets a summary on either side of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.edits import Digest, Fold, Plan
from ctxcompact.core.model import Role
from ctxcompact.core.outline import is_answer, is_round, rounds, trace
from ctxcompact.core.tasks import Style
from ctxcompact.core.units import foldable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.core.model import Conversation, Message
    from ctxcompact.core.settings import Settings

NAME = "past_rounds"


def plan(conversation: Conversation, settings: Settings) -> Plan | None:
    """Plan the summaries of past rounds."""
    messages = conversation.messages
    newest = trace(messages).newest_answer
    edits = tuple(
        Fold(start, stop, Role.ASSISTANT, Digest(Style.ROUND))
        for first, last in _pairs(messages, newest)
        if sum(m.tokens for m in messages[first:last]) >= settings.min_compression_tokens
        for start, stop in foldable(messages, first, last)
        if stop - start > 1 or is_round(messages[start])
    )
    return Plan(NAME, edits) if edits else None


def _pairs(messages: Sequence[Message], newest_answer: int) -> Iterator[tuple[int, int]]:
    """Yield what stands between a human message and the end of its final answer.

    The newest round comes first.
    """
    for start, stop in reversed(rounds(messages)):
        if not messages[start].is_human:
            continue
        answers = (at for at in range(stop - 1, start, -1) if is_answer(messages[at]))
        answer = next(answers, -1)
        if 0 <= answer < newest_answer and (answer - start > 1 or is_round(messages[answer])):
            yield start + 1, answer + 1
