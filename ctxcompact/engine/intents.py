"""What levels are to do, before it is done: in order, and parted into what counts and what a fold makes needless."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.edits import Digest, Fold, Rewrite

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ctxcompact.core.model import Problem
    from ctxcompact.levels import Level


class Intent(NamedTuple):
    """What a level is to do, in indices of the given conversation.

    `problem` says why it is not done.
    """

    level: Level
    edits: tuple[Rewrite | Fold, ...]
    problem: Problem | None = None


class Intents(NamedTuple):
    """What all levels are to do, in order, and the numbers of those that were tried at all.

    `eased` names the settings that gave way for it.
    """

    made: list[Intent]
    tried: set[int | str]
    eased: set[str]


class Edits:
    """The edits of a plan, each with its level.

    Parted into those that are to be made, and those in a fold that is to be made, which makes them
    needless. They are told anew each time: there may be a hundred thousand.
    """

    def __init__(self, intents: Intents) -> None:
        self._made = [intent for intent in intents.made if intent.problem is None]
        folds = [edit for intent in self._made for edit in intent.edits if isinstance(edit, Fold)]
        self._cover = _Cover(folds) if folds else None

    def outer(self) -> Iterator[tuple[Level, Rewrite | Fold]]:
        """Yield what is to be made."""
        holds = self._cover.holds if self._cover else _holds_nothing
        return (pair for pair in self._all() if not holds(pair[1]))

    def inner(self) -> Iterator[tuple[Level, Rewrite | Fold]]:
        """Yield what lies in a fold."""
        cover = self._cover
        return (pair for pair in self._all() if cover.holds(pair[1])) if cover else iter(())

    def _all(self) -> Iterator[tuple[Level, Rewrite | Fold]]:
        return ((intent.level, edit) for intent in self._made for edit in intent.edits)


def plain(
    edits: Iterable[tuple[Level, Rewrite | Fold]],
) -> Iterator[tuple[Level, Rewrite]]:
    """Pick the edits that need no summary."""
    for level, edit in edits:
        if isinstance(edit, Rewrite) and not needs_summary(edit):
            yield level, edit


def needs_summary(edit: Rewrite | Fold) -> bool:
    """Tell whether an edit waits for a text that is still to be written."""
    return isinstance(edit, Fold) or isinstance(edit.content, Digest)


def _holds_nothing(edit: Rewrite | Fold) -> bool:
    del edit
    return False


class _Cover:
    """Which messages lie in a fold: by the widest fold over each."""

    def __init__(self, folds: Sequence[Fold]) -> None:
        self._over: dict[int, Fold] = {}
        for fold in sorted(folds, key=lambda f: f.stop - f.start):
            for at in range(fold.start, fold.stop):
                self._over[at] = fold

    def holds(self, edit: Rewrite | Fold) -> bool:
        at = edit.message if isinstance(edit, Rewrite) else edit.start
        over = self._over.get(at)
        return over is not None and over is not edit
