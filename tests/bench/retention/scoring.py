"""What of the planted facts is kept, can be reached and would be looked for; and whether anything was invented."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.atoms import atoms
from tests.bench.retention.folding import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.bench.retention.folding import Context
    from tests.bench.retention.sessions import Fact, Session

WINDOW_CHARS = 400
"""The needles of a fact have to stand this close together, so that a bare list of numbers scores nothing."""

_OURS = re.compile(r"<context_offload[^>]*>|^\[Record of[^\n]*|^Originals of:[^\n]*", re.MULTILINE)


class Score(NamedTuple):
    """Shares from 0 to 1 by weight.

    A fact is kept if it stands in the context, reachable if it stands there or behind a mark, cued if it is kept or
    the words beside that mark would lead there. `faithful` is the share of values in the context that stood in the
    session.

    Some facts have their halves in two messages, an address in a call and the status in its result, or farther
    apart in one: where these messages stay as they were, nothing of the fact is missing.
    """

    kept: float
    reachable: float
    cued: float
    faithful: float


def score(session: Session, context: Context) -> Score:
    """Score what is left of a session."""
    total = kept = reachable = cued = 0.0
    for fact in session.facts:
        total += fact.weight
        if _holds(session, fact, context.texts):
            kept += fact.weight
            continue
        places = [
            at
            for at, texts in context.behind.items()
            if _holds(session, fact, [*texts, *context.texts])
        ]
        reachable += fact.weight * bool(places)
        cued += fact.weight * any(_leads(fact, context.texts[at]) for at in places)
    return Score(
        kept / total, (kept + reachable) / total, (kept + cued) / total, _faithful(session, context)
    )


def stands(fact: Fact, text: str) -> bool:
    """Tell whether all needles stand in a text on word boundaries and close together."""
    if not all(needle in text for needle in fact.needles):
        return False
    found = [
        [match.start() for match in _bounded(needle).finditer(text)] for needle in fact.needles
    ]
    return any(
        all(any(abs(place - other) <= WINDOW_CHARS for other in places) for places in found)
        for place in found[0]
    )


def missed(session: Session, context: Context) -> Sequence[Fact]:
    """List the facts which are not kept."""
    return [fact for fact in session.facts if not _holds(session, fact, context.texts)]


def _holds(session: Session, fact: Fact, texts: Sequence[str]) -> bool:
    return any(stands(fact, text) for text in texts) or _sources(session, fact) <= set(texts)


def _sources(session: Session, fact: Fact) -> set[str]:
    """Return the text of the message that a fact was planted in and, of a result, that of its call."""
    message = session.messages[fact.message]
    asked = message.get("tool_call_id")
    return {text_of(message)} | {
        text_of(before)
        for before in session.messages[: fact.message]
        if any(call["id"] == asked for call in before.get("tool_calls") or ())
    }


def _bounded(needle: str) -> re.Pattern[str]:
    before = r"(?<![0-9A-Za-z])" if needle[0].isalnum() else ""
    after = r"(?![0-9A-Za-z])" if needle[-1].isalnum() else ""
    return re.compile(before + re.escape(needle) + after)


def _leads(fact: Fact, text: str) -> bool:
    return bool(fact.cue) and all(cue in text for cue in fact.cue)


def _faithful(session: Session, context: Context) -> float:
    source = "\n".join(map(text_of, session.messages))
    values = {atom.text for text in context.texts for atom in atoms(_OURS.sub("", text))}
    return sum(value in source for value in values) / len(values) if values else 1.0
