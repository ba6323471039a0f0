"""Which originals hold what is searched for, newest first.

Packs are read row by row, and what is kept of a hit is a line of it. How the text of an original is
looked through is for the caller to say.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ctxcompact.errors import OriginalDamaged, StoreError
from ctxcompact.stores.faults import reported
from ctxcompact.stores.packs import SPAN
from ctxcompact.stores.soundness import DAMAGED, Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ctxcompact.stores.offloads import Found, Offloads
    from ctxcompact.stores.packs import Head

Look: TypeAlias = "Callable[[str, tuple[str | int, ...], bytes], tuple[int, str] | None]"
"""Look through the value at a path of a record in some format.

Returns the number of matches and the first of them with what is around it, or None.
"""


class Hit(NamedTuple):
    """An original that holds what is searched for: how often, and the first time with its line."""

    head: Head
    pack: str
    matches: int
    snippet: str


class Searched(NamedTuple):
    """What a search found, whether there is more than was asked for, and what it could not read."""

    hits: list[Hit]
    more: bool
    damaged: list[Finding]


def search(offloads: Offloads, look: Look, *, limit: int | None = None) -> Searched:
    """Look through all originals, the newest packs first and in each the last lines.

    An id counts once, where it is newest. Raises `StoreError` if a pack cannot be read.
    """
    found: dict[str, Hit] = {}
    damaged: list[Finding] = []
    for pack in sorted(offloads.catalog.packs(), key=_age):
        with reported(StoreError, "read", pack), suppress(FileNotFoundError):
            hits = sorted(_hits_in(pack, offloads, look, damaged), key=_line_of)
            for hit in reversed(hits):
                found.setdefault(hit.head.id, hit)
        if limit is not None and len(found) > limit:
            break
    newest = list(found.values())
    return Searched(newest[:limit], limit is not None and len(newest) > limit, damaged)


def _age(pack: Path) -> tuple[int, str]:
    """Return what packs are ordered by; one that has just been removed is as good as any."""
    with suppress(FileNotFoundError):
        return -pack.stat().st_mtime_ns, pack.name
    return 0, pack.name


def _line_of(hit: Hit) -> int:
    return hit.head.line


def _hits_in(pack: Path, offloads: Offloads, look: Look, damaged: list[Finding]) -> Iterator[Hit]:
    for row, original in enumerate(offloads.originals(pack), 1):
        if original is None:
            damaged.append(Finding(DAMAGED, str(pack), row, "the row is torn or damaged"))
            continue
        try:
            matches = _matches(original, offloads, look)
        except OriginalDamaged as error:
            damaged.append(Finding(DAMAGED, str(pack), row, error.message))
            continue
        if matches:
            yield Hit(original.head, str(pack), *matches)


def _matches(original: Found, offloads: Offloads, look: Look) -> tuple[int, str] | None:
    """Look through an original; of a stretch, through each of its records as a whole."""
    head = original.head
    if head.format != SPAN:
        return look(head.format, head.path, original.data)
    looked = [look(part.head.format, (), part.data) for part in offloads.parts(original)]
    found = [one for one in looked if one]
    return (sum(count for count, _ in found), found[0][1]) if found else None
