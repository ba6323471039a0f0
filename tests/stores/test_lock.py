from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ctxcompact.errors import StoreError
from ctxcompact.stores import flocks
from ctxcompact.stores.lock import locked, sweep
from ctxcompact.stores.offloads import Offloads
from ctxcompact.stores.soundness import verify
from tests.stores.runs import add, listing

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
HOLD = """
import sys
from pathlib import Path
from ctxcompact.stores.lock import locked
print("ready", flush=True)
with locked(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""
COMMIT = """
import sys
from pathlib import Path
from tests.stores.runs import keep
root, first = Path(sys.argv[1]), int(sys.argv[2])
for n in range(20):
    keep(root, *(b"original %d" % (first + n * 10 + k) for k in range(20)))
"""


def start(script: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a process that holds the lock until its input ends."""
    with start(HOLD, str(tmp_path)) as process:
        assert (said(process), said(process)) == ("ready", "locked")
        yield process
        process.kill()


@pytest.mark.usefixtures("holder")
def test_a_lock_held_elsewhere_is_not_free_and_its_folder_stays(tmp_path: Path) -> None:
    fd = os.open(tmp_path / ".offload" / "lock", os.O_RDWR)
    assert flocks.flock(fd, wait=False) is False
    os.close(fd)
    sweep(tmp_path / ".offload")
    assert (tmp_path / ".offload" / "lock").exists()


def test_a_waiting_run_gets_the_lock_when_the_other_ends(
    tmp_path: Path, holder: subprocess.Popen[str]
) -> None:
    with start(HOLD, str(tmp_path)) as waiting:
        assert said(waiting) == "ready"
        holder.communicate("")  # its lock file goes with it: the waiting one must take a new one
        assert said(waiting) == "locked"
        fd = os.open(tmp_path / ".offload" / "lock", os.O_RDWR)
        assert flocks.flock(fd, wait=False) is False
        os.close(fd)
        waiting.communicate("")
    assert listing(tmp_path) == {}


def test_a_lock_file_removed_while_we_waited_is_not_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = tmp_path / ".offload" / "lock", flocks.flock
    waits = 0

    def wait_for_a_run_that_tidies(fd: int, *, wait: bool) -> bool | None:
        nonlocal waits
        waits += 1
        if waits == 1:
            path.unlink()
        return real(fd, wait=wait)

    monkeypatch.setattr("ctxcompact.stores.lock.flock", wait_for_a_run_that_tidies)
    with locked(tmp_path):
        fd = os.open(path, os.O_RDWR)
        assert real(fd, wait=False) is False
        os.close(fd)


@pytest.mark.usefixtures("holder")
def test_an_interrupt_ends_the_wait(tmp_path: Path) -> None:
    with start(HOLD, str(tmp_path)) as waiting:
        assert said(waiting) == "ready"
        waiting.send_signal(signal.SIGINT)
        out, err = waiting.communicate("")
    assert "locked" not in out
    assert "KeyboardInterrupt" in err


def test_a_killed_run_leaves_no_stale_lock(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    holder.kill()
    holder.wait()
    assert (tmp_path / ".offload" / "lock").exists()
    with locked(tmp_path):
        pass
    assert listing(tmp_path) == {}


def test_a_root_without_a_store_is_not_given_one_unasked(tmp_path: Path) -> None:
    with locked(tmp_path, create=False):
        assert listing(tmp_path) == {}
        assert not (tmp_path / ".offload").exists()


def test_a_store_whose_lock_is_gone_is_locked_all_the_same_and_goes_if_empty(
    tmp_path: Path,
) -> None:
    (tmp_path / ".offload").mkdir()
    with locked(tmp_path, create=False):
        assert set(listing(tmp_path / ".offload")) == {"lock"}
    assert not (tmp_path / ".offload").exists()


def test_the_folder_stays_when_something_is_in_it(tmp_path: Path) -> None:
    with locked(tmp_path):
        (tmp_path / ".offload" / "x").touch()
    assert set(listing(tmp_path / ".offload")) == {".gitignore", "lock", "x"}
    with locked(tmp_path, create=False):
        pass


def test_a_link_in_the_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / ".offload").mkdir()
    (tmp_path / ".offload" / "lock").symlink_to(tmp_path / "outside")
    with pytest.raises(StoreError, match="symbolic link"), locked(tmp_path):
        pytest.fail("the body was entered")
    assert not (tmp_path / "outside").exists()


def test_without_flock_a_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flocks, "fcntl", None)
    with locked(tmp_path):
        staging = Offloads(tmp_path).stage()
        add(staging, b"original")
        assert staging.commit()
    assert verify(Offloads(tmp_path)) == []


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS])
def test_where_a_file_system_has_no_locks_a_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", refuse)
    with locked(tmp_path):
        pass


def test_a_lock_that_the_disk_refuses_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("fcntl.flock", fail)
    with pytest.raises(StoreError, match="the disk failed"), locked(tmp_path):
        pass


def test_two_processes_that_commit_at_once_lose_nothing(tmp_path: Path) -> None:
    with start(COMMIT, str(tmp_path), "0") as one, start(COMMIT, str(tmp_path), "105") as two:
        errors = [process.communicate()[1] for process in (one, two)]
    assert errors == ["", ""]
    offloads = Offloads(tmp_path)
    assert verify(offloads) == []
    kept = {offloads.find(entry.head.id).data for entry in offloads.ids()}
    assert kept == {b"original %d" % n for n in range(315)}
    assert not list(tmp_path.rglob("*.tmp"))
