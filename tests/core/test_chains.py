"""A tree of records, and what hangs where once some of them go."""

from __future__ import annotations

from typing import NamedTuple

from ctxcompact.core.chains import Chains


class Link(NamedTuple):
    record: int
    uuid: str
    parent: str


#  a - b - c - d - e
#       \- x
TREE = [
    Link(0, "a", ""),
    Link(1, "b", "a"),
    Link(2, "x", "b"),
    Link(3, "c", "b"),
    Link(4, "d", "c"),
    Link(5, "e", "d"),
]


def test_what_hung_on_a_stretch_hangs_on_the_one_that_stands_for_it() -> None:
    chains = Chains(TREE)
    gap = chains.fold([1, 3, 4])
    assert (gap.last, gap.gone) == (4, (1, 3))
    assert dict(chains.moved()) == {2: "a", 4: "a"}


def test_what_is_chained_between_two_records_goes_with_them() -> None:
    assert Chains(TREE).fold([1, 4]).gone == (1, 3)


def test_what_hung_on_what_is_taken_out_hangs_on_what_was_before() -> None:
    chains = Chains(TREE)
    assert chains.remove([1, 3]) == (1, 3)
    assert dict(chains.moved()) == {2: "a", 4: "a"}
    assert chains.parent(4) == "a"


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
