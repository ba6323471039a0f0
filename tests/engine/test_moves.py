"""Where items stand after folds: before, inside and behind them, and what is no item at all."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcompact.engine.moves import ItemFold, place_now

LIST = ("body", "messages")
FOLDS = [ItemFold(LIST, 7, 9, 1), ItemFold(LIST, 2, 5, 1), ItemFold(LIST, 10, 11, 2)]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param((*LIST, 1, "content"), (*LIST, 1, "content"), id="before all folds"),
        pytest.param((*LIST, 2, "content"), (*LIST, 2, "content"), id="the first of a fold"),
        pytest.param((*LIST, 4), (*LIST, 2), id="the last of a fold"),
        pytest.param((*LIST, 5, "a", 3), (*LIST, 3, "a", 3), id="behind one fold"),
        pytest.param((*LIST, 8), (*LIST, 5), id="in the second fold"),
        pytest.param((*LIST, 9), (*LIST, 6), id="behind two"),
        pytest.param((*LIST, 11), (*LIST, 9), id="behind one that became two"),
        pytest.param(LIST, LIST, id="the list itself"),
        pytest.param(("body", "model"), ("body", "model"), id="beside the list"),
        pytest.param((*LIST, "x"), (*LIST, "x"), id="a key, not an index"),
    ],
)
def test_where_an_item_stands_after_folds(path: Any, expected: Any) -> None:
    assert place_now(path, FOLDS) == expected


def test_nothing_moves_without_folds() -> None:
    assert place_now((*LIST, 5), ()) == (*LIST, 5)
