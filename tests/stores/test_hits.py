"""Which originals a search finds, in which order, and what it says of those it cannot read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ctxcompact.errors import StoreError
from ctxcompact.stores.hits import search
from ctxcompact.stores.offloads import Offloads
from ctxcompact.stores.packs import SPAN
from tests.stores.runs import add, commit, id_of, keep, keep_span, listing

LATE_NS = 2_000_000_000 * 10**9
UNKNOWN = "c0ffee00-0000-4000-8000-000000000000"


class Words:
    """Looks for a word in the bytes, and notes what it was shown."""

    def __init__(self, word: bytes = b"tide") -> None:
        self.word = word
        self.shown: list[tuple[str, tuple[str | int, ...], bytes]] = []

    def __call__(
        self, form: str, path: tuple[str | int, ...], data: bytes
    ) -> tuple[int, str] | None:
        self.shown.append((form, path, data))
        count = data.count(self.word)
        return (count, data.decode("utf-8", "replace")) if count else None


def found(root: Path, *also: Path, limit: int | None = None) -> list[str]:
    done = search(Offloads(root, also), Words(), limit=limit)
    assert done.damaged == []
    return [hit.head.id for hit in done.hits]


def keep_lines(root: Path, *rows: tuple[int, bytes]) -> Path:
    """Keep originals with their lines in one pack; return the pack."""
    staging = Offloads(root).stage()
    for line, data in rows:
        add(staging, data, line=line)
    pack = commit(root, staging)
    assert pack is not None
    return pack.path


def age(pack: Path, seconds: int) -> None:
    os.utime(pack, ns=(LATE_NS - seconds * 10**9,) * 2)


def spoil(pack: Path, old: bytes, new: bytes) -> None:
    data = pack.read_bytes()
    assert old in data
    pack.write_bytes(data.replace(old, new))


def test_a_hit_says_where_it_was_and_how_often(tmp_path: Path) -> None:
    pack = keep_lines(tmp_path, (7, b"tide and tide"), (9, b"none"))
    [hit] = search(Offloads(tmp_path), Words()).hits
    assert (hit.head.id, hit.head.line, hit.head.tool) == (id_of(b"tide and tide"), 7, "Bash")
    assert (hit.pack, hit.matches, hit.snippet) == (str(pack), 2, "tide and tide")


def test_the_newest_pack_comes_first_and_in_it_the_last_line(tmp_path: Path) -> None:
    old = keep_lines(tmp_path, (8, b"tide 8"), (9, b"tide 9"))
    new = keep_lines(tmp_path, (3, b"tide 3"), (5, b"tide 5"), (4, b"tide 4"), (5, b"tide 5b"))
    age(old, 60)
    age(new, 10)
    wanted = [b"tide 5b", b"tide 5", b"tide 4", b"tide 3", b"tide 9", b"tide 8"]
    assert found(tmp_path) == [id_of(data) for data in wanted]


def test_packs_of_one_time_are_ordered_by_name(tmp_path: Path) -> None:
    packs = [keep_lines(tmp_path, (1, b"tide %d" % n)) for n in range(4)]
    for pack in packs:
        age(pack, 0)
    ids = {pack.name: id_of(b"tide %d" % n) for n, pack in enumerate(packs)}
    assert found(tmp_path) == [ids[name] for name in sorted(ids)]


def test_an_id_in_two_packs_is_found_once_in_the_newest(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for root, seconds in ((here, 60), (there, 0)):
        root.mkdir()
        age(keep_lines(root, (1, b"tide")), seconds)
    done = search(Offloads(here, [there]), Words())
    assert [Path(hit.pack).is_relative_to(there) for hit in done.hits] == [True]


def test_an_id_that_shares_its_record_is_looked_through_as_well(tmp_path: Path) -> None:
    staging = Offloads(tmp_path).stage()
    ids = [add(staging, b"tide", id_=one) for one in (UNKNOWN, id_of(b"other"))]
    commit(tmp_path, staging)
    assert sorted(found(tmp_path)) == sorted(ids)


def test_a_stretch_is_found_by_its_records(tmp_path: Path) -> None:
    ids = keep(tmp_path, b"one tide", b"none", b"two tides, tide")
    span = keep_span(tmp_path, UNKNOWN, json.dumps(ids).encode())
    look = Words()
    [hit] = [hit for hit in search(Offloads(tmp_path), look).hits if hit.head.id == span]
    assert (hit.matches, hit.snippet) == (3, "one tide")
    assert ("test", (), b"one tide") in look.shown
    assert not any(form == SPAN for form, *_ in look.shown)


def test_a_limit_is_kept_and_it_is_said_that_there_are_more(tmp_path: Path) -> None:
    for n in range(3):
        age(keep_lines(tmp_path, (1, b"tide a%d" % n), (2, b"tide b%d" % n)), 10 - n)
    every = found(tmp_path)
    for limit in range(8):
        done = search(Offloads(tmp_path), Words(), limit=limit)
        assert [hit.head.id for hit in done.hits] == every[:limit]
        assert done.more == (limit < 6)


def test_older_packs_are_not_read_beyond_the_limit(tmp_path: Path) -> None:
    for n in range(3):
        age(keep_lines(tmp_path, (1, b"tide %d" % n)), n)
    look = Words()
    search(Offloads(tmp_path), look, limit=1)
    assert [data for *_, data in look.shown] == [b"tide 0", b"tide 1"]


def test_nothing_is_written(tmp_path: Path) -> None:
    keep(tmp_path, b"tide")
    before = listing(tmp_path)
    found(tmp_path)
    assert listing(tmp_path) == before
    assert found(tmp_path / "nowhere") == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(b"bad tide", b"bat tide", id="a byte of the data"),
        pytest.param(b'{"id":"%s' % id_of(b"bad tide").encode(), b"{{", id="the head"),
        pytest.param(b"bad tide}\n", b"bad tide\n", id="the end of the row"),
    ],
)
def test_a_damaged_row_is_passed_over_and_named(tmp_path: Path, old: bytes, new: bytes) -> None:
    pack = keep_lines(tmp_path, (1, b"good tide"), (2, b"bad tide"), (3, b"fair tide"))
    spoil(pack, old, new)
    done = search(Offloads(tmp_path), Words())
    assert [hit.snippet for hit in done.hits] == ["fair tide", "good tide"]
    assert [(one.code, one.path, one.line) for one in done.damaged] == [
        ("damaged_original", str(pack), 2)
    ]


def test_a_damaged_row_does_no_harm_where_a_sound_one_has_its_id(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for root in (here, there):
        root.mkdir()
        pack = keep_lines(root, (1, b"tide"))
    spoil(pack, b'"data":tide', b'"data":tidy')
    assert found(here, there) == [id_of(b"tide")]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([id_of(b"gone")], id="an id that is not there"),
        pytest.param([7], id="no id"),
        pytest.param([UNKNOWN], id="itself"),
        pytest.param(7, id="no list"),
        pytest.param({"a": 1}, id="an object"),
    ],
)
def test_a_stretch_whose_records_are_not_there_is_damaged(
    tmp_path: Path, parts: list[object]
) -> None:
    keep(tmp_path, b"tide")
    keep_span(tmp_path, UNKNOWN, json.dumps(parts).encode())
    done = search(Offloads(tmp_path), Words())
    assert [hit.head.id for hit in done.hits] == [id_of(b"tide")]
    assert [one.code for one in done.damaged] == ["damaged_original"]


def test_what_is_no_pack_is_passed_over(tmp_path: Path) -> None:
    keep(tmp_path, b"tide")
    folder = tmp_path / ".offload"
    (folder / "pack-nonsense.jsonl").write_bytes(b"tide\n")
    (folder / "pack-0123456789abcdef.jsonl").symlink_to(folder / "pack-nonsense.jsonl")
    assert found(tmp_path) == [id_of(b"tide")]


def test_a_pack_that_has_just_been_removed_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = keep_lines(tmp_path, (1, b"tide"))
    offloads = Offloads(tmp_path)
    gone = tmp_path / ".offload" / "pack-0123456789abcdef.jsonl"
    monkeypatch.setattr(offloads.catalog, "packs", lambda: [gone, pack])
    assert [hit.pack for hit in search(offloads, Words()).hits] == [str(pack)]


def test_a_pack_that_cannot_be_read_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = keep_lines(tmp_path, (1, b"tide"))
    real = os.open

    def refuse(path: object, *how: int) -> int:
        if path == pack:
            raise PermissionError(13, "Permission denied")
        return real(path, *how)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(StoreError, match="permission denied"):
        search(Offloads(tmp_path), Words())
