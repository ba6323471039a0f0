"""What may be picked for a summary, and what it is worth.

A piece is worth what its words tell and the values it holds; both count more where the row is rare, and values more
where the agent or the person wrote them too: in recorded sessions those are ten to twenty times likelier to be needed
again than what stood in a result alone.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.atoms import atoms_of, words
from ctxcompact.core.words import CHANGE, DECISION, OUTLINE, RULE, TROUBLE, signals
from ctxcompact.summarizers.offline.columns import survey
from ctxcompact.summarizers.offline.frames import arguments, bodies
from ctxcompact.summarizers.offline.records import Record, Speech
from ctxcompact.summarizers.offline.rows import Row, explode, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ctxcompact.core.atoms import Atom
    from ctxcompact.core.tasks import Task
    from ctxcompact.summarizers.offline.columns import Standing

CONTENT, EARLIER, LATEST, WORDS = range(4)
"""Which part of a record a piece comes from: a long argument, an earlier or the latest result, or what was said."""

_KIND_WORTH = {
    "url": 1.3,
    "address": 1.1,
    "path": 1.2,
    "version": 1.0,
    "hash": 0.8,
    "id": 1.3,
    "error": 1.3,
    "option": 0.8,
    "date": 0.4,
    "number": 0.6,
    "name": 0.5,
}
_SMALL_NUMBER = 0.12
_SIGNAL_WORTH = ((TROUBLE, 3.0), (CHANGE, 2.0), (OUTLINE, 1.0))
_DENIALS = frozenset({"0", "no", "none", "without", "zero"})
_SEEDS_MAX = 3
_SEED_FACTOR = 2.5
_CONTENT_WORTH = 0.4
_SEED_CHARS = 6000
_NAME_WORTH = 0.4
_PROSE_SHARE = 0.5
_RARE = 0.6
_FOUND = 0.9
_BLOCK_SHARE = 0.7
_BLOCK_ROWS = 8


class Piece(NamedTuple):
    """A text that may be picked: `owner` is the index of its record, `part` where in it it stood.

    `worth` is what its words tell, `values` its atoms with their worth. Of pieces in one `cluster` each tells less
    than the one before, the more so the more `crowding` there is, from 0 to 1.
    """

    owner: int
    part: int
    text: str
    worth: float
    values: tuple[tuple[str, float], ...]
    cluster: int = 0
    crowding: float = 0.0


class Seeds:
    """How often the agent and the person wrote a value themselves: in words it counts two, in arguments one."""

    def __init__(self, task: Task, items: Sequence[Record | Speech]) -> None:
        self._times: Counter[str] = Counter()
        for text in (
            *task.seed_words,
            task.plan,
            task.focus,
            *(span.question for span in task.spans),
        ):
            self._sow(text, 2)
        for item in items:
            if isinstance(item, Speech):
                self._sow(item.text, 2)
            else:
                told = (text for _, text in arguments(item))
                self._sow("\n".join((*told, *(text[:_SEED_CHARS] for text in bodies(item)))), 1)

    def _sow(self, text: str, times: int) -> None:
        for value in {atom.text for word in words(text) for atom in atoms_of(word)}:
            self._times[value] += times
            if (name := _last_part(value)) != value:
                self._times[name] += times

    def of(self, value: str) -> int:
        """Return how often a value was written, at most `_SEEDS_MAX`."""
        return min(_SEEDS_MAX, max(self._times[value], self._times[_last_part(value)]))


def cut(items: Sequence[Record | Speech], seeds: Seeds, *, lean: bool) -> Iterator[Piece]:
    """Yield the pieces of all records, in order."""
    for owner, item in enumerate(items):
        if isinstance(item, Speech):
            yield from _of_speech(owner, item)
            continue
        own = {
            atom.text
            for _, text in arguments(item)
            for word in words(text)
            for atom in atoms_of(word)
        }
        for text in bodies(item):
            yield from _of_content(owner, text, seeds, own)
        for at, result in enumerate(item.results):
            part = LATEST if at == len(item.results) - 1 else EARLIER
            yield from _of_result(owner, part, item, explode(result, lean=lean).rows, seeds, own)


def _of_speech(owner: int, speech: Speech) -> Iterator[Piece]:
    for at, sentence in enumerate(sentences(speech.text)):
        split = words(sentence)
        told = _told(split)
        worth = 0.6 + (2.5 if told & (DECISION | RULE) else 0) + (0.4 if at == 0 else 0)
        values = {atom.text: 2.0 * worth_of(atom) for word in split for atom in atoms_of(word)}
        yield Piece(owner, WORDS, sentence, worth, tuple(values.items()))


def _of_content(owner: int, text: str, seeds: Seeds, own: set[str]) -> Iterator[Piece]:
    for row in explode(text, lean=True).rows:
        split = words(row.text)
        worth = 0.2 + (0.8 if _told(split) & OUTLINE else 0)
        values = {
            atom.text: worth_of(atom)
            * (_CONTENT_WORTH + 2.4 * max(0, min(2, seeds.of(atom.text) - 1)))
            for word in split
            for atom in atoms_of(word)
            if atom.text not in own
        }
        yield Piece(owner, CONTENT, row.text, worth, tuple(values.items()))


def _of_result(
    owner: int, part: int, record: Record, rows: Sequence[Row], seeds: Seeds, own: set[str]
) -> Iterator[Piece]:
    split = [words(row.text) for row in rows]
    wanted = _wanted(record, split)
    standings = _share_in_blocks(rows, _raise_found(survey(split), split, wanted))
    last = len(rows) - 1
    own_worth = 0.15 + (1.5 if record.writes else 0) + (1.0 if record.failed else 0)
    for at, (row, row_words, standing) in enumerate(zip(rows, split, standings, strict=True)):
        rarity = standing.rarity
        worth = (
            own_worth
            + (0.8 if at == 0 else 0)
            + (1.2 if at == last > 1 else 0.4 if at == last - 1 > 1 else 0)
        )
        told = _told(row_words)
        worth += sum(
            gain * (0.12 + 0.88 * rarity) for signal, gain in _SIGNAL_WORTH if told & signal
        )
        worth += 1.2 * len(wanted.intersection(row_words))
        values = {
            atom.text: worth_of(atom)
            * (0.2 + 0.8 * rarity)
            * (1 + _SEED_FACTOR * seeds.of(atom.text))
            for word in row_words
            for atom in atoms_of(word)
            if atom.text not in own
        }
        values.update(
            (name, _NAME_WORTH * (0.2 + 0.8 * rarity))
            for name in _names(row_words)
            if name not in own
        )
        crowding = standing.share if rarity < _RARE else 0.0
        yield Piece(owner, part, row.text, worth, tuple(values.items()), standing.cluster, crowding)


def _share_in_blocks(rows: Sequence[Row], standings: list[Standing]) -> list[Standing]:
    """Let rows of a small block have a share in its rarest one: the address below the title which was looked for."""
    best: dict[int, float] = {}
    size: Counter[int] = Counter()
    for row, standing in zip(rows, standings, strict=True):
        best[row.block] = max(best.get(row.block, 0), standing.rarity)
        size[row.block] += 1
    return [
        standing._replace(rarity=max(standing.rarity, _BLOCK_SHARE * best[row.block]))
        if size[row.block] <= _BLOCK_ROWS
        else standing
        for row, standing in zip(rows, standings, strict=True)
    ]


def _wanted(record: Record, split: Sequence[Sequence[str]]) -> set[str]:
    """Return the words of the arguments which only few rows have: what was searched for."""
    asked = {word for _, text in arguments(record) for word in words(text) if len(word) > 3}  # noqa: PLR2004 - of, the, 200
    found = Counter(word for row in split for word in set(row) if word in asked)
    return {word for word, times in found.items() if times <= max(1, len(split) // 10)}


def _raise_found(
    standings: list[Standing], split: Sequence[Sequence[str]], wanted: set[str]
) -> list[Standing]:
    """Take the few rows as rare which hold most of what was searched for."""
    hits = [len(wanted.intersection(row)) for row in split] if wanted else [0]
    most = max(hits, default=0)
    if most == 0 or hits.count(most) > max(1, len(split) // 10):
        return standings
    return [
        standing._replace(rarity=max(standing.rarity, _FOUND)) if found == most else standing
        for standing, found in zip(standings, hits, strict=True)
    ]


def _told(row: Iterable[str]) -> int:
    told = 0
    before = ""
    for word in row:
        if (found := signals(word)) and not (found & TROUBLE and before in _DENIALS):
            told |= found
        before = word
    return told


def _names(row: Sequence[str]) -> Iterator[str]:
    """Yield the capitalized words inside a sentence: people, places, months."""
    if sum(map(str.islower, row)) >= _PROSE_SHARE * len(row):
        yield from (word for word in row[1:] if word.istitle() and word.isalpha() and len(word) > 2)  # noqa: PLR2004


def worth_of(atom: Atom) -> float:
    """Return what a value is worth by its looks."""
    if atom.kind == "number" and sum(map(str.isdigit, atom.text)) < 3:  # noqa: PLR2004 - digits
        return _SMALL_NUMBER
    return _KIND_WORTH[atom.kind]


def _last_part(value: str) -> str:
    """Return how a file, a page or a member may be called in short."""
    name = value.rstrip("/").rpartition("/")[2]
    return (name if name != value else value.rpartition(".")[2]) or value
