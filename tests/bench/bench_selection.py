"""Time what levels 2 and 3 take to choose among messages already read, beside a bare loop over their lines.

Usage: python tests/bench/bench_selection.py FILE [--rounds N]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import orjson

from ctxcompact.core.settings import Settings
from ctxcompact.engine.reading import read
from ctxcompact.levels import LEVELS
from ctxcompact.stores.offloads import NoOffloads
from ctxcompact.wiring import AUTO, opened, wired, without_collector

if TYPE_CHECKING:
    from collections.abc import Callable

SELECTING = (2, 3)


def measure(path: Path, rounds: int) -> dict[str, float]:
    """Return seconds of CPU, the least of some rounds: of each level by its name, of the loop by ""."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        staging = NoOffloads(root).stage()
        settings = Settings()
        with (
            opened(path) as file,
            without_collector(),
            wired(file, root, AUTO, staging, "chars4") as ports,
        ):
            conversation = read(file, settings, ports).conversations[0]
            found = {"": _least(lambda: _loop(path), rounds)}
            for level in LEVELS:
                if level.number in SELECTING:
                    plan = level.plan
                    found[f"level {level.number}"] = _least(
                        lambda plan=plan: plan(conversation, settings),  # type: ignore[misc]
                        rounds,
                    )
    return found


def _loop(path: Path) -> None:
    with path.open("rb") as file:
        for line in file:
            orjson.loads(line)


def _least(work: Callable[[], object], rounds: int) -> float:
    least = float("inf")
    for _ in range(rounds):
        start = process_time()
        work()
        least = min(least, process_time() - start)
    return least


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    found = measure(asked.file, asked.rounds)
    for name, seconds in found.items():
        if name:
            sys.stdout.write(f"{name}: {seconds / found['']:.2f} of a loop of {found['']:.2f} s\n")


if __name__ == "__main__":
    main()
