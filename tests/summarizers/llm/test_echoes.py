from __future__ import annotations

import pytest

from ctxcompact.summarizers.llm.echoes import longest_copy

SOURCE = " ".join(f"word{number}" for number in range(200))


@pytest.mark.parametrize("size", [64, 100, 333, 900])
@pytest.mark.parametrize("before", [0, 5, 31])
def test_a_copied_passage_is_measured_within_a_probe(size: int, before: int) -> None:
    text = "x" * before + "|" + SOURCE[200 : 200 + size] + "|" + "y" * 50
    assert size - 32 <= longest_copy(text, SOURCE) <= size


@pytest.mark.parametrize(
    ("text", "source"),
    [
        pytest.param("all of it in other words " * 20, SOURCE, id="other words"),
        pytest.param(SOURCE[:40], SOURCE, id="a few words"),
        pytest.param("", SOURCE, id="no text"),
        pytest.param(SOURCE, "", id="no source"),
    ],
)
def test_no_passage_is_seen_where_there_is_none(text: str, source: str) -> None:
    assert longest_copy(text, source) == 0


def test_other_line_breaks_hide_nothing() -> None:
    assert longest_copy(SOURCE.replace(" ", "\n"), SOURCE) > 1000


def test_what_stands_elsewhere_too_does_not_count() -> None:
    assert longest_copy(SOURCE[:500], SOURCE, besides=SOURCE[:600]) == 0
