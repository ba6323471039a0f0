"""What is measured, and how it is shown: each figure beside its bar."""

from __future__ import annotations

import sys
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from tests.bench.processes import Costs, python, take_turns

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BARE = "bare orjson.loads"
LOOP = "import sys, orjson\nfor line in open(sys.argv[1], 'rb'):\n    orjson.loads(line)"
MODES = {"micro": ("--mode", "micro"), "levels 2 and 3": ("--levels", "2,3", "--force")}

CPU_MOST = 5
PEAK_MB_MOST = 100
EXACT_PEAK_MB_MOST = 190
GROWTH_MOST = 12
STORE_MOST = 2
HELP_MOST = 1.4
SELECTION_MOST = 0.15
SESSION_MOST = 1.5


class Figure(NamedTuple):
    """Something measured. `most` or `least` is its bar, `beside` is what it was made of."""

    name: str
    value: float
    unit: str = "x"
    most: float | None = None
    beside: str = ""
    least: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether the bar is missed."""
        if self.least is not None:
            return self.value < self.least
        return self.most is not None and self.value > self.most

    @property
    def bar(self) -> str:
        """The bar in words, "" if there is none."""
        if self.least is not None:
            return f"{'UNDER' if self.is_over else 'at least'} {self.least:g}"
        if self.most is None:
            return ""
        return f"{'OVER' if self.is_over else 'at most'} {self.most:g}"


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def show(figure: Figure) -> None:
    """Print a figure, its bar, and whether it is missed."""
    value = f"{figure.value:.{0 if figure.unit == 'MB' else 2}f} {figure.unit}"
    say(f"  {figure.name:44} {value:>9}  {figure.bar:12} {figure.beside}".rstrip())


def of_sizes(large: Path, small: Path, top: Path, rounds: int) -> Iterator[Figure]:
    """Yield CPU and memory on a transcript, and how they grew from a tenth of its messages."""
    few = _turns(small, top, rounds)
    many = _turns(large, top, rounds)
    for name in MODES:
        yield _ratio(f"CPU of {name} / {BARE}", many[name], many[BARE], CPU_MOST)
        yield Figure(f"peak memory of {name}", many[name].peak_mb, "MB", PEAK_MB_MOST)
        yield Figure("  with a tenth of the messages", few[name].peak_mb, "MB")
        yield _ratio("  CPU / with a tenth of the messages", many[name], few[name], GROWTH_MOST)


def of_exact_counts(large: Path, top: Path) -> Iterator[Figure]:
    """Yield the memory that exact counts take, vocabulary included."""
    options = ("--mode", "micro", "--counter", "o200k_base")
    peak_mb = take_turns({"": _compact(large, *options)}, top, 1)[""].peak_mb
    yield Figure("peak memory of micro, exact counts", peak_mb, "MB", EXACT_PEAK_MB_MOST)


def of_help(top: Path, rounds: int) -> Iterator[Figure]:
    """Yield what `--help` costs beside what it is drawn with."""
    commands = {
        "help": python("-m", "ctxcompact", "--help"),
        "typer": python("-c", "import typer"),
    }
    cost = take_turns(commands, top, rounds)
    yield _ratio("CPU of --help / import typer", cost["help"], cost["typer"], HELP_MOST)


def of_selection(path: Path, rounds: int) -> Iterator[Figure]:
    """Yield what choosing payloads takes, once all is read. Makes this process large."""
    from tests.bench import bench_selection  # noqa: PLC0415 - it loads what is measured

    found = bench_selection.measure(path, rounds)
    for name, seconds in found.items():
        if name:
            beside = f"{seconds:.2f} / {found['']:.2f} s"
            share = seconds / found[""]
            yield Figure(
                f"CPU of choosing, {name} / {BARE}", share, most=SELECTION_MOST, beside=beside
            )


def of_sessions(rounds: int) -> Iterator[Figure]:
    """Yield how the cost of a call grows in a session of 10,000 messages."""
    from tests.bench import bench_session  # noqa: PLC0415 - see above

    found = [bench_session.measure() for _ in range(min(rounds, 2))]
    early, late, every = (min(values) * 1e3 for values in zip(*found, strict=True))
    beside = f"{late:.2f} / {early:.2f} ms; mean of all, compactions included: {every:.0f} ms"
    name = "CPU of a session's call, the 1,000th / the 100th"
    yield Figure(name, late / early, most=SESSION_MOST, beside=beside)


def of_store(top: Path, rounds: int) -> Iterator[Figure]:
    """Yield what keeping 10,000 originals takes. Comes last: it makes this process large."""
    from tests.bench import bench_store as store  # noqa: PLC0415 - see above

    records = store.make_records(10_000, 15_000)
    plain, pack = [], []
    for _ in range(rounds):
        plain.append(store.time_fresh(top, lambda folder: store.write_plain(folder, records)))
        pack.append(store.time_fresh(top, lambda folder: store.write_pack(folder, records)))
    beside = f"{min(pack):.2f} / {min(plain):.2f} s; medians {median(pack) / median(plain):.2f}"
    name = "10,000 originals / one file, one fsync"
    yield Figure(name, min(pack) / min(plain), most=STORE_MOST, beside=beside)


def _turns(path: Path, top: Path, rounds: int) -> dict[str, Costs]:
    commands = {BARE: python("-c", LOOP, path)}
    for name, options in MODES.items():
        commands[name] = _compact(path, *options, "--counter", "chars4")
    return take_turns(commands, top, rounds)


def _compact(path: Path, *options: str) -> list[str]:
    return python("-m", "ctxcompact", "compact", path, "-q", "-o", "out.jsonl", *options)


def _ratio(name: str, cost: Costs, to: Costs, most: float) -> Figure:
    beside = f"{cost.best_s:.2f} / {to.best_s:.2f} s; medians {cost.median_s / to.median_s:.2f}"
    return Figure(name, cost.best_s / to.best_s, most=most, beside=beside)
