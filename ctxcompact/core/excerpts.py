"""Parts of a text: the lines that are asked for, within a number of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_AROUND = 2
_NOTE_TOKENS = 40


class Part(NamedTuple):
    """Which lines are wanted: all of them, unless something is said.

    The lines around each that holds `query` (upper and lower case are the same), else those from
    `first` to `last` (counted from 1), else the first `head`, else the last `tail`.
    """

    query: str = ""
    first: int | None = None
    last: int | None = None
    head: int | None = None
    tail: int | None = None


def excerpt(text: str, part: Part, most_tokens: int, count: Callable[[str], int]) -> str:
    """Return the wanted lines, as many as fit into `most_tokens`, each with its number.

    The line before them says how many there are. A text that is wanted and fits as a whole comes
    as it is; of a single line that does not fit, the beginning.
    """
    lines = text.split("\n")
    wanted = _wanted(lines, part)
    if len(wanted) == len(lines) and count(text) <= most_tokens:
        return text
    if not wanted:
        return f"[none of {len(lines)} lines is that]"
    room = max(most_tokens - _NOTE_TOKENS, 1)
    shown = [f"{at + 1}: {lines[at]}" for at in wanted]
    from_end = part == Part(tail=part.tail) and part.tail is not None
    kept = _fitting(shown[::-1] if from_end else shown, room, count)
    if not kept:
        return f"[the beginning of line {wanted[0] + 1} of {len(lines)}]\n{_beginning(shown[0], room, count)}"
    left = len(wanted) - len(kept)
    more = f", {left} more did not fit: ask for a part (query, first and last, head, tail)"
    note = f"[{len(kept)} of {len(lines)} lines{more if left else ''}]"
    return "\n".join([note, *(kept[::-1] if from_end else kept)])


def _wanted(lines: Sequence[str], part: Part) -> Sequence[int]:
    """Return the lines that are asked for, by index."""
    size = len(lines)
    if part.query:
        query = part.query.casefold()
        hits = (at for at, line in enumerate(lines) if query in line.casefold())
        near = {n for at in hits for n in range(at - _AROUND, at + _AROUND + 1)}
        return sorted(near & set(range(size)))
    if part.first is not None or part.last is not None:
        last = size if part.last is None else part.last
        return range(max((part.first or 1) - 1, 0), max(min(last, size), 0))
    if part.head is not None:
        return range(min(max(part.head, 0), size))
    return range(0 if part.tail is None else max(size - max(part.tail, 0), 0), size)


def _fitting(lines: Sequence[str], room: int, count: Callable[[str], int]) -> list[str]:
    """Return as many lines from the first on as cost no more than the room."""
    kept: list[str] = []
    for line in lines:
        room -= count(line) + 1
        if room < 0:
            break
        kept.append(line)
    return kept


def _beginning(line: str, room: int, count: Callable[[str], int]) -> str:
    low, high = 0, len(line)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(line[:middle]) <= room else (low, middle - 1)
    return line[:low]
