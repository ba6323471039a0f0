"""One span becomes one text: in one request if it fits the window, else by notes on its parts.

Each answer that cannot stand is asked for once more; then the span has no text.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ctxcompact.core.counts import counted
from ctxcompact.core.tasks import Style
from ctxcompact.errors import SummarizerError
from ctxcompact.summarizers.llm import acceptance, requests
from ctxcompact.summarizers.llm.chat import CapReached
from ctxcompact.summarizers.llm.chunks import pack
from ctxcompact.summarizers.llm.failures import CallFailed, Kind
from ctxcompact.summarizers.llm.layout import TooSmall, cost_of, lay_out, more_room, size_of
from ctxcompact.summarizers.llm.records import Pair, Record, units
from ctxcompact.summarizers.llm.replies import CUT
from ctxcompact.summarizers.llm.requests import Wish
from ctxcompact.summarizers.llm.wording import fill, read

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ctxcompact.core.tasks import Span
    from ctxcompact.summarizers.llm.chat import Chat
    from ctxcompact.summarizers.llm.chunks import Part
    from ctxcompact.summarizers.llm.layout import Layout
    from ctxcompact.summarizers.llm.records import Unit
    from ctxcompact.summarizers.llm.replies import Answer
    from ctxcompact.summarizers.llm.requests import Request

_NOTE_TOKENS_MIN = 64
_NOTES_OF_TEXT = 2
_NOTES_OF_ROOM = 2 / 3
_BALANCED = 1.15


class Refused(Exception):  # noqa: N818 - reads as what happened
    """No text; the message says why, fit to be shown."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A span, and what its text is to be: at most `limit_tokens` as `count` counts.

    `context` are records that help to understand the span and are not part of it. `tell` hears of
    progress.
    """

    span: Span
    prompt: str
    context: tuple[Record, ...]
    limit_tokens: int
    chat: Chat
    count: Callable[[str], int]
    tell: Callable[[str], None]

    def write(self) -> str:
        """Return the text. Raises `Refused`, `CapReached`, and `CallFailed` without an answer."""
        groups = units(self.span)
        if not groups:
            raise Refused("there was nothing to summarize")
        while True:
            try:
                return self._write(groups, self._layout())
            except CallFailed as failure:
                if failure.kind is not Kind.WINDOW:
                    raise
                self.chat.shrink(failure)

    def _layout(self) -> Layout:
        limits = self.chat.limits()
        try:
            return lay_out(self.prompt, self.context, self.limit_tokens, limits, self.count)
        except TooSmall as error:
            where, window = self.chat.settings.where, counted(limits.window_tokens, "token")
            raise SummarizerError(
                f"{where}: a window of {window} is too small for a request",
                hint=f"--max-input-tokens {error.needed_tokens} or more would do",
            ) from None

    def _write(self, groups: Sequence[Unit], layout: Layout) -> str:
        cost = cache(self._cost)
        parts = _balanced(groups, layout.room, cost)
        wish = Wish(self.prompt, layout.asked, self.span.tokens)
        if len(parts) == 1:
            return self._ask(parts[0], wish, self.limit_tokens, layout)
        calls, left = len(parts) + 1, self.chat.calls_left
        if left is not None and calls > left:
            raise CapReached(f"{calls} requests are needed, and the cap leaves {left}")
        notes = self._notes(parts, layout)
        rule = fill(read("merge"), {"parts": str(len(parts))})
        last = self._condensed(notes, rule, layout)
        self.tell("joining the parts")
        return self._ask(last, wish._replace(notes=(rule,)), self.limit_tokens, layout)

    def _notes(self, parts: Sequence[Part], layout: Layout) -> list[Record]:
        """Have each part summarized by itself, at a size that lets all notes be read at once."""
        sizes = [sum(map(self._cost, part)) for part in parts]
        together = min(_NOTES_OF_TEXT * layout.asked, int(_NOTES_OF_ROOM * layout.room))
        made = []
        for number, (part, size) in enumerate(zip(parts, sizes, strict=True), 1):
            self.tell(f"part {number} of {len(parts)}")
            asked = max(_NOTE_TOKENS_MIN, together * size // sum(sizes))
            rule = fill(read("part"), {"part": str(number), "parts": str(len(parts))})
            text = self._ask(part, Wish(self.prompt, asked, size, (rule,)), size, layout)
            made.append(Record(f"notes on part {number}", text))
        return made

    def _condensed(self, notes: Sequence[Record], rule: str, layout: Layout) -> Part:
        """Return notes that fit one request; where they do not, groups of them become one first."""
        while True:
            groups = pack([_alone(note) for note in notes], layout.room, self._cost)
            if len(groups) == 1:
                return groups[0]
            if len(groups) >= len(notes):
                raise Refused("the notes on its parts do not fit the model's window together")
            notes = [self._condense(group, rule, layout) for group in groups]

    def _condense(self, group: Part, rule: str, layout: Layout) -> Record:
        size = sum(map(self._cost, group))
        wish = Wish(self.prompt, size // 2, size, (rule,))
        return Record("notes on several parts", self._ask(group, wish, size, layout))

    def _ask(self, records: Part, wish: Wish, limit: int, layout: Layout) -> str:
        """Ask, and ask once more if the answer cannot stand. Raises `Refused`."""
        remark, room = "", layout.answer_room
        for is_last in (False, True):
            request = requests.make((*layout.context, *records), wish, remark)
            size = size_of(request, self.count)
            answer = self.chat.ask(request.messages, room, size)
            text = acceptance.clean(answer.text)
            fault = self._fault(answer, text, request, limit)
            if not fault:
                return text
            if is_last:
                break
            remark = fill(read("again"), {"fault": fault})
            if answer.finish == CUT:
                room = more_room(room, size, self.chat.limits())
        raise Refused(f"the model {fault}, twice")

    def _fault(self, answer: Answer, text: str, request: Request, limit: int) -> str:
        if (tokens := self.count(text)) > limit:
            return f"wrote {tokens} tokens where at most {limit} were wanted"
        if fault := acceptance.fault_of(answer):
            return fault
        is_copy_fine = self.span.style is Style.PAYLOAD
        return acceptance.fault_in(text, request, is_copy_fine=is_copy_fine)

    def _cost(self, record: Record) -> int:
        return cost_of(record, self.count)


def _balanced(groups: Sequence[Unit], room: int, cost: Callable[[Record], int]) -> list[Part]:
    """Fill parts about evenly: the end of a session alone in a small one would be misread."""
    parts = pack(groups, room, cost)
    total = sum(cost(record) for part in parts for record in part)
    even = pack(groups, min(room, int(_BALANCED * total / len(parts))), cost)
    return even if len(even) == len(parts) else parts


def _alone(note: Record) -> Unit:
    return (Pair(None, (note,)),)
