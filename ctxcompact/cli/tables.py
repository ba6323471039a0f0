"""Lines and tables for people: plain where they are piped, drawn by rich on a terminal.

Rich takes longer to import than most commands take to run, so it is left alone where nobody looks.
Cells are printed literally. Piped, nothing is wrapped or cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple
from unicodedata import east_asian_width

from ctxcompact.cli import streams

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_GAP = "  "
_STYLES = {"applied": "green", "ok": "green", "undone": "yellow", "failed": "red"}


class Table(NamedTuple):
    """Rows of cells; without heads, a list of names and what is said about them.

    `right` holds the columns that are aligned to the right, from 0.
    """

    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    right: frozenset[int] = frozenset()


def show(parts: Iterable[str | Table], *, aside: bool) -> None:
    """Print lines and tables: on standard error if `aside`, else on standard output."""
    text = _draw(parts, aside=aside) if streams.has_colors(aside=aside) else plain(parts)
    (streams.print_err if aside else streams.print_out)(text)


def plain(parts: Iterable[str | Table]) -> str:
    """Lay lines and tables out with blanks alone."""
    return "\n".join(part if isinstance(part, str) else _aligned(part) for part in parts)


def _aligned(table: Table) -> str:
    lines = [*([table.heads] if table.heads else []), *table.rows]
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    return "\n".join(_line(cells, widths, table.right) for cells in lines)


def _line(cells: Sequence[str], widths: Sequence[int], right: frozenset[int]) -> str:
    placed = []
    for at, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        blank = " " * (width - _width(cell))
        placed.append(blank + cell if at in right else cell + blank)
    return _GAP.join(placed).rstrip()


def _width(cell: str) -> int:
    """Count columns of a terminal: an East Asian character takes two."""
    if cell.isascii():
        return len(cell)
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in cell)


def _draw(parts: Iterable[str | Table], *, aside: bool) -> str:
    from rich.console import Console  # noqa: PLC0415 - see the docstring of the module
    from rich.text import Text  # noqa: PLC0415

    console = Console(stderr=aside, force_terminal=True, highlight=False)
    with console.capture() as capture:
        for part in parts:
            if isinstance(part, str):
                console.print(Text(part), soft_wrap=True)  # the terminal wraps, and copies it whole
            else:
                console.print(_drawn(part))
    return "\n".join(map(str.rstrip, capture.get().splitlines()))


def _drawn(table: Table) -> object:
    from rich.table import Table as Drawn  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    drawn = Drawn(box=None, show_header=bool(table.heads), pad_edge=False, header_style="bold")
    last = len(table.rows[0]) - 1 if table.rows else len(table.heads) - 1
    for at in range(last + 1):
        head = Text(table.heads[at]) if table.heads else ""
        align: Literal["left", "right"] = "right" if at in table.right else "left"
        drawn.add_column(head, justify=align, no_wrap=at != last, overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(cell, style=_STYLES.get(cell, "")) for cell in row))
    return drawn
