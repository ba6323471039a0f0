"""Times as clients write them."""

from __future__ import annotations

from datetime import datetime, timedelta

_STEP = timedelta(milliseconds=1)


def later(time: str, steps: int) -> str:
    """Return a time some milliseconds on; one that cannot be read stays."""
    try:
        moved = datetime.fromisoformat(time) + steps * _STEP
    except (ValueError, OverflowError):
        return time
    return moved.isoformat(timespec="milliseconds").replace("+00:00", "Z")
