"""A system that refuses a call, once or from then on: no trace stays, and the error is explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.api.files import listing
from tests.crash.faults import ERRORS, VANISH, last_rename
from tests.crash.jobs import IN_PLACE, TO_A_FILE, check_whole, disturb

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crash.jobs import Ended, Job

SOME_JOBS = pytest.mark.parametrize(
    "job",
    [("micro", IN_PLACE), ("manual", TO_A_FILE)],
    ids=["in place", "to a file"],
    indirect=True,
)


def check_refused(job: Job, run: Ended, before: dict[str, bytes]) -> None:
    assert "Traceback" not in run.err
    assert "fault of ctxcompact" not in run.err
    check_whole(job, run.folder)
    if run.code == 0:  # what failed was a cache, or the flushing of a folder
        assert (run.folder / job.target).read_bytes() == job.expected
    else:
        assert run.code == 1
        assert run.err.startswith("error: ")
        assert "hint: " in run.err
        if not run.fault.lasting:
            assert listing(run.folder) == before


def check_all(job: Job, folder: Path, *, lasting: tuple[bool, ...], every: int) -> None:
    faults = [(what, "before", more) for what in ERRORS for more in lasting]
    calls, runs = disturb(job, folder, *faults, every=every, reads=True)
    assert len(runs) >= len(faults) * (len(calls) // every)
    assert sum(run.code == 1 for run in runs) >= len(runs) // 3
    for run in runs:
        check_refused(job, run, listing(job.template))


@SOME_JOBS
def test_a_refused_call_leaves_no_trace(job: Job, tmp_path: Path) -> None:
    check_all(job, tmp_path / "runs", lasting=(False,), every=29)


@pytest.mark.slow
def test_any_refused_call_leaves_no_trace(job: Job, tmp_path: Path) -> None:
    check_all(job, tmp_path / "runs", lasting=(False, True), every=1)


def check_vanished(job: Job, run: Ended) -> None:
    path = run.folder / job.target
    if path.exists() and path.read_bytes() == job.expected:
        check_whole(job, run.folder)
    else:
        assert (run.folder / "talk.jsonl").read_bytes() == job.input
    assert run.code in {0, 1}
    assert "Traceback" not in run.err
    assert "fault of ctxcompact" not in run.err


@pytest.mark.parametrize(
    ("job", "every"),
    [
        pytest.param(("micro", IN_PLACE), 5, id="micro"),
        pytest.param(("chain", IN_PLACE), 1, id="chain", marks=pytest.mark.slow),
        pytest.param(("manual", IN_PLACE), 1, id="manual", marks=pytest.mark.slow),
    ],
    indirect=["job"],
)
def test_stores_that_vanish_meanwhile_leave_no_mark_behind(
    job: Job, tmp_path: Path, every: int
) -> None:
    """Up to the rename itself: who removes them after that removes what the output needs."""
    calls, runs = disturb(job, tmp_path / "runs", (VANISH, "before", False), every=every)
    for run in runs:
        if run.fault.number < last_rename(calls) - 1:
            check_vanished(job, run)
