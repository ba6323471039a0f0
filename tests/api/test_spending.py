"""What a model was used for is told by the report and by the receipt, also where nothing came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ctxcompact import api, kept
from ctxcompact.core.settings import Mode, Settings
from ctxcompact.core.tasks import Spending, Summary
from tests.api.files import jsonl, put, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ctxcompact.core.tasks import Task

SPENT = Spending("stub", 1, 30, 4, 2.5, 0.5)
CHAIN = Settings(
    force=True, levels=(2, 4), counter="chars4", min_compression_tokens=10, last_keep=0, target=5
)
FULL = Settings(mode=Mode.MANUAL, counter="chars4")


class Writer:
    """Says the same of everything, for the same price."""

    name = "stub"
    uses_model = True

    def __init__(self, text: str) -> None:
        self._text = text

    def summarize(self, task: Task, count: Callable[[str], int]) -> Sequence[Summary]:
        assert count(self._text) < task.budget_tokens
        reason = "" if self._text else "it says nothing"
        return [Summary(self._text, reason, SPENT) for _ in task.spans]


def compact(root: Path, settings: Settings, text: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(api, "choose", lambda _: Writer(text))
    path = put(root, jsonl(rows() + rows(name="b")))
    report = api.compact(path, None, settings, root=root)
    told = [step.spending for step in report.steps if step.spending]
    assert told
    assert all(one.seconds > 0 for one in told)
    return path


@pytest.mark.parametrize("settings", [CHAIN, FULL], ids=["the chain", "a full summary"])
def test_the_receipt_tells_what_a_model_was_used_for_but_not_how_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    compact(tmp_path, settings, "All went well.", monkeypatch)
    [run] = kept.runs(tmp_path)
    assert run.receipt
    assert run.receipt.run
    llms = [deed.llm for deed in run.receipt.run.deeds if deed.llm]
    assert llms == [SPENT._replace(seconds=0.0)]


def test_a_full_summary_that_failed_has_cost_something_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compact(tmp_path, FULL, "", monkeypatch)
    assert kept.runs(tmp_path) == []
