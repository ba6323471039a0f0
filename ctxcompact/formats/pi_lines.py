"""What one entry of a pi session says to the model: its blocks, and who really speaks.

Which entries are live is for `pi_tree` to tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from ctxcompact.core.model import Block, Kind, Origin, Role
from ctxcompact.core.pairs import Tools
from ctxcompact.core.payloads import dump
from ctxcompact.core.tags import is_summary
from ctxcompact.formats.content import below, origin_of, sealed_tokens
from ctxcompact.formats.fields import dict_at, list_at, size_at, text_at
from ctxcompact.formats.pi_entries import COUNTS, Compacted, Edited, Entry, Note, Reply, Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

_MESSAGE: Path = ("message",)
_CONTENT: Path = ("message", "content")
# Such replies are not sent again.
_BROKEN_OFF = frozenset({"error", "aborted"})

_Said: TypeAlias = tuple[Role, Origin, tuple[Block, ...] | None]
_NOTHING: _Said = Role.USER, Origin.CLIENT, None


class EntryReader:
    """Reads the entries of one file."""

    def __init__(self, gauge: Gauge) -> None:
        self._gauge = gauge
        self._tools = Tools()
        self._uuid = ""
        self._source = Source("", "", "")
        self._readers: dict[str, Callable[[int, dict[str, Any]], _Said]] = {
            "user": self._user,
            "assistant": self._assistant,
            "toolResult": self._result,
            "system": self._prompt,
            "bashExecution": self._command,
            "custom": self._injected,
            "hookMessage": self._injected,
            "branchSummary": self._old_summary,
            "compactionSummary": self._old_summary,
        }

    def read(self, record: int, line: int, data: dict[str, Any]) -> Entry:
        """Read an entry, whatever its type."""
        role, origin, blocks = self._said(record, data)
        note = self._note(record, data)
        uuid, parent = text_at(data, "id"), text_at(data, "parentId")
        # Most entries hang on the one before: one string then serves for both.
        parent = self._uuid if parent == self._uuid else parent
        self._uuid = uuid
        protected = self._gauge.take_hit()
        return Entry(record, line, uuid, parent, role, origin, blocks or None, protected, note)

    def _said(self, record: int, data: dict[str, Any]) -> _Said:
        kind = text_at(data, "type")
        if kind == "message":
            return self._message(record, dict_at(data, "message"))
        if kind == "custom_message":
            blocks = self._content(record, ("content",), data.get("content"))
            return Role.USER, Origin.CLIENT, blocks
        if kind in {"branch_summary", "compaction"}:
            return self._summary(record, ("summary",), text_at(data, "summary"))
        return _NOTHING

    def _message(self, record: int, message: dict[str, Any]) -> _Said:
        read = self._readers.get(text_at(message, "role"))
        return read(record, message) if read else _NOTHING

    def _user(self, record: int, message: dict[str, Any]) -> _Said:
        content = message.get("content")
        blocks = self._content(record, _CONTENT, content)
        return Role.USER, origin_of(Role.USER, blocks, content), blocks

    def _assistant(self, record: int, message: dict[str, Any]) -> _Said:
        if text_at(message, "stopReason") in _BROKEN_OFF:
            return _NOTHING
        content = message.get("content")
        blocks = self._content(record, _CONTENT, content)
        return Role.ASSISTANT, origin_of(Role.ASSISTANT, blocks, content), blocks

    def _injected(self, record: int, message: dict[str, Any]) -> _Said:
        """Read what an extension says to the model."""
        return Role.USER, Origin.CLIENT, self._content(record, _CONTENT, message.get("content"))

    def _result(self, record: int, message: dict[str, Any]) -> _Said:
        call_id, tool = self._tools.pair(text_at(message, "toolCallId"))
        tool = tool or text_at(message, "toolName")
        block = self._gauge.result(record, _CONTENT, call_id, tool, message.get("content"))
        return Role.TOOL, Origin.TOOL, (block,)

    def _prompt(self, record: int, message: dict[str, Any]) -> _Said:
        return Role.SYSTEM, Origin.CLIENT, (self._system(record, _MESSAGE, message),)

    def _command(self, record: int, message: dict[str, Any]) -> _Said:
        """Read a command that the person ran themselves; its output moves like a result."""
        if message.get("excludeFromContext"):
            return _NOTHING
        command, output = text_at(message, "command"), text_at(message, "output")
        blocks = [self._gauge.opaque(record, below(_MESSAGE, "command"), command)]
        if output:
            blocks.append(self._gauge.text(record, below(_MESSAGE, "output"), output))
        return Role.USER, Origin.CLIENT, tuple(blocks)

    def _old_summary(self, record: int, message: dict[str, Any]) -> _Said:
        return self._summary(record, below(_MESSAGE, "summary"), text_at(message, "summary"))

    def _content(self, record: int, path: Path, content: Any) -> tuple[Block, ...]:
        if isinstance(content, str):
            return (self._gauge.text(record, path, content),)
        parts = content if isinstance(content, list) else ()
        return tuple(self._part(record, below(path, n), part) for n, part in enumerate(parts))

    def _part(self, record: int, path: Path, part: Any) -> Block:
        kind = text_at(part, "type") if isinstance(part, dict) else ""
        if kind == "text" and isinstance(part.get("text"), str):
            return self._gauge.text(record, below(path, "text"), part["text"])
        if kind == "toolCall":
            call_id, tool = text_at(part, "id"), text_at(part, "name")
            tool = self._tools.call(call_id, tool)
            return self._gauge.call(record, path, call_id, tool, part.get("arguments"))
        if kind == "thinking":
            return self._thinking(record, path, part)
        if kind == "image":
            return self._gauge.media(record, path, part)
        return self._gauge.opaque(record, path, part)

    def _thinking(self, record: int, path: Path, part: dict[str, Any]) -> Block:
        if text := text_at(part, "thinking"):
            return self._gauge.thinking(record, path, text)
        tokens = sealed_tokens(len(text_at(part, "thinkingSignature")))
        return Block(Kind.THINKING, record, path, 0, tokens, fixed=True)

    def _system(self, record: int, path: Path, message: dict[str, Any]) -> Block:
        """Count the system prompt, which may stand in sections, and the tools declared with it."""
        sections = dict_at(message, "sections").values()
        words = [text_at(message, "content"), *(x for x in sections if isinstance(x, str))]
        words += [dump(tool) for tool in list_at(message, "toolsAdded")]
        return self._gauge.opaque(record, path, "\n".join(words))

    def _summary(self, record: int, path: Path, text: str) -> _Said:
        origin = Origin.SUMMARY if is_summary(text) else Origin.CLIENT
        return Role.USER, origin, (self._gauge.text(record, path, text, fixed=True),)

    def _note(self, record: int, data: dict[str, Any]) -> Note | None:
        kind = text_at(data, "type")
        if kind == "message":
            return self._reply(dict_at(data, "message"))
        if kind == "compaction":
            return self._compacted(record, data)
        return self._edited(record, data) if kind == "context_edit" else None

    def _reply(self, message: dict[str, Any]) -> Reply | None:
        """Return what is told beside the model's words; replies in a row share the names."""
        if text_at(message, "role") != "assistant":
            return None
        source = Source(*(text_at(message, key) for key in Source._fields))
        if source != self._source:
            self._source = source
        usage = dict_at(message, "usage")
        sizes = tuple([size_at(usage, key) for key in COUNTS])
        return Reply(self._source, sizes)

    def _compacted(self, record: int, data: dict[str, Any]) -> Compacted:
        index = data.get("firstKeptEntryIndex")
        prompt = data.get("systemMessage")
        system = None
        if isinstance(prompt, dict):
            system = self._system(record, ("systemMessage",), prompt)
        first = index if isinstance(index, int) else -1
        return Compacted(text_at(data, "firstKeptEntryId"), first, system)

    def _edited(self, record: int, data: dict[str, Any]) -> Edited | None:
        """Read the client's edit of another entry; one without a meaning is none."""
        instead = data.get("replacement", False)
        if instead is None:
            return Edited(text_at(data, "targetId"), None)
        if not isinstance(instead, dict):
            return None
        blocks = self._content(record, ("replacement", "content"), instead.get("content"))
        return Edited(text_at(data, "targetId"), blocks)
