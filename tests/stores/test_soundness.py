from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ctxcompact.stores.archive import archive
from ctxcompact.stores.offloads import Offloads
from ctxcompact.stores.soundness import verify
from ctxcompact.stores.source import Source
from tests.stores.runs import compact

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a root that has one of everything."""
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"text":"%s"}\n' % (b"word " * 40))
    with Source.open(str(path)) as source:
        archive(tmp_path, source)
    compact(tmp_path, path, tmp_path / "out.jsonl")
    return tmp_path


def change(pattern: str, old: bytes, new: bytes) -> Callable[[Path], None]:
    def apply(root: Path) -> None:
        [path] = root.glob(pattern)
        assert old in path.read_bytes()
        path.write_bytes(path.read_bytes().replace(old, new))

    return apply


def remove_packs(root: Path) -> None:
    for path in root.glob(".offload/pack-*"):
        path.unlink()


def test_a_store_is_sound_when_written(root: Path) -> None:
    assert verify(Offloads(root)) == []


def test_where_there_is_no_store_nothing_is_wrong(tmp_path: Path) -> None:
    assert verify(Offloads(tmp_path)) == []


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        pytest.param(
            change(".offload/*.jsonl", b"word word", b"word w0rd"), "damaged_original", id="data"
        ),
        pytest.param(change(".offload/*.jsonl", b"Bash", b"Cash"), "incomplete_pack", id="head"),
        pytest.param(change(".offload/*.jsonl", b"}\n", b"}"), "damaged_original", id="torn row"),
        pytest.param(
            change(".transcripts/receipt*", b"chain", b"chaim"), "damaged_receipt", id="receipt"
        ),
        pytest.param(
            change(".transcripts/transcript*", b"word", b"w0rd"), "damaged_archive", id="archive"
        ),
        pytest.param(remove_packs, "dangling_id", id="pack removed"),
    ],
)
def test_damage_is_found_and_named(root: Path, spoil: Callable[[Path], None], code: str) -> None:
    spoil(root)
    finding, *more = verify(Offloads(root))
    assert finding.code == code
    assert finding.message
    assert str(root) in finding.path
    assert {other.code for other in more} <= {"dangling_id"}


def test_a_damaged_receipt_hides_nothing_of_the_others(root: Path) -> None:
    (root / ".transcripts" / f"receipt_{'0' * 16}_{'0' * 16}.jsonl").write_bytes(b"{}")
    remove_packs(root)
    damaged, dangling = verify(Offloads(root))
    assert (damaged.code, damaged.line) == ("damaged_receipt", None)
    assert (dangling.code, dangling.line) == ("dangling_id", 2)


def test_leftovers_and_strangers_are_no_findings(root: Path) -> None:
    (root / ".offload" / ".ctxcompact-0123456789abcdef.tmp").write_bytes(b"half a pa")
    (root / ".transcripts" / "notes.txt").write_bytes(b"mine")
    (root / ".transcripts" / "transcript_notes.jsonl").write_bytes(b"mine")
    for index in root.glob(".offload/*.idx"):
        index.write_bytes(b"garbage")
    assert verify(Offloads(root)) == []
