"""Which model a transcript names, wherever its client writes that down."""

from __future__ import annotations

from typing import Any


def model_of(sample: list[Any]) -> str:
    """Return the newest model's name that the sample records, "" if it records none."""
    for data in reversed(sample):
        for path in _MODELS:
            name: Any = data
            for key in path:
                name = name.get(key) if isinstance(name, dict) else None
            if isinstance(name, str) and name and not name.startswith("<"):
                return name
    return ""


# Where the clients write the name of the model.
_TOLD = ("response_metadata", "model_name"), ("response_metadata", "model")
_MODELS = (
    ("model",),
    ("message", "model"),
    ("payload", "model"),
    ("data", "model"),
    ("model_id",),
    *((key, *path) for key in ("data", "kwargs") for path in _TOLD),
)
