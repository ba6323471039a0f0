"""A run that is killed, whenever: the input or the whole output stands, and a second run finishes."""

from __future__ import annotations

import shutil
import subprocess
import time
from random import Random
from typing import TYPE_CHECKING

import pytest

from tests.cli.command import PROGRAM, environment
from tests.crash.jobs import check_again, check_whole, disturb

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crash.jobs import Job

KILLED = -9
TIMES = 12


def check_killed(job: Job, folder: Path, moment: str, every: int) -> None:
    calls, runs = disturb(job, folder, ("SIGKILL", moment, False), every=every)
    assert len(calls) > 15
    assert len(runs) > len(calls) // every - 1
    for run in runs:
        assert run.code == KILLED
        check_whole(job, run.folder)
        check_again(job, run.folder)


def test_a_kill_leaves_all_whole(job: Job, tmp_path: Path) -> None:
    check_killed(job, tmp_path / "runs", "before", every=21)


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before", "torn"])
def test_a_kill_at_any_call_leaves_all_whole(job: Job, tmp_path: Path, moment: str) -> None:
    check_killed(job, tmp_path / "runs", moment, every=1)


@pytest.mark.slow
def test_a_kill_at_any_time_leaves_all_whole(job: Job, tmp_path: Path) -> None:
    """At whatever instant of a process as people start it."""
    command = [*PROGRAM, *job.arguments]
    begin = time.monotonic()
    shutil.copytree(job.template, tmp_path / "first")
    subprocess.run(command, cwd=tmp_path / "first", env=environment(), check=True)
    longest_s = time.monotonic() - begin
    chance = Random(len(job.input))  # the same instants on every run
    for number in range(TIMES):
        folder = tmp_path / str(number)
        shutil.copytree(job.template, folder)
        with subprocess.Popen(command, cwd=folder, env=environment()) as process:
            time.sleep(chance.uniform(longest_s / 2, longest_s))
            process.kill()
        check_whole(job, folder)
        check_again(job, folder)
