"""A client that appends while we work, where that is to be followed."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact import api
from ctxcompact.core.counts import counted
from ctxcompact.errors import InputChanged, OutputError
from ctxcompact.stores.receipts import ReceiptWriter
from ctxcompact.stores.source import Source
from ctxcompact.stores.staging import Staging
from tests.api.files import MICRO, TRANSCRIPT, check_sound, listing, put, restored

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MORE = b'{"role": "user", "content": "One more thing."}\n'
MOMENTS = [
    pytest.param((Staging, "add"), id="when the first original is staged"),
    pytest.param((Source, "check_unchanged"), id="when the source is looked at again"),
    pytest.param((Staging, "commit"), id="when the originals are kept"),
    pytest.param((ReceiptWriter, "commit"), id="when the receipt is kept"),
    pytest.param((Source, "appended"), id="when the last look is taken"),
]


def append(path: Path, data: bytes = MORE) -> None:
    with path.open("ab") as file:
        file.write(data)


def each_time(
    real: Callable[..., Any], action: Callable[[], object], times: int = 1
) -> Callable[..., Any]:
    """Do something before the first calls."""
    left = iter(range(times))

    def call(*args: Any, **kwargs: Any) -> Any:
        if next(left, None) is not None:
            action()
        return real(*args, **kwargs)

    return call


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return put(tmp_path / "root")


@pytest.fixture
def compacted(tmp_path: Path) -> bytes:
    """Compact the same transcript elsewhere, undisturbed."""
    other = put(tmp_path / "elsewhere")
    api.compact(other, None, MICRO, root=other.parent)
    return other.read_bytes()


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("output", [None, "out.jsonl"], ids=["in place", "to another file"])
@pytest.mark.parametrize("mode", [MICRO], ids=["micro"])
def test_appended_lines_are_carried_over(
    path: Path,
    compacted: bytes,
    monkeypatch: pytest.MonkeyPatch,
    moment: tuple[Any, str],
    output: str | None,
    mode: Any,
) -> None:
    holder, name = moment
    action = each_time(getattr(holder, name), lambda: append(path), 2)
    monkeypatch.setattr(holder, name, action)
    target = None if output is None else path.parent / output
    report = api.compact(path, target, mode, root=path.parent, follow_appends=True)
    monkeypatch.undo()
    written = target or path
    more = path.read_bytes().removeprefix(TRANSCRIPT if output else compacted)
    assert more in {MORE, MORE * 2}
    assert written.read_bytes() == compacted + more
    told = counted(len(more) // len(MORE), "line")
    assert report.notes[-1].startswith(f"{told} appended meanwhile carried over")
    assert report.output.bytes == len(compacted + more)
    assert restored(written) == TRANSCRIPT + more
    check_sound(path.parent)


def test_a_stream_gets_them_too(
    path: Path, compacted: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Staging, "commit", each_time(Staging.commit, lambda: append(path)))
    stream = io.BytesIO()
    api.compact(path, stream, MICRO, root=path.parent, follow_appends=True)
    assert stream.getvalue() == compacted + MORE


def rewrite(path: Path) -> None:
    """Change a letter of what was read, and append."""
    append(path)
    with path.open("r+b") as file:
        file.seek(TRANSCRIPT.index(b"That is all"))
        file.write(b"X")


def replace(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(TRANSCRIPT + MORE)
    other.replace(path)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda path: append(path, MORE[:-1]), id="half a line"),
        pytest.param(rewrite, id="a change beside"),
        pytest.param(replace, id="another file"),
        pytest.param(lambda path: os.truncate(path, 99), id="cut short"),
    ],
)
def test_any_other_change_is_left_to_its_writer(
    path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    seen: list[dict[str, bytes]] = []

    def act() -> None:
        change(path)
        seen.append({one.name: one.read_bytes() for one in path.parent.glob("*.jsonl")})

    monkeypatch.setattr(Staging, "commit", each_time(Staging.commit, act))
    with pytest.raises(InputChanged):
        api.compact(path, None, MICRO, root=path.parent, follow_appends=True)
    assert listing(path.parent) == seen[0]


def test_a_last_line_that_was_not_finished_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes may be the rest of it, and it was read as torn."""
    path = put(tmp_path / "root", TRANSCRIPT[:-1])
    monkeypatch.setattr(Staging, "commit", each_time(Staging.commit, lambda: append(path)))
    with pytest.raises(InputChanged):
        api.compact(path, None, MICRO, root=path.parent, follow_appends=True)


def test_a_file_that_never_stands_still_is_given_up(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    action = each_time(Source.appended, lambda: append(path), 1000)
    monkeypatch.setattr(Source, "appended", action)
    with pytest.raises(InputChanged, match="faster than we can follow"):
        api.compact(path, None, MICRO, root=path.parent, follow_appends=True)
    assert not (path.parent / ".offload").exists()


@pytest.mark.parametrize("follow", [False, True], ids=["not followed", "followed"])
def test_what_comes_between_the_last_look_and_the_rename_is_not_lost(
    path: Path, compacted: bytes, monkeypatch: pytest.MonkeyPatch, *, follow: bool
) -> None:
    real = os.replace

    def slip_in(old: Path, new: Path) -> None:
        if new == path:
            append(path)
        real(old, new)

    monkeypatch.setattr(os, "replace", slip_in)
    report = api.compact(path, None, MICRO, root=path.parent, follow_appends=follow)
    monkeypatch.undo()
    assert path.read_bytes() == compacted + MORE
    assert report.output.bytes == len(compacted + MORE)
    assert restored(path) == TRANSCRIPT + MORE


def test_a_disk_that_refuses_what_came_last_undoes_nothing(
    path: Path, compacted: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.replace

    def slip_in(old: Path, new: Path) -> None:
        if new == path:
            append(path)
        real(old, new)
        if new == path:
            path.chmod(0o400)
            monkeypatch.setattr("pathlib.Path.open", refuse)

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", slip_in)
    with pytest.raises(OutputError, match="cannot add what came last"):
        api.compact(path, None, MICRO, root=path.parent)
    monkeypatch.undo()
    assert path.read_bytes() == compacted
    assert restored(path) == TRANSCRIPT
