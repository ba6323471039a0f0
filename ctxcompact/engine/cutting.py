"""Where a full summary cuts: what it takes in, and what is still open and stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.model import Message, Role
from ctxcompact.core.outline import trace
from ctxcompact.core.units import units

if TYPE_CHECKING:
    from collections.abc import Sequence


class Cut(NamedTuple):
    """What goes and what stays, as indices.

    `before` stands before the human message that stays, if one does.
    """

    before: tuple[int, ...]
    after: tuple[int, ...]
    kept: tuple[int, ...]
    human: int

    @property
    def taken(self) -> tuple[int, ...]:
        """Everything that goes."""
        return (*self.before, *self.after)


def cut(messages: Sequence[Message]) -> Cut:
    """Decide what a full summary takes in.

    System and protected messages always stay, a protected one with its calls and their results, and
    messages without content: nothing says where they are.
    """
    protected = _with_their_units(messages)
    outline = trace(messages)
    open_from = len(messages)
    human = -1
    if outline.newest_human > outline.newest_answer:
        human = outline.newest_human
        open_from = max(outline.newest_reply, human + 1)
        open_from = open_from if outline.newest_reply > human else human + 1
    before, after, kept = [], [], []
    for at, message in enumerate(messages):
        stays = message.role is Role.SYSTEM or at in protected or not message.blocks
        if stays or at == human or at >= open_from:
            kept.append(at)
        elif human < 0 or at < human:
            before.append(at)
        else:
            after.append(at)
    return Cut(tuple(before), tuple(after), tuple(kept), human)


def _with_their_units(messages: Sequence[Message]) -> set[int]:
    """Return the protected messages, and those that must not be parted from them."""
    if not any(message.protected for message in messages):
        return set()
    return {
        at
        for start, stop, _ in units(messages)
        if any(message.protected for message in messages[start:stop])
        for at in range(start, stop)
    }
