"""A fault at every port and every call to the system: the input stands, nothing strays about."""

from __future__ import annotations

import errno
import io
import os
import tempfile
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact import api, counters
from ctxcompact.errors import CtxCompactError, OutputError, StoreError
from ctxcompact.stores.receipts import ReceiptWriter
from ctxcompact.stores.staging import Staging
from tests.api.files import MICRO, TRANSCRIPT, check_sound, jsonl, listing, put, restored, rows
from tests.fakes import FakeCounter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CALLS = ("open", "write", "fsync", "replace", "mkdir", "chmod", "fchmod", "ftruncate", "pread")
STORES = ["a new store", "a store in use"]


def disk_full(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def press_control_c(*_: Any, **__: Any) -> None:
    raise KeyboardInterrupt


def make(root: Path, store: str) -> Path:
    """Put a transcript down, beside what an earlier run has kept if the store is in use."""
    path = put(root)
    if store == "a store in use":
        other = put(root, jsonl(rows(3, "earlier")), "earlier.jsonl")
        api.compact(other, None, MICRO, root=root)
    return path


@dataclass
class Nth:
    """Does something else at the n-th call."""

    number: int
    action: Callable[..., object]
    calls: int = 0

    def wrap(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            self.calls += 1
            if self.calls == self.number:
                self.action()
            return real(*args, **kwargs)

        return call


def test_a_counter_that_fails_leaves_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must not; where it does all the same, at whatever text, nothing is half-done."""
    failed = 0
    for number in count(1):
        path = make(tmp_path / str(number), "a new store")
        before = listing(path.parent)
        nth = Nth(number, press_zero)
        counter = FakeCounter()
        object.__setattr__(counter, "count", nth.wrap(counter.count))
        monkeypatch.setattr(counters, "choose", lambda *_, made=counter: made)
        try:
            api.compact(path, None, MICRO, root=path.parent)
        except ZeroDivisionError:
            failed += 1
            assert listing(path.parent) == before
        else:
            break
    assert failed > 15


def press_zero() -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_originals_that_cannot_be_staged_leave_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: str, number: int
) -> None:
    path = make(tmp_path / "root", store)
    before = listing(path.parent)
    nth = Nth(number, store_full)
    monkeypatch.setattr(Staging, "add", nth.wrap(Staging.add))
    with pytest.raises(StoreError):
        api.compact(path, None, MICRO, root=path.parent)
    assert listing(path.parent) == before


def store_full() -> None:
    raise StoreError("cannot keep originals: the disk is full")


@pytest.mark.parametrize("store", STORES)
def test_a_receipt_that_cannot_be_kept_leaves_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: str
) -> None:
    path = make(tmp_path / "root", store)
    before = listing(path.parent)
    monkeypatch.setattr(ReceiptWriter, "commit", Nth(1, store_full).wrap(ReceiptWriter.commit))
    with pytest.raises(StoreError):
        api.compact(path, None, MICRO, root=path.parent)
    assert listing(path.parent) == before


class Target:
    """Where an output goes: in place, to a new file, or over an older one."""

    @staticmethod
    def in_place(path: Path) -> None:
        api.compact(path, None, MICRO, root=path.parent)

    @staticmethod
    def to_a_new_file(path: Path) -> None:
        api.compact(path, path.parent / "out.jsonl", MICRO, root=path.parent)

    @staticmethod
    def to_a_stream(path: Path) -> None:
        api.compact(path, io.BytesIO(), MICRO, root=path.parent)


RUNS = pytest.mark.parametrize(
    "run", [Target.in_place, Target.to_a_new_file, Target.to_a_stream], ids=lambda f: f.__name__
)


def disturbed(path: Path, nth: Nth, run: Callable[[Path], None]) -> BaseException | None:
    """Run with the n-th system call disturbed; return what was raised."""
    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, nth.wrap(getattr(os, name)))
        try:
            run(path)
        except (CtxCompactError, KeyboardInterrupt) as error:
            return error
    return None


@RUNS
@pytest.mark.parametrize("store", STORES)
def test_a_full_disk_at_any_moment_leaves_no_trace(
    tmp_path: Path, store: str, run: Callable[[Path], None]
) -> None:
    failed = 0
    for number in count(1):
        path = make(tmp_path / str(number), store)
        before, nth = listing(path.parent), Nth(number, disk_full)
        error = disturbed(path, nth, run)
        if nth.calls < number:
            break
        if error is not None:
            failed += 1
            assert "disk is full" in str(error)
            assert listing(path.parent) == before
        check_sound(path.parent)
    assert failed > 15


@RUNS
@pytest.mark.parametrize("store", STORES)
def test_an_interrupt_at_any_moment_leaves_all_sound(
    tmp_path: Path, store: str, run: Callable[[Path], None]
) -> None:
    for number in count(1):
        path = make(tmp_path / str(number), store)
        nth = Nth(number, press_control_c)
        error = disturbed(path, nth, run)
        if nth.calls < number:
            break
        assert isinstance(error, KeyboardInterrupt)
        check_sound(path.parent)
        if path.read_bytes() != TRANSCRIPT:
            assert restored(path) == TRANSCRIPT
    assert number > 15


def test_a_stream_that_breaks_leaves_the_input_and_a_sound_store(tmp_path: Path) -> None:
    class Broken(io.BytesIO):
        def write(self, _: Any) -> int:
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    path = put(tmp_path / "root")
    with pytest.raises((OutputError, BrokenPipeError)):
        api.compact(path, Broken(), MICRO, root=path.parent)
    assert path.read_bytes() == TRANSCRIPT
    check_sound(path.parent)


def test_an_output_without_a_folder_leaves_no_trace(tmp_path: Path) -> None:
    path = put(tmp_path / "root")
    before = listing(path.parent)
    with pytest.raises(OutputError):
        api.compact(path, tmp_path / "no" / "where.jsonl", MICRO, root=path.parent)
    assert listing(path.parent) == before


def test_a_temp_folder_without_room_is_told_in_our_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path / "root")
    before = listing(path.parent)
    monkeypatch.setattr(tempfile, "TemporaryFile", disk_full)
    with pytest.raises(CtxCompactError, match="disk is full"):
        api.compact(path, None, MICRO, root=path.parent)
    assert listing(path.parent) == before


def test_a_scratch_file_that_fills_up_is_told_in_our_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.BytesIO):
        write = disk_full  # type: ignore[assignment]

    path = put(tmp_path / "root")
    before = listing(path.parent)
    monkeypatch.setattr(tempfile, "TemporaryFile", Full)
    with pytest.raises(CtxCompactError, match="disk is full"):
        api.compact(path, None, MICRO, root=path.parent)
    assert listing(path.parent) == before
