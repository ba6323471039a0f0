"""A tree of records, and what hangs where once some of them go."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.chains import Chains, Gap


class Link(NamedTuple):
    record: int
    uuid: str
    parent: str


#  a - b - c - d - e
#       \- x  \- y
TREE = [
    Link(0, "a", ""),
    Link(1, "b", "a"),
    Link(2, "x", "b"),
    Link(3, "c", "b"),
    Link(4, "d", "c"),
    Link(5, "e", "d"),
    Link(6, "y", "c"),
]


def test_what_hung_on_a_stretch_hangs_on_the_one_that_stands_for_it() -> None:
    chains = Chains(TREE)
    gap = chains.fold([1, 3, 4])
    assert (gap.last, gap.gone) == (4, (1, 3))
    assert dict(chains.moved()) == {2: "a", 4: "a", 6: "d"}


def test_what_is_chained_between_two_records_goes_with_them() -> None:
    assert Chains(TREE).fold([1, 4]).gone == (1, 3)
    assert Chains(TREE).fold([2, 4]).gone == (2,)


def test_what_hung_on_what_is_taken_out_hangs_on_what_was_before() -> None:
    chains = Chains(TREE)
    assert chains.remove([1, 3]) == (1, 3)
    assert dict(chains.moved()) == {2: "a", 4: "a", 6: "a"}
    assert (chains.parent(4), chains.parent(9)) == ("a", "")


def test_the_ids_are_known_over_which_records_hang_on_what_is_before() -> None:
    chains = Chains(TREE)
    assert chains.crossings([4, 5], 3) == {"c"}
    assert chains.crossings([2, 5], 1) == {"b"}
    assert chains.crossings([2, 5], 0) == {"a"}
    assert chains.crossings([3], 3) == set()
    assert (chains.uuid(2), chains.uuid(9)) == ("x", "")


def test_a_ring_has_an_end() -> None:
    ring = Chains([Link(0, "a", "b"), Link(1, "b", "a")])
    assert ring.crossings([1], 0) == {"a"}
    assert ring.fold([0, 1]).gone == (0,)
    assert ring.parent(1) == ""


def test_a_record_before_its_parent_does_not_come_to_hang_on_itself() -> None:
    chains = Chains([Link(0, "c", "b"), Link(1, "b", "a"), Link(2, "a", "")])
    assert chains.fold([0, 1]) == Gap((0,), 1)
    assert chains.parent(1) == "a"


def test_without_links_every_record_stands_by_itself() -> None:
    assert Chains([]).fold([3, 1, 2]) == Gap((1, 2), 3)
    assert Chains([]).remove([2, 1, 2]) == (1, 2)


@st.composite
def trees(draw: st.DrawFn) -> list[Link]:
    """Make a forest of numbered records, with gaps; a child stands after its parent."""
    numbers = sorted(draw(st.sets(st.integers(0, 20), min_size=1, max_size=12)))
    parents = ["", *(draw(st.sampled_from(["", *map(str, numbers[:at])])) for at in range(1, 12))]
    return [Link(at, str(at), parent) for at, parent in zip(numbers, parents, strict=False)]


@given(trees(), st.data())
def test_however_often_records_go_nothing_hangs_on_one_that_is_gone(
    links: list[Link], data: st.DataObject
) -> None:
    chains, left = Chains(links), {link.record for link in links}
    for _ in range(data.draw(st.integers(1, 3))):
        chosen = data.draw(st.sets(st.sampled_from(sorted(left)), min_size=1, max_size=4))
        if data.draw(st.booleans()):
            gone = chains.remove(sorted(chosen))
        else:
            gone, last = chains.fold(sorted(chosen))
            assert last == max(chosen)
            assert last not in gone
        assert chosen - {max(chosen)} <= set(gone)
        left -= set(gone)
        if not left:
            return
    moved = dict(chains.moved())
    for record, _, parent in links:
        if record in left:
            now = chains.parent(record)
            assert now == "" or (int(now) in left and int(now) < record)
            assert moved.get(record, parent) == now
    assert moved.keys() <= left


@given(trees(), st.data())
def test_crossings_are_where_the_way_up_leaves_what_is_after_a_place(
    links: list[Link], data: st.DataObject
) -> None:
    parents = {record: parent for record, _, parent in links}
    starts = data.draw(st.lists(st.sampled_from(sorted(parents)), max_size=4))
    place = data.draw(st.integers(-1, 20))
    found = set()
    for start in starts:
        at = start
        while at > place and parents[at] and int(parents[at]) > place:
            at = int(parents[at])
        found |= {parents[at]} if at > place else set()
    assert Chains(links).crossings(starts, place) == found
