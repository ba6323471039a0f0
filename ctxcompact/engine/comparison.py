"""Two states of one transcript, message by message: what was cut, and what it cost.

Messages are the same if role, kinds and call ids are; texts without ids by how they begin, for that
is what a preview keeps.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.alignment import align
from ctxcompact.core.lines import loads
from ctxcompact.core.model import Kind
from ctxcompact.core.payloads import dump, text_of
from ctxcompact.core.splice import value_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.core.model import Block, Conversation, Message
    from ctxcompact.engine.reading import Reading

_START_CHARS = 60


class Side(NamedTuple):
    """Some messages of one state: the first one's line, how many they are, what they cost."""

    line: int
    messages: int
    tokens: int


class Change(NamedTuple):
    """What became of some messages.

    `what` is "shortened" or "grown" (one message, still there), "folded" (some, for which others
    stand now), "removed" or "added". `roles` and `tools` are those of before, of an added one its
    own; `marks` the ids that stand there now and did not.
    """

    what: str
    roles: tuple[str, ...]
    tools: tuple[str, ...]
    before: Side | None
    after: Side | None
    marks: tuple[str, ...]


def compare(before: Reading, after: Reading) -> Iterator[Change]:
    """Yield what changed between two states, in order. Conversations are compared by their number."""
    ours, theirs = before.conversations, after.conversations
    for at in range(max(len(ours), len(theirs))):
        left = _Told(before, ours[at] if at < len(ours) else None)
        right = _Told(after, theirs[at] if at < len(theirs) else None)
        yield from _changes(left, right)


class _Told:
    """The messages of one state of a conversation, and the keys they are known by."""

    def __init__(self, reading: Reading, conversation: Conversation | None) -> None:
        self._reading = reading
        self._parsed: tuple[int, Any] = (-1, None)
        self.messages: Sequence[Message] = conversation.messages if conversation else ()
        keys = [self._keys(message) for message in self.messages]
        self.loose = [loose for loose, _ in keys]
        self.exact = [exact for _, exact in keys]

    def _keys(self, message: Message) -> tuple[int, int]:
        loose: list[object] = [message.role]
        exact: list[object] = []
        for block in message.blocks:
            value = self._value(block)
            exact.append(hash(dump(value)))
            start = "" if block.call_id else text_of(value)[:_START_CHARS]
            loose.append((block.kind, block.call_id, start))
        return hash(tuple(loose)), hash(tuple(exact))

    def _value(self, block: Block) -> Any:
        if self._parsed[0] != block.record:
            self._parsed = block.record, loads(self._reading.record(block.record))
        return value_at(self._parsed[1], block.path)

    def side(self, start: int, stop: int) -> Side | None:
        """Return what some of the messages are, None for none."""
        inside = self.messages[start:stop]
        if not inside:
            return None
        return Side(inside[0].line, len(inside), sum(message.tokens for message in inside))


def _changes(before: _Told, after: _Told) -> Iterator[Change]:
    left = right = 0
    ends = [(len(before.messages), len(after.messages))]
    for at, now in chain(align(before.loose, after.loose), ends):
        yield from _gap(before, after, (left, at), (right, now))
        if at < len(before.messages) and before.exact[at] != after.exact[now]:
            saves = after.messages[now].tokens <= before.messages[at].tokens
            what = "shortened" if saves else "grown"
            yield _change(what, before, after, (at, at + 1), (now, now + 1))
        left, right = at + 1, now + 1


def _gap(
    before: _Told, after: _Told, of_before: tuple[int, int], of_after: tuple[int, int]
) -> Iterator[Change]:
    goes, comes = of_before[0] < of_before[1], of_after[0] < of_after[1]
    if goes or comes:
        what = "folded" if goes and comes else "removed" if goes else "added"
        yield _change(what, before, after, of_before, of_after)


def _change(
    what: str, before: _Told, after: _Told, of_before: tuple[int, int], of_after: tuple[int, int]
) -> Change:
    old, new = before.messages[slice(*of_before)], after.messages[slice(*of_after)]
    about = old or new
    blocks = [block for message in about for block in message.blocks]
    had = {block.tag for message in old for block in message.blocks}
    marks = (block.tag for message in new for block in message.blocks)
    return Change(
        what,
        tuple(dict.fromkeys(message.role.value for message in about)),
        tuple(dict.fromkeys(b.tool for b in blocks if b.tool and b.kind is Kind.RESULT)),
        before.side(*of_before),
        after.side(*of_after),
        tuple(mark for mark in dict.fromkeys(marks) if mark and mark not in had),
    )
