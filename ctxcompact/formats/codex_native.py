"""The records with which Codex itself marks that it has compacted a session.

A `compacted` record, whose history takes the place of everything before it, and the size that the
context has now: without that the client would compact again at once. Observed with 0.104 to 0.171.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.formats.codex_history import KEPT
from ctxcompact.formats.fields import text_at
from ctxcompact.formats.times import later

if TYPE_CHECKING:
    from ctxcompact.core.format import Whole
    from ctxcompact.core.splice import Path


def item_at(path: Path) -> Path:
    """Return the address of the item that a block lies in, a record's own or one that was kept."""
    return path[: len(KEPT) + 1] if path[: len(KEPT)] == KEPT else path[:1]


def record_of(data: Any) -> Any:
    """Return an item as a record of its own."""
    if not isinstance(data, dict) or "payload" in data:
        return data
    return {"type": "response_item", "payload": data}


def records(whole: Whole) -> list[dict[str, Any]]:
    """Make the records."""
    payload = {"message": "", "replacement_history": whole.items}
    found = [{**_envelope(whole.last, 1), "type": "compacted", "payload": payload}]
    if whole.count is not None:
        found.append({**whole.count, **_envelope(whole.last, 2)})
    return found


def _envelope(last: dict[str, Any], steps: int) -> dict[str, Any]:
    """Return what every record has: when it was written and, since 2026, its number."""
    envelope: dict[str, Any] = {"timestamp": later(text_at(last, "timestamp"), steps)}
    ordinal = last.get("ordinal")
    return envelope | ({"ordinal": ordinal + steps} if isinstance(ordinal, int) else {})
