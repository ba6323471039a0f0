"""The lines with which Claude Code itself marks that it has compacted a session.

A boundary, which hangs on nothing, and a summary, which hangs on the boundary. The last line has
the id of the line on which what comes after hangs: of two lines with one id the client takes the
last. So no other line changes, the leaf that the client noted stays where it is, and what it
appends later hangs on a line that is there when the marks are taken out again. Each line is later
than the one before, as the oldest versions go by the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.formats.claude_fold import ENVELOPE
from ctxcompact.formats.fields import text_at
from ctxcompact.formats.times import later

if TYPE_CHECKING:
    from ctxcompact.core.format import Native


def native(mark: Native) -> list[dict[str, Any]]:
    """Make the lines, in the dress of the line they stand after."""
    envelope = {key: mark.last[key] for key in ENVELOPE if key in mark.last}
    time = text_at(mark.last, "timestamp")
    boundary, middle = mark.ids
    summary = mark.own if mark.spoken is None else middle
    lines = [
        {**envelope, **_boundary(mark), "uuid": boundary, "parentUuid": None},
        {**envelope, **_summary(mark), "uuid": summary, "parentUuid": boundary},
    ]
    if mark.spoken is not None:
        lines.append({**mark.spoken, "uuid": mark.own, "parentUuid": summary})
    return [{**line, "timestamp": later(time, n)} for n, line in enumerate(lines, 1)]


def _boundary(mark: Native) -> dict[str, Any]:
    trigger = "manual" if mark.by_hand else "auto"
    return {
        "logicalParentUuid": text_at(mark.last, "uuid") or None,
        "type": "system",
        "subtype": "compact_boundary",
        "content": "Conversation compacted",
        "isMeta": False,
        "level": "info",
        "compactMetadata": {"trigger": trigger, "preTokens": mark.tokens},
    }


def _summary(mark: Native) -> dict[str, Any]:
    return {
        "type": "user",
        "message": {"role": "user", "content": mark.summary},
        "isVisibleInTranscriptOnly": True,
        "isCompactSummary": True,
    }
