from __future__ import annotations

import hashlib
import json
import os
import zlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.journal import Counted, Deed, Journal, Size
from ctxcompact.errors import IdNotFound, StoreError, UsageError
from ctxcompact.stores.receipt_file import called
from ctxcompact.stores.receipts import (
    Content,
    Receipt,
    ReceiptWriter,
    Tally,
    list_receipts,
    read_log,
    read_receipts,
    runs_by_pack,
)
from tests.stores.runs import id_of, listing

if TYPE_CHECKING:
    from pathlib import Path

INPUT = Content(99, 3, hashlib.sha256(b"in").hexdigest())
OUTPUT = b"first\nsecond\nthird"
ID = id_of(b"original")
RUN = Journal(
    input="s.jsonl",
    counter=Counted("chars4", exact=False, error_pct=57.0),
    before=Size(3, 25),
    after=Size(3, 5),
    target=None,
    archive=None,
    deeds=(Deed("micro", "micro", 1, 1, "2", 20),),
    pack="pack-0.jsonl",
)


def tally(data: bytes) -> Tally:
    counted = Tally()
    counted.add(data)
    return counted


def write(root: Path, path: str = "t.jsonl", run: Journal | None = None) -> Path:
    writer = ReceiptWriter(root)
    writer.hunk(6, 12, ID)
    writer.hunk(14, 15, [ID, ID])
    writer.hunk(15, 15, [])
    return writer.commit(
        format="test",
        path=path,
        mode="chain",
        input=INPUT,
        output=tally(OUTPUT),
        previous="p",
        run=run,
    )


@given(
    data=st.lists(st.sampled_from([b"\n", b"a", b"bcd"]), max_size=20).map(b"".join),
    cuts=st.lists(st.integers(0, 30), max_size=5).map(sorted),
)
def test_a_tally_does_not_depend_on_the_pieces(data: bytes, cuts: list[int]) -> None:
    counted = Tally()
    for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True):
        counted.add(data[start:stop])
    counted.add(data[max([0, *cuts]) : 0])
    lines = data.splitlines(keepends=True)
    assert counted.content() == Content(len(data), len(lines), hashlib.sha256(data).hexdigest())
    assert list(counted.crcs) == [zlib.crc32(line) for line in lines]
    starts = [sum(map(len, lines[:number])) for number in range(len(lines))]
    assert list(counted.starts) == starts


def test_a_tally_knows_the_line_of_a_byte() -> None:
    counted = tally(OUTPUT)
    assert [counted.line_at(offset) for offset in (0, 5, 6, 12, 13, 17)] == [1, 1, 2, 2, 3, 3]


def test_a_receipt_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = write(tmp_path)
    receipt = Receipt.open(path)
    digest = hashlib.sha256(OUTPUT).hexdigest()
    assert path.name == f"receipt_{digest[:16]}_{INPUT.sha256[:16]}.jsonl"
    assert (receipt.format, receipt.mode, receipt.previous) == ("test", "chain", "p")
    assert receipt.paths == ("t.jsonl",)
    assert (receipt.input, receipt.output) == (INPUT, Content(18, 3, digest))
    body = receipt.read()
    assert body.hunks == ((6, 12, (ID,)), (14, 15, (ID, ID)), (15, 15, ()))
    assert list(body.crcs) == [zlib.crc32(line) for line in OUTPUT.splitlines(keepends=True)]
    assert list(body.changed) == [2, 3]


def test_a_receipt_is_jsonl_with_the_spans_in_the_middle(tmp_path: Path) -> None:
    first, *spans, last = map(json.loads, write(tmp_path).read_bytes().splitlines())
    assert list(first) == [
        "ctxcompact",
        "receipt",
        "format",
        "path",
        "mode",
        "input",
        "output",
        "previous",
    ]
    assert spans == [[6, 12, ID], [14, 15, [ID, ID]], [15, 15, []]]
    assert list(last) == ["lines", "changed", "sha256"]


def test_what_the_run_did_stands_in_the_first_row(tmp_path: Path) -> None:
    without = write(tmp_path).read_bytes().splitlines()
    path = write(tmp_path, run=RUN)
    assert Receipt.open(path).run == RUN
    first, *spans, _ = path.read_bytes().splitlines()
    told = json.loads(first)
    del told["run"]
    assert (told, spans) == (json.loads(without[0]), without[1:-1])


@pytest.mark.parametrize("odd", [b"7", b"[]", b"null", b'{"input":1}', b'"x"'])
def test_a_receipt_that_tells_nothing_of_its_run_leads_back_all_the_same(
    tmp_path: Path, odd: bytes
) -> None:
    """It was written before there was anything to tell, or by a version that tells it otherwise."""
    path = write(tmp_path)
    first, *spans, last = path.read_bytes().splitlines(keepends=True)
    rows = b"".join([first.replace(b',"previous"', b',"run":' + odd + b',"previous"'), *spans])
    old = json.loads(last)["sha256"].encode()
    path.write_bytes(rows + last.replace(old, hashlib.sha256(rows).hexdigest().encode()))
    assert Receipt.open(path).run is None
    assert len(Receipt.open(path).read().hunks) == 3
    assert [one.receipt is None for one in read_log(tmp_path)] == [False]


def test_damage_to_what_a_receipt_tells_is_noticed(tmp_path: Path) -> None:
    path = write(tmp_path, run=RUN)
    path.write_bytes(path.read_bytes().replace(b'"tokens_saved":20', b'"tokens_saved":90'))
    with pytest.raises(StoreError, match="damaged"):
        Receipt.open(path).read()
    assert [one.receipt for one in read_log(tmp_path)] == [None]


def test_the_same_run_again_does_not_forget_the_pack_of_the_first(tmp_path: Path) -> None:
    path = write(tmp_path, run=RUN)
    before = path.read_bytes()
    write(tmp_path, run=RUN._replace(pack=None))
    assert path.read_bytes() == before
    assert runs_by_pack(tmp_path) == {"pack-0.jsonl": path.name}


def test_runs_are_listed_the_newest_first(tmp_path: Path) -> None:
    path = write(tmp_path)
    writer = ReceiptWriter(tmp_path)
    other = writer.commit(format="t", path="-", mode="micro", input=INPUT, output=tally(b"x"))
    for when, newest, oldest in ((5, path, other), (9, other, path)):
        os.utime(other, ns=(when, when))
        os.utime(path, ns=(7, 7))
        assert [one.name for one in read_log(tmp_path)] == [newest.name, oldest.name]
    assert read_log(tmp_path)[0].when_ns == 9
    assert read_log(tmp_path / "nowhere") == []


def test_a_receipt_is_called_by_its_name_or_its_path(tmp_path: Path) -> None:
    path = write(tmp_path)
    receipts = read_receipts([tmp_path])
    for text in (path.name, str(path), f".transcripts/{path.name}"):
        assert [one.path for one in called(text, receipts)] == [path]


@pytest.mark.parametrize("text", ["", "x", "receipt_x.jsonl", "/", "\n", "é" * 500])
def test_what_is_no_name_of_a_receipt_is_refused_in_short(text: str) -> None:
    with pytest.raises(UsageError, match="is no name of a receipt") as raised:
        called(text, [])
    assert len(raised.value.message) < 100
    assert "store log" in raised.value.hint


def test_a_receipt_that_is_not_here_is_said_to_be_missing(tmp_path: Path) -> None:
    name = write(tmp_path).name
    with pytest.raises(IdNotFound, match=name):
        called(name, [])


def test_nothing_is_on_disk_before_the_commit(tmp_path: Path) -> None:
    writer = ReceiptWriter(tmp_path)
    writer.hunk(0, 1, ID)
    assert not list(tmp_path.iterdir())
    writer.discard()
    writer.undo()
    assert not list(tmp_path.iterdir())


def test_many_spans_do_not_stay_in_memory_alone(tmp_path: Path) -> None:
    writer = ReceiptWriter(tmp_path)
    for number in range(30_000):
        writer.hunk(number, number + 1, ID)
    counted = tally(b"x\n" * 15_000)
    path = writer.commit(format="t", path="-", mode="micro", input=INPUT, output=counted)
    body = Receipt.open(path).read()
    assert [hunk.start for hunk in body.hunks] == list(range(30_000))
    assert list(body.changed) == list(range(1, 15_001))


@pytest.mark.parametrize("span", [(5, 7), (9, 8), (3, 3)])
def test_spans_come_in_order(tmp_path: Path, span: tuple[int, int]) -> None:
    writer = ReceiptWriter(tmp_path)
    writer.hunk(2, 6, ID)
    with pytest.raises(ValueError, match="span"):
        writer.hunk(*span, ID)
    writer.discard()


def test_an_undone_receipt_leaves_no_trace(tmp_path: Path) -> None:
    writer = ReceiptWriter(tmp_path)
    writer.commit(format="t", path="-", mode="micro", input=INPUT, output=tally(OUTPUT))
    writer.undo()
    assert not list(tmp_path.iterdir())


def test_the_same_run_elsewhere_adds_its_path_and_its_undoing_takes_nothing(
    tmp_path: Path,
) -> None:
    path = write(tmp_path, "one.jsonl")
    writer = ReceiptWriter(tmp_path)
    again = writer.commit(
        format="t", path="two.jsonl", mode="chain", input=INPUT, output=tally(OUTPUT)
    )
    assert again == path
    assert Receipt.open(path).paths == ("two.jsonl", "one.jsonl")
    writer.undo()
    assert Receipt.open(path).paths == ("two.jsonl", "one.jsonl")
    write(tmp_path, "one.jsonl")
    assert Receipt.open(path).paths == ("one.jsonl", "two.jsonl")


def test_the_same_run_at_the_same_place_changes_no_byte(tmp_path: Path) -> None:
    write(tmp_path)
    before = listing(tmp_path)
    write(tmp_path)
    assert listing(tmp_path) == before


def test_a_damaged_receipt_is_written_anew(tmp_path: Path) -> None:
    path = write(tmp_path)
    before = path.read_bytes()
    path.write_bytes(b"x")
    write(tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("at", [0, 20, 300, 430, -3])
def test_any_damage_is_noticed(tmp_path: Path, at: int) -> None:
    path = write(tmp_path)
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    with pytest.raises(StoreError, match="damaged") as raised:
        Receipt.open(path).read()
    assert raised.value.hint


HUGE = b'{"receipt":1,"format":"t","path":"t","mode":"m","input":{"bytes":1e999}}\n'


@pytest.mark.parametrize("data", [b"", b"[]\n", b"{}\n", b'{"receipt":2}\n', b"[" * 100_000, HUGE])
def test_what_is_no_receipt_is_left_out(tmp_path: Path, data: bytes) -> None:
    path = write(tmp_path)
    other = path.with_name("receipt_0000000000000000_0000000000000000.jsonl")
    other.write_bytes(data)
    (path.parent / "transcript_0000000000000000.jsonl").write_bytes(path.read_bytes())
    (path.parent / "receipt_1111111111111111_0000000000000000.jsonl").symlink_to(path)
    assert list_receipts(tmp_path) == [other, path]
    assert [receipt.path for receipt in read_receipts([tmp_path, tmp_path / "x"])] == [path]
