"""Runs the command once for every fault asked for, each in a process and a folder of its own.

`python -m tests.crash.forked TEMPLATE TOP ASKED`: TEMPLATE is the folder the command is to find
itself in; ASKED is JSON with `arguments`, the `calls` that count, the `faults` without their numbers,
`every` (at each how many-th call) and `first` (the number of the first). Prints JSON: the names of all calls of an
undisturbed run, and of each disturbed one its fault, folder, exit code and what it said.

The modules are loaded once, before the forks: a run then takes milliseconds.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact import api
from ctxcompact.cli import compact, main, report, restore
from ctxcompact.cli.places import check_root
from tests.crash.faults import Fault, Meddler, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

LOADED = (api, compact, report, restore, check_root)
HUNG_S = 60
RAISED = 70
NEVER = Fault(0, "SIGKILL")


class Run(NamedTuple):
    """How a run ended: its folder and exit code, its calls if it came to an end, what it said."""

    fault: Fault
    folder: str
    code: int
    calls: list[str]
    out: str
    err: str


class Asked(NamedTuple):
    """What is asked for."""

    arguments: list[str]
    calls: Sequence[str]
    faults: Sequence[tuple[str, str, bool]] = ()
    every: int = 1
    first: int = 1


def run(folder: Path, asked: Asked, fault: Fault, kill_after_s: float | None = None) -> Run:
    """Run the command with a fault in a folder; return how it ended."""
    streams = [folder.with_suffix(suffix) for suffix in (".out", ".err", ".calls")]
    for path in streams:
        path.write_bytes(b"")
    if not (child := os.fork()):
        try:
            for fd, path in enumerate(streams[:2], 1):
                os.dup2(os.open(path, os.O_WRONLY), fd)
            os.chdir(folder)
            become(asked, fault, streams[2])
        except BaseException:  # noqa: BLE001 - or it would go on as its parent does
            os.write(2, traceback.format_exc().encode())
            os._exit(RAISED)
    if kill_after_s is not None:
        time.sleep(kill_after_s)
        os.kill(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    out, err, calls = map(text_of, streams)
    return Run(fault, str(folder), code, calls.split(), out, err)


def become(asked: Asked, fault: Fault, calls: Path) -> None:
    """Be the command from here on."""
    real = {name: getattr(os, name) for name in asked.calls}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):  # whatever the shell of the tests ignores
        signal.signal(number, signal.SIG_DFL)
    signal.alarm(HUNG_S)
    meddler = Meddler(fault)
    meddler.step_in(tuple(asked.calls))
    code = main(asked.arguments)
    atexit._run_exitfuncs()
    for name, call in real.items():
        setattr(os, name, call)
    calls.write_text(" ".join(meddler.names))
    os._exit(code)


def main_(template: Path, top: Path, asked: Asked) -> dict[str, Any]:
    """Count the calls of a run, then disturb it at each of them."""

    def disturbed(name: str, fault: Fault) -> dict[str, Any]:
        shutil.copytree(template, top / name)
        return run(top / name, asked, fault)._asdict()

    plain = disturbed("plain", NEVER)
    runs = []
    for number in range(asked.first, len(plain["calls"]) + 1, asked.every):
        for at, (what, moment, lasting) in enumerate(asked.faults):
            runs.append(disturbed(f"{number}-{at}", Fault(number, what, moment, lasting)))
    return {"plain": plain, "runs": runs}


if __name__ == "__main__":
    print(json.dumps(main_(Path(sys.argv[1]), Path(sys.argv[2]), Asked(**json.loads(sys.argv[3])))))  # noqa: T201
