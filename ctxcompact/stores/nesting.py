"""Originals behind originals: what was compacted more than once still bears the marks of before.

Printing them is not done here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ctxcompact.core import tags
from ctxcompact.stores.packs import SPAN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ctxcompact.stores.offloads import Original


class Store(Protocol):
    """Where originals are found by their ids."""

    def known(self, uuid: str, /) -> bool:
        """Tell whether an id is here."""

    def find(self, uuid: str, /) -> Original:
        """Return the original that an id stands for."""


def with_nested(
    originals: Iterable[Original], store: Store, *, recursive: bool = False
) -> Iterator[Original]:
    """Yield originals, each followed by those it was made smaller from before, and so on: no id comes twice.

    A folded stretch stands for all that was in its messages, so what was taken out of them earlier
    follows it: the marks that texts in it end on. `recursive`: any mark in any original leads on, quoted
    ones too. A mark that no store knows is text, as everywhere. Raises `OriginalDamaged`.
    """
    seen: set[str] = set()
    waiting = list(originals)[::-1]
    while waiting:
        original = waiting.pop()
        if original.id in seen:
            continue
        seen.add(original.id)
        yield original
        if recursive:
            inside = marks(original.data)
        elif original.format == SPAN:
            inside = tags.closing_in(original.data.decode("utf-8", "replace"))
        else:
            continue
        known = filter(store.known, inside)
        waiting += [store.find(uuid) for uuid in known if uuid not in seen][::-1]


def marks(data: bytes) -> list[str]:
    """List the ids of the marks in some JSON lines, each once, in order."""
    return tags.find(data.decode("utf-8", "replace").replace('\\"', '"'))
