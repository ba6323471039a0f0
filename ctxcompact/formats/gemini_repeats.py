"""What stands more than once in a Gemini CLI session: results for the model, and for the screen."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ctxcompact.core.model import Block, Kind, Message
from ctxcompact.core.payloads import with_text
from ctxcompact.core.splice import value_at
from ctxcompact.formats.copies import Removed, shortened
from ctxcompact.formats.fields import dict_at, list_at, text_at
from ctxcompact.formats.gemini_parts import payload_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.core.model import Place
    from ctxcompact.core.splice import Path

_RESPONSE = "functionResponse"


class Repeats:
    """Puts messages together in which each result answers its call once, where it stands first.

    A repeat is a block that costs what it costs, and bears the id of its call if it changes with
    the first. Where nothing else is in a message, it joins the message with the results.
    """

    def __init__(self, messages: Sequence[Message]) -> None:
        self.messages: list[Message] = []
        self.copies: dict[str | Place, list[Place]] = {}
        self._open: Counter[str] = Counter()
        self._first: dict[str, Block] = {}
        blocks = (block for message in messages for block in message.blocks)
        self._called = Counter(block.call_id for block in blocks if block.kind is Kind.CALL)
        for message in messages:
            self._take(message)

    def _take(self, message: Message) -> None:
        blocks = tuple(map(self._once, message.blocks))
        before = self.messages[-1] if self.messages else None
        if before and before.has_results and all(block.kind is Kind.OPAQUE for block in blocks):
            self.messages[-1] = before._replace(blocks=(*before.blocks, *blocks))
        else:
            self.messages.append(message._replace(blocks=blocks))

    def _once(self, block: Block) -> Block:
        call_id = block.call_id
        if block.kind is Kind.CALL:
            self._open[call_id] += 1
        elif block.kind is Kind.RESULT and self._open[call_id] > 0:
            self._open[call_id] -= 1
            self._first[call_id] = block
        elif block.kind is Kind.RESULT and call_id in self._first:
            return self._again(block, self._first[call_id])
        return block

    def _again(self, block: Block, first: Block) -> Block:
        """Return the row of a repeat.

        It changes with the first if no other result has the id, and if it is on a line of its own,
        or beside the first in an array (`twins`).
        """
        call_id = block.call_id if self._called[block.call_id] == 1 else ""
        if call_id and block.record != first.record:
            self.copies.setdefault(call_id, []).append((block.record, block.path))
        elif not _is_near(block.path, first.path):
            call_id = ""
        row = Block(Kind.OPAQUE, block.record, block.path, 0, block.tokens, call_id, block.tool)
        return row._replace(fixed=True)


def _is_near(path: Path, first: Path) -> bool:
    """Tell whether one address is in the same message as another, or in the next one."""
    one, other = path[: _holder(path)], first[: _holder(first)]
    if one == other:
        return True
    return one[:-1] == other[:-1] and int(one[-1]) == int(other[-1]) + 1


def _holder(path: Path) -> int:
    """Return how deep the message is in its record: what holds its words is below."""
    return next((n for n, key in enumerate(path) if key in _HOLDERS), len(path))


_HOLDERS = frozenset({"content", "toolCalls"})


def twins(data: Any, path: Path, text: str) -> list[tuple[Path, Any]]:
    """List what else has to change in a record when the payload at `path` becomes `text`.

    That is what the screen is shown, and the same result in the same message or the next one.
    """
    start = _holder(path)
    found = list(_repeated(data, path, start, text))
    if path[start : start + 1] == ("toolCalls",):
        call = value_at(data, path[: start + 2])
        removed = Removed(value_at(data, path))
        place = (*path[: start + 2], "resultDisplay")
        found += shortened(place, call.get("resultDisplay"), removed, text, alone=True)
    return found


def _repeated(data: Any, path: Path, start: int, text: str) -> Iterator[tuple[Path, Any]]:
    if _RESPONSE not in path:
        return
    own = path[: path.index(_RESPONSE) + 1]
    call_id = text_at(value_at(data, own), "id")
    if not call_id:
        return
    for place, message in _near(data, path[:start]):
        for n, part in enumerate(list_at(message, "content")):
            response = dict_at(part, _RESPONSE) if isinstance(part, dict) else {}
            address = (*place, "content", n, _RESPONSE)
            if address != own and call_id == text_at(response, "id") and "response" in response:
                steps, payload = payload_of(response.get("response"))
                said = with_text(payload, text, keep_media=False)
                yield (*address, "response", *steps), said


def _near(data: Any, place: Path) -> Iterator[tuple[Path, Any]]:
    """Yield a message and, in an array, the next one."""
    yield place, value_at(data, place)
    if place:
        messages, n = value_at(data, place[:-1]), place[-1]
        if isinstance(n, int) and n + 1 < len(messages) and isinstance(messages[n + 1], dict):
            yield (*place[:-1], n + 1), messages[n + 1]
