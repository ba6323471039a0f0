"""The offline summarizer itself: from a task to texts within its budget."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxcompact.core.atoms import atoms
from ctxcompact.core.counts import counted
from ctxcompact.core.tasks import Summary
from ctxcompact.summarizers.offline.choice import Choice
from ctxcompact.summarizers.offline.frames import head
from ctxcompact.summarizers.offline.pieces import cut
from ctxcompact.summarizers.offline.records import LONG_CHARS, Record, Speech, read
from ctxcompact.summarizers.offline.rendering import render
from ctxcompact.summarizers.offline.seeds import Seeds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ctxcompact.core.tasks import Task

    Count = Callable[[str], int]

LEAN_RATIO = 0.5
"""With a budget below this share of the tokens, results are taken apart without times and line numbers."""

_HEADS = ((LONG_CHARS, 12), (60, 4), (40, 1))  # characters of an argument, arguments
_HEADS_SHARE = 0.5
_RECENCY = 1.0
_FITTING_ROUNDS = 6
_JOINT_TOKENS = 2
_SLACK_TOKENS = 4
_WORTHWHILE_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Offline:
    """Summarizes without a model: chooses rows and sentences, invents nothing, gives the same text every time."""

    name: str = "offline"
    uses_model: bool = False

    def summarize(self, task: Task, count: Count) -> list[Summary]:
        """Return a summary for each span, all of them together within the budget. It never raises for a text."""
        return _Draft(task, count).summaries()


class _Draft:
    """One run over one task."""

    def __init__(self, task: Task, count: Count) -> None:
        self._task = task
        self._count = count
        self._items = read(task.spans)
        self._of_span: defaultdict[int, dict[int, Record | Speech]] = defaultdict(dict)
        for at, item in enumerate(self._items):
            self._of_span[item.span][at] = item
        self._telling = {item.span for item in self._items if isinstance(item, Record)}
        self._heads = self._choose_heads()
        spent = sum(self._costs(self._heads).values())
        self._choice = self._choose()
        self._choice.pick(task.budget_tokens - spent)

    def summaries(self) -> list[Summary]:
        texts = self._fit()
        return [Summary(text, "" if text else self._why_empty(at)) for at, text in enumerate(texts)]

    def _choose(self) -> Choice:
        task = self._task
        lean = task.budget_tokens < LEAN_RATIO * sum(span.tokens for span in task.spans)
        seeds = Seeds(task, self._items)
        pieces = [
            piece
            for piece in cut(self._items, seeds, lean=lean)
            if piece.owner in self._heads or isinstance(self._items[piece.owner], Speech)
        ]
        self._telling.update(self._items[piece.owner].span for piece in pieces)
        covered = {atom.text for span in task.spans for atom in atoms(span.question)}
        covered.update(atom.text for text in self._heads.values() for atom in atoms(text))
        newest = len(self._items) - 1
        half_life = max(4.0, len(self._items) / 5)
        boosts = [
            1 + _RECENCY * 0.5 ** ((newest - at) / half_life) for at in range(len(self._items))
        ]
        return Choice(pieces, boosts, covered, self._count)

    def _choose_heads(self) -> dict[int, str]:
        """Head every call, in fewer words if all heads together are too long; then calls lose theirs.

        The oldest reading ones go first; the newest call of each span keeps its head while there is any room.
        """
        room = _HEADS_SHARE * self._task.budget_tokens
        calls = {at: item for at, item in enumerate(self._items) if isinstance(item, Record)}
        heads: dict[int, str] = {}
        costs: dict[int, int] = {}
        for chars, pairs in _HEADS:
            heads = {at: head(item, chars=chars, pairs=pairs) for at, item in calls.items()}
            costs = self._costs(heads)
            if sum(costs.values()) <= room:
                return heads
        newest = {item.span: at for at, item in calls.items()}
        last = set(newest.values())
        spent = sum(costs.values())
        for at in sorted(calls, key=lambda at: (at in last, calls[at].writes, at)):
            if spent <= (self._task.budget_tokens if at in last else room):
                break
            spent -= costs[at]
            del heads[at]
        return heads

    def _costs(self, heads: Mapping[int, str]) -> dict[int, int]:
        """Count the heads; one which was there already in its span costs nothing."""
        first = {(self._items[at].span, text): at for at, text in reversed(list(heads.items()))}
        return {
            at: self._count(text) + _JOINT_TOKENS if first[self._items[at].span, text] == at else 0
            for at, text in heads.items()
        }

    def _render(self) -> list[str]:
        picked = self._choice.by_owner()
        return [
            render(span.style, self._of_span[at], self._heads, picked)
            for at, span in enumerate(self._task.spans)
        ]

    def _fit(self) -> list[str]:
        """Drop or pick until the texts fit the budget as they are written."""
        budget = self._task.budget_tokens
        texts = self._render()
        for _ in range(_FITTING_ROUNDS):
            room = budget - sum(map(self._count, texts))
            if room < 0:
                self._choice.drop(_SLACK_TOKENS - room)
            elif (
                room < _WORTHWHILE_TOKENS
                or self._choice.pick(room - _SLACK_TOKENS) == room - _SLACK_TOKENS
            ):
                break
            texts = self._render()
        return self._cut_to(texts, budget)

    def _cut_to(self, texts: list[str], budget: int) -> list[str]:
        """Shorten each text to what its span costs, and the oldest ones to the budget, at the ends of lines."""
        fitting = [
            self._shorten(text, span.tokens)
            for text, span in zip(texts, self._task.spans, strict=True)
        ]
        over = sum(map(self._count, fitting)) - budget
        for at, text in enumerate(fitting):
            if over <= 0:
                break
            size = self._count(text)
            fitting[at] = self._shorten(text, size - over)
            over -= size - self._count(fitting[at])
        return fitting

    def _shorten(self, text: str, tokens: int) -> str:
        """Keep as many lines from the start as cost no more than `tokens`."""
        if self._count(text) <= tokens:
            return text
        lines = text.split("\n")
        low, high = 0, len(lines)
        while low < high:
            middle = (low + high + 1) // 2
            if self._count("\n".join(lines[:middle])) <= tokens:
                low = middle
            else:
                high = middle - 1
        return "\n".join(lines[:low])

    def _why_empty(self, at: int) -> str:
        if at not in self._telling:
            return "nothing in it to keep"
        return f"no room for it within {counted(self._task.budget_tokens, 'token')}"
