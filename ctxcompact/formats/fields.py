"""Fields of records whose types nobody vouches for: what is of another type counts as missing."""

from __future__ import annotations

from typing import Any


def text_at(data: dict[str, Any], key: str) -> str:
    """Return the string under a key, "" if there is none."""
    value = data.get(key)
    return value if isinstance(value, str) else ""


def dict_at(data: dict[str, Any], key: str) -> dict[str, Any]:
    """Return the object under a key, an empty one if there is none."""
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def list_at(data: dict[str, Any], key: str) -> list[Any]:
    """Return the list under a key, an empty one if there is none."""
    value = data.get(key)
    return value if isinstance(value, list) else []


def dicts_at(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """Return the objects in the list under a key, none if there is no list."""
    return [item for item in list_at(data, key) if isinstance(item, dict)]


def size_at(data: dict[str, Any], key: str) -> int:
    """Return the number of tokens under a key, 0 if there is none."""
    value = data.get(key)
    return value if type(value) is int and value > 0 else 0
