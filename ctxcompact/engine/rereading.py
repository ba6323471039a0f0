"""Read what would be written, and see whether it is what was planned."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ctxcompact.core import laws
from ctxcompact.engine.reading import Reading, read
from ctxcompact.engine.writing import write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ctxcompact.core.settings import Settings
    from ctxcompact.engine.draft import Draft
    from ctxcompact.engine.ports import Ports


@contextmanager
def reread(reading: Reading, draft: Draft, settings: Settings, ports: Ports) -> Iterator[Reading]:
    """Give the output as it would be read, by the same format and counter."""

    def fill(sink: Callable[[bytes], object]) -> None:
        write(draft, sink, lambda _start, _stop, _ids: None)

    counter = reading.gauge.counter
    alike = ports._replace(detect=lambda _: reading.format, counter=lambda _: counter)
    with ports.spool(fill) as source:
        yield read(source, settings, alike)


def reads_back(reading: Reading, draft: Draft, settings: Settings, ports: Ports) -> bool:
    """Tell whether the output, read anew, has the messages and tokens that were planned, and no further problem."""
    with reread(reading, draft, settings, ports) as again:
        sizes = [(len(c.messages), c.tokens) for c in reading.conversations]
        if sizes != [(len(c.messages), c.tokens) for c in again.conversations]:
            return False
        rules = reading.format.rules
        planned = sum(len(laws.problems(c.messages, rules)) for c in reading.conversations)
        return sum(len(laws.problems(c.messages, rules)) for c in again.conversations) <= planned
