from __future__ import annotations

import hashlib
import io
import os
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zstandard import ZstdCompressor

from ctxcompact.errors import InputChanged, InputError
from ctxcompact.stores import source as module
from ctxcompact.stores.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ODD = b'\xef\xbb\xbf{"a":1}\r\n\x00\x85\x0b\x0c\x1c\n\n\xe2\x80\xa8 not the end \xff\ntorn'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "t.jsonl"
    path.write_bytes(ODD)
    return path


def test_only_a_line_feed_ends_a_line_and_all_bytes_come(path: Path) -> None:
    with Source.open(str(path)) as source:
        lines = list(source.lines())
        assert source.sha256 == hashlib.sha256(ODD).hexdigest()
    assert b"".join(lines) == ODD
    assert [line.count(b"\n") for line in lines] == [1, 1, 1, 1, 0]


@given(
    data=st.lists(st.sampled_from([b"\n", b"a", b"\r\n", b"bcdefgh"]), max_size=40).map(b"".join),
    window=st.integers(1, 9),
)
def test_lines_do_not_depend_on_the_windows_they_are_read_in(data: bytes, window: int) -> None:
    with pytest.MonkeyPatch.context() as patch, Source.spool(io.BytesIO(data)) as source:
        patch.setattr(module, "WINDOW_BYTES", window)
        lines = list(source.lines())
        assert source.sha256 == hashlib.sha256(data).hexdigest()
    assert lines == [row + b"\n" for row in data.split(b"\n")[:-1]] + (
        [data.split(b"\n")[-1]] if not data.endswith(b"\n") and data else []
    )


def test_the_hash_is_known_without_a_pass_over_the_lines(path: Path) -> None:
    with Source.open(str(path)) as source:
        assert source.sha256 == hashlib.sha256(ODD).hexdigest()


@given(start=st.integers(0, 99), length=st.integers(0, 99), window=st.integers(1, 40))
def test_a_part_is_copied_in_windows(start: int, length: int, window: int) -> None:
    data = bytes(range(200))
    pieces: list[bytes] = []
    with pytest.MonkeyPatch.context() as patch, Source.spool(io.BytesIO(data)) as source:
        patch.setattr(module, "WINDOW_BYTES", window)
        source.copy_to(pieces.append, start, start + length)
        assert source.read(start, length) == data[start : start + length]
    assert b"".join(pieces) == data[start : start + length]
    assert all(len(piece) <= window for piece in pieces)


@given(
    wanted=st.lists(st.tuples(st.integers(0, 199), st.integers(0, 60)), max_size=20),
    window=st.integers(1, 80),
)
def test_places_may_be_read_in_any_order(wanted: list[tuple[int, int]], window: int) -> None:
    data = bytes(range(200))
    with pytest.MonkeyPatch.context() as patch, Source.spool(io.BytesIO(data)) as source:
        patch.setattr(module, "WINDOW_BYTES", window)
        for start, length in wanted:
            stop = min(start + length, len(data))
            assert source.read(start, stop - start) == data[start:stop]


@pytest.mark.parametrize("most", [1, 7, 40])
def test_a_disk_may_give_less_at_once_than_it_was_asked_for(
    path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    give = os.pread
    monkeypatch.setattr(os, "pread", lambda fd, size, at: give(fd, min(size, most), at))
    with Source.open(str(path)) as source:
        assert b"".join(source.lines()) == source.read(0, len(ODD)) == ODD
        assert source.read(3, 20) == ODD[3:23]


def test_what_is_appended_while_we_read_does_not_count(path: Path) -> None:
    with Source.open(str(path)) as source:
        lines = source.lines()
        first = next(lines)
        with path.open("ab") as file:
            file.write(b" and more\nlate\n")
        assert first + b"".join(lines) == ODD
        assert source.size == len(ODD)


def test_a_file_cut_short_while_we_read_is_noticed(path: Path) -> None:
    with Source.open(str(path)) as source:
        os.truncate(path, 5)
        with pytest.raises(InputChanged, match="became shorter"):
            list(source.lines())
        with pytest.raises(InputChanged):
            source.read(3, 10)


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"x")


def overwrite(path: Path) -> None:
    path.write_bytes(b"z" * len(ODD))
    os.utime(path, ns=(1, 2))


def replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    os.utime(other, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    other.replace(path)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(append, id="appended to"),
        pytest.param(overwrite, id="overwritten with as many bytes"),
        pytest.param(replace, id="replaced by an equal one"),
        pytest.param(lambda path: path.unlink(), id="removed"),
        pytest.param(lambda path: path.chmod(0o611), id="given another mode"),
    ],
)
def test_a_changed_file_is_noticed_before_it_is_replaced(
    path: Path, change: Callable[[Path], object]
) -> None:
    with Source.open(str(path)) as source:
        source.check_unchanged()
        change(path)
        with pytest.raises(InputChanged) as raised:
            source.check_unchanged()
        assert raised.value.hint
        assert raised.value.path == str(path)


def test_reading_is_no_change(path: Path) -> None:
    with Source.open(str(path)) as source:
        list(source.lines())
        path.read_bytes()
        source.check_unchanged()


def test_mode_and_time_of_the_file_are_known(path: Path) -> None:
    path.chmod(0o640)
    os.utime(path, ns=(5, 1_234_567_890))
    with Source.open(str(path)) as source:
        assert (source.mode, source.mtime_ns) == (0o640, 1_234_567_890)
        assert source.name == str(path)


def test_a_stream_is_held_whole_and_cannot_change() -> None:
    with Source.spool(io.BytesIO(ODD)) as source:
        assert (source.name, source.size) == ("-", len(ODD))
        assert (source.mode, source.mtime_ns) == (None, None)
        assert b"".join(source.lines()) == ODD
        source.check_unchanged()


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(ODD,))
    writer.start()
    with Source.open(str(pipe)) as source:
        assert b"".join(source.lines()) == ODD
        assert source.name == str(pipe)
        source.check_unchanged()
    writer.join()


def test_a_stream_that_cannot_be_read_is_an_input_error() -> None:
    class Broken(io.BytesIO):
        def read(self, _size: int | None = -1, /) -> bytes:
            raise IsADirectoryError(21, "Is a directory")

        read1 = read

    with pytest.raises(InputError, match="it is a folder"):
        Source.spool(Broken())


@pytest.mark.parametrize(
    ("make", "said"),
    [
        pytest.param(lambda path: path.unlink(), "no such file", id="missing"),
        pytest.param(lambda path: (path.unlink(), path.mkdir()), "a folder", id="a folder"),
        pytest.param(lambda path: path.chmod(0o000), "permission denied", id="no read bit"),
    ],
)
def test_what_cannot_be_read_is_said(path: Path, make: Callable[[Path], object], said: str) -> None:
    make(path)
    with pytest.raises(InputError, match=said) as raised:
        Source.open(str(path))
    assert raised.value.path == str(path)
    assert raised.value.hint


def test_a_change_that_leaves_size_and_times_is_seen_in_the_last_bytes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two changes within one tick of the clock."""
    with Source.open(str(path)) as source:
        monkeypatch.setattr("ctxcompact.stores.source.identity", lambda _: ())
        source.check_unchanged()
        with path.open("r+b") as file:
            file.seek(-3, os.SEEK_END)
            file.write(b"?")
        with pytest.raises(InputChanged):
            source.check_unchanged()


ROWS = b'{"a":1}\n' * 3


@pytest.mark.parametrize(
    ("data", "change"),
    [
        pytest.param(ROWS, lambda path: os.utime(path, ns=(1, 2)), id="another time"),
        pytest.param(ROWS, lambda path: path.write_bytes(b"X" + ROWS), id="other bytes"),
        pytest.param(ROWS, lambda path: path.write_bytes(ROWS + b"{}"), id="half a line"),
        pytest.param(ROWS[:-1], lambda path: path.write_bytes(ROWS + b"{}\n"), id="after half one"),
        pytest.param(ROWS, lambda path: path.write_bytes(ROWS[:8]), id="fewer lines"),
        pytest.param(b"", lambda path: path.write_bytes(ROWS), id="lines after nothing"),
        pytest.param(ROWS, replace, id="another file"),
        pytest.param(ZstdCompressor().compress(ROWS), append, id="a compressed file"),
    ],
)
def test_no_other_change_is_followed(
    path: Path, data: bytes, change: Callable[[Path], object]
) -> None:
    path.write_bytes(data)
    with Source.open(str(path)) as source:
        source.follows = True
        assert source.appended(source.size) == b""
        change(path)
        with pytest.raises(InputChanged):
            source.appended(source.size)


def test_lines_that_are_appended_are_followed_if_that_is_asked(path: Path) -> None:
    path.write_bytes(ROWS)
    with Source.open(str(path)) as source:
        with path.open("ab") as file:
            file.write(b"{}\n")
        with pytest.raises(InputChanged):
            source.appended(source.size)
        source.follows = True
        assert source.appended(source.size) == b"{}\n"
        assert source.appended(source.size + 3) == b""
        assert (source.late(source.size), source.late(source.size + 3)) == (b"{}\n", b"")
        os.truncate(path, 5)
        assert source.late(source.size) == b""


def test_a_file_is_where_its_path_leads_and_a_stream_is_nowhere(path: Path) -> None:
    link = path.with_name("link")
    link.symlink_to(path)
    with Source.open(str(link)) as source, Source.spool(io.BytesIO(ODD), str(path)) as stream:
        assert source.is_at(path)
        assert not source.is_at(path.with_name("other"))
        assert not stream.is_at(path)


def test_the_compressed_bytes_are_handed_over_in_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = ZstdCompressor().compress(ODD)
    pieces: list[bytes] = []
    with Source.spool(io.BytesIO(packed)) as source, Source.spool(io.BytesIO(ODD)) as plain:
        monkeypatch.setattr(module, "WINDOW_BYTES", 7)
        source.copy_compressed_to(pieces.append)
        plain.copy_compressed_to(pieces.append)
    assert b"".join(pieces) == packed
    assert max(map(len, pieces)) == 7
