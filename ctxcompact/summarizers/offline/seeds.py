"""What the agent and the person wrote themselves: which values, how often, and what they are after."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ctxcompact.core.atoms import CJK, atoms_of, words
from ctxcompact.summarizers.offline.records import Speech

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.core.tasks import Task
    from ctxcompact.summarizers.offline.records import Record

SEEDS_MAX = 3
"""So often a value counts at most."""

_SAID, _CALLED = 2, 1
_BODY_CHARS = 6000
_SHORT_WORD = 3
_GRAM = 3
_CJK = re.compile(f"[{CJK}]+")
_SAYS_LITTLE = frozenset(
    "about above after also anything before both could does each especially every everything focus from have into just "
    "keep mainly mind most need only other please remember should some summary than that their them then there these "
    "they thing things this those under very want were what when where which while with would your".split()
)


class Seeds:
    """Counts the values written in words (two each) and in arguments (one each)."""

    def __init__(self, task: Task, items: Sequence[Record | Speech]) -> None:
        self._times: Counter[str] = Counter()
        self._focus = list(_telling(task.focus))
        self._questions = [_values(span.question) for span in task.spans]
        for text in (*task.seed_words, task.plan, task.focus):
            self._sow(_values(text), _SAID)
        for values in self._questions:
            self._sow(values, _SAID)
        for item in items:
            if isinstance(item, Speech):
                self._sow(_values(item.text), _SAID)
            else:
                told = [text for _, text in item.pairs]
                told.extend(text[:_BODY_CHARS] for text in item.bodies)
                self._sow(_values("\n".join(told)), _CALLED)

    def of(self, value: str) -> int:
        """Return how often a value was written, at most `SEEDS_MAX`; a file counts by its name too."""
        times = self._times
        return min(SEEDS_MAX, max(times[value], times[_short(value)]))

    def asked(self, span: int) -> set[str]:
        """Return the values in the question of a span."""
        return self._questions[span]

    def in_focus(self, text: str) -> bool:
        """Tell whether a text has a word of the focus."""
        lowered = text.lower() if self._focus else ""
        return any(word in lowered for word in self._focus)

    def _sow(self, values: set[str], times: int) -> None:
        for value in values:
            self._times[value] += times
            if (name := _short(value)) != value:
                self._times[name] += times


def _values(text: str) -> set[str]:
    return {atom.text for word in words(text) for atom in atoms_of(word)}


def _short(value: str) -> str:
    """Return what a file, a page or a member may be called in short."""
    name = value.rstrip("/").rpartition("/")[2]
    return (name if name != value else value.rpartition(".")[2]) or value


def _telling(focus: str) -> Iterator[str]:
    """Yield the words of a focus which say something, of a run of CJK letters every few."""
    for word in words(focus.lower()):
        if _CJK.fullmatch(word):
            yield from (word[at : at + _GRAM] for at in range(max(1, len(word) - _GRAM + 1)))
        elif len(word) > _SHORT_WORD and word not in _SAYS_LITTLE:
            yield word
