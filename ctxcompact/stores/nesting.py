"""Originals behind originals: what was compacted more than once still bears the marks of before.

Printing them is not done here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core import tags

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ctxcompact.stores.offloads import Offloads, Original


def with_nested(originals: Iterable[Original], offloads: Offloads) -> Iterator[Original]:
    """Yield originals, each followed by those it bears marks of, and so on: no id comes twice.

    A mark that no store knows is text, as everywhere. Raises `OriginalDamaged`.
    """
    seen: set[str] = set()
    waiting = list(originals)[::-1]
    while waiting:
        original = waiting.pop()
        if original.id in seen:
            continue
        seen.add(original.id)
        yield original
        inside = filter(offloads.known, marks(original.data))
        waiting += [offloads.find(uuid) for uuid in inside if uuid not in seen][::-1]


def marks(data: bytes) -> list[str]:
    """List the ids of the marks in some JSON lines, each once, in order."""
    return tags.find(data.decode("utf-8", "replace").replace('\\"', '"'))
