"""Generators from outside of this repository, if a folder with them is named by `CTXCOMPACT_SHARED`."""

from __future__ import annotations

import importlib
import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.bench.retention.sessions import Fact, Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.bench.retention.sessions import Make

_MODULES = {"A": ("qb_data", "synthetic"), "B": ("qb_family_b", "heldout")}


def families() -> dict[str, Make]:
    """Return the generators that are there, by name; none is no error."""
    folder = Path(os.environ.get("CTXCOMPACT_SHARED", "../shared")) / "quality"
    found: dict[str, Make] = {}
    for name, (module, function) in _MODULES.items():
        if (folder / f"{module}.py").is_file():
            if str(folder) not in sys.path:
                sys.path.append(str(folder))
            make = getattr(importlib.import_module(module), function)
            found[name] = partial(_converted, make)
    return found


def _converted(
    make: Callable[[int, int], tuple[list[dict[str, Any]], list[dict[str, Any]]]],
    seed: int,
    rounds: int = 5,
) -> Session:
    messages, facts = make(seed, rounds)
    return Session(
        messages,
        [
            Fact(
                fact["type"],
                tuple(fact["needles"]),
                fact["msg"],
                tuple(fact["cue"]),
                fact["weight"],
            )
            for fact in facts
        ],
    )
