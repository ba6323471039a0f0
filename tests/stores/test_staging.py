from __future__ import annotations

import tempfile
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcompact.errors import StoreError
from ctxcompact.stores.lock import locked
from ctxcompact.stores.offloads import NoOffloads, Offloads
from tests.stores.runs import add, commit, id_of, keep, listing

OTHER_ID = "c0ffee00-0000-4000-8000-000000000000"


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
