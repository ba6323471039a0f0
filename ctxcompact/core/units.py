"""What must never be cut apart: a message with calls and all their results.

And what may be folded: stretches of whole units, with nothing in them that has to stay where it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.model import Kind, Message, Origin, Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


PLANNED = "planned"
"""The tag of a message that is only planned: a wider fold may still take it in."""


class Unit(NamedTuple):
    """Messages from `start` up to `stop` that go or stay together.

    `closed` says that every call is answered.
    """

    start: int
    stop: int
    closed: bool


def units(messages: Sequence[Message], start: int = 0, stop: int | None = None) -> list[Unit]:
    """Cut a stretch into units; a message without calls is a unit by itself.

    What a client puts between a call and its result belongs to the unit.
    """
    stop = len(messages) if stop is None else stop
    found: list[Unit] = []
    at = start
    while at < stop:
        end, closed = _end(messages, at, stop)
        found.append(Unit(at, end, closed))
        at = end
    return found


def foldable(messages: Sequence[Message], start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches of whole units between `start` and `stop` that may become one message.

    System messages, people's words, protected messages, plan units and open units stay where they
    are, and part the stretch; so do results whose call is parted from them by one of those. A
    client's insertions are folded only where they stand between folded messages.
    """
    begin = end = -1
    waiting = _waiting(messages, start)
    for unit in units(messages, start, stop):
        inside = messages[unit.start : unit.stop]
        if not unit.closed or any(map(stays, inside)) or _answers(inside, waiting):
            if begin >= 0:
                yield begin, end
            begin = -1
            waiting = waiting if unit.closed else waiting | _ids(inside, Kind.CALL)
        elif not all(message.origin is Origin.CLIENT for message in inside):
            begin = unit.start if begin < 0 else begin
            end = unit.stop
    if begin >= 0:
        yield begin, end


def stays(message: Message) -> bool:
    """Tell whether a message must stay where it is: no fold may take it in."""
    if message.protected or message.role is Role.SYSTEM or message.origin is Origin.PERSON:
        return True
    if not message.blocks:  # nothing says where it stands in the file
        return True
    if message.origin is Origin.SUMMARY and message.blocks[0].tag != PLANNED:
        return True  # what is one of ours already is never nested
    return any(block.kind is Kind.CALL and block.fixed for block in message.blocks)


def is_tool_message(message: Message) -> bool:
    """Tell whether a message calls tools or answers them."""
    return any(block.kind in (Kind.CALL, Kind.RESULT) for block in message.blocks)


def _end(messages: Sequence[Message], at: int, stop: int) -> tuple[int, bool]:
    """Return where the unit that begins at `at` ends, and whether all its calls are answered."""
    open_ids = [block.call_id for block in messages[at].blocks if block.kind is Kind.CALL]
    _strike(open_ids, messages[at])
    end = at + 1
    while open_ids and end < stop:
        message = messages[end]
        if message.origin is not Origin.CLIENT and not message.has_results:
            break
        _strike(open_ids, message)
        end += 1
    return end, not open_ids


def _waiting(messages: Sequence[Message], start: int) -> set[str]:
    """Return the calls of the last message with any before `start` that are not answered there."""
    for at in range(start - 1, -1, -1):
        if messages[at].has_calls:
            before = messages[at:start]
            return _ids(before, Kind.CALL) - _ids(before, Kind.RESULT)
    return set()


def _answers(messages: Sequence[Message], waiting: set[str]) -> bool:
    if not waiting or messages[0].has_calls:
        return False
    return not waiting.isdisjoint(_ids(messages, Kind.RESULT))


def _ids(messages: Sequence[Message], kind: Kind) -> set[str]:
    return {block.call_id for message in messages for block in message.blocks if block.kind is kind}


def _strike(open_ids: list[str], message: Message) -> None:
    for block in message.blocks:
        if block.kind is Kind.RESULT and block.call_id in open_ids:
            open_ids.remove(block.call_id)
