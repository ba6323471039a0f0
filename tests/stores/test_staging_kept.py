"""What a run finds in the store already."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ctxcompact.errors import StoreError
from ctxcompact.stores.lock import locked
from ctxcompact.stores.offloads import Offloads
from ctxcompact.stores.packs import remove_pack
from tests.stores.runs import add, commit, id_of, keep, listing

if TYPE_CHECKING:
    from pathlib import Path

OTHER_ID = "c0ffee00-0000-4000-8000-000000000000"


def test_a_second_run_stores_nothing(tmp_path: Path) -> None:
    keep(tmp_path, b"first", b"second")
    before = listing(tmp_path)
    staging = Offloads(tmp_path).stage()
    for data in (b"second", b"first", b"first"):
        add(staging, data)
    assert commit(tmp_path, staging) is None
    staging.discard()
    assert listing(tmp_path) == before


def test_only_what_is_new_is_written(tmp_path: Path) -> None:
    keep(tmp_path, b"first")
    staging = Offloads(tmp_path).stage()
    add(staging, b"first")
    add(staging, b"second")
    add(staging, b"second")
    pack = commit(tmp_path, staging)
    assert pack
    assert pack.rows == 1
    assert b"first" not in pack.path.read_bytes()


@pytest.mark.parametrize("earlier", [False, True], ids=["of one run", "of an earlier run"])
def test_two_ids_on_one_record_hold_it_once(tmp_path: Path, *, earlier: bool) -> None:
    if earlier:
        keep(tmp_path, b"shared record")
    staging = Offloads(tmp_path).stage()
    first = add(staging, b"shared record")
    add(staging, b"shared record", id_=OTHER_ID)
    commit(tmp_path, staging)
    packs = b"".join(path.read_bytes() for path in (tmp_path / ".offload").glob("pack-*.jsonl"))
    assert packs.count(b"shared record") == 1
    offloads = Offloads(tmp_path)
    assert offloads.find(OTHER_ID).data == offloads.find(first).data == b"shared record"
    assert offloads.verify() == []


def test_a_record_whose_holder_is_damaged_is_not_given_out(tmp_path: Path) -> None:
    keep(tmp_path, b"shared record")
    [held] = (tmp_path / ".offload").glob("pack-*.jsonl")
    staging = Offloads(tmp_path).stage()
    add(staging, b"shared record")
    add(staging, b"shared record", id_=OTHER_ID)
    commit(tmp_path, staging)
    held.write_bytes(held.read_bytes().replace(b"shared", b"shAred"))
    assert len(Offloads(tmp_path).verify()) == 2


def test_a_third_id_leans_on_the_one_with_the_data(tmp_path: Path) -> None:
    keep(tmp_path, b"shared record")
    for ids in (["", OTHER_ID], [OTHER_ID, OTHER_ID.replace("c0", "c1")]):
        staging = Offloads(tmp_path).stage()
        for id_ in ids:
            add(staging, b"shared record", id_=id_)
        commit(tmp_path, staging)
    same = {entry.head.same for entry in Offloads(tmp_path).ids()}
    assert same == {"", id_of(b"shared record")}
    assert Offloads(tmp_path).find(OTHER_ID.replace("c0", "c1")).data == b"shared record"


def test_an_original_whose_copy_is_damaged_is_stored_again(tmp_path: Path) -> None:
    [id_] = keep(tmp_path, b"original")
    [pack] = (tmp_path / ".offload").glob("pack-*.jsonl")
    pack.write_bytes(pack.read_bytes().replace(b"original", b"oRiginal"))
    keep(tmp_path, b"original", b"and another")
    assert Offloads(tmp_path).find(id_).data == b"original"


def test_a_damaged_pack_is_mended_by_the_run_that_made_it(tmp_path: Path) -> None:
    keep(tmp_path, b"original")
    before = listing(tmp_path)
    [pack] = (tmp_path / ".offload").glob("pack-*.jsonl")
    pack.write_bytes(pack.read_bytes().replace(b"original", b"oRiginal"))
    keep(tmp_path, b"original")
    assert listing(tmp_path) == before


def test_an_id_never_stands_for_two_originals(tmp_path: Path) -> None:
    [id_] = keep(tmp_path, b"original")
    staging = Offloads(tmp_path).stage()
    with pytest.raises(StoreError, match="other bytes"):
        add(staging, b"another", id_=id_)


def test_undoing_spares_the_same_pack_of_another_run(tmp_path: Path) -> None:
    late = Offloads(tmp_path).stage()
    add(late, b"original")
    [id_] = keep(tmp_path, b"original")
    with locked(tmp_path):
        late.commit()
        late.undo()
    assert Offloads(tmp_path).find(id_).data == b"original"


@pytest.mark.parametrize("gone", [slice(1), slice(1, 2), slice(2)], ids=["one", "other", "both"])
def test_a_run_does_not_lean_on_a_pack_that_is_gone(tmp_path: Path, gone: slice) -> None:
    keep(tmp_path, b"first")
    keep(tmp_path, b"second")
    staging = Offloads(tmp_path).stage()
    for data in (b"first", b"second", b"third"):
        add(staging, data)
    packs = sorted((tmp_path / ".offload").glob("pack-*.jsonl"))
    for pack in packs[gone]:
        remove_pack(pack)
    before = listing(tmp_path)
    with pytest.raises(StoreError, match="while we worked"):
        commit(tmp_path, staging)
    staging.discard()
    after = listing(tmp_path)
    assert after == {} if packs[gone] == packs else after.items() <= before.items()


def test_what_another_root_keeps_is_kept_here_as_well(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for root in (here, there):
        root.mkdir()
    [id_] = keep(there, b"original")
    staging = Offloads(here, [there]).stage()
    add(staging, b"original")
    assert commit(here, staging)
    assert Offloads(here).find(id_).data == b"original"
