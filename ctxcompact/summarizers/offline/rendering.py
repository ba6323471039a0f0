"""Picked pieces to text: plain sentences, a line for each call, in the style a span asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.tasks import Style
from ctxcompact.core.words import gives_decision, gives_rule
from ctxcompact.summarizers.offline.cleaning import inert
from ctxcompact.summarizers.offline.pieces import CONTENT, EARLIER, LATEST
from ctxcompact.summarizers.offline.records import Record, Speech

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ctxcompact.summarizers.offline.pieces import Piece

_NEWEST_SHARE = 0.75
_JOINTS = {CONTENT: "; content: ", EARLIER: "; earlier: ", LATEST: "; result: "}


def render(
    style: Style,
    items: Mapping[int, Record | Speech],
    heads: Mapping[int, str],
    picked: Mapping[int, Sequence[Piece]],
) -> str:
    """Write the text of one span; `items` are its records by index, `heads` and `picked` go by that index too."""
    if style is Style.FULL:
        text = _full(items, heads, picked)
    elif style is Style.PAYLOAD:
        text = "\n".join(_payload(items, heads, picked))
    else:
        told = (
            sorted(items, key=lambda at: not isinstance(items[at], Speech))
            if style is Style.ROUND
            else items
        )
        text = "\n".join(
            filter(
                None,
                (_line(style, items[at], heads.get(at, ""), picked.get(at, ())) for at in told),
            )
        )
    return inert(text)


def _line(style: Style, item: Record | Speech, head: str, pieces: Sequence[Piece]) -> str:
    if isinstance(item, Speech):
        return " ".join(piece.text for piece in pieces)
    if style is Style.ROUND:
        told = "; ".join(piece.text for piece in pieces)
        return f"{head}: {told}" if head and told else head or told
    return head + "".join(
        joint + "; ".join(piece.text for piece in pieces if piece.part == part)
        for part, joint in _JOINTS.items()
        if any(piece.part == part for piece in pieces)
    )


def _payload(
    items: Mapping[int, Record | Speech],
    heads: Mapping[int, str],
    picked: Mapping[int, Sequence[Piece]],
) -> Iterable[str]:
    """Keep the rows of a payload as rows."""
    for at in items:
        if head := heads.get(at, ""):
            yield f"{head}; result:"
        yield from (piece.text for piece in picked.get(at, ()))


def _full(
    items: Mapping[int, Record | Speech],
    heads: Mapping[int, str],
    picked: Mapping[int, Sequence[Piece]],
) -> str:
    parts: dict[str, list[str]] = {
        name: [] for name in ("Rules", "Asked", "Decisions", "Accomplished", "Findings", "State")
    }
    newest = _NEWEST_SHARE * len(items)
    for order, (at, item) in enumerate(items.items()):
        if isinstance(item, Record):
            line = _line(Style.FULL, item, heads.get(at, ""), picked.get(at, ()))
            parts["Accomplished" if item.writes else "Findings"].append(line)
            continue
        for piece in picked.get(at, ()):
            parts[_part_of(item, piece.text, late=order >= newest)].append(piece.text)
    return "\n".join(
        f"{name}: " + "\n".join(lines)
        for name, found in parts.items()
        if (lines := list(filter(None, found)))
    )


def _part_of(speech: Speech, sentence: str, *, late: bool) -> str:
    if speech.speaker != "assistant":
        return "Rules" if gives_rule(sentence) else "Asked"
    if late and speech.final:
        return "State"
    return "Decisions" if gives_decision(sentence) else "Accomplished"
