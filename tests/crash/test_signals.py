"""A run that is told to end: everything is left whole, and one line says what stands there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.crash.faults import last_rename
from tests.crash.jobs import IN_PLACE, TO_A_FILE, check_whole, disturb

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crash.jobs import Ended, Job

SIGNALS = {
    "SIGINT": (130, "interrupted"),
    "SIGTERM": (143, "terminated"),
    "SIGHUP": (129, "hung up"),
}


def check_stopped(job: Job, run: Ended, last: int) -> None:
    code, word = SIGNALS[run.fault.what]
    assert run.code == code
    assert run.err.startswith(f"error: {word}")
    assert run.err.count("\n") == 1
    assert not list(run.folder.rglob("*.tmp"))
    check_whole(job, run.folder)
    is_complete = run.fault.number >= last + (run.fault.moment == "before")
    path = run.folder / job.target
    assert (path.exists() and path.read_bytes() == job.expected) == is_complete
    if is_complete:
        assert "is complete" in run.err
    else:
        assert "nothing was written" in run.err or "as it was" in run.err or "was not" in run.err


def check_all(job: Job, folder: Path, moments: tuple[str, ...], every: int) -> None:
    faults = [(what, moment, False) for what in SIGNALS for moment in moments]
    calls, runs = disturb(job, folder, *faults, every=every)
    assert len(runs) > 2 * len(SIGNALS)
    for run in runs:
        check_stopped(job, run, last_rename(calls))


@pytest.mark.parametrize(
    "job", [("chain", IN_PLACE), ("micro", TO_A_FILE)], ids=["in place", "to a file"], indirect=True
)
def test_a_signal_leaves_all_whole_and_is_answered(job: Job, tmp_path: Path) -> None:
    check_all(job, tmp_path / "runs", ("after",), every=11)


@pytest.mark.slow
def test_a_signal_at_any_call_leaves_all_whole_and_is_answered(job: Job, tmp_path: Path) -> None:
    check_all(job, tmp_path / "runs", ("before", "after"), every=1)
