"""From payloads to blocks: sizes, marks, and what must keep its bytes."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from ctxcompact.core import tags
from ctxcompact.core.model import Block, Kind
from ctxcompact.core.payloads import dump, is_media, part_media_tokens, part_text, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ctxcompact.core.measure import Counter
    from ctxcompact.core.splice import Path

# The plan notebook's ten tools of AgentScope, Claude Code's todo and task list, the plans of Codex,
# Gemini CLI and Qwen Code: they say what is still to do, so their results are never cleared.
PLAN_TOOLS = frozenset(
    """
    create_plan update_plan_info revise_current_plan update_subtask_state finish_subtask
    view_subtasks get_subtask_count finish_plan view_historical_plans recover_historical_plan
    TodoWrite TodoRead TaskCreate TaskUpdate TaskList TaskGet update_plan
    write_todos todo_write
    """.split()
)
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
        return Block(
            Kind.CALL, record, path, chars, tokens, call_id, tool, "", self.is_protected_tool(tool)
        )

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
        tag = tags.closing(text) or _mark_in(payload, text)
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


def _mark_in(payload: Any, text: str) -> str:
    """Return the id of a mark on which any text of a payload ends, or ""."""
    if isinstance(payload, str) or ("ffload" not in text and "OFFLOAD" not in text):
        return ""
    return next(iter(tags.closing_in(dump(payload))), "")
