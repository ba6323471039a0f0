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
from typing import TYPE_CHECKING, Any, NamedTuple

from zstandard import FRAME_HEADER, ZstdDecompressor

from ctxcompact import api, kept
from tests.api.files import listing
from tests.cli.command import ROOT, call, environment
from tests.cli.transcripts import rounds
from tests.crash.faults import CALLS, WRITES, Fault

if TYPE_CHECKING:
    from collections.abc import Sequence

MODES = {
    "micro": "--mode micro --keep-recent 1",
    "chain": "--force --target 400 --last-keep 0 --levels 2,3,4 --large-payload-chars 2500 "
    "--min-compression-tokens 10",
    "manual": "--mode manual",
}
IN_PLACE = ("-i",)
TO_A_FILE = ("-o", "out.jsonl")
RESTORE = ("restore", "talk.jsonl")
COLLECT = ("store", "gc", "talk.jsonl")
OVER_TARGET = 3
MARK = re.compile(rb'<context_offload uuid=\\"([0-9a-f-]{36})\\"/>')
TALK = rounds(4, chars=3000)
OTHER = rounds(3, chars=2000, tool="list_files")


class Job(NamedTuple):
    """A command, and the folder it finds.

    `command` is its command line without its `output`, `code` how it ends. `input` is what it reads,
    `expected` what it writes when nothing happens, `again` what a second run leaves there, and
    `original` what a restore of either gives.
    """

    command: tuple[str, ...]
    output: tuple[str, ...]
    template: Path
    input: bytes
    original: bytes
    expected: bytes = b""
    again: bytes = b""
    code: int = 0

    @property
    def arguments(self) -> list[str]:
        """Its command line."""
        return [*self.command, *self.output]

    @property
    def target(self) -> str:
        """The name of the file it writes."""
        return "out.jsonl" if self.output == TO_A_FILE else "talk.jsonl"


class Ended(NamedTuple):
    """How a disturbed run ended, and the folder it left."""

    fault: Fault
    folder: Path
    code: int
    out: str
    err: str


def compacting(words: str) -> tuple[str, ...]:
    """Return the command line of a compaction."""
    return ("compact", "talk.jsonl", "--counter", "chars4", *words.split())


def make(folder: Path, mode: str, output: tuple[str, ...], *, is_store_new: bool) -> Job:
    """Make one of the jobs of `MODES`, or "restore"."""
    commands = [compacting(MODES[name]) for name in ("micro", "chain")] if mode == "restore" else []
    commands.append(RESTORE if mode == "restore" else compacting(MODES[mode]))
    job = prepare(folder, TALK, commands, output, is_store_new=is_store_new)
    assert job.code == 0
    assert job.again == job.expected
    return job


def prepare(
    folder: Path,
    talk: bytes,
    commands: Sequence[tuple[str, ...]],
    output: tuple[str, ...],
    *,
    is_store_new: bool,
) -> Job:
    """Make the folder for the last of some commands: the others were run in it.

    A store in use holds what another transcript needs, or, where it is to be collected, needed.
    """
    template, undisturbed = folder / "template", folder / "undisturbed"
    template.mkdir(parents=True)
    (template / "talk.jsonl").write_bytes(talk)
    if not is_store_new:
        (template / "other.jsonl").write_bytes(OTHER)
        _call_in(template, *"compact other.jsonl -i --mode micro --keep-recent 0".split())
    for command in commands[:-1]:
        _call_in(template, *command, "-i")
    if commands[-1] == COLLECT:
        (template / "other.jsonl").unlink()
    job = Job(commands[-1], output, template, (template / "talk.jsonl").read_bytes(), talk)
    shutil.copytree(template, undisturbed)
    code = _call_in(undisturbed, *job.arguments)
    expected = (undisturbed / job.target).read_bytes()
    _call_in(undisturbed, *job.arguments)
    again = (undisturbed / job.target).read_bytes()
    return job._replace(expected=expected, again=again, code=code)


def _call_in(folder: Path, *arguments: str) -> int:
    with contextlib.chdir(folder):
        said = call(*arguments)
    assert said.code in {0, OVER_TARGET}, said.err
    return said.code


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
    if job.output == TO_A_FILE:
        assert talk.read_bytes() == job.input
        assert not out.exists() or out.read_bytes() == job.expected
    else:
        assert talk.read_bytes() in {job.input, job.expected}
    check_kept(job, folder)


def check_kept(job: Job, folder: Path) -> None:
    """Assert that all is sound that the transcripts of a folder need, and leads back."""
    assert kept.check(folder) == []
    for path in folder.glob("*.jsonl"):
        check_marks(path)
    for path in (folder / "talk.jsonl", folder / "out.jsonl"):
        if path.exists():
            assert restored(path) == job.original


def check_marks(path: Path) -> None:
    """Assert that every mark in a transcript leads somewhere."""
    data = path.read_bytes()
    if data.startswith(FRAME_HEADER):
        data = ZstdDecompressor().decompressobj().decompress(data)
    marks = MARK.findall(data)
    assert len(kept.reload([mark.decode() for mark in marks], root=path.parent)) == len(marks)


def restored(path: Path) -> bytes:
    """Restore a transcript whose root is its folder."""
    stream = io.BytesIO()
    api.restore(path, stream, root=path.parent)
    return stream.getvalue()


def check_again(job: Job, folder: Path) -> None:
    """Assert that the same command finishes the job and clears up."""
    is_done = (folder / "talk.jsonl").read_bytes() == job.expected
    with contextlib.chdir(folder):
        said = call(*job.arguments)
    assert said.code in {0, job.code}, said.err
    assert (folder / job.target).read_bytes() == (job.again if is_done else job.expected)
    check_kept(job, folder)
    assert not list(folder.rglob("*.tmp"))
    if job.command == COLLECT:
        assert listing(folder) == listing(job.template.with_name("undisturbed"))
