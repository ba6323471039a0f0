"""Compact damaged transcripts, as many as are wanted, and stop at nothing.

    python -m tests.fuzz --cases 2000
    python -m tests.fuzz --seconds 3600 --seed 7 --keep failures/

Each case is named by its number: the same seed and number make the same case. What broke a promise,
raised what it should not or took over ten seconds of the processor is listed, and kept in a folder if
one is named. Exit 1 if there was any.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from tests.fuzz.mutations import mutate
from tests.fuzz.seeds import Seed, seeds
from tests.fuzz.trials import REWRITTEN, settings, try_out

if TYPE_CHECKING:
    from collections.abc import Iterator

SLOW_S = 10


class Failure(NamedTuple):
    """A case that went wrong: its number, its seed file, what happened, the transcript itself."""

    number: int
    seed: str
    what: str
    data: bytes


class Hung(BaseException):
    """A case that does not come to an end; nothing that is tried catches it."""


@contextmanager
def ended_within(seconds: float) -> Iterator[None]:
    """Raise `Hung` where the body is after so many seconds of the processor."""

    def stop(*_: object) -> None:
        raise Hung

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def run_case(number: int, seed: int, known: list[Seed]) -> tuple[str, Failure | None]:
    """Run one case; return how it ended."""
    random = Random(f"{seed}/{number}")
    chosen = random.choice(known)
    data = mutate(chosen.data, random)
    asked = settings(random, len(data))
    try:
        with tempfile.TemporaryDirectory() as folder, ended_within(SLOW_S):
            return try_out(data, Path(folder), asked), None
    except (Exception, Hung):  # noqa: BLE001 - this is what we are looking for
        what = f"{asked}\n{traceback.format_exc()}"
        return "failed", Failure(number, chosen.name, what, data)


def main() -> int:
    """Run cases, and tell how they ended."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seconds", type=float, help="stop after so long")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--keep", type=Path, help="a folder for what went wrong")
    asked = parser.parse_args()
    os.fsync = lambda _: None  # type: ignore[assignment]  # flushing would take nine tenths of the time
    known, ends = seeds(), Counter[str]()
    start, failures, slowest = time.monotonic(), 0, (0.0, 0)
    for number in range(asked.first, asked.first + asked.cases):
        if time.monotonic() - start > (asked.seconds or float("inf")):
            break
        begin = time.process_time()
        end, failure = run_case(number, asked.seed, known)
        slowest = max(slowest, (time.process_time() - begin, number))
        ends[end] += 1
        if failure:
            failures += 1
            _tell(failure, asked.keep)
    for end, count in ends.most_common():
        print(f"{count:7} {end}")  # noqa: T201 - a command of ours
    rewritten = sum(count for end, count in ends.items() if end.startswith(REWRITTEN))
    print(f"{ends.total()} cases, {rewritten} of them rewritten, {failures} failures")  # noqa: T201
    took_s = time.monotonic() - start
    print(f"{took_s:.0f} s; the slowest, case {slowest[1]}, took {slowest[0]:.1f} s")  # noqa: T201
    return int(failures > 0)


def _tell(failure: Failure, keep: Path | None) -> None:
    print(f"case {failure.number} ({failure.seed}): {failure.what}", flush=True)  # noqa: T201
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{failure.number}.jsonl").write_bytes(failure.data)
        (keep / f"{failure.number}.txt").write_text(failure.what)


if __name__ == "__main__":
    sys.exit(main())
