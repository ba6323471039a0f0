"""Run a command as a process of its own, and say what it cost.

A child is said to have used at least the memory of its parent, so nothing large is loaded here.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).resolve().parent.parent.parent

_DONE = (0, 3)  # 3: written, but over the target
_PER_MB = 1_000_000 if sys.platform == "darwin" else 1_000  # bytes there, kilobytes elsewhere


class Cost(NamedTuple):
    """What a process used: seconds of CPU, and megabytes at its peak."""

    cpu_s: float
    peak_mb: float


class Costs(NamedTuple):
    """What the runs of one command used."""

    runs: tuple[Cost, ...]

    @property
    def best_s(self) -> float:
        """Return the least CPU."""
        return min(run.cpu_s for run in self.runs)

    @property
    def median_s(self) -> float:
        """Return the CPU in the middle."""
        return median(run.cpu_s for run in self.runs)

    @property
    def peak_mb(self) -> float:
        """Return the largest peak."""
        return max(run.peak_mb for run in self.runs)


def python(*arguments: str | Path) -> list[str]:
    """Return the command that runs this Python."""
    return [sys.executable, *map(str, arguments)]


def run(command: Sequence[str], top: Path) -> Cost:
    """Run a command in an empty folder below `top`. Ends this program if it fails."""
    with tempfile.TemporaryDirectory(dir=top) as folder:
        child = subprocess.Popen(
            command,
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in _DONE:
        raise SystemExit(f"exit {child.returncode}: {' '.join(command)}")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / _PER_MB)


def take_turns(commands: Mapping[str, Sequence[str]], top: Path, rounds: int) -> dict[str, Costs]:
    """Run each command `rounds` times, A B A B: whatever else the machine does meets them all."""
    found: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            found[name].append(run(command, top))
    return {name: Costs(tuple(costs)) for name, costs in found.items()}


def _environment() -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("CTXCOMPACT_")}
    return own | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"}
