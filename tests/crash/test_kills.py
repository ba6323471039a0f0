"""A run that is killed, whenever: the input or the whole output stands, and a second run finishes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.crash.jobs import check_again, check_whole, disturb

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crash.jobs import Job

KILLED = -9


def check_killed(
    job: Job, folder: Path, monkeypatch: pytest.MonkeyPatch, moment: str, every: int
) -> None:
    calls, runs = disturb(job, folder, ("SIGKILL", moment, False), every=every)
    assert len(calls) > 15
    assert len(runs) > len(calls) // every - 1
    for run in runs:
        assert run.code == KILLED
        check_whole(job, run.folder)
        monkeypatch.chdir(run.folder)
        check_again(job, run.folder)


def test_a_kill_leaves_all_whole(job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_killed(job, tmp_path / "runs", monkeypatch, "before", every=13)


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["before", "torn"])
def test_a_kill_at_any_call_leaves_all_whole(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    check_killed(job, tmp_path / "runs", monkeypatch, moment, every=1)
