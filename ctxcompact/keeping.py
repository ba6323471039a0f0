"""Where the messages of a session are kept: in this process, or in a file with a store beside it.

Both hold JSONL lines as the model is to see them, each with its newline, and can say what they were
before every compaction. A failure leaves all as it was.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from ctxcompact import api, kept
from ctxcompact.core.lines import parse_line
from ctxcompact.engine import compaction
from ctxcompact.engine.ports import Ports, as_it_is
from ctxcompact.engine.writing import write
from ctxcompact.errors import InputError, OutputError, UsageError
from ctxcompact.redaction import mask
from ctxcompact.stores.faults import reported
from ctxcompact.stores.memory import Memory, MemorySource
from ctxcompact.stores.nesting import with_nested
from ctxcompact.stores.receipts import Tally
from ctxcompact.summarizers.choosing import choose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from ctxcompact.core.events import Report
    from ctxcompact.core.format import Format
    from ctxcompact.core.measure import Counter
    from ctxcompact.core.settings import Settings
    from ctxcompact.core.tasks import Summarizer
    from ctxcompact.stores.memory import MemoryStaging
    from ctxcompact.stores.offloads import Original
    from ctxcompact.summarizers.choosing import Wanted


class Keeping(Protocol):
    """What a session needs of the place where its messages are."""

    lines: list[bytes]

    def append(self, line: bytes) -> None:
        """Add a line."""

    def compact(self, settings: Settings, summaries: Wanted, counter: Counter) -> Report:
        """Compact what is there. Raises as `api.compact` does."""

    def original(self) -> list[bytes]:
        """Return the lines as they were appended."""

    def behind(self, uuid: str) -> list[Original]:
        """Return the originals that an id stands for, as `kept.reload` does. Raises `IdNotFound`."""


class InMemory:
    """Lines in this process; no disk is touched."""

    def __init__(self, form: Format) -> None:
        self.format = form
        self.lines: list[bytes] = []
        self.said: list[bytes] = []
        self.memory = Memory()

    def append(self, line: bytes) -> None:
        """Add a line."""
        self.lines.append(line)
        self.said.append(line)

    def compact(self, settings: Settings, summaries: Wanted, counter: Counter) -> Report:
        """Compact what is there."""
        data = b"".join(self.lines)
        staging = self.memory.stage()
        ports = _ports(self.format, counter, self.memory, staging, choose(summaries))
        ports = ports._replace(mask=mask if settings.redact else as_it_is)
        done = compaction.run(source := MemorySource(data), settings, ports)
        output = BytesIO()
        write(done.draft, output.write, _note_nothing)
        tally = Tally()
        tally.add(output.getvalue())
        report = compaction.report(done, tally.content(), source.name)
        if done.changed:
            staging.commit()
            if done.archive:
                self.memory.archives[_name_of(done.archive)] = data
            self.lines = BytesIO(output.getvalue()).readlines()
        return report

    def original(self) -> list[bytes]:
        """Return the lines as they were appended."""
        return list(self.said)

    def behind(self, uuid: str) -> list[Original]:
        """Return the originals that an id stands for."""
        return list(with_nested([self.memory.find(uuid)], self.memory))


class InFile:
    """Lines of a file, which is kept up to date with every step; its originals are under `root`."""

    def __init__(self, path: Path, form: Format, root: Path) -> None:
        self._path = path
        self._format = form
        self._root = root
        self.lines = self._read() if path.exists() else []

    def _read(self) -> list[bytes]:
        with reported(InputError, "read", self._path), self._path.open("rb") as file:
            return file.readlines()

    def append(self, line: bytes) -> None:
        """Add a line, in one write; what was torn before stays a line of its own."""
        is_torn = bool(self.lines) and not self.lines[-1].endswith(b"\n")
        with reported(OutputError, "append to", self._path), self._path.open("ab") as file:
            file.write(b"\n" + line if is_torn else line)
        if is_torn:
            self.lines[-1] += b"\n"
        self.lines.append(line)

    def compact(self, settings: Settings, summaries: Wanted, counter: Counter) -> Report:
        """Compact the file in place."""
        del counter
        report = api.compact(
            self._path,
            None,
            settings,
            format_name=self._format.name,
            root=self._root,
            summaries=summaries,
        )
        self.lines = self._read()
        return report

    def original(self) -> list[bytes]:
        """Return the lines as they were appended."""
        if not self.lines:
            return []
        spool = BytesIO()
        api.restore(self._path, spool, root=self._root)
        spool.seek(0)
        return spool.readlines()

    def behind(self, uuid: str) -> list[Original]:
        """Return the originals that an id stands for."""
        return kept.reload([uuid], root=self._root)


def line_of(message: dict[str, Any]) -> bytes:
    """Write a message as a line. Raises `UsageError` for what is no JSON object."""
    try:
        line = orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        line = _encode_odd(message)
    if not line.startswith(b"{"):
        raise UsageError("a message is no object", hint="append one message at a time, as a dict")
    return line


def _encode_odd(message: dict[str, Any]) -> bytes:
    """Write what orjson refuses: lone surrogates, numbers beyond 64 bits."""
    try:
        return json.dumps(message, separators=(",", ":")).encode() + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        hint = "give plain dicts, lists, strings and numbers, as the provider's API takes them"
        raise UsageError(f"a message is no JSON: {error}", hint=hint) from error


def messages_in(lines: Iterable[bytes]) -> list[dict[str, Any]]:
    """Return the objects that lines hold; what is damaged is carried, and not shown."""
    records = (record for line in lines for record in parse_line(line)[0])
    return [record.data for record in records if isinstance(record.data, dict)]


def _ports(
    form: Format,
    counter: Counter,
    memory: Memory,
    staging: MemoryStaging,
    summarizer: Summarizer | None,
) -> Ports:
    """Return what the engine is wired to where nothing is to be written to a disk."""
    return Ports(
        detect=lambda _: form,
        counter=lambda _: counter,
        is_known=memory.known,
        find=memory.find,
        staging=staging,
        scratch=BytesIO(),
        spool=_spooled,
        summarizer=summarizer,
    )


@contextmanager
def _spooled(fill: Callable[[Callable[[bytes], object]], None]) -> Iterator[MemorySource]:
    spare = BytesIO()
    fill(spare.write)
    yield MemorySource(spare.getvalue())


def _note_nothing(_start: int, _stop: int, _ids: object) -> None:
    """Note nothing: both states are at hand."""


def _name_of(archive: str) -> str:
    return archive.rpartition("/")[2].removesuffix(".jsonl")
