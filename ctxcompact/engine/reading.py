"""From bytes to conversations: one pass which keeps rows and addresses, not texts."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from ctxcompact.core import laws
from ctxcompact.core.blocks import Gauge
from ctxcompact.core.lines import parse_line
from ctxcompact.core.model import Problem
from ctxcompact.engine.models import model_of
from ctxcompact.engine.oddities import reused_ids, tell_damage, without_records
from ctxcompact.engine.ports import as_it_is
from ctxcompact.engine.protection import protect
from ctxcompact.engine.whole import Whole, whole_in
from ctxcompact.errors import InputChanged, UnknownFormat

if TYPE_CHECKING:
    from collections.abc import Callable

    from ctxcompact.core.format import Format, Reader
    from ctxcompact.core.model import Conversation
    from ctxcompact.core.settings import Settings
    from ctxcompact.engine.ports import Ports, Source

_WARNED_LINES = 20
_LINE_FEED = ord("\n")
_SAMPLE_RECORDS = 200
_SAMPLE_BYTES = 8 << 20


@dataclass(slots=True)
class Index:
    """Where lines and records lie in the file: the address book of the source.

    A line is known by its first byte and a hash of its bytes (this process's own), a record by its
    first byte, its length and its line (from 1).
    """

    line_starts: array[int] = field(default_factory=lambda: array("Q"))
    line_hashes: array[int] = field(default_factory=lambda: array("q"))
    starts: array[int] = field(default_factory=lambda: array("Q"))
    lengths: array[int] = field(default_factory=lambda: array("Q"))
    lines: array[int] = field(default_factory=lambda: array("I"))

    def add(self, start: int, length: int, line: int) -> int:
        """Add a record; return its number."""
        self.starts.append(start)
        self.lengths.append(length)
        self.lines.append(line)
        return len(self.starts) - 1

    def line_span(self, line: int, size: int) -> tuple[int, int]:
        """Return the first byte of a line and the first after it, in a file of `size` bytes."""
        start = self.line_starts[line - 1]
        last = line == len(self.line_starts)
        return start, size if last else self.line_starts[line]


@dataclass(slots=True)
class Reading:
    """A transcript as read: its index, its conversations, and what was wrong with it.

    `mask` hides credentials in what is told of it elsewhere. `whole` is set if it is one JSON value
    and no JSONL.
    """

    source: Source
    format: Format
    gauge: Gauge
    index: Index
    conversations: list[Conversation]
    damage: list[Problem]
    warnings: list[Problem]
    mask: Callable[[str], str] = as_it_is
    whole: Whole | None = None

    @property
    def messages(self) -> int:
        """How many messages reach the model."""
        return sum(len(conversation.messages) for conversation in self.conversations)

    @property
    def tokens(self) -> int:
        """What they cost."""
        return sum(conversation.tokens for conversation in self.conversations)

    def problems(self) -> list[Problem]:
        """List what is wrong: with the bytes, and with what the provider would see."""
        found = list(self.damage)
        for conversation in self.conversations if self.format.is_writable else ():
            found += laws.problems(conversation.messages, self.format.rules)
        return sorted(found)

    def line(self, number: int) -> bytes:
        """Read a line again. Raises `InputChanged` if it is not the line that was read first."""
        start, stop = self.index.line_span(number, self.source.size)
        raw = self.source.read(start, stop - start)
        if hash(raw) != self.index.line_hashes[number - 1]:
            message = "the transcript was changed while we worked"
            hint = "nothing was written; run again when no program writes to it"
            raise InputChanged(message, hint=hint, path=self.source.name, line=number)
        return raw

    def record(self, number: int) -> bytes:
        """Read the bytes of a record again."""
        index = self.index
        line = index.lines[number]
        start = index.starts[number] - index.line_starts[line - 1]
        return self.line(line)[start : start + index.lengths[number]]


def read(source: Source, settings: Settings, ports: Ports) -> Reading:
    """Read a transcript.

    A file that is one JSON value is read to be counted. Raises `UnknownFormat` if no format fits,
    `InputError` if nothing in such a value is known either.
    """
    scan = _Scan(source, settings, ports)
    try:
        for number, raw in enumerate(source.lines(), 1):
            scan.line(number, raw)
        return scan.finish()
    except UnknownFormat as error:
        whole = whole_in(source, scan.held)
        if whole is None:
            raise
        found = whole.told(ports.detect)
        if found is None:
            raise whole.refusal(source.name) from error
        return _Scan(source, settings, ports).take(whole, *found)


class _Scan:
    """The one pass: holds the first records back until they have told the format and the model."""

    def __init__(self, source: Source, settings: Settings, ports: Ports) -> None:
        self._source = source
        self._settings = settings
        self._ports = ports
        self._index = Index()
        self._damage: list[Problem] = []
        self._warnings: list[Problem] = []
        self._seen: dict[str, int] = {}
        self.held: list[tuple[int, int, Any]] = []
        self._offset = 0
        self._before = 0
        self._reader: Reader | None = None
        self._feed: Callable[[int, int, Any], None] | None = None
        self._format: Format | None = None
        self._gauge: Gauge | None = None

    def line(self, number: int, raw: bytes) -> None:
        index = self._index
        index.line_starts.append(self._offset)
        index.line_hashes.append(hash(raw))
        records, damage = parse_line(raw, first=number == 1, last_torn=raw[-1] != _LINE_FEED)
        for start, stop, data in records:
            at = index.add(self._offset + start, stop - start, number)
            if at == self._before:
                at = self._before  # one object for the line before and this record
            if self._feed is None:
                self._hold(at, number, data)
            else:
                self._feed(at, number, data)
            if not isinstance(data, dict):
                text = f"a {type(data).__name__} and no object: carried as it is"
                self._warn(number, "not_an_object", text)
        if damage:
            self._damage += [Problem(number, code, message) for code, message in damage]
        elif not records:
            self._warn(number, "blank_line", "blank: carried as it is")
        if raw[-2:] == b"\r\n":
            self._warn(number, "crlf", "ends in CR LF: carried as it is")
        self._offset += len(raw)
        self._before = number

    def _warn(self, number: int, code: str, message: str) -> None:
        """Note something odd that is no fault; of each kind the first lines are named."""
        seen = self._seen[code] = self._seen.get(code, 0) + 1
        if seen <= _WARNED_LINES:
            self._warnings.append(Problem(number, code, message))

    def _hold(self, at: int, number: int, data: Any) -> None:
        self.held.append((at, number, data))
        if len(self.held) >= _SAMPLE_RECORDS or self._offset >= _SAMPLE_BYTES:
            self._decide()

    def _decide(self) -> Reader:
        sample = [data for _, _, data in self.held]
        try:
            form = self._ports.detect(sample)
        except UnknownFormat as error:
            if not sample:
                raise without_records(self._source, len(self._index.line_starts)) from error
            error.path = error.path or self._source.name
            tell_damage(error, self._damage)
            raise
        return self._begin(form, sample)

    def _begin(self, form: Format, sample: list[Any]) -> Reader:
        settings = self._settings
        self._format = form
        self._gauge = Gauge(
            self._ports.counter(model_of(sample) or form.model),
            protect_tool=settings.protect_tool,
            protect=settings.protect,
        )
        self._reader = reader = form.reader(self._gauge)
        self._feed = reader.feed
        for at, number, data in self.held:
            reader.feed(at, number, data)
        self.held = []
        return reader

    def take(self, whole: Whole, form: Format, records: list[Any]) -> Reading:
        """Read the records that a file is or holds as one JSON value."""
        for raw in self._source.lines():
            self._index.line_starts.append(self._offset)
            self._offset += len(raw)
        at = self._index.add(0, self._source.size, 1)
        self.held = [(at, 1, data) for data in records]
        self._begin(form, records[:_SAMPLE_RECORDS])
        reading = self.finish()
        reading.whole = whole
        return reading

    def finish(self) -> Reading:
        reader = self._reader or self._decide()
        assert self._format is not None  # noqa: S101 - set by _decide, for the type checker
        assert self._gauge is not None  # noqa: S101 - the same
        conversations = reader.finish()
        for conversation in conversations:
            protect(conversation, self._format, self._ports)
            self._warnings += islice(reused_ids(conversation), _WARNED_LINES)
        return Reading(
            self._source,
            self._format,
            self._gauge,
            self._index,
            conversations,
            self._damage,
            sorted(self._warnings),
            self._ports.mask,
        )
