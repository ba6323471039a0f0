"""Two sequences side by side."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core import alignment
from ctxcompact.core.alignment import align

letters = st.text("abcd", max_size=30)


@pytest.mark.parametrize(
    ("a", "b", "pairs"),
    [
        pytest.param("", "", [], id="nothing"),
        pytest.param("abc", "", [], id="one is empty"),
        pytest.param("abc", "abc", [(0, 0), (1, 1), (2, 2)], id="the same"),
        pytest.param("abcde", "aXe", [(0, 0), (4, 2)], id="a stretch became one"),
        pytest.param("okaok", "ok", [(3, 0), (4, 1)], id="repeated"),
        pytest.param("xokayokz", "Sokz", [(5, 1), (6, 2), (7, 3)], id="repeated before an anchor"),
        pytest.param("abc", "cab", [(0, 1), (1, 2)], id="moved"),
    ],
)
def test_what_is_the_same_is_matched(a: str, b: str, pairs: list[tuple[int, int]]) -> None:
    assert list(align(a, b)) == pairs


@given(letters, letters)
def test_pairs_have_equal_keys_and_rise_on_both_sides(a: str, b: str) -> None:
    pairs = list(align(a, b))
    assert all(a[left] == b[right] for left, right in pairs)
    assert pairs == sorted(set(pairs))
    for side in (0, 1):
        places = [pair[side] for pair in pairs]
        assert len(places) == len(set(places))
        assert places == sorted(places)


@given(letters)
def test_nothing_is_missed_where_nothing_changed(text: str) -> None:
    assert list(align(text, text)) == [(at, at) for at in range(len(text))]


@given(st.sets(st.integers(0, 99)))
def test_what_is_left_of_single_keys_is_all_found(kept: set[int]) -> None:
    pairs = list(align(range(100), sorted(kept)))
    assert [left for left, _ in pairs] == sorted(kept)


@given(st.permutations(range(8)))
def test_single_keys_that_moved_are_found_without_looking_into_gaps(moved: list[int]) -> None:
    longest: list[int] = []  # the rising series that ends at each
    for at, key in enumerate(moved):
        before = (size for size, other in zip(longest, moved[:at], strict=True) if other < key)
        longest.append(1 + max(before, default=0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "_GAP_AREA_MAX", 0)
        assert len(list(align(["x", *range(8), "x"], ["y", *moved, "y"]))) == max(longest)


def test_a_gap_too_large_to_match_is_left_unmatched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "_GAP_AREA_MAX", 8)
    assert list(align("aacXbb", "aadXbb")) == [(3, 3), (4, 4), (5, 5)]
    assert list(align("aaXbb", "acXbb")) == [(0, 0), (2, 2), (3, 3), (4, 4)]
