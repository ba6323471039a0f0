"""Time keeping originals durably, as a multiple of writing the same bytes to one file.

Usage: python tests/bench/bench_store.py [--count N] [--mean-bytes N] [--rounds N] [--folder DIR]

Both sides write the same records and flush once (the pack also its folder and its index); they take
turns, so that a busy disk meets both. The hashes of the records are made beforehand: a run has them
already. Reading back and checking are shown per original and in MB/s.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import shutil
import sys
import tempfile
import uuid
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.stores.lock import locked
from ctxcompact.stores.offloads import Offloads

if TYPE_CHECKING:
    from collections.abc import Callable

BUFFER_BYTES = 1 << 20
LOOKUPS = 1_000


class Record(NamedTuple):
    """An original as a run hands it over."""

    id: str
    data: bytes
    sha256: str


def make_records(count: int, mean_bytes: int) -> list[Record]:
    """Make records of exponentially spread lengths, the same ones every time."""
    chance = random.Random(1)  # noqa: S311 - sizes, not secrets
    block = chance.randbytes(1 << 16).hex().encode()
    records = []
    for number in range(count):
        length = int(chance.expovariate(1 / mean_bytes)) + 1
        start = chance.randrange(len(block))
        text = (block * (length // len(block) + 2))[start : start + length]
        data = b'{"n":%d,"content":"%s"}' % (number, text)
        sha256 = hashlib.sha256(data).hexdigest()
        records.append(Record(str(uuid.UUID(sha256[:32])), data, sha256))
    return records


def write_plain(folder: Path, records: list[Record]) -> None:
    """Write all records to one file and flush it."""
    with (folder / "plain").open("wb", BUFFER_BYTES) as file:
        for record in records:
            file.write(record.data)
            file.write(b"\n")
        file.flush()
        os.fsync(file.fileno())


def write_pack(folder: Path, records: list[Record]) -> None:
    """Keep all records as a run does."""
    staging = Offloads(folder).stage()
    for line, (id_, data, sha256) in enumerate(records, 1):
        staging.add(
            id_, data, sha256, path=("message", "content", 0), tool="Bash", format="x", line=line
        )
    with locked(folder):
        staging.commit()


def time_fresh(top: Path, work: Callable[[Path], None]) -> float:
    """Return the seconds that work takes in a folder of its own, emptied afterwards."""
    folder = Path(tempfile.mkdtemp(dir=top))
    begin = perf_counter()
    work(folder)
    seconds = perf_counter() - begin
    shutil.rmtree(folder)
    return seconds


def time_it(work: Callable[[], object]) -> float:
    """Return the seconds that work takes."""
    begin = perf_counter()
    work()
    return perf_counter() - begin


def say(text: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{text}\n")


def measure_writing(top: Path, records: list[Record], rounds: int) -> None:
    """Compare the two ways of writing, taking turns."""
    plain, pack = [], []
    for _ in range(rounds):
        plain.append(time_fresh(top, lambda folder: write_plain(folder, records)))
        pack.append(time_fresh(top, lambda folder: write_pack(folder, records)))
    say(f"one file, one flush   best {min(plain):.3f} s   median {median(plain):.3f} s")
    say(f"pack and index        best {min(pack):.3f} s   median {median(pack):.3f} s")
    best, middle = min(pack) / min(plain), median(pack) / median(plain)
    say(f"ratio                 best {best:.2f}     median {middle:.2f}     (wanted: at most 2)")


def measure_reading(top: Path, records: list[Record]) -> None:
    """Say what reading back costs."""
    write_pack(top, records)
    megabytes = sum(len(record.data) for record in records) / 1e6
    offloads = Offloads(top)
    seconds = time_it(lambda: offloads.known(records[0].id))
    say(f"opening the index     {seconds * 1e3:.1f} ms")
    picked = random.Random(2).sample(records, min(LOOKUPS, len(records)))  # noqa: S311
    seconds = time_it(lambda: [offloads.known(record.id) for record in picked])
    say(f"known                 {seconds / len(picked) * 1e6:.1f} us")
    seconds = time_it(lambda: [offloads.find(record.id) for record in picked])
    say(f"find                  {seconds / len(picked) * 1e6:.1f} us")
    seconds = time_it(lambda: write_pack(top, records))
    say(f"a second run          {seconds:.3f} s, nothing new")
    seconds = time_it(offloads.verify)
    say(f"verify                {megabytes / seconds:.0f} MB/s")
    for index in (top / ".offload").glob("*.idx"):
        index.unlink()
    seconds = time_it(lambda: Offloads(top).known(records[0].id))
    say(f"without an index      {seconds * 1e3:.1f} ms")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=10_000, help="originals (10000)")
    parser.add_argument("--mean-bytes", type=int, default=15_000, help="their mean size (15000)")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each (5)")
    parser.add_argument("--folder", type=Path, default=Path(), help="where to write (here)")
    given = parser.parse_args()
    records = make_records(given.count, given.mean_bytes)
    total = sum(len(record.data) for record in records)
    say(f"{len(records)} originals, {total / 1e6:.1f} MB, mean {total // len(records)} bytes")
    with tempfile.TemporaryDirectory(dir=given.folder) as top:
        measure_writing(Path(top), records, given.rounds)
        measure_reading(Path(top), records)


if __name__ == "__main__":
    main()
