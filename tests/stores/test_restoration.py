from __future__ import annotations

import hashlib
import io
import os
import shutil
from pathlib import Path

import pytest

from ctxcompact.errors import RestoreError
from ctxcompact.stores.lock import locked
from ctxcompact.stores.offloads import Offloads
from ctxcompact.stores.receipts import (
    Content,
    Receipt,
    ReceiptWriter,
    Tally,
    read_receipts,
    restore,
)
from ctxcompact.stores.restoration import fitting
from ctxcompact.stores.source import Source
from tests.stores.runs import add, append, bring_back, compact, listing, record


def refuse(data: bytes) -> None:
    pytest.fail(f"{data!r} was written")


ORIGINAL = b"".join(record(number, 30 * (number % 2)) for number in range(6))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Make a transcript and compact it in place."""
    path = tmp_path / "t.jsonl"
    path.write_bytes(ORIGINAL)
    compact(tmp_path, path, path)
    assert len(path.read_bytes()) < len(ORIGINAL)
    return path


def test_the_transcript_comes_back_byte_for_byte(path: Path, tmp_path: Path) -> None:
    data, done = bring_back(tmp_path, path)
    assert data == ORIGINAL
    assert (len(done.receipts), done.bytes) == (1, len(ORIGINAL))


def test_lines_appended_since_stay_after_the_restored_ones(path: Path, tmp_path: Path) -> None:
    append(path, b"late 1\nlate 2, torn")
    assert bring_back(tmp_path, path)[0] == ORIGINAL + b"late 1\nlate 2, torn"


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n", b"\n\n"], ids=repr)
def test_the_end_of_the_file_is_as_it_was(tmp_path: Path, ending: bytes) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(record(1, 30).replace(b"\n", b"\r\n") + record(3, 40).strip() + ending)
    before = path.read_bytes()
    compact(tmp_path, path, path)
    assert bring_back(tmp_path, path)[0] == before


def test_a_chain_of_five_compactions_comes_back(path: Path, tmp_path: Path) -> None:
    expected = ORIGINAL
    for number in range(10, 14):
        more = record(number, 40) + record(number)
        append(path, more)
        expected += more
        compact(tmp_path, path, path)
    append(path, b"late\n")
    data, done = bring_back(tmp_path, path)
    assert data == expected + b"late\n"
    assert len(set(done.receipts)) == 5


def test_an_earlier_line_compacted_later_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(record(1, 15) + record(2, 40) + record(3, 15))
    before = path.read_bytes()
    compact(tmp_path, path, path, longer_than=150)
    compact(tmp_path, path, path, longer_than=50)
    data, done = bring_back(tmp_path, path)
    assert data == before
    assert len(done.receipts) == 2


@pytest.mark.parametrize("stores", [True, False], ids=["with a store", "without a store"])
def test_a_transcript_that_was_never_compacted_is_given_as_it_is(
    path: Path, tmp_path: Path, *, stores: bool
) -> None:
    other = path.with_name("other.jsonl")
    other.write_bytes(ORIGINAL if stores else b"")
    data, done = bring_back(tmp_path if stores else tmp_path / "x", other)
    assert data == other.read_bytes()
    assert done == ((), other.stat().st_size, 0, other.stat().st_size)


@pytest.mark.parametrize(
    ("outputs", "fit"),
    [
        pytest.param([b""], [], id="nothing is no beginning"),
        pytest.param([b"", b"a"], [1], id="a single byte is one"),
        pytest.param([b"a", b"abc", b"abc", b"ab"], [3, 3], id="the longest"),
        pytest.param([b"abX", b"abcde"], [], id="other bytes, or more of them"),
    ],
)
def test_a_receipt_fits_if_its_output_is_how_the_transcript_begins(
    outputs: list[bytes], fit: list[int]
) -> None:
    receipts = [
        Receipt(
            path=Path("receipt"),
            format="test",
            paths=("t",),
            mode="chain",
            input=Content(0, 0, ""),
            output=Content(len(data), 1, hashlib.sha256(data).hexdigest()),
            previous=None,
        )
        for data in outputs
    ]
    with Source.spool(io.BytesIO(b"abcd")) as source:
        assert [one.output.bytes for one in fitting(source, receipts)] == fit


def test_a_moved_transcript_comes_back(path: Path, tmp_path: Path) -> None:
    moved = path.rename(tmp_path / "moved.jsonl")
    assert bring_back(tmp_path, moved)[0] == ORIGINAL


def write_receipt(root: Path, path: str, given: bytes, output: bytes) -> str:
    """Say that one line of output stands for all of the input."""
    staging, writer, counted = Offloads(root).stage(), ReceiptWriter(root), Tally()
    ids = [add(staging, line) for line in given.split(b"\n")]
    counted.add(output)
    writer.hunk(0, len(output), ids)
    content = Content(len(given), given.count(b"\n"), hashlib.sha256(given).hexdigest())
    with locked(root):
        staging.commit()
        return writer.commit(
            format="test", path=path, mode="chain", input=content, output=counted
        ).name


def test_several_records_that_became_one_come_back(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"summary\nlate\n")
    write_receipt(tmp_path, "t.jsonl", b"one\n\r\n{three}\n", b"summary\n")
    assert bring_back(tmp_path, path)[0] == b"one\n\r\n{three}\nlate\n"


def test_of_two_inputs_the_one_compacted_here_comes_back(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_bytes(b"summary\n")
        write_receipt(tmp_path, name, b"input of " + name.encode(), b"summary\n")
    for name in ("a.jsonl", "b.jsonl"):
        assert bring_back(tmp_path, tmp_path / name)[0] == b"input of " + name.encode()


def test_of_two_inputs_one_must_be_chosen_if_the_path_does_not_tell(tmp_path: Path) -> None:
    names = [
        write_receipt(tmp_path, path, b"input of " + path.encode(), b"summary\n")
        for path in ("-", str(tmp_path / "b.jsonl"))
    ]
    path = tmp_path / "c.jsonl"
    path.write_bytes(b"summary\nlate\n")
    with pytest.raises(RestoreError, match="several transcripts") as raised:
        bring_back(tmp_path, path)
    assert all(name in raised.value.message for name in names)
    assert "--receipt" in raised.value.hint
    assert bring_back(tmp_path, path, receipt=names[0])[0] == b"input of -\nlate\n"


def test_a_stream_has_no_path_to_choose_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path in ("-", "b.jsonl"):
        write_receipt(tmp_path, path, b"input of " + path.encode(), b"summary\n")
    receipts, offloads = read_receipts([tmp_path]), Offloads(tmp_path)
    with (
        Source.spool(io.BytesIO(b"summary\n")) as source,
        pytest.raises(RestoreError, match="several transcripts"),
    ):
        restore(source, receipts, offloads, refuse)


def test_the_newest_of_two_equal_receipts_serves_and_roots_may_be_many(
    path: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(tmp_path / ".transcripts", other / ".transcripts")
    for receipt in (other / ".transcripts").glob("receipt_*"):
        os.utime(receipt, (2**31, 2**31))
    with Source.open(str(path)) as source:
        first, second = fitting(source, read_receipts([tmp_path, other]))
    assert first.name == second.name
    assert bring_back(tmp_path, path)[0] == ORIGINAL


def test_restoring_writes_nothing_beside_the_transcript(path: Path, tmp_path: Path) -> None:
    before = listing(tmp_path)
    bring_back(tmp_path, path)
    assert listing(tmp_path) == before
