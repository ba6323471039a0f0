"""A conversation that an agent loop keeps small enough for its model, and can always look back into."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Self

from ctxcompact import counters, kept
from ctxcompact import formats as known
from ctxcompact.core import tags
from ctxcompact.core.blocks import Gauge
from ctxcompact.core.events import Event, Size
from ctxcompact.core.excerpts import Part, excerpt
from ctxcompact.core.model import Kind
from ctxcompact.core.settings import Mode, Settings, Until
from ctxcompact.engine.layers import COMPACT_TOOL
from ctxcompact.errors import UsageError
from ctxcompact.keeping import InFile, InMemory, line_of, messages_in
from ctxcompact.saving import load_state, save_state
from ctxcompact.summarizers.choosing import Wanted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ctxcompact.core.format import Format
    from ctxcompact.keeping import Keeping

Message = dict[str, Any]
"""A message as the provider's API takes it, or an item of OpenAI's Responses API."""

FORMATS = ("anthropic", "openai-chat", "openai-responses")
"""The APIs whose messages a session holds."""

_DEFAULT = Settings(until=Until.FIRST)
_OFFLINE = Wanted()
_WHOLE = Part()
_GROWTH = 8
"""After a compaction the next one waits until a session has grown by this part of its size."""


class Session:
    """The messages of an agent loop: what the model should see, and all that was ever said.

    Made empty in memory, by `open` over a file, or by `load` from what `save` wrote. Every method
    may be called from any thread; an exception leaves the session as it was.

    `format` is one of `FORMATS`, `model` the model that messages go to, which chooses the counter
    if the settings leave that to it. By default a session is compacted as AgentScope does before
    each call of the model: the first level that finds something, from 98,304 tokens or 100 messages
    on. `summaries` says who writes summaries: no model unless one is named. `keeping` and `events`
    are for `open` and `load`. Raises `UsageError`.
    """

    def __init__(
        self,
        format: str,  # noqa: A002 - the word of the whole library
        settings: Settings = _DEFAULT,
        *,
        summaries: Wanted = _OFFLINE,
        model: str = "",
        keeping: Keeping | None = None,
        events: Iterable[Event] = (),
    ) -> None:
        if settings.mode not in (Mode.CHAIN, Mode.AUTO):
            message = f"a session cannot run in the mode {settings.mode.value}"
            hint = (
                "chain or auto; micro() and request_compaction() do the others when they are called"
            )
            raise UsageError(message, hint=hint)
        self._lock = RLock()
        self._format = form = _form(format)
        self._keeping = keeping or InMemory(form)
        self._counter = counters.choose(settings.counter, model or form.model)
        self._gauge = Gauge(self._counter)
        self._settings = replace(settings, counter=self._counter.name)
        self._summaries = summaries
        self._events = list(events)
        self._wanted: str | None = None
        self._asked = False
        self._wait_for = Size(0, 0)
        self._view = messages_in(self._keeping.lines)
        self._size = _sum(map(self._measure, self._view))

    @classmethod
    def open(
        cls,
        path: Path | str,
        format: str,  # noqa: A002
        settings: Settings = _DEFAULT,
        *,
        root: Path | None = None,
        summaries: Wanted = _OFFLINE,
        model: str = "",
    ) -> Self:
        """Open a session over a JSONL file, one message a line; a missing file is an empty one.

        Each message is appended to the file at once, and compactions replace it in one step, with
        the originals under `root` (the file's folder unless given): `ctxcompact reload` and
        `ctxcompact restore` work on it. Nothing has to be saved. Raises `InputError`.
        """
        file = Path(path)
        keeping = InFile(file, _form(format), file.parent if root is None else root)
        return cls(format, settings, summaries=summaries, model=model, keeping=keeping)

    @classmethod
    def load(
        cls,
        path: Path | str,
        settings: Settings = _DEFAULT,
        *,
        summaries: Wanted = _OFFLINE,
        model: str = "",
    ) -> Self:
        """Read back what `save` wrote. Raises `InputError` for anything else."""
        keeping, events = load_state(Path(path))
        name = keeping.format.name
        return cls(name, settings, summaries=summaries, model=model, keeping=keeping, events=events)

    def append(self, message: Message) -> None:
        """Add a message; what is kept is a copy.

        Raises `UsageError` if it is no message of the session's format, or no JSON.
        """
        line = line_of(message)
        with self._lock:
            (copy,) = messages_in([line])
            size = self._measure(copy)
            if not size.messages:
                text = f"not a message of {self._format.name}: {line[:80].decode()}"
                raise UsageError(text, hint=f"give {self._format.recognised_by}")
            self._keeping.append(line)
            self._view.append(copy)
            self._size = _sum([self._size, size])

    def extend(self, messages: Iterable[Message]) -> None:
        """Add messages, one after the other."""
        for message in messages:
            self.append(message)

    def messages(self) -> list[Message]:
        """Return what the model should see.

        Between two compactions it only grows at the end. The messages themselves are the session's
        own: they must not be changed.
        """
        with self._lock:
            return list(self._view)

    def original(self) -> list[Message]:
        """Return all that was ever appended, as it was. Raises `RestoreError` if a file was edited."""
        with self._lock:
            return messages_in(self._keeping.original())

    @property
    def size(self) -> Size:
        """What the model would see now.

        Counted message by message since the last compaction: of the Responses API, where several
        items are one message, that is a little too much until then.
        """
        return self._size

    @property
    def events(self) -> tuple[Event, ...]:
        """The compactions that were tried, oldest first."""
        return tuple(self._events)

    def compact_if_needed(self) -> Event | None:
        """Compact if the session is due; to be called before each call of the model.

        It is due if `request_compaction` asked for it, or from the settings' trigger on; in the mode
        auto over `threshold` tokens, or if the model called the tool `compact`. After a compaction
        that left it so large, it is due again when it has grown by an eighth, or is too large for
        the window; what one level cannot bring into the window goes through all of them, down to the
        settings' target. None if it was not due. Raises as `ctxcompact.compact` does, and `SummarizerError`.
        """
        with self._lock:
            if self._wanted is not None:
                event = self._compact(replace(self._settings, mode=Mode.MANUAL, focus=self._wanted))
                self._wanted = None
                return event
            if not self._is_due():
                return None
            event = self._compact(self._settings)
            if event is None or event.after.tokens < self._settings.window_tokens:
                return event
            return self._compact(replace(self._settings, until=Until.TARGET))

    def micro(self) -> Event | None:
        """Clear old tool results, the newest `keep_recent` excepted; None for an empty session."""
        with self._lock:
            return self._compact(replace(self._settings, mode=Mode.MICRO))

    def request_compaction(self, focus: str = "") -> None:
        """Let the next `compact_if_needed` make a full summary, which keeps to `focus`."""
        with self._lock:
            self._wanted = focus

    def reload(self, uuid: str) -> list[Message]:
        """Return the original messages that an id stands for, as they were.

        Raises `UsageError` for what is no id, `IdNotFound`, `OriginalDamaged`.
        """
        with self._lock:
            found = self._keeping.behind(tags.canonical(uuid))
        return messages_in(line for one in found for line in one.data.split(b"\n"))

    def reload_text(self, uuid: str, part: Part = _WHOLE, most_tokens: int | None = None) -> str:
        """Return the text behind an id: of a block what it said, of messages their JSON lines.

        With a `part` only some lines of it, and at most `most_tokens`. Raises as `reload` does.
        """
        with self._lock:
            found = self._keeping.behind(tags.canonical(uuid))
        text = "\n".join(map(kept.reload_text, found))
        if part == _WHOLE and most_tokens is None:
            return text
        count = self._counter.count
        return excerpt(text, part, count(text) if most_tokens is None else most_tokens, count)

    def save(self, path: Path | str) -> None:
        """Write a session in memory, all of it or nothing, to one file that only its owner reads.

        Raises `OutputError`, and `UsageError` for one over a file, which is always saved.
        """
        with self._lock:
            if not isinstance(self._keeping, InMemory):
                message = "a session over a file has nothing to save"
                raise UsageError(message, hint="its file and the store beside it are up to date")
            save_state(Path(path), self._keeping, self._events)

    def _is_due(self) -> bool:
        settings = self._settings
        tokens = self._size.tokens + settings.overhead_tokens
        wait = min(self._wait_for.tokens, settings.window_tokens)
        if settings.mode is Mode.AUTO:
            return self._asked or tokens >= max(settings.threshold + 1, wait)
        many = max(settings.msg_threshold, self._wait_for.messages)
        return tokens >= max(settings.trigger_tokens, wait) or self._size.messages >= many

    def _compact(self, settings: Settings) -> Event | None:
        if not self._view:
            return None
        lines, before = self._keeping.lines, self._size
        report = self._keeping.compact(settings, self._summaries, self._counter)
        self._view = messages_in(self._keeping.lines)
        self._size = after = Size(report.output.tokens, report.output.messages)
        self._wait_for = Size(*(number + number // _GROWTH for number in after))
        self._asked = False
        event = Event(before, after, _kept(lines, self._keeping.lines), report.as_json())
        self._events.append(event)
        return event

    def _measure(self, message: Message) -> Size:
        """Count one message by itself."""
        reader = self._format.reader(self._gauge)
        reader.feed(0, 1, message)
        (conversation,) = reader.finish()
        blocks = (block for one in conversation.messages for block in one.blocks)
        self._asked |= any(b.kind is Kind.CALL and b.tool == COMPACT_TOOL for b in blocks)
        return Size(conversation.tokens, len(conversation.messages))


def _form(name: str) -> Format:
    if name not in FORMATS:
        hint = f"one of {', '.join(FORMATS)}"
        raise UsageError(f"no session holds messages of the format {name!r}", hint=hint)
    return known.named(name)


def _sum(sizes: Iterable[Size]) -> Size:
    tokens = messages = 0
    for size in sizes:
        tokens += size.tokens
        messages += size.messages
    return Size(tokens, messages)


def _kept(before: Sequence[bytes], after: Sequence[bytes]) -> float:
    """Return the share of the bytes before that stand at the beginning of what is after."""
    same = 0
    for line, other in zip(before, after, strict=False):
        if line != other:
            break
        same += len(line)
    return same / (sum(map(len, before)) or 1)
