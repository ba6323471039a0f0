from __future__ import annotations

import os
import shutil
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest

from ctxcompact.errors import StoreError
from ctxcompact.stores.archive import archive
from ctxcompact.stores.folders import make_private, search_roots, seen_from, tidy
from ctxcompact.stores.source import Source
from tests.stores.runs import compact, keep, listing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONG_LINE = b'{"key":"sk-EXAMPLE-0000","text":"%s"}\n' % (b"word " * 30)


def fill_stores(root: Path) -> None:
    """Let every kind of file be made."""
    (root / "in.jsonl").write_bytes(LONG_LINE)
    compact(root, root / "in.jsonl", root / "out.jsonl")
    with Source.open(str(root / "in.jsonl")) as source:
        archive(root, source)


@pytest.fixture(params=[0o022, 0o077, 0o000, 0o277], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.mark.usefixtures("umask")
def test_folders_are_0700_and_files_0600_whatever_the_umask(tmp_path: Path) -> None:
    fill_stores(tmp_path)
    for name in (".offload", ".transcripts"):
        folder = tmp_path / name
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
        assert len(modes) > 2
        assert set(modes.values()) == {0o600}, modes


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_git_sees_nothing_of_the_stores(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
        return subprocess.run(
            command, cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout

    (tmp_path / ".gitignore").write_text("out.jsonl\n")
    (tmp_path / "in.jsonl").write_bytes(LONG_LINE)
    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "a")
    fill_stores(tmp_path)
    assert (tmp_path / ".offload").is_dir()
    assert git("status", "--porcelain", "--untracked-files=all") == ""
    assert (tmp_path / ".gitignore").read_text() == "out.jsonl\n"


def test_an_ignore_file_that_was_left_empty_is_filled(tmp_path: Path) -> None:
    folder = tmp_path / ".offload"
    folder.mkdir()
    (folder / ".gitignore").touch()
    make_private(folder)
    assert (folder / ".gitignore").read_bytes() == b"*\n"


def test_what_is_there_already_stays_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / ".offload"
    folder.mkdir(mode=0o750)
    (folder / ".gitignore").write_bytes(b"*.idx\n")
    make_private(folder)
    assert (folder / ".gitignore").read_bytes() == b"*.idx\n"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o750


@pytest.mark.parametrize("link", [False, True], ids=["a file", "a link to nothing"])
def test_a_file_in_the_way_is_said(tmp_path: Path, *, link: bool) -> None:
    folder = tmp_path / ".offload"
    folder.symlink_to("nowhere") if link else folder.touch()
    with pytest.raises(StoreError, match="in the way"):
        keep(tmp_path, b"original")


def test_a_missing_root_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no such file or folder") as raised:
        keep(tmp_path / "missing", b"original")
    assert raised.value.hint
    assert listing(tmp_path) == {}


@pytest.mark.parametrize(
    ("left", "goes"),
    [
        pytest.param({".gitignore": b"*\n"}, True, id="only our ignore file"),
        pytest.param({".gitignore": b""}, True, id="our ignore file, never finished"),
        pytest.param({".gitignore": b"*\n", "lock": b""}, True, id="and the lock"),
        pytest.param({}, True, id="nothing"),
        pytest.param({".gitignore": b"*\n", "x.tmp": b""}, False, id="a file of another run"),
        pytest.param({".gitignore": b"*\n!keep\n"}, False, id="an ignore file of the user"),
    ],
)
def test_only_a_folder_with_nothing_in_it_goes(
    tmp_path: Path, left: dict[str, bytes], *, goes: bool
) -> None:
    folder = tmp_path / ".offload"
    folder.mkdir()
    for name, data in left.items():
        (folder / name).write_bytes(data)
    tidy(folder)
    assert folder.exists() is not goes
    assert goes or listing(folder) == left


def test_a_folder_that_another_run_begins_to_use_keeps_its_ignore_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ".offload"
    make_private(folder)
    real = os.rmdir

    def begin_to_use(path: Path) -> None:
        (folder / "new.tmp").touch()
        real(path)

    monkeypatch.setattr(os, "rmdir", begin_to_use)
    tidy(folder)
    assert listing(folder) == {".gitignore": b"*\n", "new.tmp": b""}


def test_a_file_is_seen_from_the_root_if_it_is_below(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (tmp_path / "link").symlink_to(root / "sub")
    assert seen_from(root, tmp_path / "link" / "a") == "sub/a"
    assert seen_from(root, tmp_path / "rooted") == os.path.realpath(tmp_path / "rooted")


def test_roots_are_looked_for_upwards_from_both_places(tmp_path: Path) -> None:
    here, there = tmp_path / "a" / "b", tmp_path / "c" / "d"
    for folder in (here / "e", there, tmp_path / "x"):
        folder.mkdir(parents=True)
    for store in (here / ".offload", there / ".transcripts", tmp_path / ".offload"):
        store.mkdir()
    (tmp_path / "a" / ".offload").touch()
    found = search_roots(here / "e", there / "t.jsonl")
    assert [root for root in found if root.is_relative_to(tmp_path)] == [here, tmp_path, there]
    found = search_roots(tmp_path / "x")
    assert [root for root in found if root.is_relative_to(tmp_path)] == [tmp_path]
