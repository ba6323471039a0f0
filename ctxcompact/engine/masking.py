"""Entries without the credentials in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.tasks import Called

if TYPE_CHECKING:
    from collections.abc import Callable

    from ctxcompact.core.tasks import Entry


def masked(entry: Entry, mask: Callable[[str], str]) -> Entry:
    """Return an entry with every text in it masked."""
    if isinstance(entry, Called):
        return entry._replace(arguments=_value(entry.arguments, mask))
    return entry._replace(text=mask(entry.text))


def _value(value: Any, mask: Callable[[str], str]) -> Any:
    """Mask the strings of a JSON value; one member's name tells of its value."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, list):
        return [_value(item, mask) for item in value]
    if isinstance(value, dict):
        return {key: _member(key, item, mask) for key, item in value.items()}
    return value


def _member(key: str, value: Any, mask: Callable[[str], str]) -> Any:
    if not isinstance(value, str):
        return _value(value, mask)
    start = f"{key}: "
    told = mask(f"{start}{value}")
    return told.removeprefix(start) if told.startswith(start) else mask(value)
