"""Which values the agent and the person wrote themselves, and how often."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ctxcompact.core.atoms import atoms_of, words
from ctxcompact.summarizers.offline.records import Speech

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.tasks import Task
    from ctxcompact.summarizers.offline.records import Record

SEEDS_MAX = 3
_SAID, _CALLED = 2, 1
_BODY_CHARS = 6000


class Seeds:
    """Counts the values written in words (two each) and in arguments (one each)."""

    def __init__(self, task: Task, items: Sequence[Record | Speech]) -> None:
        self._times: Counter[str] = Counter()
        questions = (span.question for span in task.spans)
        for text in (*task.seed_words, task.plan, task.focus, *questions):
            self._sow(text, _SAID)
        for item in items:
            if isinstance(item, Speech):
                self._sow(item.text, _SAID)
            else:
                told = [text for _, text in item.pairs]
                told.extend(text[:_BODY_CHARS] for text in item.bodies)
                self._sow("\n".join(told), _CALLED)

    def _sow(self, text: str, times: int) -> None:
        for value in {atom.text for word in words(text) for atom in atoms_of(word)}:
            self._times[value] += times
            if (name := _short(value)) != value:
                self._times[name] += times

    def of(self, value: str) -> int:
        """Return how often a value was written, at most `SEEDS_MAX`; a file counts by its name too."""
        times = self._times
        return min(SEEDS_MAX, max(times[value], times[_short(value)]))


def _short(value: str) -> str:
    """Return what a file, a page or a member may be called in short."""
    name = value.rstrip("/").rpartition("/")[2]
    return (name if name != value else value.rpartition(".")[2]) or value
