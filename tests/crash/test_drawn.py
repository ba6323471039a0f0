"""Kills by chance: a few in every run; `python -m tests.crash` kills as many as wanted."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ctxcompact.errors import CtxCompactError
from tests.cli.command import ROOT, environment
from tests.crash.drawn import draw, pairs
from tests.crash.jobs import IN_PLACE, check_again, check_whole, make
from tests.properties.makers import FORMATS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "kills",
    [pytest.param(15, id="few"), pytest.param(1000, id="many", marks=pytest.mark.slow)],
)
def test_no_kill_loses_anything(kills: int) -> None:
    """The last one may be followed by one in the run after it."""
    script = [sys.executable, "-m", "tests.crash", "--kills", str(kills)]
    run = subprocess.run(script, cwd=ROOT, env=environment(), check=False, capture_output=True)
    said = run.stdout.decode()
    assert run.returncode == 0, said
    assert re.search(rf"^{kills} kills|^{kills + 1} kills", said, re.MULTILINE)
    assert "before a call" in said


def test_a_job_comes_again(tmp_path: Path) -> None:
    (name, one), (other, same) = (draw(tmp_path / folder, 7, 1) for folder in ("a", "b"))
    assert one
    assert same
    assert (name, one.input, one.expected) == (other, same.input, same.expected)


def test_every_format_has_its_turn() -> None:
    assert {form for form, _ in pairs()} == set(FORMATS)
    assert {form for form, mode in pairs() if mode == "native"} >= {"claude-code", "codex"}


@pytest.mark.parametrize(
    ("path", "data"),
    [
        (".offload/pack-*.jsonl", None),
        (".offload/pack-*.jsonl", b"\n"),
        (".transcripts/receipt_*", None),
        ("talk.jsonl", b""),
    ],
    ids=["an original", "a torn original", "the way back", "the output"],
)
def test_a_loss_would_be_noticed(tmp_path: Path, path: str, data: bytes | None) -> None:
    job = make(tmp_path, "micro", IN_PLACE, is_store_new=True)
    folder = job.template.with_name("undisturbed")
    check_whole(job, folder)
    for found in folder.glob(path):
        found.unlink()
        if data is not None:
            found.write_bytes(data)
    with pytest.raises((AssertionError, CtxCompactError)):
        check_whole(job, folder)


def test_what_is_left_behind_would_be_noticed(tmp_path: Path) -> None:
    job = make(tmp_path, "micro", IN_PLACE, is_store_new=True)
    folder = job.template.with_name("undisturbed")
    (folder / "of another.tmp").touch()
    with pytest.raises(AssertionError):
        check_again(job, folder)
