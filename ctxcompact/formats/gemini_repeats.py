"""What stands more than once in a Gemini CLI session: results for the model, and for the screen."""

from __future__ import annotations

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
    """Puts messages together in which each result counts once, where it stands first.

    A repeated result leaves a block without cost, so that it goes where its message goes; where
    nothing else is in a message, that block joins the message with the results.
    """

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.copies: dict[str | Place, list[Place]] = {}
        self._open: dict[str, int] = {}
        self._answered: set[str] = set()

    def take(self, messages: Sequence[Message]) -> None:
        """Take the next messages."""
        for message in messages:
            blocks = tuple(map(self._once, message.blocks))
            before = self.messages[-1] if self.messages else None
            if before and before.has_results and all(map(_is_repeat, blocks)):
                self.messages[-1] = before._replace(blocks=(*before.blocks, *blocks))
            else:
                self.messages.append(message._replace(blocks=blocks))

    def _once(self, block: Block) -> Block:
        call_id = block.call_id
        if block.kind is Kind.CALL:
            self._open[call_id] = self._open.get(call_id, 0) + 1
            self._answered.discard(call_id)
        elif block.kind is Kind.RESULT:
            if self._open.get(call_id, 0) > 0:
                self._open[call_id] -= 1
                self._answered.add(call_id)
            elif call_id in self._answered:
                if "messages" not in block.path:  # those beside it in an array are its twins
                    self.copies.setdefault(call_id, []).append((block.record, block.path))
                return Block(Kind.OPAQUE, block.record, block.path, 0, 0, fixed=True)
        return block


def _is_repeat(block: Block) -> bool:
    return block.kind is Kind.OPAQUE and not block.tokens


def twins(data: Any, path: Path, text: str) -> list[tuple[Path, Any]]:
    """List what else has to change in a record when the payload at `path` becomes `text`.

    That is what the screen is shown, and the same result in the same message or the next one.
    """
    start = next((n for n, key in enumerate(path) if key in _HOLDERS), len(path))
    found = list(_repeated(data, path, start, text))
    if path[start : start + 1] == ("toolCalls",):
        call = value_at(data, path[: start + 2])
        removed = Removed(value_at(data, path))
        place = (*path[: start + 2], "resultDisplay")
        found += shortened(place, call.get("resultDisplay"), removed, text, alone=True)
    return found


_HOLDERS = frozenset({"content", "toolCalls"})


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
