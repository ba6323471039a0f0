"""What may be picked for a summary, and what it is worth.

A piece is worth what its words tell and the values it holds; both count more where the row is rare, and values more
where the agent or the person wrote them too: in recorded sessions those are ten to twenty times likelier to be needed
again than what stood in a result alone. What is worth how much belongs to `weights`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.atoms import atoms_of, words
from ctxcompact.core.tasks import Style
from ctxcompact.summarizers.offline import weights
from ctxcompact.summarizers.offline.columns import survey
from ctxcompact.summarizers.offline.finds import raise_found, searched, share_in_blocks
from ctxcompact.summarizers.offline.records import Record, Speech
from ctxcompact.summarizers.offline.rows import Care, explode
from ctxcompact.summarizers.offline.speech import is_narration, telling_names
from ctxcompact.summarizers.offline.splitting import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.summarizers.offline.seeds import Seeds

CONTENT, EARLIER, LATEST, WORDS = range(4)
"""Which part of a record a piece comes from: a long argument, an earlier or the latest result, or what was said."""


class Piece(NamedTuple):
    """A text that may be picked: `owner` is the index of its record, `part` where in it it stood, `place` its row.

    `worth` is what its words tell, `values` its atoms with their worth. Of pieces in one `cluster` each tells less
    than the one before, the more so the more `crowding` there is, from 0 to 1. A piece is `damaged` if the result
    is not whole.
    """

    owner: int
    part: int
    place: int
    text: str
    worth: float
    values: tuple[tuple[str, float], ...]
    cluster: int = 0
    crowding: float = 0.0
    damaged: bool = False


def cut(items: Sequence[Record | Speech], seeds: Seeds, *, lean: bool) -> Iterator[Piece]:
    """Yield the pieces of all records, in order."""
    tools = telling_names(item.tool for item in items if isinstance(item, Record))
    for owner, item in enumerate(items):
        if isinstance(item, Speech):
            pieces = _of_speech(owner, item, tools)
        else:
            pieces = _of_record(owner, item, seeds, lean=lean)
        for piece in pieces:
            focused = seeds.in_focus(piece.text)
            yield piece._replace(worth=piece.worth + weights.FOCUSED) if focused else piece


def _of_record(owner: int, record: Record, seeds: Seeds, *, lean: bool) -> Iterator[Piece]:
    exact = record.style is Style.PAYLOAD
    care = Care.EXACT if exact else Care.LEAN if lean else Care.FULL
    own = {atom.text for _, text in record.pairs for word in words(text) for atom in atoms_of(word)}
    for text in record.bodies:
        yield from _of_content(owner, text, care, seeds, own)
    for at, result in enumerate(record.results):
        part = LATEST if at == len(record.results) - 1 else EARLIER
        yield from _of_result(owner, part, record, result, care, seeds, own)


def _of_speech(owner: int, speech: Speech, tools: Sequence[str]) -> Iterator[Piece]:
    for at, sentence in enumerate(sentences(speech.text)):
        if is_narration(sentence, speech.style, tools):
            continue
        row = words(sentence)
        values = {atom.text: weights.of_said(atom) for word in row for atom in atoms_of(word)}
        worth = weights.of_sentence(row, first=at == 0)
        yield Piece(owner, WORDS, at, sentence, worth, tuple(values.items()))


def _of_content(owner: int, text: str, care: Care, seeds: Seeds, own: set[str]) -> Iterator[Piece]:
    for at, row in enumerate(explode(text, care).rows):
        split = words(row.text)
        values = {
            atom.text: weights.of_written(atom, seeds.of(atom.text))
            for word in split
            for atom in atoms_of(word)
            if atom.text not in own
        }
        yield Piece(owner, CONTENT, at, row.text, weights.of_content(split), tuple(values.items()))


def _of_result(
    owner: int, part: int, record: Record, text: str, care: Care, seeds: Seeds, own: set[str]
) -> Iterator[Piece]:
    rows, damaged = explode(text, care)
    split = [words(row.text) for row in rows]
    asked = seeds.asked(record.span)
    wanted = searched([*(text for _, text in record.pairs), *asked], split)
    standings = share_in_blocks(rows, raise_found(survey(split), split, wanted))
    seen: set[str] = set()
    for at, (row, row_words, standing) in enumerate(zip(rows, split, standings, strict=True)):
        if care is not Care.EXACT and row.text in seen:
            continue
        seen.add(row.text)
        rarity, cluster, share = standing
        worth = weights.of_place(at, len(rows)) + weights.of_row(row_words, rarity)
        worth += weights.of_call(record, len(wanted.intersection(row_words)) if wanted else 0)
        values = _values(row_words, rarity, seeds, own)
        crowding = share if rarity < weights.RARE else 0.0
        yield Piece(owner, part, at, row.text, worth, values, cluster, crowding, damaged)


def _values(
    row: Sequence[str], rarity: float, seeds: Seeds, own: set[str]
) -> tuple[tuple[str, float], ...]:
    values = {
        atom.text: weights.of_found(atom, rarity, seeds.of(atom.text))
        for word in row
        for atom in atoms_of(word)
        if atom.text not in own
    }
    for name in weights.names(row):
        values.setdefault(name, weights.of_name(rarity))
    return tuple(values.items())
