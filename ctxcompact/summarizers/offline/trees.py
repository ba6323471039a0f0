"""Parsed JSON to rows of `key=value`, and the arguments of a call to pairs. No recursion: nesting has no limit here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_FEWEST_ROWS = 4


class Leaf(NamedTuple):
    """A scalar under its keys, parted by blanks. `item` numbers the object of a list it belongs to, -1 if none."""

    key: str
    text: str
    item: int


def parse(text: str) -> Any:
    """Parse JSON with its numbers as they are spelled. Raises ValueError for anything else, or too deep nesting."""
    try:
        return _decode(text)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


_decode = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str).decode


def spell(value: Any) -> str:
    """Write a scalar as JSON would, strings without quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)


def leaves(value: Any) -> Iterator[Leaf]:
    """Yield the scalars of a JSON value in order; empty ones are left out."""
    items = 0
    stack: list[tuple[str, Any, int]] = [("", value, -1)]
    while stack:
        key, node, item = stack.pop()
        if isinstance(node, dict):
            stack.extend(
                (f"{key} {name}" if key else str(name), below, item)
                for name, below in reversed(node.items())
            )
        elif isinstance(node, list | tuple):
            objects = item < 0 and any(isinstance(below, dict | list) for below in node)
            stack.extend(
                ("", below, items + at) if objects else (key, below, item)
                for at, below in reversed(list(enumerate(node)))
            )
            items += len(node) if objects else 0
        elif node is not None and node != "":
            yield Leaf(key, spell(node), item)


def constants(found: list[Leaf]) -> dict[str, str]:
    """Return the keys which have one and the same value in all of several list items."""
    items = {leaf.item for leaf in found if leaf.item >= 0}
    if len(items) < _FEWEST_ROWS:
        return {}
    values: dict[str, set[str]] = {}
    times: dict[str, int] = {}
    for leaf in found:
        if leaf.item >= 0:
            values.setdefault(leaf.key, set()).add(leaf.text)
            times[leaf.key] = times.get(leaf.key, 0) + 1
    return {
        key: next(iter(texts))
        for key, texts in values.items()
        if len(texts) == 1 and times[key] >= len(items)
    }
