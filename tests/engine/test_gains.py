"""An edit is worth it or not, whatever id its mark gets."""

from __future__ import annotations

from uuid import UUID

import pytest

from ctxcompact import counters
from ctxcompact.core import tags
from ctxcompact.engine.gains import ANY_ID, is_enough

count = counters.choose("o200k_base").count
IDS = [str(UUID(int=number * 0x9E3779B97F4A7C15F39CC0605CEDC834 % 2**128)) for number in range(200)]


@pytest.mark.parametrize("before", range(60, 110, 7))
def test_it_is_judged_alike_for_every_id(before: int) -> None:
    texts = {uuid: f"Some words...\n{tags.render(uuid)}" for uuid in IDS}
    found = {is_enough(before - count(text), 40, text, uuid, count) for uuid, text in texts.items()}
    assert len({count(text) for text in texts.values()}) > 5
    assert len(found) == 1


def test_no_id_costs_more_than_the_one_to_judge_by() -> None:
    assert max(map(count, IDS)) <= count(ANY_ID)


@pytest.mark.parametrize(("saved", "enough"), [(39, False), (40, True), (41, True)])
def test_without_a_mark_it_is_the_number_alone(saved: int, enough: bool) -> None:  # noqa: FBT001
    assert is_enough(saved, 40, "[Previous: used Read]", "", count) is enough
