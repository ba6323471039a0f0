"""Where the model's name is looked for."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcompact.engine.models import model_of

TOLD = {"response_metadata": {"model_name": "m"}}


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        pytest.param([], "", id="nothing"),
        pytest.param([{"model": "old"}, {"model": "m"}, {"a": 1}], "m", id="the newest"),
        pytest.param([{"message": {"model": "m"}}], "m", id="inside a message"),
        pytest.param([{"payload": {"model": "m"}}], "m", id="inside a payload"),
        pytest.param([{"type": "ai", "data": TOLD}], "m", id="LangChain's dicts"),
        pytest.param([{"lc": 1, "kwargs": TOLD}], "m", id="LangChain's constructors"),
        pytest.param([{"model": "<synthetic>"}], "", id="a name that is none"),
        pytest.param([None, 1, [{"model": "m"}], {"model": 1, "message": "m"}], "", id="oddities"),
    ],
)
def test_the_newest_model_is_found_wherever_it_is_written(sample: list[Any], expected: str) -> None:
    assert model_of(sample) == expected
