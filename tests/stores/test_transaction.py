"""One output in its place: what stands where afterwards, also where the disk lies."""

from __future__ import annotations

import errno
import io
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import pytest
from zstandard import ZstdCompressor, ZstdDecompressor

from ctxcompact.errors import OutputError
from ctxcompact.stores.interrupts import PART_SENT, notes_of
from ctxcompact.stores.offloads import Offloads
from ctxcompact.stores.receipts import Receipt
from ctxcompact.stores.source import WINDOW_BYTES, Source
from ctxcompact.stores.transaction import Kept, Transaction
from tests.stores.runs import LONG, add, bring_back, id_of, listing, record, shorten

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

    from ctxcompact.stores.transaction import Note, Placed, Sink

DROPPED = b'{"gone":true}\n'
TAKEN = record(2)[:7]
FIRST = record(1) + record(2, LONG) + DROPPED + record(3)
LARGE = FIRST + record(4, 2000) * (3 * WINDOW_BYTES // len(record(4, 2000)) + 1)
LINE = record(2, LONG)[:-1]
SHORTER = LARGE.replace(DROPPED, b"").replace(LINE, shorten(LINE))


def write(lines: list[bytes], put: Sink, note: Note) -> None:
    """Hand over some lines: those with the number 2 as marks, one kind not at all."""
    at = 0
    for line in lines:
        made = line
        if line == DROPPED:
            made = b""
            note(at, at, [id_of(line[:-1]), ""])
        elif line.startswith(TAKEN):
            made = shorten(line[:-1]) + b"\n"
            note(at, at + len(made) - 1, id_of(line[:-1]))
        put(made)
        at += len(made)


def compact(
    root: Path,
    path: Path,
    output: Path | BinaryIO,
    *,
    archived: bool = False,
    compressed: bool = False,
) -> Placed:
    staging = Offloads(root).stage()
    with Source.open(str(path)) as source:
        lines = list(source.lines())
        for line in lines:
            if not archived and line.startswith((DROPPED, TAKEN)):
                add(staging, line[:-1])
        made = Transaction(source, len(lines), staging, root, archived=archived)
        writing = partial(write, lines)
        if not isinstance(output, Path):
            return made.to_stream(
                output, writing, format="test", mode="chain", compressed=compressed
            )
        kept = Kept(0o640, 5 * 10**9, compressed)
        return made.to_file(output, writing, kept, format="test", mode="chain")


def inside(written: bytes, *, compressed: bool) -> bytes:
    return ZstdDecompressor().decompressobj().decompress(written) if compressed else written


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "t.jsonl"
    path.write_bytes(LARGE)
    return path


@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "compressed"])
@pytest.mark.parametrize("archived", [False, True], ids=["by originals", "by an archive"])
def test_an_output_of_many_windows_stands_and_leads_back(
    tmp_path: Path, path: Path, *, archived: bool, compressed: bool
) -> None:
    output = tmp_path / "out"
    placed = compact(tmp_path, path, output, archived=archived, compressed=compressed)
    assert inside(output.read_bytes(), compressed=compressed) == SHORTER
    assert (placed.content.bytes, placed.carried) == (len(SHORTER), 0)
    state = output.stat()
    assert (state.st_mode & 0o777, state.st_mtime_ns) == (0o640, 5 * 10**9)
    receipt = Receipt.open(placed.receipt)
    assert (receipt.format, receipt.mode, receipt.paths) == ("test", "chain", ("out",))
    assert (receipt.output, receipt.previous) == (placed.content, None)
    assert list(receipt.read().changed) == [2]
    assert bring_back(tmp_path, output)[0] == LARGE


def test_a_second_run_names_the_receipt_of_the_first(tmp_path: Path, path: Path) -> None:
    first = compact(tmp_path, path, path)
    with path.open("ab") as file:
        file.write(record(2, 99))
    second = compact(tmp_path, path, path)
    assert Receipt.open(second.receipt).previous == first.receipt.name
    assert bring_back(tmp_path, path)[0] == LARGE + record(2, 99)


@pytest.mark.parametrize("archived", [False, True], ids=["by originals", "by an archive"])
def test_a_disk_that_gives_back_other_bytes_replaces_nothing(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch, *, archived: bool
) -> None:
    before, read = listing(tmp_path), os.pread

    def spoiled(fd: int, length: int, at: int) -> bytes:
        is_source = os.path.samestat(os.fstat(fd), path.stat())
        return read(fd, length, at) if is_source else read(fd, length, at).swapcase()

    monkeypatch.setattr(os, "pread", spoiled)
    with pytest.raises(OutputError, match="does not give back what was written"):
        compact(tmp_path, path, path, archived=archived)
    assert listing(tmp_path) == before


@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "compressed"])
def test_a_stream_gets_the_same_and_its_receipt_says_so(
    tmp_path: Path, path: Path, *, compressed: bool
) -> None:
    stream = io.BytesIO()
    placed = compact(tmp_path, path, stream, compressed=compressed)
    assert inside(stream.getvalue(), compressed=compressed) == SHORTER
    receipt = Receipt.open(placed.receipt)
    assert (receipt.format, receipt.mode, receipt.paths) == ("test", "chain", ("-",))
    assert receipt.output == placed.content


def stop(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("call", "is_kept"),
    [
        pytest.param("Tally.add", False, id="before anything is kept"),
        pytest.param("fitting", False, id="before it is to be kept"),
        pytest.param("check_there", True, id="once it is kept"),
    ],
)
def test_an_interrupt_is_told_what_is_kept(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch, call: str, *, is_kept: bool
) -> None:
    before = listing(tmp_path)
    monkeypatch.setattr(f"ctxcompact.stores.transaction.{call}", stop)
    with pytest.raises(KeyboardInterrupt) as caught:
        compact(tmp_path, path, path)
    told = [f"originals are kept in {tmp_path / '.offload'}"] if is_kept else []
    assert notes_of(caught.value) == told
    assert path.read_bytes() == LARGE
    assert Offloads(tmp_path).known(id_of(LINE)) is is_kept
    if not is_kept:
        assert listing(tmp_path) == before


def test_an_interrupt_of_a_stream_is_told_that_a_part_was_sent(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.BytesIO()
    with monkeypatch.context() as patch:
        patch.setattr("ctxcompact.stores.transaction.WINDOW_BYTES", 100)
        give = iter([stream.write])

        class Torn(io.BytesIO):
            def write(self, data: ReadableBuffer, /) -> int:
                return next(give, stop)(data) or 0

        with pytest.raises(KeyboardInterrupt) as caught:
            compact(tmp_path, path, Torn())
    assert stream.getvalue() == SHORTER[:100]
    assert notes_of(caught.value) == [PART_SENT]
    assert Offloads(tmp_path).known(id_of(LINE))


@pytest.mark.parametrize("earlier", [False, True], ids=["a new store", "kept by an earlier run"])
def test_a_run_that_fails_takes_back_its_own_copies_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, earlier: bool
) -> None:
    path = tmp_path / "t.jsonl.zst"
    path.write_bytes(ZstdCompressor().compress(LARGE))
    if earlier:
        compact(tmp_path, path, tmp_path / "out", archived=True)
    before = listing(tmp_path)
    assert len([name for name in before if name.startswith(".transcripts/")]) == 4 * earlier

    def refuse(*_: Path) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("ctxcompact.stores.transaction.check_there", refuse)
    with pytest.raises(OutputError, match="the disk failed"):
        compact(tmp_path, path, tmp_path / "out", archived=True)
    assert listing(tmp_path) == before
