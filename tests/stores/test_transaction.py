"""One output in its place: what stands where afterwards, also where the disk lies."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

import pytest
from zstandard import ZstdDecompressor

from ctxcompact.errors import OutputError
from ctxcompact.stores.offloads import Offloads
from ctxcompact.stores.receipts import Receipt
from ctxcompact.stores.source import WINDOW_BYTES, Source
from ctxcompact.stores.transaction import Kept, Transaction
from tests.stores.runs import LONG, add, bring_back, id_of, listing, record, shorten

if TYPE_CHECKING:
    from pathlib import Path

    from ctxcompact.stores.transaction import Note, Placed, Sink

DROPPED = b'{"gone":true}\n'
FIRST = record(1) + record(2, LONG) + DROPPED + record(3)
LARGE = FIRST + record(4) * (3 * WINDOW_BYTES // len(record(4)) + 1)


def write(lines: list[bytes], put: Sink, note: Note) -> None:
    """Hand over some lines: long ones as marks, one kind not at all."""
    at = 0
    for line in lines:
        made = line
        if line == DROPPED:
            made = b""
            note(at, at, [id_of(line[:-1]), ""])
        elif len(line) > LONG:
            made = shorten(line[:-1]) + b"\n"
            note(at, at + len(made) - 1, id_of(line[:-1]))
        put(made)
        at += len(made)


def compact(
    root: Path, path: Path, output: Path, *, archived: bool = False, compressed: bool = False
) -> Placed:
    staging = Offloads(root).stage()
    with Source.open(str(path)) as source:
        lines = list(source.lines())
        for line in lines:
            if not archived and (line == DROPPED or len(line) > LONG):
                add(staging, line[:-1])
        made = Transaction(source, len(lines), staging, root, archived=archived)
        kept = Kept(0o640, 5 * 10**9, compressed)
        return made.to_file(output, partial(write, lines), kept, format="test", mode="chain")


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
    written = output.read_bytes()
    inside = ZstdDecompressor().decompressobj().decompress(written) if compressed else written
    assert inside == LARGE.replace(DROPPED, b"").replace(
        record(2, LONG)[:-1], shorten(record(2, LONG)[:-1])
    )
    assert (placed.content.bytes, placed.carried) == (len(inside), 0)
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
        file.write(record(5, LONG))
    second = compact(tmp_path, path, path)
    assert Receipt.open(second.receipt).previous == first.receipt.name
    assert bring_back(tmp_path, path)[0] == LARGE + record(5, LONG)


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
