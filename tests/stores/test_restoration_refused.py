"""When a transcript is not brought back: it was edited, or something is damaged or gone."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ctxcompact.errors import IdNotFound, OriginalDamaged, RestoreError, StoreError
from ctxcompact.stores.offloads import Offloads
from ctxcompact.stores.receipts import (
    Content,
    ReceiptWriter,
    Tally,
    list_receipts,
    read_receipts,
    restore,
)
from ctxcompact.stores.source import Source
from tests.stores.runs import append, bring_back, compact, record

if TYPE_CHECKING:
    from collections.abc import Callable

ORIGINAL = b"".join(record(number, 30 * (number % 2)) for number in range(6))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Make a transcript and compact it in place."""
    path = tmp_path / "t.jsonl"
    path.write_bytes(ORIGINAL)
    compact(tmp_path, path, path)
    return path


def refuse(data: bytes) -> None:
    pytest.fail(f"{data!r} was written")


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        pytest.param(b'"n":0', b'"n":7', 1, id="a line before the compacted ones"),
        pytest.param(b"context_offload", b"context-offload", 2, id="the first compacted line"),
        pytest.param(b'"n":2', b'"n":7', 3, id="a line between"),
        pytest.param(record(0), b"", 1, id="a line removed"),
        pytest.param(record(2), record(2) + b"new\n", 4, id="a line put in"),
    ],
)
def test_an_edit_in_the_compacted_part_is_refused_and_named(
    path: Path, tmp_path: Path, old: bytes, new: bytes, line: int
) -> None:
    before = path.read_bytes()
    path.write_bytes(before.replace(old, new, 1))
    assert path.read_bytes() != before
    append(path, b"late\n")
    with pytest.raises(RestoreError, match=f"line {line} ") as raised:
        bring_back(tmp_path, path)
    assert raised.value.line == line
    assert raised.value.path == str(path)
    assert raised.value.hint


def test_a_transcript_cut_short_is_refused(path: Path, tmp_path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    with pytest.raises(RestoreError) as raised:
        bring_back(tmp_path, path)
    assert raised.value.line == 4


def test_a_line_like_one_that_a_run_wrote_makes_no_transcript_its_output(
    path: Path, tmp_path: Path
) -> None:
    """A session copied from a compacted one, or a quote of it, may hold such lines."""
    changed = [line for line in path.read_bytes().splitlines(keepends=True) if b"offload" in line]
    assert len(changed) == 3
    other = tmp_path / "other.jsonl"
    given = record(30) + changed[0] + record(31, 40)
    other.write_bytes(given)
    assert bring_back(tmp_path, other)[0] == given
    compact(tmp_path, other, other)
    assert other.read_bytes() != given
    assert bring_back(tmp_path, other)[0] == given


def test_the_nearest_receipt_names_the_edited_line(path: Path, tmp_path: Path) -> None:
    append(path, record(20, 40) + record(21) + record(22, 40))
    compact(tmp_path, path, path)
    path.write_bytes(path.read_bytes().replace(b'"n":21', b'"n":12'))
    with pytest.raises(RestoreError) as raised:
        bring_back(tmp_path, path)
    assert raised.value.line == 8


def test_an_edit_between_two_compactions_is_refused_but_one_step_may_be_undone(
    path: Path, tmp_path: Path
) -> None:
    edited = path.read_bytes().replace(b'"n":0', b'"n":7')
    path.write_bytes(edited + record(20, 40))
    compact(tmp_path, path, path)
    with pytest.raises(
        RestoreError, match=r"not as written \(with 1 compaction undone\)"
    ) as raised:
        bring_back(tmp_path, path)
    assert raised.value.line == 1
    [newest] = {part for part in raised.value.hint.split() if part.startswith("receipt_")} - {
        receipt.name
        for receipt in read_receipts([tmp_path])
        if receipt.input.bytes == len(ORIGINAL)
    }
    assert bring_back(tmp_path, path, receipt=newest)[0] == edited + record(20, 40)


def test_a_receipt_that_does_not_fit_is_refused(path: Path, tmp_path: Path) -> None:
    [receipt] = read_receipts([tmp_path])
    path.write_bytes(ORIGINAL)
    with pytest.raises(RestoreError, match=receipt.name):
        bring_back(tmp_path, path, receipt=receipt.name)


def damage(path: Path) -> None:
    path.write_bytes(b"{}")


@pytest.mark.parametrize("spoil", [Path.unlink, damage], ids=["missing", "damaged"])
def test_a_gap_in_the_chain_is_refused_but_one_step_may_be_undone(
    path: Path, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    """Never is a transcript restored in part and said to be whole."""
    once = path.read_bytes()
    [first] = list_receipts(tmp_path)
    append(path, record(9, words=40))
    compact(tmp_path, path, path)
    [second] = set(list_receipts(tmp_path)) - {first}
    spoil(first)
    with pytest.raises(RestoreError, match=f"{first.name}.* is missing or damaged"):
        bring_back(tmp_path, path)
    assert bring_back(tmp_path, path, receipt=second.name)[0] == once + record(9, words=40)


def test_a_receipt_that_the_disk_does_not_give_is_said(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("ctxcompact.stores.receipt_file.open_inside", fail)
    with pytest.raises(StoreError, match="the disk failed"):
        bring_back(tmp_path, path)


def test_nothing_is_written_if_an_original_is_damaged(path: Path, tmp_path: Path) -> None:
    for pack in (tmp_path / ".offload").glob("pack-*.jsonl"):
        pack.write_bytes(pack.read_bytes().replace(b"word", b"wOrd"))
    receipts, offloads = read_receipts([tmp_path]), Offloads(tmp_path)
    with Source.open(str(path)) as source, pytest.raises(OriginalDamaged):
        restore(source, receipts, offloads, refuse)


def test_nothing_is_written_if_an_original_is_gone(path: Path, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / ".offload")
    with pytest.raises(IdNotFound):
        bring_back(tmp_path, path)


def test_a_receipt_that_says_otherwise_than_the_originals_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"summary\n")
    counted, writer = Tally(), ReceiptWriter(tmp_path)
    counted.add(b"summary\n")
    writer.hunk(0, 3, [])
    content = Content(5, 1, hashlib.sha256(b"other").hexdigest())
    writer.commit(format="t", path="t.jsonl", mode="chain", input=content, output=counted)
    with pytest.raises(RestoreError, match="do not give back its input"):
        bring_back(tmp_path, path)
