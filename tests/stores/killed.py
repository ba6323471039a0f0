"""Kills a run at its n-th system call, for every n: `python killed.py FOLDER`.

Makes FOLDER/1, FOLDER/2, …, each with the transcript and whatever the killed run left beside it.
"""

from __future__ import annotations

import os
import sys
from itertools import count
from pathlib import Path

from pytest import MonkeyPatch  # noqa: PT013 - the class, outside of any test

from tests.stores.runs import compact, interrupt_calls

TRANSCRIPT = b"".join(b'{"n":%d,"text":"%s"}\n' % (n, b"word " * 30 * (n % 2)) for n in range(8))
KILLED = 9


def run_killed(folder: Path, number: int) -> int:
    """Run in a process of its own and return its exit code."""
    folder.mkdir()
    (folder / "in.jsonl").write_bytes(TRANSCRIPT)
    if not (child := os.fork()):
        interrupt_calls(MonkeyPatch(), number, lambda: os._exit(KILLED))
        compact(folder, folder / "in.jsonl", folder / "out.jsonl")
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main(top: Path) -> None:
    for number in count(1):
        if run_killed(top / str(number), number) != KILLED:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
