"""What one message of a Gemini CLI session says: as the client makes its history of it at a start.

After the client's own source (0.61.0). The model's message holds its calls with their results, and
so becomes two messages; what the client leaves out becomes none. Which messages are live is for
`gemini_cli` to tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.model import Block, Kind, Message, Origin, Role
from ctxcompact.formats.content import below, origin_of
from ctxcompact.formats.fields import dict_at, list_at, size_at, text_at
from ctxcompact.formats.gemini_ids import Ids
from ctxcompact.formats.gemini_parts import read_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.model import Place
    from ctxcompact.core.splice import Path

# Commands of the client, and what it puts in front of a session anew at each start.
_UNSENT_STARTS = ("/", "?", "<session_context>", "<hook_context>")
_NO_TEXT = (
    "videoMetadata",
    "thought",
    "codeExecutionResult",
    "executableCode",
    "fileData",
    "functionCall",
    "functionResponse",
    "inlineData",
)


class Turn(NamedTuple):
    """A message of the file as the messages that the client makes of it, in order.

    `place` is where it stands, `tokens` the size of the prompt told there, 0 if none is, `older`
    the places of its earlier versions.
    """

    place: Place
    line: int
    messages: tuple[Message, ...]
    model: str
    tokens: int
    older: tuple[Place, ...] = ()


class TurnReader:
    """Reads the messages of one file."""

    def __init__(self, gauge: Gauge) -> None:
        self._gauge = gauge
        self._calls = Ids()

    def read(self, record: int, line: int, path: Path, data: dict[str, Any]) -> Turn:
        """Read the message that stands at `path` of a record."""
        kind = text_at(data, "type")
        messages: tuple[Message, ...] = ()
        if kind == "user":
            messages = tuple(self._user(record, line, path, data))
        elif kind == "gemini":
            messages = tuple(self._model(record, line, path, data))
        self._gauge.take_hit()
        tokens = size_at(dict_at(data, "tokens"), "input") if messages else 0
        return Turn((record, path), line, messages, text_at(data, "model"), tokens)

    def _user(self, record: int, line: int, path: Path, data: dict[str, Any]) -> Iterator[Message]:
        content = data.get("content")
        shown = _shown(content).strip()
        if not shown or shown.startswith(_UNSENT_STARTS):
            return
        blocks = self._content(record, below(path, "content"), content)
        origin = origin_of(Role.USER, blocks, _words(content))
        yield self._message(Role.USER, origin, line, blocks)

    def _model(self, record: int, line: int, path: Path, data: dict[str, Any]) -> Iterator[Message]:
        """Read the model's message, without its thoughts: those are kept, but not sent again.

        Where calls or thoughts are in its content, that is the whole of it.
        """
        content = data.get("content")
        blocks = self._content(record, below(path, "content"), content)
        calls = list_at(data, "toolCalls")
        if not any(block.kind in _TELLING for block in blocks):
            called = self._called(record, below(path, "toolCalls"), calls)
            blocks = (*blocks, *called)
        blocks = tuple([block for block in blocks if block.kind is not Kind.THINKING])
        if not blocks:
            return
        origin = origin_of(Role.ASSISTANT, blocks, _words(content))
        yield self._message(Role.ASSISTANT, origin, line, blocks)
        results = tuple(self._results(record, below(path, "toolCalls"), calls))
        if results:
            yield self._message(Role.USER, Origin.TOOL, line, results)

    def _message(self, role: Role, origin: Origin, line: int, blocks: tuple[Block, ...]) -> Message:
        gauge = self._gauge
        return Message(role, origin, line, blocks, gauge.message_tokens, gauge.take_hit())

    def _content(self, record: int, path: Path, content: Any) -> tuple[Block, ...]:
        if isinstance(content, str):
            return (self._gauge.text(record, path, content),) if content else ()
        return read_parts(self._gauge, self._calls, record, path, content or None)

    def _called(self, record: int, path: Path, calls: list[Any]) -> Iterator[Block]:
        for n, call in enumerate(calls):
            if isinstance(call, dict):
                tool = text_at(call, "name")
                call_id = self._calls.call(text_at(call, "id"), tool)
                yield self._gauge.call(record, below(path, n), call_id, tool, call.get("args"))

    def _results(self, record: int, path: Path, calls: list[Any]) -> Iterator[Block]:
        for n, call in enumerate(calls):
            result = call.get("result") if isinstance(call, dict) else None
            place = below(path, n, "result")
            if isinstance(result, str) and result:
                call_id, tool = self._calls.answer(text_at(call, "id"), text_at(call, "name"))
                yield self._gauge.result(record, place, call_id, tool, result)
            elif result:
                yield from read_parts(self._gauge, self._calls, record, place, result)


_TELLING = frozenset({Kind.CALL, Kind.THINKING})


def _shown(content: Any) -> str:
    """Return a content as the client spells it to see whether it is to be sent."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    return "".join(map(_part_shown, parts))


def _part_shown(part: Any) -> str:
    if not isinstance(part, dict):
        return part if isinstance(part, str) else ""
    return "[" if any(key in part for key in _NO_TEXT) else text_at(part, "text")


def _words(content: Any) -> Any:
    """Return what a message begins with, for telling our own summaries."""
    first = content[0] if isinstance(content, list) and content else content
    return text_at(first, "text") if isinstance(first, dict) else first
