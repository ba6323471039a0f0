"""Words and numbers as they are shown to a person. No layout, no streams."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from ctxcompact.core.counts import counted, number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ctxcompact.core.journal import Counted
    from ctxcompact.core.measure import Counter
    from ctxcompact.core.model import Problem

__all__ = [
    "counted",
    "counter",
    "level",
    "listed",
    "number",
    "place",
    "problem",
    "quoted",
    "share",
    "shown",
]


def shown(text: object) -> str:
    """Return a text for a terminal: on one line, nothing that moves, colors or reorders."""
    said = str(text)
    if said.isprintable():
        return said
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in said)


def share(part: int, whole: int) -> str:
    """Write a part in percent; nothing of it is a dash."""
    return f"{100 * part / whole:.1f} %" if part else "-"


def counter(one: Counter | Counted) -> str:
    """Name a counter and how far it is to be trusted."""
    trust = "exact" if one.exact else f"an estimate, +- {one.error_pct:g} %"
    return f"{one.name} ({trust})"


def level(number_: int | str, name: str) -> str:
    """Name a level; a layer is named by its word alone."""
    return name if isinstance(number_, str) else f"{number_} {name}"


def problem(one: Problem) -> str:
    """Write a finding with its line; line 0 is the whole file."""
    where = f"line {one.line}: " if one.line else ""
    return f"{where}{shown(one.message)} [{shown(one.code)}]"


def place(path: object, *, writing: bool = False) -> str:
    """Write where a transcript is."""
    if str(path) == "-":
        return "standard output" if writing else "standard input"
    return shown(path)


def quoted(path: object) -> str:
    """Write a path so that it can be pasted into a shell."""
    return shown(shlex.quote(str(path)))


def listed(words: Iterable[str], most: int, more: str) -> list[str]:
    """Cut a list at `most` words; the last one then says how many there are beside them."""
    found = list(words)
    rest = len(found) - most
    return found if rest <= 0 else [*found[:most], f"and {number(rest)} more{more}"]
