"""Whatever fails, and whenever: no mark without its original, nothing half-written."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ctxcompact.errors import CtxCompactError
from ctxcompact.stores.offloads import Offloads
from ctxcompact.stores.soundness import verify
from tests.stores.killed import TRANSCRIPT
from tests.stores.runs import (
    TAG,
    bring_back,
    compact,
    disk_full,
    interrupt_calls,
    keep,
    listing,
)

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]


def check_state(root: Path) -> None:
    """Assert that transcripts are whole, old or new, and that their marks lead somewhere."""
    assert verify(Offloads(root)) == []
    assert (root / "in.jsonl").read_bytes() == TRANSCRIPT
    output = root / "out.jsonl"
    if output.exists():
        marks = TAG.findall(output.read_bytes())
        assert marks
        assert all(Offloads(root).find(mark.decode()) for mark in marks)
        assert bring_back(root, output)[0] == TRANSCRIPT


def make_root(root: Path) -> Path:
    root.mkdir()
    (root / "in.jsonl").write_bytes(TRANSCRIPT)
    return root


def press_control_c() -> None:
    raise KeyboardInterrupt


def run_disturbed(root: Path, number: int, action: Callable[[], object]) -> str | None:
    """Compact with the n-th system call disturbed.

    Return what the run said; None means that it had fewer calls than that.
    """
    said = ""
    with pytest.MonkeyPatch.context() as patch:
        calls = interrupt_calls(patch, number, action)
        try:
            compact(root, root / "in.jsonl", root / "out.jsonl")
        except CtxCompactError as error:
            said = error.message
        except KeyboardInterrupt:
            said = "interrupted"
        return None if calls() < number else said


@pytest.mark.parametrize("store", ["a new store", "a store in use"])
def test_a_call_that_fails_leaves_no_trace(tmp_path: Path, store: str) -> None:
    failed = 0
    for number in count(1):
        root = make_root(tmp_path / str(number))
        if store == "a store in use":
            keep(root, b"an older original", TRANSCRIPT.split(b"\n")[1])
        before = listing(root)
        said = run_disturbed(root, number, disk_full)
        check_state(root)
        if said is None:
            break
        if said:
            assert "the disk is full" in said
            assert listing(root) == before
            failed += 1
    assert failed > 15


def test_an_interrupt_leaves_no_temp_file(tmp_path: Path) -> None:
    for number in count(1):
        root = make_root(tmp_path / str(number))
        said = run_disturbed(root, number, press_control_c)
        check_state(root)
        if said is None:
            break
        assert said == "interrupted"
        assert not list(root.rglob("*.tmp"))
    assert number > 15


def test_a_kill_at_any_call_leaves_a_sound_store(tmp_path: Path) -> None:
    script = [sys.executable, "-m", "tests.stores.killed", str(tmp_path)]
    subprocess.run(script, cwd=ROOT, check=True)
    killed = sorted(tmp_path.iterdir())
    assert len(killed) > 15
    assert sum((folder / "out.jsonl").exists() for folder in killed) >= 1
    for folder in killed:
        check_state(folder)
        compact(folder, folder / "in.jsonl", folder / "out.jsonl")
        check_state(folder)


def test_everything_is_flushed_before_its_rename_and_originals_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_root(tmp_path / "root")
    events: list[tuple[str, str]] = []
    opened: dict[int, Path] = {}
    real_open, real_fsync, real_replace = os.open, os.fsync, os.replace

    def remember(path: Path, flags: int, mode: int = 0o777) -> int:
        fd = real_open(path, flags, mode)
        opened[fd] = path
        return fd

    def fsync(fd: int) -> None:
        real_fsync(fd)
        events.append(("flush", kind_of(opened[fd])))

    def replace(old: Path, new: Path) -> None:
        assert events[-1] == ("flush", f"temp in {kind_of(old.parent)}") or new.suffix == ".idx"
        real_replace(old, new)
        events.append(("rename", kind_of(new)))

    def kind_of(path: Path) -> str:
        kind = {".tmp": f"temp in {path.parent.name}", ".idx": "index", "": path.name}
        return kind.get(path.suffix, path.name.partition("-")[0].partition("_")[0])

    monkeypatch.setattr(os, "open", remember)
    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    compact(root, root / "in.jsonl", root / "out.jsonl")
    steps = [what for what in events if what[1] not in {"index", "temp in root"}]
    assert steps == [
        ("flush", "temp in .offload"),
        ("rename", "pack"),
        ("flush", ".offload"),
        ("flush", "temp in .transcripts"),
        ("rename", "receipt"),
        ("flush", ".transcripts"),
        ("rename", "out.jsonl"),
        ("flush", "root"),
    ]


@pytest.mark.parametrize("limit_kb", [0, 1, 40, 90])
def test_a_full_disk_is_said_and_leaves_no_trace(tmp_path: Path, limit_kb: int) -> None:
    lines = b"".join(b'{"n":%d,"text":"%s"}\n' % (n, b"w" * 20_000 * (n % 2)) for n in range(10))
    (tmp_path / "in.jsonl").write_bytes(lines)
    script = (
        "import sys; from pathlib import Path; from tests.stores.runs import compact\n"
        "root = Path(sys.argv[1]); compact(root, root / 'in.jsonl', root / 'out.jsonl')"
    )

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit_kb * 1024, limit_kb * 1024))

    run = subprocess.run(
        [sys.executable, "-B", "-c", script, str(tmp_path)],
        cwd=ROOT,
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "StoreError: cannot keep originals" in run.stderr
    assert "larger than allowed" in run.stderr
    assert listing(tmp_path) == {"in.jsonl": lines}
