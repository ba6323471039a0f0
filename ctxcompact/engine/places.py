"""Where messages stand that are not each a record of their own.

A client's log may hold some of them in an array inside a record and the rest on lines after it, and
older versions of a message beside the one that counts. A fold there has the place of its first item
or, if it takes in no item, of its last record; all else that it takes in goes. Addresses are those
of the input.
"""

from __future__ import annotations

from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.identity import identify
from ctxcompact.core.lines import loads
from ctxcompact.core.splice import slices, value_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ctxcompact.core.format import Format
    from ctxcompact.core.model import Block, Conversation, Message, Place
    from ctxcompact.core.splice import Path
    from ctxcompact.engine.records import Records


class Original(NamedTuple):
    """What stood at a place of the input: its id, and its bytes."""

    place: Place
    uuid: str
    raw: bytes


class Places:
    """The places of one conversation's messages: an item of an array, or a whole record at ()."""

    def __init__(self, conversation: Conversation, records: Records) -> None:
        self._arrays = conversation.arrays
        self._older = conversation.older
        self._records = records
        self._puts: dict[int, dict[Path, list[Any]]] = {}

    def of(self, messages: Iterable[Message]) -> list[Place]:
        """Return all that goes when some messages go, in the order of the file."""
        found: set[Place] = set()
        for message in messages:
            for block in message.blocks:
                place = self._of_block(block)
                found.add(place)
                found.update(self._older.get(place, ()))
        return sorted(found)

    def _of_block(self, block: Block) -> Place:
        array = self._arrays.get(block.record)
        if array is None or block.path[: len(array)] != array:
            return block.record, ()
        return block.record, block.path[: len(array) + 1]

    def originals(self, places: Iterable[Place]) -> Iterator[Original]:
        """Yield what stood at some places."""
        for record, group in groupby(places, key=_record_of):
            opened, inside = self._records.open(record), list(group)
            if not inside[0][1]:
                yield Original(inside[0], identify(opened.digest, ()), opened.original)
                continue
            raws = slices(opened.original, [path for _, path in inside])
            for place, raw in zip(inside, raws, strict=True):
                yield Original(place, identify(sha256(raw).hexdigest(), ()), raw)

    def keep(self, originals: Iterable[Original], form: str, line: int) -> None:
        """Keep what stood at some places."""
        staging = self._records.staging
        for (record, path), uuid, raw in originals:
            if not path:
                self._records.open(record).keep_whole()
            else:
                digest = sha256(raw).hexdigest()
                staging.add(uuid, raw, digest, path=(), tool="", format=form, line=line)

    def put(self, places: Iterable[Place], home: Place, values: list[Any]) -> None:
        """Let values, or bytes that spell one, stand at `home`, and nothing at the other places.

        `write` makes it so.
        """
        for record, path in places:
            self._puts.setdefault(record, {})[path] = []
        self._puts.setdefault(home[0], {})[home[1]] = values

    def write(self, dump: Callable[[Any, bytes], bytes]) -> None:
        """Write what was put; `dump` makes the bytes of a record, near others."""
        for record, puts in self._puts.items():
            opened = self._records.open(record)
            if () in puts:
                lines = [x if isinstance(x, bytes) else dump(x, opened.current) for x in puts[()]]
                opened.replace(b"\n".join(lines))
            else:
                opened.fold_items(self._arrays[record], list(_stretches(puts)))


def text_path(home: Place, form: Format) -> Path:
    """Return where the text of a composed message stands at a place."""
    path = form.composed_path
    return (*home[1], *path[len(form.item_path) :]) if home[1] else path


def value_for(home: Place, form: Format, record: Any) -> Any:
    """Return what a composed record is at a place: in an array it is a message by itself."""
    return value_at(record, form.item_path) if home[1] else record


def home_of(places: Sequence[Place]) -> Place:
    """Return the place that a fold of some places has."""
    return next((place for place in places if place[1]), places[-1])


def _stretches(puts: Mapping[Path, list[Any]]) -> Iterator[tuple[int, int, list[Any]]]:
    """Yield stretches of items with what stands in their place, each with one put at most."""
    start = stop = -1
    values: list[Any] = []
    for path, put in sorted(puts.items(), key=_item_of):
        at = int(path[-1])
        if at != stop or (values and put):
            if start >= 0:
                yield start, stop, values
            start, values = at, []
        values = values or [loads(value) if isinstance(value, bytes) else value for value in put]
        stop = at + 1
    yield start, stop, values


def _record_of(place: Place) -> int:
    return place[0]


def _item_of(put: tuple[Path, list[Any]]) -> int:
    return int(put[0][-1])
