"""A compaction written as one record at the end, which holds the whole conversation as it becomes.

All that was there stays; the client passes over it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ctxcompact.core.format import Whole
from ctxcompact.core.lines import loads
from ctxcompact.core.settings import Write
from ctxcompact.core.splice import value_at
from ctxcompact.engine.draft import Draft
from ctxcompact.engine.folding import dump_record
from ctxcompact.engine.rereading import reread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.core.format import Format, History
    from ctxcompact.core.settings import Settings
    from ctxcompact.engine.ports import Ports
    from ctxcompact.engine.reading import Reading

BY_ITSELF = (
    "added to the end as the client's own record, for the client keeps the places of lines "
    "(--write edit changes the lines themselves)"
)
MISREAD = "changed in its lines: the client's own record would not be read as it was planned"


def is_wanted(settings: Settings, *, in_place: bool) -> bool:
    """Tell whether a compaction is to be written this way, where the format has such records."""
    return settings.write is Write.NATIVE or (settings.write is None and in_place)


def moving(ports: Ports, settings: Settings) -> Ports:
    """Return ports by which files are read as those that are to be compacted by a record."""

    def detect(sample: Sequence[Any]) -> Format:
        form = ports.detect(sample)
        if form.native_reader and (form.history or settings.write is Write.NATIVE):
            return replace(form, reader=form.native_reader)
        return form

    return ports._replace(detect=detect)


def as_history(reading: Reading, draft: Draft, settings: Settings, ports: Ports) -> Draft:
    """Return a draft that leaves every line as it is, and adds what another one comes to."""
    history = reading.format.history
    assert history is not None  # noqa: S101 - asked before
    last = _newest(reading)
    with reread(reading, draft, settings, ports) as again:
        items = list(_items(again, history))
        whole = Whole(items, loads(last), None if settings.keep_usage else _count(again))
    made = Draft(reading, ports.scratch)
    made.appendix = b"".join(dump_record(one, last) + b"\n" for one in history.records(whole))
    return made


def _newest(reading: Reading) -> bytes:
    """Return the last record that is an object, as a client's records are."""
    for number in range(len(reading.index.starts) - 1, -1, -1):
        raw = reading.record(number)
        if isinstance(loads(raw), dict):
            return raw
    return b"{}"


def _items(again: Reading, history: History) -> Iterator[Any]:
    """Yield the items of a conversation, each once."""
    (conversation,) = again.conversations
    before: tuple[int, object] = (-1, None)
    parsed: tuple[int, Any] = (-1, None)
    for message in conversation.messages:
        for block in message.blocks:
            place = block.record, history.item_at(block.path)
            if place == before:
                continue
            before = place
            if parsed[0] != block.record:
                parsed = block.record, loads(again.record(block.record))
            yield value_at(parsed[1], place[1])


def _count(again: Reading) -> Any:
    """Return the record with the size that the client reads at its start, None if there is none."""
    counts = again.conversations[0].counts
    return loads(again.record(counts[0][0])) if counts else None
