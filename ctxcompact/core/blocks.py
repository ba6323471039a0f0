"""From payloads to blocks: sizes, marks, and what must keep its bytes.

The shapes shared by the message formats are read here: a payload is a string, or a list of parts
such as `{"type": "text", "text": …}`.
"""

from __future__ import annotations

import json
import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import orjson

from ctxcompact.core import tags
from ctxcompact.core.measure import Counter, media_tokens
from ctxcompact.core.model import Block, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ctxcompact.core.splice import Path

# The plan notebook's ten tools of AgentScope, Claude Code's todo and task list, Codex's plan: they
# say what is still to do, so their results are never cleared.
PLAN_TOOLS = frozenset(
    """
    create_plan update_plan_info revise_current_plan update_subtask_state finish_subtask
    view_subtasks get_subtask_count finish_plan view_historical_plans recover_historical_plan
    TodoWrite TodoRead TaskCreate TaskUpdate TaskList TaskGet update_plan
    """.split()
)
MEDIA_PARTS = frozenset(
    "image image_url input_image document file input_file input_audio audio video".split()
)
_TEXT_PARTS = frozenset("text input_text output_text".split())


# Sizes are numbers by the hundred thousand, most of them small: each small one exists once.
_SHARED = 8192
_INTS = tuple(range(_SHARED))


class Gauge:
    """Sizes payloads by one counter, and knows what the person wants protected."""

    def __init__(
        self, counter: Counter, *, protect_tool: Iterable[str] = (), protect: Iterable[str] = ()
    ) -> None:
        self.counter = counter
        self.count = counter.count
        self.message_tokens = counter.message_tokens
        self._call_tokens = counter.call_tokens
        self._result_tokens = counter.result_tokens
        self._globs = tuple(protect_tool)
        # Apart, as each may have flags and groups of its own.
        self._words = tuple(map(re.compile, protect))
        self._hit = False

    def take_hit(self) -> bool:
        """Tell whether a text since the last call matched the protected words."""
        hit, self._hit = self._hit, False
        return hit

    def is_protected_tool(self, tool: str) -> bool:
        """Tell whether results of this tool are never cleared."""
        if tool in PLAN_TOOLS:
            return True
        return bool(self._globs) and any(fnmatchcase(tool, glob) for glob in self._globs)

    def text(self, record: int, path: Path, text: str, *, fixed: bool = False) -> Block:
        """Make the block of a text the model reads."""
        if self._words:
            self._look(text)
        chars = 0 if text.isspace() else len(text)
        tag = tags.closing(text)
        tokens = self.count(text)
        if chars < _SHARED:
            chars, tokens = _INTS[chars], _INTS[tokens] if tokens < _SHARED else tokens
        return Block(Kind.TEXT, record, path, chars, tokens, "", "", tag, fixed)

    def thinking(self, record: int, path: Path, text: str) -> Block:
        """Make the block of a reasoning text; it is never edited."""
        return Block(Kind.THINKING, record, path, len(text), self.count(text), fixed=True)

    def call(self, record: int, path: Path, call_id: str, tool: str, arguments: Any) -> Block:
        """Make the block of a tool call; it is never edited. If it is fixed, its whole unit stays."""
        text = arguments if isinstance(arguments, str) else dump(arguments)
        tokens = self.count(tool) + self.count(text) + self._call_tokens
        chars = len(text)
        if chars < _SHARED and tokens < _SHARED:
            chars, tokens = _INTS[chars], _INTS[tokens]
        return Block(Kind.CALL, record, path, chars, tokens, call_id, tool, "", self.is_protected_tool(tool))

    def media(self, record: int, path: Path, part: dict[str, Any]) -> Block:
        """Make the block of a picture or document that stands by itself; it is never edited."""
        tokens = part_media_tokens(part)
        return Block(Kind.MEDIA, record, path, 0, tokens, fixed=True, media=True)

    def opaque(self, record: int, path: Path, part: Any) -> Block:
        """Make the block of something we do not know: counted, carried, never edited."""
        tokens = self.count(part if isinstance(part, str) else dump(part))
        return Block(Kind.OPAQUE, record, path, 0, tokens, fixed=True)

    def result(self, record: int, path: Path, call_id: str, tool: str, payload: Any) -> Block:
        """Make the block of a tool result whose payload stands at `path`.

        A payload with parts other than text, pictures and documents is fixed: such parts
        (references to loaded tools, say) mean something to the client.
        """
        text, media, odd = (payload, 0, False) if isinstance(payload, str) else self._parts(payload)
        if self._words:
            self._look(text)
        fixed = odd or self.is_protected_tool(tool)
        tokens = self.count(text) + media + self._result_tokens
        chars = 0 if text.isspace() else len(text)
        tag = tags.closing(text)
        if chars < _SHARED and tokens < _SHARED:
            chars, tokens = _INTS[chars], _INTS[tokens]
        return Block(Kind.RESULT, record, path, chars, tokens, call_id, tool, tag, fixed, media > 0)

    def _parts(self, payload: Any) -> tuple[str, int, bool]:
        """Return the text, the tokens of media, and whether something unknown is inside."""
        if not isinstance(payload, list):
            return ("" if payload is None else dump(payload)), 0, True
        media = sum(part_media_tokens(part) for part in payload if is_media(part))
        odd = any(part_text(part) is None and not is_media(part) for part in payload)
        text = text_of(payload)
        if odd:
            rest = [x for x in payload if part_text(x) is None and not is_media(x)]
            text = f"{text}\n{dump(rest)}"
        return text, media, odd

    def _look(self, text: str) -> None:
        if any(words.search(text) for words in self._words):
            self._hit = True


class Pairs:
    """Which call a result answers: the nearest earlier open call with its id.

    Ids and names are handed out as one string each: they are many, and every result repeats its call's.
    """

    def __init__(self) -> None:
        self._open: dict[str, tuple[str, ...]] = {}
        self._tools: dict[str, str] = {}

    def call(self, call_id: str, tool: str) -> str:
        """Note a call; return the tool's name."""
        tool = self._tools.setdefault(tool, tool)
        before = self._open.get(call_id)
        self._open[call_id] = (call_id, tool) if before is None else (*before, tool)
        return tool

    def answer(self, call_id: str) -> str:
        """Return the tool whose call is answered, "" if no call with this id is open."""
        return self.pair(call_id)[1]

    def pair(self, call_id: str) -> tuple[str, str]:
        """Return the id as the call has it, and the tool whose call is answered ("" if no call is open)."""
        found = self._open.pop(call_id, None)
        if found is None:
            return call_id, ""
        if len(found) > _ONE_CALL:
            self._open[call_id] = found[:-1]
        return found[0], found[-1]


_ONE_CALL = 2


def part_text(part: Any) -> str | None:
    """Return the text of a text part, or None.

    It is spelled "text", or "value" as fine-tuning files do.
    """
    if isinstance(part, str):
        return part
    if isinstance(part, dict) and _kind(part) in _TEXT_PARTS:
        text = part.get("text", part.get("value"))
        return text if isinstance(text, str) else None
    return None


def text_of(payload: Any) -> str:
    """Return the text of a payload, its parts joined by newlines."""
    if isinstance(payload, str):
        return payload
    if not isinstance(payload, list):
        return ""
    return "\n".join(text for text in map(part_text, payload) if text is not None)


def with_text(payload: Any, text: str, *, keep_media: bool) -> Any:
    """Return a payload of the same shape that says `text`.

    A string stays a string, a list keeps its first text part's own fields (and its media, if
    asked).
    """
    if not isinstance(payload, list):
        return text
    first = next((part for part in payload if isinstance(part, dict) and _has_text(part)), None)
    said: Any = {"type": "text", "text": text}
    if first is not None:
        said = {**first, "text" if "text" in first else "value": text}
    return [said, *(part for part in payload if keep_media and is_media(part))]


def _has_text(part: dict[str, Any]) -> bool:
    return part_text(part) is not None


def is_media(part: Any) -> bool:
    """Tell whether a part is a picture, a document or sound."""
    return isinstance(part, dict) and _kind(part) in MEDIA_PARTS


def _kind(part: dict[str, Any]) -> str:
    kind = part.get("type")
    return kind if isinstance(kind, str) else ""


def part_media_tokens(part: dict[str, Any]) -> int:
    """Estimate the tokens of a picture or document by the size of its data."""
    return media_tokens(_data_chars(part), document=_kind(part) in {"document", "file"})


def _data_chars(part: Any) -> int:
    """Find the longest string inside a part: its base64 text, wherever the provider puts it."""
    longest, stack = 0, [part]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            longest = max(longest, len(value))
        elif isinstance(value, dict):
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)
    return longest if longest > _URL_CHARS_MAX else 0


_URL_CHARS_MAX = 2000


def dump(value: Any) -> str:
    """Write a value as compact JSON text, for counting only.

    What is nested too deep counts by its leaves.
    """
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # lone surrogates, large numbers, or more than 254 levels
        pass
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return " ".join(_leaves(value))


def _leaves(value: Any) -> Iterator[str]:
    stack = [value]
    while stack:
        top = stack.pop()
        if isinstance(top, dict):
            stack += [*top.values(), *top]
        elif isinstance(top, list):
            stack += top
        else:
            yield str(top)
