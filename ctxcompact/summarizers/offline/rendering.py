"""Picked pieces to text: plain sentences, a line for each call, in the style a span asks for."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ctxcompact.core.tasks import Style
from ctxcompact.core.words import gives_decision, gives_rule
from ctxcompact.summarizers.offline.cleaning import inert, visible
from ctxcompact.summarizers.offline.frames import TIMES_MAX
from ctxcompact.summarizers.offline.pieces import CONTENT, EARLIER, LATEST
from ctxcompact.summarizers.offline.records import Record, Speech

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ctxcompact.summarizers.offline.pieces import Piece

    Items = Mapping[int, Record | Speech]
    Heads = Mapping[int, str]
    Picked = Mapping[int, Sequence[Piece]]

_NEWEST_SHARE = 0.75
_JOINTS = {CONTENT: "; content: ", EARLIER: "; earlier: ", LATEST: "; result: "}
_DAMAGED = {Style.CURRENT_ROUND: "[UNPARSED OUTPUT] "}
_TRUNCATED = "[TRUNCATED] "
_GAP = "…"
_BULLET = re.compile(r"(?:(?:[-*+•>]|#{1,6}|\d{1,2}[.)])\s+)+|`{3,}\S*\s*")


def render(style: Style, items: Items, heads: Heads, picked: Picked) -> str:
    """Write the text of one span; `items` are its records by index, `heads` and `picked` go by that index too."""
    if style is Style.PAYLOAD:
        lines = _payload(items, heads, picked)
    elif style is Style.FULL:
        lines = _full(items, heads, picked)
    else:
        lines = _calls(style, items, heads, picked)
    return inert(visible("\n".join(line for line in lines if line.strip())))


def _calls(style: Style, items: Items, heads: Heads, picked: Picked) -> Iterator[str]:
    """Give each call a line; in a round what was said comes first, as an answer does.

    Calls of which there is no more to say than the same head share one.
    """
    order = list(items)
    if style is Style.ROUND:
        order.sort(key=lambda at: not isinstance(items[at], Speech))
    bare = Counter(heads[at] for at in order if heads.get(at) and not picked.get(at))
    for at in order:
        pieces, text = picked.get(at, ()), heads.get(at, "")
        if pieces or not text or bare[text] == 1:
            yield _line(items[at], text, pieces)
        elif times := bare.pop(text, 0):
            yield f"{text} (×{times})" if times <= TIMES_MAX else text


def _line(item: Record | Speech, head: str, pieces: Sequence[Piece]) -> str:
    if isinstance(item, Speech):
        return _plain(" ".join(piece.text for piece in pieces))
    if item.style is not Style.ROUND:
        return head + "".join(_part(item, pieces, part) for part in _JOINTS)
    told = _mark(item, pieces) + _joined(pieces)
    return f"{head}: {told}" if head and told else _plain(head or told)


def _part(record: Record, pieces: Sequence[Piece], part: int) -> str:
    """Write what is picked of one part of a record."""
    chosen = [piece for piece in pieces if piece.part == part]
    if not chosen:
        return ""
    return _JOINTS[part] + _mark(record, chosen) + _joined(chosen)


def _joined(pieces: Sequence[Piece]) -> str:
    return "; ".join(piece.text.rstrip(";, ") for piece in pieces)


def _mark(record: Record, pieces: Sequence[Piece]) -> str:
    """Say it of a result which is not whole."""
    if not any(piece.damaged for piece in pieces):
        return ""
    return _DAMAGED.get(record.style, _TRUNCATED)


def _plain(line: str) -> str:
    """Take a bullet or a heading mark from the start of a line."""
    return _BULLET.sub("", line, count=1) if _BULLET.match(line) else line


def _payload(items: Items, heads: Heads, picked: Picked) -> Iterator[str]:
    """Keep the rows of a payload as rows, and show where some are left out."""
    for at, item in items.items():
        pieces = picked.get(at, ())
        if head := heads.get(at, ""):
            mark = _mark(item, pieces) if isinstance(item, Record) else ""
            yield f"{head}: {mark}" if pieces else head
        expected = 0
        for piece in pieces:
            if piece.place > expected:
                yield _GAP
            expected = piece.place + 1
            yield piece.text


def _full(items: Items, heads: Heads, picked: Picked) -> Iterator[str]:
    """Sort what is known by what a reader needs to go on."""
    names = ("Rules", "Asked", "Decisions", "Accomplished", "Found", "State")
    parts: dict[str, list[str]] = {name: [] for name in names}
    newest = _NEWEST_SHARE * len(items)
    for order, (at, item) in enumerate(items.items()):
        pieces = picked.get(at, ())
        if isinstance(item, Record):
            if pieces or item.writes:
                line = _line(item, heads.get(at, ""), pieces)
                parts["Accomplished" if item.writes else "Found"].append(line)
            continue
        for piece in pieces:
            name = _part_of(item, piece.text, late=order >= newest)
            parts[name].append(_plain(piece.text))
    for name, lines in parts.items():
        told = [line for line in lines if line]
        if told:
            yield f"{name}: " + "\n".join(told)


def _part_of(speech: Speech, sentence: str, *, late: bool) -> str:
    if speech.speaker != "assistant":
        return "Rules" if gives_rule(sentence) else "Asked"
    if gives_decision(sentence):
        return "Decisions"
    return "State" if late else "Accomplished"
