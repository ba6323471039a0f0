from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from ctxcompact.errors import InputChanged, OutputError
from ctxcompact.stores.atomic import check_target, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"old\n")
    return path


def test_the_new_bytes_stand_only_after_the_body(path: Path) -> None:
    with write_atomically(path) as file:
        file.write(b"new\n")
        file.flush()
        assert path.read_bytes() == b"old\n"
    assert path.read_bytes() == b"new\n"
    assert names(path.parent) == ["t.jsonl"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_exception_leaves_the_old_bytes_and_no_temp_file(
    path: Path, error: type[BaseException]
) -> None:
    def write_half() -> None:
        with write_atomically(path) as file:
            file.write(b"half")
            raise error

    with pytest.raises(error):
        write_half()
    assert path.read_bytes() == b"old\n"
    assert names(path.parent) == ["t.jsonl"]


def test_a_new_file_gets_the_mode_of_any_new_file(tmp_path: Path) -> None:
    umask = os.umask(0o027)
    try:
        with write_atomically(tmp_path / "new") as file:
            file.write(b"x")
    finally:
        os.umask(umask)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o620])
def test_the_mode_of_the_old_file_is_kept(path: Path, mode: int) -> None:
    path.chmod(mode)
    with write_atomically(path) as file:
        file.write(b"x")
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_given_mode_is_taken_whatever_the_umask(path: Path) -> None:
    umask = os.umask(0o077)
    try:
        with write_atomically(path, 0o664) as file:
            file.write(b"x")
    finally:
        os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o664


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_the_owner_of_the_old_file_is_kept(path: Path) -> None:
    os.chown(path, 1234, 1234)
    path.chmod(0o640)
    with write_atomically(path) as file:
        file.write(b"x")
    now = path.stat()
    assert (now.st_uid, now.st_gid, stat.S_IMODE(now.st_mode)) == (1234, 1234, 0o640)


def test_a_given_time_of_change_is_set(path: Path) -> None:
    with write_atomically(path, mtime_ns=1_700_000_000_123_456_789) as file:
        file.write(b"x" * 3_000_000)
    assert path.stat().st_mtime_ns == 1_700_000_000_123_456_789


def test_a_link_stays_and_its_target_is_replaced(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere" / "link"
    link.parent.mkdir()
    link.symlink_to("../t.jsonl")
    with write_atomically(link) as file:
        file.write(b"new\n")
    assert link.is_symlink()
    assert path.read_bytes() == b"new\n"
    assert names(link.parent) == ["link"]


def test_a_link_to_nothing_yet_makes_its_target(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "target")
    with write_atomically(link) as file:
        file.write(b"new\n")
    assert link.is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new\n"


def test_the_last_check_may_stop_the_replacement(path: Path) -> None:
    def changed() -> None:
        message = "it changed"
        raise InputChanged(message)

    with pytest.raises(InputChanged), write_atomically(path, last_check=changed) as file:
        file.write(b"new\n")
    assert path.read_bytes() == b"old\n"
    assert names(path.parent) == ["t.jsonl"]


def make_read_only(path: Path) -> None:
    path.chmod(0o444)


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def make_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def make_link_to_device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/null")


def make_link_to_itself(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        pytest.param(make_read_only, "read-only", id="read-only by its mode"),
        pytest.param(make_folder, "a folder", id="a folder"),
        pytest.param(make_pipe, "not a regular file", id="a pipe"),
        pytest.param(make_link_to_device, "not a regular file", id="a device behind a link"),
        pytest.param(make_link_to_itself, "symbolic link", id="a link to itself"),
    ],
)
def test_what_cannot_be_replaced_is_refused_before_the_body(
    path: Path,
    make: Callable[[Path], object],
    said: str,
) -> None:
    make(path)
    before = path.lstat()
    with pytest.raises(OutputError, match=said) as raised, write_atomically(path):
        pytest.fail("the body was entered")
    assert raised.value.path == str(path)
    assert raised.value.hint
    assert path.lstat() == before
    assert names(path.parent) == ["t.jsonl"]


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="no such file or folder"):
        check_target(tmp_path / "missing" / "t.jsonl")


def test_what_may_be_written_passes_the_check(path: Path, tmp_path: Path) -> None:
    assert check_target(tmp_path / "new") == (tmp_path / "new", None)
    assert check_target(path) == (path, path.stat())
