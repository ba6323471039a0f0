"""Measure speed and memory against what bare Python needs for the same bytes.

    python -m tests.bench             100,000 messages, five turns: some minutes
    python -m tests.bench --quick     10,000 messages, three turns
    python -m tests.bench FILE        a transcript of your own, one Anthropic message a line

Whole processes are compared, which take turns; each starts with an empty store and keeps every
original. A figure is the ratio of the best runs, so that a busy machine matters little. Exit 1 if
one is over its bar. The bars are meant for 100,000 messages: with fewer, the start of a process
weighs more.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench import figures
from tests.bench.processes import python, run

if TYPE_CHECKING:
    from collections.abc import Iterator

WRITER = Path(__file__).with_name("transcripts.py")


def main() -> int:
    """Measure and print."""
    given = _arguments()
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        top = Path(name).resolve()
        large = given.file and given.file.resolve()
        large = large or _written(top, 10_000 if given.quick else 100_000)
        rounds = given.rounds or (3 if given.quick else 5)
        is_over = False
        for figure in _figures(large, _tenth(large, top), top, rounds):
            figures.show(figure)
            is_over |= figure.is_over
    return int(is_over)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", type=Path, nargs="?", help="a transcript")
    parser.add_argument("--quick", action="store_true", help="a tenth of the messages")
    parser.add_argument("--rounds", type=int, help="turns of each command")
    parser.add_argument("--folder", type=Path, help="where to write (the system's)")
    return parser.parse_args()


def _figures(large: Path, small: Path, top: Path, rounds: int) -> Iterator[figures.Figure]:
    size_mb = large.stat().st_size / 1e6
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    figures.say(f"{large.name}, {_lines(large):,} messages, {size_mb:.0f} MB; load {load}")
    return chain(
        figures.of_sizes(large, small, top, rounds),
        figures.of_exact_counts(large, top),
        figures.of_help(top, 5 * rounds),
        figures.of_selection(large, rounds),
        figures.of_sessions(rounds),
        figures.of_store(top, rounds),
    )


def _written(top: Path, messages: int) -> Path:
    """Write a transcript, in a process of its own to keep this one small."""
    path = top / f"{messages}.jsonl"
    run(python(WRITER, path, str(messages)), top)
    return path


def _tenth(large: Path, top: Path) -> Path:
    """Copy the first tenth of the lines."""
    path = top / "tenth.jsonl"
    with large.open("rb") as lines, path.open("wb") as out:
        out.writelines(islice(lines, max(_lines(large) // 10, 1)))
    return path


def _lines(path: Path) -> int:
    with path.open("rb") as lines:
        return sum(1 for _ in lines)


if __name__ == "__main__":
    raise SystemExit(main())
