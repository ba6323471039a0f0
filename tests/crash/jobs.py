"""What is disturbed: commands that write, each in a folder it is to find itself in."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from ctxcompact import api
from tests.cli.command import ROOT, call, environment
from tests.cli.transcripts import rounds
from tests.crash.faults import CALLS, WRITES, Fault

MODES = {
    "micro": "--mode micro --keep-recent 1",
    "chain": "--force --target 400 --last-keep 0 --levels 2,3,4 --large-payload-chars 2500 "
    "--min-compression-tokens 10",
    "manual": "--mode manual",
}
IN_PLACE = ("-i",)
TO_A_FILE = ("-o", "out.jsonl")
MARK = re.compile(rb'<context_offload uuid=\\"([0-9a-f-]{36})\\"/>')
TALK = rounds(4, chars=3000)
OTHER = rounds(3, chars=2000, tool="list_files")


class Job(NamedTuple):
    """A command, and the folder it finds.

    `mode` is one of `MODES`, or "restore". `expected` is what it writes when nothing happens,
    `input` what it reads, `original` what a restore of either gives.
    """

    mode: str
    output: tuple[str, ...]
    template: Path
    input: bytes
    expected: bytes
    original: bytes = TALK

    @property
    def arguments(self) -> list[str]:
        """Its command line."""
        if self.mode == "restore":
            return ["restore", "talk.jsonl", *self.output]
        return [
            *"compact talk.jsonl --counter chars4".split(),
            *MODES[self.mode].split(),
            *self.output,
        ]

    @property
    def target(self) -> str:
        """The name of the file it writes."""
        return "talk.jsonl" if self.output == IN_PLACE else "out.jsonl"


class Ended(NamedTuple):
    """How a disturbed run ended, and the folder it left."""

    fault: Fault
    folder: Path
    code: int
    out: str
    err: str


def make(folder: Path, mode: str, output: tuple[str, ...], *, is_store_new: bool) -> Job:
    """Make the folder for a command; a store in use holds what another transcript needed."""
    template = folder / "template"
    template.mkdir(parents=True)
    (template / "talk.jsonl").write_bytes(TALK)
    if not is_store_new:
        (template / "other.jsonl").write_bytes(OTHER)
        _call_in(template, "compact other.jsonl -i --counter chars4 --mode micro --keep-recent 0")
    if mode == "restore":
        for before in ("micro", "chain"):
            _call_in(template, f"compact talk.jsonl -i --counter chars4 {MODES[before]}")
    given = (template / "talk.jsonl").read_bytes()
    job = Job(mode, output, template, given, b"")
    undisturbed = folder / "undisturbed"
    shutil.copytree(template, undisturbed)
    _call_in(undisturbed, *job.arguments)
    return job._replace(expected=(undisturbed / job.target).read_bytes())


def _call_in(folder: Path, *arguments: str) -> None:
    with contextlib.chdir(folder):
        said = call(*" ".join(arguments).split())
    assert said.code == 0, said.err


def disturb(
    job: Job, folder: Path, *faults: tuple[str, str, bool], every: int = 1, reads: bool = False
) -> tuple[list[str], list[Ended]]:
    """Run a job with each fault at each call, or `every` so many; with `reads` those too.

    Return the calls of a plain run, and how each disturbed one ended.
    """
    folder.mkdir()
    asked = {
        "arguments": job.arguments,
        "calls": CALLS if reads else WRITES,
        "faults": faults,
        "every": every,
        "first": (every + 1) // 2,
    }
    script = [sys.executable, "-m", "tests.crash.forked", str(job.template), str(folder)]
    script.append(json.dumps(asked))
    run = subprocess.run(script, cwd=ROOT, env=environment(), check=True, capture_output=True)
    said: dict[str, Any] = json.loads(run.stdout)
    assert (Path(said["plain"]["folder"]) / job.target).read_bytes() == job.expected
    return said["plain"]["calls"], [
        Ended(Fault(*one["fault"]), Path(one["folder"]), one["code"], one["out"], one["err"])
        for one in said["runs"]
    ]


def check_whole(job: Job, folder: Path) -> None:
    """Assert that the input or the complete output is there, and everything that it needs."""
    talk, out = folder / "talk.jsonl", folder / "out.jsonl"
    if job.output == IN_PLACE:
        assert talk.read_bytes() in {job.input, job.expected}
    else:
        assert talk.read_bytes() == job.input
        assert not out.exists() or out.read_bytes() == job.expected
    assert api.store_verify(folder) == []
    for path in folder.glob("*.jsonl"):
        check_marks(path)
    for path in (talk, out):
        if path.exists():
            assert restored(path) == job.original


def check_marks(path: Path) -> None:
    """Assert that every mark in a transcript leads somewhere."""
    marks = MARK.findall(path.read_bytes())
    assert len(api.reload([mark.decode() for mark in marks], root=path.parent)) == len(marks)


def restored(path: Path) -> bytes:
    """Restore a transcript whose root is its folder."""
    stream = io.BytesIO()
    api.restore(path, stream, root=path.parent)
    return stream.getvalue()


def check_again(job: Job, folder: Path) -> None:
    """Assert that the same command finishes the job and clears up."""
    said = call(*job.arguments)
    assert said.code == 0, said.err
    assert (folder / job.target).read_bytes() == job.expected
    check_whole(job, folder)
    assert not list(folder.rglob("*.tmp"))
