"""Processes at once: on one transcript, in one store, and one that only reads."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from typing import TYPE_CHECKING

from ctxcompact import kept
from tests.cli.command import PROGRAM, call, environment
from tests.cli.transcripts import rounds
from tests.crash.jobs import check_marks, restored

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

MICRO = ("--mode", "micro", "--keep-recent", "0", "--counter", "chars4")
PROCESSES = 8


def start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*PROGRAM, *arguments], cwd=folder, env=environment(), stdout=subprocess.DEVNULL
    )


def test_two_processes_on_one_transcript_compact_it_once(tmp_path: Path) -> None:
    """The other sees it changed, or finds nothing left to do."""
    path = tmp_path / "talk.jsonl"
    path.write_bytes(rounds(20))
    runs = [start(tmp_path, "compact", "-i", "talk.jsonl", *MICRO) for _ in range(2)]
    codes = sorted(run.wait() for run in runs)
    assert codes in ([0, 0], [0, 5])
    assert len(list(tmp_path.glob(".transcripts/receipt_*"))) == 1
    assert kept.check(tmp_path) == []
    assert restored(path) == rounds(20)


def test_eight_processes_share_a_store(tmp_path: Path) -> None:
    """Some of their originals are the same."""
    inputs = {f"{n}.jsonl": rounds(3 + n % 3, tool=f"tool_{n % 4}") for n in range(PROCESSES)}
    for name, data in inputs.items():
        (tmp_path / name).write_bytes(data)
    runs = [start(tmp_path, "compact", "-i", name, *MICRO) for name in inputs]
    assert [run.wait() for run in runs] == [0] * PROCESSES
    assert kept.check(tmp_path) == []
    assert not list(tmp_path.rglob("*.tmp"))
    for name, data in inputs.items():
        check_marks(tmp_path / name)
        assert restored(tmp_path / name) == data


def test_a_reader_always_sees_a_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path, data = tmp_path / "talk.jsonl", rounds(20)
    path.write_bytes(data)
    seen: set[bytes] = set()
    is_over = threading.Event()

    def read() -> None:
        while not is_over.is_set():
            seen.add(path.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for _ in range(3):
            assert call("compact", "-i", path, *MICRO).code == 0
            assert call("restore", "-i", path).code == 0
    finally:
        is_over.set()
        reader.join()
    assert data in seen
    assert len(seen) <= 2
    assert all(json.loads(line) for text in seen for line in text.splitlines())


def test_a_lock_that_a_killed_run_left_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = tmp_path / ".offload"
    store.mkdir()
    (store / "lock").write_bytes(b"")
    os.utime(store / "lock", (0, 0))
    (tmp_path / "talk.jsonl").write_bytes(rounds())
    assert call("compact", "-i", "talk.jsonl", *MICRO).code == 0
    assert restored(tmp_path / "talk.jsonl") == rounds()
