"""Lines appended since a run: where they name one that is gone again, its heir is named instead."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from ctxcompact.core.lines import parse_line
from ctxcompact.core.splice import splice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ctxcompact.core.splice import Path
    from ctxcompact.stores.receipt_file import Receipt
    from ctxcompact.stores.source import Source


def copy_appended(source: Source, receipt: Receipt, write: Callable[[bytes], object]) -> set[int]:
    """Hand what stands behind the output of a run to `write`.

    A name is a whole value at the top of a record; every other byte stays. Return which lines
    changed, counted from the end.
    """
    if not receipt.heirs:
        source.copy_to(write, receipt.output.bytes, source.size)
        return set()
    number, changed = 0, []
    for number, line in enumerate(islice(source.lines(), receipt.output.lines, None), 1):
        written = _renamed(line, receipt.heirs)
        if written != line:
            changed.append(number)
        write(written)
    return {number - at for at in changed}


def _renamed(line: bytes, heirs: Mapping[str, str]) -> bytes:
    if b"\\u" not in line and not any(name.encode() in line for name in heirs):
        return line
    for start, stop, data in reversed(parse_line(line)[0]):
        values = data.items() if isinstance(data, dict) else ()
        puts: dict[Path, str] = {
            (key,): heirs[value]
            for key, value in values
            if isinstance(value, str) and value in heirs
        }
        if puts:
            line = line[:start] + splice(line[start:stop], puts) + line[stop:]
    return line
