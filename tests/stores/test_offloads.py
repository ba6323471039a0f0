from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcompact.errors import IdNotFound, OriginalDamaged
from ctxcompact.stores.lock import locked
from ctxcompact.stores.offloads import NoOffloads, Offloads, Original
from tests.stores.runs import add, commit, id_of, keep, keep_span, listing

SPAN_ID = "5a5a5a5a-0000-4000-8000-000000000000"
UNKNOWN = "c0ffee00-0000-4000-8000-000000000000"
ODD = [
    b"",
    b'{"a":1}',
    b'{"a":1}\r',
    b'\xff\xfe not UTF-8, not JSON, \x00 and "data": too',
    b'{"x":"}","data":{"data":[1e5,NaN]}}',
    b'","data":',
    b"}",
    "\u2028\u0085 Umlaute äöü".encode(),
]


def pack_of(root: Path) -> Path:
    [pack] = (root / ".offload").glob("pack-*.jsonl")
    return pack


def test_originals_come_back_byte_for_byte(tmp_path: Path) -> None:
    ids = keep(tmp_path, *ODD)
    offloads = Offloads(tmp_path)
    assert [offloads.find(id_).data for id_ in ids] == ODD
    assert all(offloads.known(id_) for id_ in ids)


@settings(max_examples=30)  # each flushes to the disk some ten times
@given(st.lists(st.binary(max_size=60).map(lambda data: data.replace(b"\n", b"")), unique=True))
def test_any_bytes_come_back(originals: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ids = keep(Path(folder), *originals)
        offloads = Offloads(Path(folder))
        assert [offloads.find(id_).data for id_ in ids] == originals
        assert offloads.verify() == []


@settings(max_examples=30)
@given(
    path=st.lists(st.text() | st.integers(0, 99)).map(tuple),
    tool=st.text(st.characters(exclude_categories=())),
    line=st.integers(1, 10**9),
)
def test_what_is_known_about_an_original_comes_back(
    path: tuple[str | int, ...], tool: str, line: int
) -> None:
    with tempfile.TemporaryDirectory() as folder, locked(Path(folder)):
        staging = Offloads(Path(folder)).stage()
        data = b'{"a":1}'
        sha256 = hashlib.sha256(data).hexdigest()
        staging.add(UNKNOWN, data, sha256, path=path, tool=tool, format=tool, line=line)
        staging.commit()
        pack = str(pack_of(Path(folder)))
        found = Offloads(Path(folder)).find(UNKNOWN)
        assert found == Original(UNKNOWN, data, path, tool, tool, line, pack)


def test_a_thousand_ids_are_found_in_many_packs(tmp_path: Path) -> None:
    originals = [b'{"n":%d}' % n for n in range(1000)]
    ids = [id_ for at in range(0, 1000, 50) for id_ in keep(tmp_path, *originals[at : at + 50])]
    offloads = Offloads(tmp_path)
    assert len(list((tmp_path / ".offload").glob("pack-*.jsonl"))) == 20
    assert [offloads.find(id_).data for id_ in ids] == originals
    assert {(entry.head.id, entry.pack) for entry in offloads.ids()} == {
        (id_, offloads.find(id_).pack) for id_ in ids
    }
    assert not offloads.known(UNKNOWN)


def test_an_unknown_id_is_said(tmp_path: Path) -> None:
    keep(tmp_path, b"original")
    for root in (tmp_path, tmp_path / "without a store"):
        with pytest.raises(IdNotFound, match=UNKNOWN) as raised:
            Offloads(root).find(UNKNOWN)
        assert raised.value.path == str(root)
    assert list(Offloads(tmp_path / "without a store").ids()) == []


def test_a_reader_writes_nothing(tmp_path: Path) -> None:
    [id_] = keep(tmp_path, b"original")
    pack_of(tmp_path).with_suffix(".idx").unlink()
    before = listing(tmp_path)
    offloads = Offloads(tmp_path)
    offloads.find(id_)
    offloads.verify()
    list(offloads.ids())
    assert listing(tmp_path) == before


def test_a_stretch_gives_its_records_one_a_line(tmp_path: Path) -> None:
    ids = keep(tmp_path, b'{"n":1}', b"")
    staging = Offloads(tmp_path).stage()
    ids.append(add(staging, b'{"n":1}', id_=UNKNOWN))
    commit(tmp_path, staging)
    keep_span(tmp_path, SPAN_ID, json.dumps(ids).encode())
    offloads = Offloads(tmp_path)
    assert offloads.find(SPAN_ID).data == b'{"n":1}\n\n{"n":1}'
    lengths = {entry.head.id: entry.bytes for entry in offloads.ids()}
    assert lengths == {id_: len(offloads.find(id_).data) for id_ in (*ids, SPAN_ID)}
    assert offloads.verify() == []


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(f'["{UNKNOWN}"]', id="a record that is not kept"),
        pytest.param(f'["{SPAN_ID}"]', id="itself"),
        pytest.param('["x"]', id="what is no id"),
        pytest.param("[null]", id="nothing"),
        pytest.param("5", id="a number"),
        pytest.param('{"a":1}', id="an object"),
        pytest.param("", id="no JSON"),
        pytest.param("[" * 99_999, id="nested without end"),
    ],
)
def test_a_stretch_that_lacks_a_record_is_damaged_and_named(tmp_path: Path, data: str) -> None:
    keep(tmp_path, b"original")
    keep_span(tmp_path, SPAN_ID, data.encode())
    offloads = Offloads(tmp_path)
    with pytest.raises(OriginalDamaged, match=SPAN_ID) as raised:
        offloads.find(SPAN_ID)
    assert raised.value.path == str(tmp_path)
    assert [(x.code, x.line) for x in offloads.verify()] == [("damaged_original", 1)]
    assert {entry.head.id for entry in offloads.ids()} == {id_of(b"original"), SPAN_ID}


@pytest.mark.parametrize("before", [[], [b"kept before"]], ids=["an empty one", "one in use"])
def test_a_store_that_grew_since_is_looked_at_again(tmp_path: Path, before: list[bytes]) -> None:
    keep(tmp_path, *before)
    offloads = Offloads(tmp_path)
    assert not offloads.known(UNKNOWN)
    [id_] = keep(tmp_path, b"original")
    assert offloads.find(id_).data == b"original"


def test_other_roots_are_read_but_own_originals_come_first(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for root in (here, there):
        root.mkdir()
        keep(root, b"in both")
    [far] = keep(there, b"only there")
    offloads = Offloads(here, [there, here])
    assert offloads.find(far).data == b"only there"
    assert Path(offloads.find(id_of(b"in both")).pack).is_relative_to(here)


@pytest.mark.parametrize("name", [UNKNOWN, f"{UNKNOWN}.jsonl", "pack-0123456789abcdef.jsonl"])
def test_a_link_inside_the_store_is_not_followed(tmp_path: Path, name: str) -> None:
    secret = tmp_path / "secret"
    other = tmp_path / "other"
    other.mkdir()
    [hidden] = keep(other, b"outside")
    secret.write_bytes(pack_of(other).read_bytes())
    keep(tmp_path, b"inside")
    (tmp_path / ".offload" / name).symlink_to(secret)
    offloads = Offloads(tmp_path)
    for id_ in (UNKNOWN, hidden):
        with pytest.raises(IdNotFound):
            offloads.find(id_)
    assert len(list(offloads.ids())) == 1
    assert offloads.verify() == []


def test_one_root_under_two_names_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path, b"original")
    monkeypatch.chdir(tmp_path)
    assert len(list(Offloads(Path(), [tmp_path]).ids())) == 1


def test_a_link_in_the_place_of_an_index_is_not_followed(tmp_path: Path) -> None:
    [id_] = keep(tmp_path, b"inside")
    index = pack_of(tmp_path).with_suffix(".idx")
    index.rename(tmp_path / "index")
    index.symlink_to(tmp_path / "index")
    offloads = Offloads(tmp_path)
    assert offloads.find(id_).data == b"inside"
    assert offloads.catalog._unindexed


def test_what_is_no_pack_is_passed_over(tmp_path: Path) -> None:
    [id_] = keep(tmp_path, b"original")
    folder = tmp_path / ".offload"
    (folder / "pack-0123456789abcdef.jsonl.bak").write_bytes(b"x")
    (folder / "pack-nonsense.jsonl").write_bytes(b"x")
    (folder / "pack-0000000000000000.jsonl").mkdir()
    os.mkfifo(folder / "pack-1111111111111111.jsonl")
    offloads = Offloads(tmp_path)
    assert offloads.find(id_).data == b"original"
    assert offloads.verify() == []


def damage(pack: Path, old: bytes, new: bytes) -> None:
    data = pack.read_bytes()
    assert old in data
    pack.write_bytes(data.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(b"precious", b"precioUs", id="a byte of the data"),
        pytest.param(b'"sha256":"', b'"sha256":"0', id="the hash"),
        pytest.param(b'"data":"precious', b'"data":"previous!', id="the length"),
        pytest.param(b',"data":', b',"date":', id="the mark before the data"),
        pytest.param(b'{"id":', b"{{{{{{", id="the head"),
        pytest.param(b'}\n{"id"', b'}}{"id"', id="the end of a row"),
    ],
)
def test_a_damaged_original_is_never_given_out(tmp_path: Path, old: bytes, new: bytes) -> None:
    id_, sound = keep(tmp_path, b'"precious"', b'"other"')
    damage(pack_of(tmp_path), old, new)
    offloads = Offloads(tmp_path)
    with pytest.raises((OriginalDamaged, IdNotFound)):
        offloads.find(id_)
    assert offloads.verify()
    assert all(finding.path == str(pack_of(tmp_path)) for finding in offloads.verify())
    assert sound != id_


def test_damage_is_named_by_row_and_leaves_the_other_originals(tmp_path: Path) -> None:
    ids = keep(tmp_path, b"first", b"second", b"third")
    damage(pack_of(tmp_path), b"second", b"sEcond")
    offloads = Offloads(tmp_path)
    [finding] = offloads.verify()
    assert (finding.code, finding.line) == ("damaged_original", 2)
    assert ids[1] in finding.message
    with pytest.raises(OriginalDamaged, match=ids[1]) as raised:
        offloads.find(ids[1])
    assert raised.value.path == str(pack_of(tmp_path))
    assert [offloads.find(id_).data for id_ in (ids[0], ids[2])] == [b"first", b"third"]


def test_rows_that_are_missing_are_noticed(tmp_path: Path) -> None:
    keep(tmp_path, b"first", b"second")
    pack = pack_of(tmp_path)
    pack.write_bytes(pack.read_bytes().split(b"\n")[0] + b"\n")
    [finding] = Offloads(tmp_path).verify()
    assert finding.code == "incomplete_pack"


def test_a_torn_pack_gives_what_is_whole(tmp_path: Path) -> None:
    ids = keep(tmp_path, b"first", b"second")
    pack = pack_of(tmp_path)
    os.truncate(pack, pack.stat().st_size - 3)
    offloads = Offloads(tmp_path)
    assert offloads.find(ids[0]).data == b"first"
    with pytest.raises(IdNotFound):
        offloads.find(ids[1])
    assert [finding.line for finding in offloads.verify()] == [2]


@pytest.mark.parametrize("old", [b"in both", b'{"id":'], ids=["its data", "its head"])
def test_a_sound_copy_serves_where_another_is_damaged(tmp_path: Path, old: bytes) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for root in (here, there):
        root.mkdir()
        [id_] = keep(root, b"in both")
    Offloads(here).stage()  # the index knows where it stood
    damage(pack_of(here), old, old.swapcase())
    assert Offloads(here, [there]).find(id_).data == b"in both"


def test_a_dry_run_reads_and_writes_nothing(tmp_path: Path) -> None:
    [id_] = keep(tmp_path, b"original")
    before = listing(tmp_path)
    offloads = NoOffloads(tmp_path)
    staging = offloads.stage()
    mark = staging.mark()
    add(staging, b"new")
    staging.rewind(mark)
    add(staging, b"other")
    assert staging.commit() is None
    staging.discard()
    staging.undo()
    assert listing(tmp_path) == before
    assert offloads.known(id_)
    assert not offloads.known(id_of(b"new"))
