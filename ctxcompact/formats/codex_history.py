"""What of a Codex rollout is live: its items since the newest compaction, and what that kept.

As observed with 0.104 to 0.171, and in the public source: the history which a compaction recorded
takes the place of everything before it; where it recorded a summary only, what people said before
stands ahead of that. Turns that were rolled back are gone, and with them a compaction among them
(0.104 keeps some of what such a compaction kept).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.model import Origin, Role
from ctxcompact.core.payloads import text_of
from ctxcompact.formats.responses_items import SUMMARY_START, Item, ItemReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

_ITEM: Path = ("payload",)
KEPT: Path = ("payload", "replacement_history")
_SUMMARY: Path = ("payload", "message")
_KEPT_TOKENS = 20_000
_TURNS = frozenset({Origin.PERSON, Origin.SUMMARY})


class Compaction(NamedTuple):
    """Where the client compacted, and the items that stand for all before it.

    They stand in an `array` of the record, unless that must stay as it is, or holds but a summary.
    """

    record: int
    items: list[Item]
    has_array: bool


class History:
    """The items of a rollout in their order, as rollbacks and compactions leave them.

    Where the client tells more about each item that it kept, by its index, these must stay as they
    are: unless `moves` says that all items will stand in a record of ours.
    """

    def __init__(self, gauge: Gauge, *, moves: bool) -> None:
        self._gauge = gauge
        self._moves = moves
        self._items = ItemReader(gauge)
        self._log: list[Item | Compaction] = []
        self._turns: list[int] = []

    def add(self, record: int, line: int, payload: Any) -> Item | None:
        """Add the item in a record; return it, None if it is none that reaches the model."""
        item = self._items.read(record, line, _ITEM, payload)
        if item is not None:
            if item.role is Role.USER and item.origin in _TURNS:
                self._turns.append(len(self._log))
            self._log.append(item)
        return item

    def compact(self, record: int, line: int, payload: dict[str, Any]) -> list[Item]:
        """Begin anew from what a compaction kept, and return that.

        A record that tells neither history nor summary is none.
        """
        kept, summary = payload.get("replacement_history"), payload.get("message")
        has_array = isinstance(kept, list)
        if isinstance(kept, list):
            told = isinstance(payload.get("replacement_history_metadata"), list)
            has_array = self._moves or not told
            self._items = ItemReader(self._gauge)
            items = list(self._kept(record, line, kept))
        elif isinstance(summary, str):
            block = self._gauge.text(record, _SUMMARY, summary, fixed=True)
            items = [*_spoken(self.live()), Item(Role.USER, Origin.CLIENT, line, (block,))]
        else:
            return []
        if not (has_array or self._moves):
            items = [item._replace(protected=True) for item in items]
        self._log.append(Compaction(record, items, has_array))
        return items

    def _kept(self, record: int, line: int, kept: list[Any]) -> Iterator[Item]:
        for n, data in enumerate(kept):
            item = self._items.read(record, line, (*KEPT, n), data)
            if item is not None:
                yield _as_told(item, data)

    def roll_back(self, turns: Any) -> None:
        """Drop the newest turns, back to what a person said; what stands before the first stays."""
        if isinstance(turns, int) and turns > 0 and self._turns:
            del self._log[self._turns[-min(turns, len(self._turns))] :]
            del self._turns[-turns:]

    @property
    def compacted_at(self) -> int:
        """The record of the newest compaction that counts, -1 if there is none."""
        newest = self._newest()
        return newest.record if newest else -1

    @property
    def arrays(self) -> dict[int, Path]:
        """The address of the items that the newest compaction kept, by its record, if they may change."""
        newest = self._newest()
        return {newest.record: KEPT} if newest and newest.has_array else {}

    def _newest(self) -> Compaction | None:
        return next((x for x in reversed(self._log) if isinstance(x, Compaction)), None)

    def live(self) -> list[Item]:
        """Return the items that reach the model."""
        found: list[Item] = []
        for entry in self._log:
            if isinstance(entry, Compaction):
                found = list(entry.items)
            else:
                found.append(entry)
        return found


def _spoken(items: Iterable[Item]) -> list[Item]:
    """Return what people said, the newest first to be kept, as far as the client keeps it."""
    said = [item for item in items if item.role is Role.USER and item.origin is Origin.PERSON]
    room, start = _KEPT_TOKENS, len(said)
    while start and room > 0:
        start -= 1
        room -= sum(block.tokens for block in said[start].blocks)
    return said[start:]


def _as_told(item: Item, data: Any) -> Item:
    """Return an item that a compaction kept; its summary says what was before, and keeps its bytes."""
    if item.origin is Origin.CLIENT and text_of(data.get("content")).startswith(SUMMARY_START):
        return item._replace(blocks=tuple(block._replace(fixed=True) for block in item.blocks))
    return item
