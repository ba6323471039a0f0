"""Long rows and messages to pieces that read well: sentences, else clauses, else words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ctxcompact.summarizers.offline.cleaning import even, inert, visible
from ctxcompact.summarizers.offline.trees import leaves, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

ROW_CHARS = 320
"""A longer row is split."""

RULER = re.compile(r"[\W_]*|</?[\w-]{1,40}>")
"""A line that holds no words."""

BULLET = re.compile(r"\A(?:[-*+•]|#{1,6}|>+|\||\d{1,2}[.)])\s+")

_PACK_CHARS = 160
_SENTENCES = re.compile(r"(?<=[.!?;])\s+(?=\S)|(?<=[。！？；])|\n+")
_CLAUSES = re.compile(r"(?<=[,;|}\]])\s*(?=\S)|(?<=[，、])")


def sentences(text: str) -> list[str]:
    """Cut words of a message into sentences, without bullets, headings and fences."""
    found: list[str] = []
    for line in inert(visible(text)).splitlines():
        plain = _told(BULLET.sub("", even(line), count=1).replace("**", "").strip("`"))
        for part in _SENTENCES.split(plain):
            if not RULER.fullmatch(part):
                found.extend(split(part))
    return found


def _told(line: str) -> str:
    """Tell JSON in words: a message may quote some."""
    if line[:1] not in ("{", "["):
        return line
    try:
        found = leaves(parse(line))
    except ValueError:
        return line
    return ", ".join(f"{leaf.key}={leaf.text}" if leaf.key else leaf.text for leaf in found)


def split(text: str) -> Iterator[str]:
    """Yield a row in pieces of readable length: sentences, else clauses, else words."""
    if len(text) <= ROW_CHARS:
        yield text
        return
    for sentence in filter(None, _SENTENCES.split(text)):
        if len(sentence) <= ROW_CHARS:
            yield sentence
        else:
            yield from _pack(_small_pieces(sentence))


def _small_pieces(sentence: str) -> Iterator[str]:
    for clause in filter(None, _CLAUSES.split(sentence)):
        if len(clause) <= _PACK_CHARS:
            yield clause
        else:
            yield from (
                word for word in clause.split() if len(word) <= ROW_CHARS or "://" in word[:20]
            )


def _pack(pieces: Iterator[str]) -> Iterator[str]:
    """Join pieces while they stay short."""
    held: list[str] = []
    chars = 0
    for piece in pieces:
        if held and chars + len(piece) > _PACK_CHARS:
            yield " ".join(held)
            held, chars = [], 0
        held.append(piece)
        chars += len(piece) + 1
    if held:
        yield " ".join(held)
