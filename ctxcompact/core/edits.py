"""Edits: what is to change, said before anything changes.

Indices always mean the given conversation. Planners make `Rewrite`s and `Fold`s; formats add
`Amend`s, the changes an edit drags along in the client's own records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ctxcompact.core.model import Role
    from ctxcompact.core.splice import Path
    from ctxcompact.core.tasks import Style


class Placeholder(NamedTuple):
    """A short text in the place of a payload; the mark is left out where only that saves tokens."""

    text: str
    tagged: bool = True


class Preview(NamedTuple):
    """The first `chars` code points of the payload's own text, and the mark."""

    chars: int


class Digest(NamedTuple):
    """A summary of the payload or span, in the style of its level, and the mark."""

    style: Style


Content = Placeholder | Preview | Digest


class Rewrite(NamedTuple):
    """Replace the payload of one block; role, ids and all else stay."""

    message: int
    block: int
    content: Content


class Fold(NamedTuple):
    """Let the messages from `start` up to `stop` become one message of `role`."""

    start: int
    stop: int
    role: Role
    content: Digest


class Amend(NamedTuple):
    """Put a value at an address because of a rewrite elsewhere: a copy, a recorded count.

    It needs no gain and no mark, and is undone by the receipt.
    """

    record: int
    path: Path
    value: Any


class Plan(NamedTuple):
    """What a level wants to do with one conversation."""

    level: str
    edits: tuple[Rewrite | Fold, ...]
