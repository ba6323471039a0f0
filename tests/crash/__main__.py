"""Kill runs of the command, as many as are wanted, and see each time that all is whole.

    python -m tests.crash --kills 5000
    python -m tests.crash --kills 100 --seed 7 --first 12

Each job is a transcript, a command and a folder, drawn by its number. Its run is killed (SIGKILL) at every
call with which it changes something on the disk, in the middle of every write, and at random times; of four
runs that follow a kill, one is killed too. Each time the input or the complete output has to be there,
every mark has to lead somewhere, a restore has to give the first bytes, and the same command has to finish
the job and to clear up. What went wrong is listed with the number of its job. Exit 1 if there was any.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from tests.crash.drawn import draw
from tests.crash.faults import WRITES, Fault
from tests.crash.forked import NEVER, Asked, run
from tests.crash.jobs import check_again, check_whole

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tests.crash.jobs import Job

KILLED = -9
TWICE = "again, in the run after it"


class Kill(NamedTuple):
    """A kill: at a call, or after so long."""

    kind: str
    fault: Fault = NEVER
    after_s: float | None = None


class Outcome(NamedTuple):
    """What became of a kill: the job, what kinds of kills met it, or what went wrong, and where."""

    number: int
    job: str
    kinds: list[str]
    failure: str = ""
    folder: Path | None = None


def kills_of(calls: list[str], took_s: float, random: Random) -> Iterator[Kill]:
    """Yield the kills for a run that makes these calls."""
    for number, name in enumerate(calls, 1):
        yield Kill("before a call", Fault(number, "SIGKILL"))
        if name == "write":
            yield Kill("in the middle of a write", Fault(number, "SIGKILL", "torn"))
        if number % 2:
            yield Kill("at a random time", after_s=random.uniform(0, took_s))


def strike(job: Job, folder: Path, kill: Kill) -> bool:
    """Run a job in a folder, kill it, and look at what is left; return whether the kill met it."""
    ended = run(folder, Asked(job.arguments, WRITES), kill.fault, kill.after_s)
    assert ended.code in {KILLED, 0, job.code}, ended.err
    return ended.code == KILLED


def try_out(job: Job, folder: Path, kill: Kill, random: Random, calls: int) -> list[str]:
    """Kill a run, and now and then the next one; return what kinds of kills met one."""
    shutil.copytree(job.template, folder)
    met = [kill.kind] if strike(job, folder, kill) else []
    assert met or kill.after_s is not None, "the run came to its end"
    check_whole(job, folder)
    if random.random() < 0.25:
        is_left = (folder / "talk.jsonl").read_bytes() == job.input
        second = Kill(TWICE, Fault(random.randint(1, calls), "SIGKILL"))
        if is_left and strike(job, folder, second):
            met.append(TWICE)
            check_whole(job, folder)
    check_again(job, folder)
    return met


def outcomes_of(number: int, seed: int, top: Path) -> Iterator[Outcome]:
    """Kill the runs of one job."""
    name = "not killed yet"
    try:
        name, job = draw(top, number, seed)
        if job is None:
            return
        shutil.copytree(job.template, top / "plain")
        start = time.monotonic()
        plain = run(top / "plain", Asked(job.arguments, WRITES), NEVER)
        took_s = time.monotonic() - start
        assert plain.code == job.code, plain.err
    except Exception:  # noqa: BLE001 - this is what we are looking for
        yield Outcome(number, name, [], traceback.format_exc(), top)
        return
    random = Random(f"{seed}/{number}/kills")
    for at, kill in enumerate(kills_of(plain.calls, took_s, random)):
        folder = top / f"kill-{at}"
        try:
            yield Outcome(number, name, try_out(job, folder, kill, random, len(plain.calls)))
        except Exception:  # noqa: BLE001 - the same
            yield Outcome(number, name, [], f"{kill}\n{traceback.format_exc()}", folder)


def outcomes(first: int, seed: int) -> Generator[Outcome]:
    """Kill the runs of one job after the other, without end."""
    for number in count(first):
        top = Path(tempfile.mkdtemp())  # one that goes by itself would go with each forked process
        try:
            yield from outcomes_of(number, seed, top)
        finally:
            shutil.rmtree(top)


def main() -> int:
    """Kill runs, and tell how many."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first job")
    parser.add_argument("--keep", type=Path, help="a folder for what went wrong")
    asked = parser.parse_args()
    os.fsync = lambda _: None  # type: ignore[assignment]  # a kill does not take what the system holds
    start, kinds, jobs, failures = time.monotonic(), Counter[str](), Counter[str](), 0
    with closing(outcomes(asked.first, asked.seed)) as found:
        for one in found:
            kinds.update(one.kinds)
            jobs[one.job.split(",")[0]] += 1
            if one.failure:
                failures += 1
                _tell(one, asked.keep)
            if kinds.total() + failures >= asked.kills:
                break
    for title, counts in (("by transcript and command", jobs), ("by moment", kinds)):
        print(f"{title}:")  # noqa: T201
        for what, number in counts.most_common():
            print(f"{number:7} {what}")  # noqa: T201
    print(f"{kinds.total()} kills, {failures} failures, {time.monotonic() - start:.0f} s")  # noqa: T201
    return int(failures > 0)


def _tell(one: Outcome, keep: Path | None) -> None:
    print(f"job {one.number} ({one.job}): {one.failure}", flush=True)  # noqa: T201
    if keep and one.folder:
        shutil.copytree(one.folder, keep / f"{one.number}-{one.folder.name}")


if __name__ == "__main__":
    sys.exit(main())
