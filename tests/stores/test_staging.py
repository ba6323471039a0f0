from __future__ import annotations

import tempfile
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcompact.errors import StoreError
from ctxcompact.stores.lock import locked
from ctxcompact.stores.offloads import NoOffloads, Offloads
from tests.stores.runs import add, id_of, keep, listing

if TYPE_CHECKING:
    from ctxcompact.stores.staging import DryStaging, Pack, Staging

OTHER_ID = "c0ffee00-0000-4000-8000-000000000000"


def commit(root: Path, staging: Staging | DryStaging) -> Pack | None:
    with locked(root):
        return staging.commit()


def test_nothing_is_on_disk_before_the_first_original(tmp_path: Path) -> None:
    staging = Offloads(tmp_path).stage()
    assert commit(tmp_path, staging) is None
    staging.discard()
    assert not list(tmp_path.iterdir())


def test_what_is_staged_cannot_be_read_yet(tmp_path: Path) -> None:
    staging = Offloads(tmp_path).stage()
    id_ = add(staging, b"original")
    assert not Offloads(tmp_path).known(id_)
    assert Offloads(tmp_path).verify() == []
    staging.discard()
    assert not list(tmp_path.iterdir())


def test_a_commit_says_what_it_wrote(tmp_path: Path) -> None:
    staging = Offloads(tmp_path).stage()
    add(staging, b"first")
    add(staging, b"second")
    pack = commit(tmp_path, staging)
    assert pack
    assert (pack.rows, pack.bytes) == (2, pack.path.stat().st_size)


def test_the_store_knows_at_once_what_came_and_went(tmp_path: Path) -> None:
    offloads = Offloads(tmp_path)
    staging = offloads.stage()
    id_ = add(staging, b"original")
    with locked(tmp_path):
        staging.commit()
        assert offloads.known(id_)
        staging.undo()
        assert not offloads.known(id_)


def test_the_same_originals_make_the_same_pack(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        keep(tmp_path / name, b"first", b"second")
    assert listing(tmp_path / "one") == listing(tmp_path / "two")


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


@pytest.mark.parametrize("kind", [Offloads, NoOffloads])
def test_more_than_one_line_is_refused(tmp_path: Path, kind: type[Offloads]) -> None:
    with pytest.raises(StoreError, match="more than one line"):
        add(kind(tmp_path).stage(), b"one\ntwo")


@pytest.mark.parametrize("earlier", [(), (b"older",)], ids=["a new store", "a store in use"])
def test_an_undone_commit_leaves_no_trace(tmp_path: Path, earlier: tuple[bytes, ...]) -> None:
    if earlier:
        keep(tmp_path, *earlier)
    before = listing(tmp_path)
    staging = Offloads(tmp_path).stage()
    add(staging, b"original")
    with locked(tmp_path):
        staging.commit()
        staging.undo()
    assert listing(tmp_path) == before
    assert (tmp_path / ".offload").exists() is bool(earlier)


def test_undoing_spares_the_same_pack_of_another_run(tmp_path: Path) -> None:
    late = Offloads(tmp_path).stage()
    add(late, b"original")
    [id_] = keep(tmp_path, b"original")
    with locked(tmp_path):
        late.commit()
        late.undo()
    assert Offloads(tmp_path).find(id_).data == b"original"


def test_a_run_does_not_lean_on_a_pack_that_is_gone(tmp_path: Path) -> None:
    keep(tmp_path, b"first")
    staging = Offloads(tmp_path).stage()
    add(staging, b"first")
    add(staging, b"second")
    for path in (tmp_path / ".offload").glob("pack-*"):
        path.unlink()
    with pytest.raises(StoreError, match="while we worked"):
        commit(tmp_path, staging)
    staging.discard()
    assert not list(tmp_path.iterdir())


def test_an_id_of_a_level_thrown_away_may_come_again(tmp_path: Path) -> None:
    staging = Offloads(tmp_path).stage()
    add(staging, b"shared record")
    mark = staging.mark()
    for _ in range(2):
        staging.rewind(mark)
        add(staging, b"shared record", id_=OTHER_ID)
        add(staging, b"another")
    commit(tmp_path, staging)
    offloads = Offloads(tmp_path)
    assert offloads.find(OTHER_ID).data == b"shared record"
    assert len(list(offloads.ids())) == 3


def test_what_another_root_keeps_is_kept_here_as_well(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for root in (here, there):
        root.mkdir()
    [id_] = keep(there, b"original")
    staging = Offloads(here, [there]).stage()
    add(staging, b"original")
    assert commit(here, staging)
    assert Offloads(here).find(id_).data == b"original"


def test_ids_do_not_hold_their_originals(tmp_path: Path) -> None:
    staging = Offloads(tmp_path).stage()
    add(staging, b"warm up")
    tracemalloc.start()
    for number in range(2_000):
        add(staging, b"%d %s" % (number, b"x" * 2_000), line=number)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    staging.discard()
    assert held / 2_000 < 400


@settings(max_examples=30)  # each flushes to the disk some ten times
@given(steps=st.lists(st.integers(0, 9) | st.sampled_from(["mark", "rewind"]), max_size=30))
def test_levels_that_were_thrown_away_leave_nothing(steps: list[int | str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        keep(root, b"original 0")
        staging = Offloads(root).stage()
        expected: list[int] = []
        marks = [(staging.mark(), list(expected))]
        for step in steps:
            if step == "mark":
                marks.append((staging.mark(), list(expected)))
            elif step == "rewind":
                mark, before = marks.pop() if len(marks) > 1 else marks[0]
                staging.rewind(mark)
                expected = list(before)
            elif isinstance(step, int):
                add(staging, b"original %d" % (step // 2), id_=id_of(b"%d" % step))
                expected.append(step)
        commit(root, staging)
        staging.discard()
        offloads = Offloads(root)
        kept = {entry.head.id for entry in offloads.ids()} - {id_of(b"original 0")}
        assert kept == {id_of(b"%d" % step) for step in expected}
        for step in expected:
            assert offloads.find(id_of(b"%d" % step)).data == b"original %d" % (step // 2)
        assert offloads.verify() == []
        assert not list(root.rglob("*.tmp"))
