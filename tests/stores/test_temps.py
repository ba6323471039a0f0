from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ctxcompact.stores import flocks
from ctxcompact.stores.atomic import write_atomically
from ctxcompact.stores.lock import locked
from ctxcompact.stores.temps import Temp, sweep_temps
from tests.stores.runs import append, keep, listing

ROOT = Path(__file__).resolve().parents[2]
NAME = ".ctxcompact-0123456789abcdef.tmp"
HALF_DONE = """
import os, sys
from pathlib import Path
from ctxcompact.stores.temps import Temp
temp = Temp(Path(sys.argv[1]))
temp.file.write(b"half a li")
temp.file.flush()
os.kill(os.getpid(), int(sys.argv[2]))
"""


def leave(folder: Path) -> Path:
    """Let a process be killed while it writes; return what it leaves."""
    script = [sys.executable, "-c", HALF_DONE, str(folder), str(int(signal.SIGKILL))]
    assert subprocess.run(script, cwd=ROOT, check=False).returncode == -signal.SIGKILL
    [path] = folder.glob("*.tmp")
    assert path.read_bytes() == b"half a li"
    return path


def test_what_a_killed_run_left_is_swept(tmp_path: Path) -> None:
    leave(tmp_path)
    sweep_temps(tmp_path)
    assert listing(tmp_path) == {}


def test_what_is_being_written_is_not_swept(tmp_path: Path) -> None:
    with Temp(tmp_path) as temp:
        temp.file.write(b"whole\n")
        sweep_temps(tmp_path)
        assert temp.path.exists()
        temp.place(tmp_path / "t.jsonl")
    sweep_temps(tmp_path)
    assert listing(tmp_path) == {"t.jsonl": b"whole\n"}


@pytest.mark.parametrize(
    "name", ["t.jsonl", ".ctxcompact-.tmp", f"{NAME}.gz", ".ctxcompact-0123456789ABCDEF.tmp"]
)
def test_what_is_not_named_as_ours_stays(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"mine")
    sweep_temps(tmp_path)
    assert listing(tmp_path) == {name: b"mine"}


def test_a_link_or_a_folder_of_that_name_stays(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"mine")
    (tmp_path / NAME).symlink_to(tmp_path / "mine")
    (tmp_path / NAME.replace("0", "f")).mkdir()
    sweep_temps(tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


def test_sweeping_a_folder_that_is_not_there_is_no_fault(tmp_path: Path) -> None:
    sweep_temps(tmp_path / "nowhere")


def test_without_locks_nothing_is_taken_for_a_leftover(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flocks, "fcntl", None)
    (tmp_path / NAME).write_bytes(b"who knows")
    sweep_temps(tmp_path)
    assert listing(tmp_path) == {NAME: b"who knows"}


def test_a_file_swept_before_it_was_locked_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []
    real = flocks.flock

    def sweep_first(fd: int, *, wait: bool) -> bool | None:
        if wait and not made:
            made.extend(tmp_path.glob("*.tmp"))
            made[0].unlink()
        return real(fd, wait=wait)

    monkeypatch.setattr("ctxcompact.stores.temps.flock", sweep_first)
    with Temp(tmp_path) as temp:
        temp.file.write(b"whole\n")
        temp.place(tmp_path / "t.jsonl")
    assert len(made) == 1
    assert listing(tmp_path) == {"t.jsonl": b"whole\n"}


def test_a_temp_file_that_nobody_refers_to_goes(tmp_path: Path) -> None:
    """So does one whose maker was interrupted before it had the name."""
    Temp(tmp_path)
    assert listing(tmp_path) == {}


def test_the_next_output_sweeps_its_folder(tmp_path: Path) -> None:
    leave(tmp_path)
    with write_atomically(tmp_path / "t.jsonl") as file:
        file.write(b"x")
    assert listing(tmp_path) == {"t.jsonl": b"x"}


def test_the_next_run_sweeps_the_stores(tmp_path: Path) -> None:
    keep(tmp_path, b"an original")
    (tmp_path / ".transcripts").mkdir()
    for name in (".offload", ".transcripts"):
        append(tmp_path / name / NAME, b"half a pa")
    with locked(tmp_path):
        pass
    assert not list(tmp_path.rglob("*.tmp"))


def test_a_pipe_of_that_name_holds_nobody_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / NAME)
    sweep_temps(tmp_path)
