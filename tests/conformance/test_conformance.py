"""Every row of the reference's tables: what becomes of it here, and that none is left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.conformance import (
    table_chain,
    table_counting,
    table_edges,
    table_hook,
    table_layers,
    table_messages,
    table_reload,
    table_settings,
)
from tests.conformance.ids import IDS
from tests.conformance.rows import TRIED, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conformance.rows import Row

ROWS: tuple[Row, ...] = (
    *table_counting.ROWS,
    *table_chain.ROWS,
    *table_hook.ROWS,
    *table_messages.ROWS,
    *table_reload.ROWS,
    *table_settings.ROWS,
    *table_edges.ROWS,
    *table_layers.ROWS,
)
EXPERIMENTS = [
    pytest.param(check, id=f"{row.id} {number}")
    for row in ROWS
    for number, check in enumerate(row.experiments, 1)
]
_GROUNDS = {Verdict.BETTER: re.compile(r"7\.[1-4] "), Verdict.DECIDED: re.compile(r"DESIGN \d")}


@pytest.mark.parametrize("check", EXPERIMENTS)
def test_a_row_holds(check: Callable[[Path], None], tmp_path: Path) -> None:
    check(tmp_path)


def test_no_row_is_missing_and_none_is_told_twice() -> None:
    assert sorted(row.id for row in ROWS) == sorted(IDS)


def test_an_outcome_of_ours_is_tried_and_any_other_is_not() -> None:
    assert [row.id for row in ROWS if bool(row.experiments) != (row.verdict in TRIED)] == []


def test_only_the_same_outcome_needs_no_reason() -> None:
    assert [row.id for row in ROWS if bool(row.reason) == (row.verdict is Verdict.SAME)] == []


def test_a_difference_names_the_defect_or_the_decision() -> None:
    asked = [(row, _GROUNDS[row.verdict]) for row in ROWS if row.verdict in _GROUNDS]
    assert [row.id for row, ground in asked if not ground.search(row.reason)] == []
