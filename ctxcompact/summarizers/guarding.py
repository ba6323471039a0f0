"""What stands between a model's summaries and the transcript.

What is missing is added, what failed is replaced.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxcompact.core.facts import facts, missing
from ctxcompact.core.tasks import Style, Summary, Task
from ctxcompact.errors import SummarizerError
from ctxcompact.summarizers.llm.writer import NO_ROOM, Llm, shares

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ctxcompact.core.tasks import Span, Summarizer

_MOST_FACTS = 200
# A summary of a past round reads as an answer: calls and their arguments are not named in it.
_SILENT_KINDS = frozenset({"effect", "command"})


@dataclass
class Guarded:
    """A model with a way out; keeps the `Summarizer` contract.

    With `fallback` a span without an acceptable text gets the fallback's. With `strict` it ends the
    run, as `SummarizerError`. With neither it stays as it is.
    """

    model: Llm
    fallback: Summarizer | None
    strict: bool = False

    @property
    def name(self) -> str:
        """How the report names it."""
        return self.model.name

    @property
    def uses_model(self) -> bool:
        """A call costs time, and may cost money."""
        return True

    def summarize(self, task: Task, count: Callable[[str], int]) -> Sequence[Summary]:
        """Return a summary for each span, in order."""
        try:
            made = self.model.summarize(task, count)
        except SummarizerError as error:
            if self.strict or self.fallback is None:
                raise
            made = [Summary("", error.message) for _ in task.spans]
        limits = shares(task)
        made = [
            _complete(summary, span, limit, count)
            for summary, span, limit in zip(made, task.spans, limits, strict=True)
        ]
        failed = [at for at, one in enumerate(made) if not one.text and one.reason != NO_ROOM]
        if failed and self.strict:
            hint = "--on-failure offline writes such a summary without a model, skip leaves the part as it is"
            raise SummarizerError(f"no acceptable summary: {made[failed[0]].reason}", hint=hint)
        return self._replace(made, failed, task, limits, count)

    def _replace(
        self,
        made: list[Summary],
        failed: Sequence[int],
        task: Task,
        limits: Sequence[int],
        count: Callable[[str], int],
    ) -> list[Summary]:
        """Have the fallback write what the model did not, each at its share."""
        if self.fallback is None:
            return made
        for at in failed:
            alone = task._replace(spans=(task.spans[at],), budget_tokens=limits[at])
            text = self.fallback.summarize(alone, count)[0].text
            reason = f"written by {self.fallback.name}: {made[at].reason}"
            made[at] = made[at]._replace(text=text, reason=reason)
        return made


def _complete(summary: Summary, span: Span, limit: int, count: Callable[[str], int]) -> Summary:
    """Add the exact values that a summary dropped, as far as its size allows."""
    if not summary.text:
        return summary
    wanted = missing(facts(span.entries), [summary.text, span.question])
    if span.style is Style.ROUND:
        wanted = [fact for fact in wanted if fact.kind not in _SILENT_KINDS]
    values: list[str] = []
    left = limit - count(summary.text) - count("\nExact values: .")
    for fact in wanted[:_MOST_FACTS]:
        cost = count(f"; {fact.text}")
        if cost <= left:
            values.append(fact.text)
            left -= cost
    if not values:
        return summary
    return summary._replace(text=f"{summary.text}\nExact values: {'; '.join(values)}.")
