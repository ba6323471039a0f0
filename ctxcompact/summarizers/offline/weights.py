"""What words, values and places are worth, in one place.

Orders of magnitude come from recorded sessions (which values did the agent use again?), the rest from weighing
generated ones of several families against each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.words import CHANGE, DECISION, OUTLINE, RULE, TROUBLE, signals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ctxcompact.core.atoms import Atom
    from ctxcompact.summarizers.offline.records import Record

RARE = 0.6
"""Rows at least as rare as this do not crowd each other."""

FOCUSED = 4.0
"""What a word of the focus adds to a piece."""

_KINDS = {
    "url": 1.3,
    "address": 1.1,
    "path": 1.2,
    "version": 1.0,
    "hash": 0.8,
    "id": 1.3,
    "error": 1.3,
    "option": 0.8,
    "date": 0.4,
    "name": 0.5,
}
_NUMBERS = ((3, 0.12), (6, 0.6))  # below so many digits: how hard it is to guess
_LONG_NUMBER = 1.0
_NAME = 0.4
_SIGNALS = ((TROUBLE, 3.0), (CHANGE, 2.0), (OUTLINE, 1.0))
_ODD, _ODD_RARITY = 0.5, 0.8
_DENIALS = frozenset({"0", "no", "none", "without", "zero"})
_PLAIN = 0.15
_FIRST, _LAST, _LAST_BUT_ONE = 0.8, 1.2, 0.4
_FEW_ROWS = 3
_WRITING, _FAILED, _SEARCHED = 1.5, 1.0, 1.2
_SAID, _SAID_VALUES, _SAID_FIRST, _DECIDED = 0.6, 2.0, 0.4, 2.5
_CONTENT, _CONTENT_OUTLINE, _CONTENT_VALUES, _CONTENT_SEED = 0.2, 0.8, 0.4, 2.4
_SEED = 2.5
_COMMON_SHARE = 0.2
_TOLD_SHARE = 0.12
_PROSE_SHARE = 0.5
_SHORT_NAME = 2


def of_value(atom: Atom) -> float:
    """Weigh a value by its looks."""
    if atom.kind != "number":
        return _KINDS[atom.kind]
    digits = sum(map(str.isdigit, atom.text))
    return next((worth for below, worth in _NUMBERS if digits < below), _LONG_NUMBER)


def of_found(atom: Atom, rarity: float, seeds: int) -> float:
    """Weigh a value in a result: `seeds` says how often the agent and the person wrote it."""
    return of_value(atom) * (_COMMON_SHARE + (1 - _COMMON_SHARE) * rarity) * (1 + _SEED * seeds)


def of_said(atom: Atom) -> float:
    """Weigh a value in somebody's words."""
    return _SAID_VALUES * of_value(atom)


def of_written(atom: Atom, seeds: int) -> float:
    """Weigh a value in a long argument; there it has been counted as a seed once already."""
    return of_value(atom) * (_CONTENT_VALUES + _CONTENT_SEED * max(0, min(2, seeds - 1)))


def of_name(rarity: float) -> float:
    """Weigh the name of a person, place or month in a sentence."""
    return _NAME * (_COMMON_SHARE + (1 - _COMMON_SHARE) * rarity)


def of_row(row: Sequence[str], rarity: float) -> float:
    """Weigh the words of a row of a result; one that is unlike all others tells something without them too."""
    odd = _ODD if rarity > _ODD_RARITY else 0.0
    if not (told := _told(row)):
        return odd
    share = _TOLD_SHARE + (1 - _TOLD_SHARE) * rarity
    return odd + sum(worth * share for signal, worth in _SIGNALS if told & signal)


def of_place(at: int, rows: int) -> float:
    """Weigh a row by where it stands: results begin and end with what sums them up."""
    worth = _PLAIN + (_FIRST if at == 0 else 0.0)
    if rows >= _FEW_ROWS:
        worth += _LAST if at == rows - 1 else _LAST_BUT_ONE if at == rows - 2 and at > 1 else 0.0
    return worth


def of_call(record: Record, hits: int) -> float:
    """Weigh a row by its call; `hits` is how many of the words searched for it has."""
    return _SEARCHED * hits + _WRITING * record.writes + _FAILED * record.failed


def of_sentence(row: Sequence[str], *, first: bool) -> float:
    """Weigh the words of a sentence somebody said."""
    return (
        _SAID
        + (_SAID_FIRST if first else 0.0)
        + (_DECIDED if _told(row) & (DECISION | RULE) else 0.0)
    )


def of_content(row: Sequence[str]) -> float:
    """Weigh the words of a row of a long argument."""
    return _CONTENT + (_CONTENT_OUTLINE if _told(row) & OUTLINE else 0.0)


def names(row: Sequence[str]) -> Iterator[str]:
    """Yield the capitalized words inside a sentence: people, places, months."""
    if sum(map(str.islower, row)) >= _PROSE_SHARE * len(row):
        yield from (
            word
            for word in row[1:]
            if word.istitle() and word.isalpha() and len(word) > _SHORT_NAME
        )


def _told(row: Iterable[str]) -> int:
    """Add up the signals of some words; trouble that is denied does not count."""
    told = 0
    before = ""
    for word in row:
        found = signals(word)
        if found and not (found & TROUBLE and before in _DENIALS):
            told |= found
        before = word
    return told
