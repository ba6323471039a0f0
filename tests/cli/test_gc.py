"""`ctxcompact store gc`: what a transcript needs stays, straight or through something kept."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.api.files import listing
from tests.cli.command import call
from tests.cli.transcripts import line, rounds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MICRO = ("--mode", "micro", "--keep-recent", "0", "--counter", "chars4")
CHAIN = (
    *("--force", "--target", "300", "--last-keep", "0", "--counter", "chars4"),
    *("--min-compression-tokens", "10", "--large-payload-chars", "1000"),
)
LONG_AGO = 1_000_000_000


def compact(path: Path, *how: str) -> None:
    assert call("compact", "-i", path, *how).code in {0, 3}


def gc(*arguments: str | Path) -> dict[str, list[str]]:
    said = call("store", "gc", "--json", *arguments)
    assert said.code == 0, said.err
    assert call("store", "verify").code == 0
    rows = said.json["removed"]
    return {
        kind: [x["path"] for x in rows if x["kind"] == kind]
        for kind in ("pack", "receipt", "archive")
    }


def kept(here: Path) -> set[str]:
    return {path.name for path in here.glob(".*/*_*") if path.suffix == ".jsonl"} | {
        path.name for path in here.glob(".offload/pack-*.jsonl")
    }


@pytest.mark.parametrize("how", [MICRO, (*MICRO, "--no-micro-tag"), CHAIN, ("--mode", "manual")])
def test_what_an_output_needs_stays(talk: Path, here: Path, how: tuple[str, ...]) -> None:
    before = talk.read_bytes()
    compact(talk, *how)
    stands = listing(here)
    assert not any(gc().values())
    assert listing(here) == stands
    call("restore", "-i", talk)
    assert talk.read_bytes() == before


def test_what_nothing_refers_to_goes(talk: Path, here: Path) -> None:
    compact(talk, *MICRO)
    call("restore", "-i", talk)
    gone = gc()
    assert (len(gone["pack"]), len(gone["receipt"])) == (1, 1)
    assert set(listing(here)) <= {"talk.jsonl", ".transcripts", ".transcripts/.gitignore"}


def test_an_output_that_is_gone_needs_nothing(talk: Path, here: Path) -> None:
    compact(talk, "--mode", "manual")
    talk.unlink()
    assert len(gc()["archive"]) == 1
    assert kept(here) == set()


def test_a_dry_run_says_the_same_and_removes_nothing(talk: Path, here: Path) -> None:
    compact(talk, *MICRO)
    talk.unlink()
    before = listing(here)
    said = gc("--dry-run")
    assert listing(here) == before
    assert "would go" in call("store", "gc", "--dry-run").text
    assert gc() == said


def test_a_chain_of_compactions_is_kept_whole(here: Path) -> None:
    """Originals that are behind originals, and receipts behind receipts."""
    path = here / "talk.jsonl"
    first = rounds(4)
    path.write_bytes(first)
    compact(path, *MICRO)
    path.write_bytes(path.read_bytes() + rounds(3, said="more"))
    compact(path, *CHAIN)
    path.write_bytes(path.read_bytes() + rounds(2, said="still more"))
    compact(path, "--mode", "manual", "--counter", "chars4")
    stands = kept(here)
    assert len([name for name in stands if name.startswith("receipt")]) == 3
    assert not any(gc().values())
    call("restore", "-i", path)
    assert path.read_bytes() == first + rounds(3, said="more") + rounds(2, said="still more")


def test_of_two_transcripts_the_one_that_is_gone_takes_its_own_along(here: Path) -> None:
    for name, chars in (("one", 6000), ("two", 8000)):
        (here / f"{name}.jsonl").write_bytes(rounds(3, tool=name, chars=chars))
        compact(here / f"{name}.jsonl", *MICRO)
    (here / "one.jsonl").unlink()
    gone = gc()
    assert (len(gone["pack"]), len(gone["receipt"])) == (1, 1)
    call("restore", "-i", "two.jsonl")
    assert (here / "two.jsonl").read_bytes() == rounds(3, tool="two")


@pytest.mark.parametrize("given", ["away/moved.jsonl", "away", "."])
def test_a_transcript_that_was_moved_is_named(talk: Path, here: Path, given: str) -> None:
    compact(talk, *MICRO)
    (here / "away").mkdir()
    shutil.move(talk, here / "away" / "moved.jsonl")
    assert not any(gc(given).values())
    assert len(gc()["pack"]) == 1


def test_an_edited_transcript_keeps_what_its_marks_stand_for(talk: Path) -> None:
    compact(talk, *MICRO)
    talk.write_bytes(line("user", "put in front") + talk.read_bytes())
    assert not any(gc().values())


def test_what_went_to_a_stream_stays_until_its_age_is_named(talk: Path, here: Path) -> None:
    call("compact", talk, *MICRO)
    assert not any(gc().values())
    assert not any(gc("--older-than", "1").values())
    for path in here.rglob(".*/*"):
        os.utime(path, (LONG_AGO, LONG_AGO))
    assert len(gc("--older-than", "1")["pack"]) == 1


def test_what_is_young_stays_with_all_it_needs(talk: Path, here: Path) -> None:
    compact(talk, *MICRO)
    talk.unlink()
    [pack] = here.glob(".offload/pack-*.jsonl")
    os.utime(pack, (LONG_AGO, LONG_AGO))
    assert not any(gc("--older-than", "1").values())
    assert len(gc("--older-than", "0")["pack"]) == 1


@pytest.mark.parametrize("name", ["nowhere.jsonl", "no/where"])
def test_a_transcript_that_is_not_there_stops_it(talk: Path, here: Path, name: str) -> None:
    compact(talk, *MICRO)
    talk.unlink()
    before = listing(here)
    said = call("store", "gc", name)
    assert said.code == 1
    assert f"cannot read {name}" in said.err
    assert listing(here) == before


def test_a_damaged_receipt_stops_it(talk: Path, here: Path) -> None:
    """It alone may know which transcript needs what."""
    compact(talk, *MICRO)
    talk.unlink()
    [receipt] = here.glob(".transcripts/receipt_*")
    receipt.write_bytes(receipt.read_bytes()[:-30])
    before = listing(here)
    said = call("store", "gc")
    assert said.code == 1
    assert receipt.name in said.err
    assert listing(here) == before


def test_an_end_in_the_middle_leaves_a_sound_store(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = here / "talk.jsonl"
    real = os.unlink
    for number in range(20):
        path.write_bytes(rounds(3))
        compact(path, *MICRO)
        compact(path, "--mode", "manual", "--counter", "chars4")
        path.unlink()
        left = iter(range(number))

        def unlink(*arguments: Any, left: Iterator[int] = left, **more: Any) -> None:
            if next(left, None) is None:
                raise KeyboardInterrupt
            real(*arguments, **more)

        with monkeypatch.context() as patch:
            patch.setattr(os, "unlink", unlink)
            code = call("store", "gc").code
        assert call("store", "verify").code == 0
        if code == 0:
            break
        assert code == 130
    assert number > 4


def test_a_root_without_a_store_is_left_alone(here: Path) -> None:
    assert not any(gc().values())
    assert list(here.iterdir()) == []


def test_strangers_in_the_stores_stay(talk: Path, here: Path) -> None:
    compact(talk, *MICRO)
    talk.unlink()
    mine = here / ".transcripts" / "notes.txt"
    mine.write_bytes(b"mine")
    link = here / ".offload" / "pack-0123456789abcdef.jsonl"
    link.symlink_to(mine)
    gc()
    assert mine.read_bytes() == b"mine"
    assert link.is_symlink()
