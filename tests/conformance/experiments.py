"""What is done for a row: the library is run on a file in an empty folder.

Whatever a row expects, the promises hold as well: nothing grows, no problem is added, every id gives
its original, and restore gives the input back byte for byte.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact import api, kept
from ctxcompact.core.settings import Settings, Until
from ctxcompact.core.tasks import Summary
from tests.conformance.shapes import OPENAI, Turn, letters, shape, write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ctxcompact.core.events import Report
    from ctxcompact.core.tasks import Span, Task

SAID = "The tools were called, and all went well."


def source(**changes: Any) -> Settings:
    """Return the reference's own settings: its stop rule and its counter, and no gain demanded."""
    given = Settings(until=Until.FIRST, counter="agentscope", min_gain_tokens=1, preview_chars=20)
    return replace(given, **changes)


@dataclass
class Scripted:
    """Says the same of every span, as the reference's stub model does, where there is room for it.

    Like the real one it is not asked at all where there is none; `spans` are those it was asked for.
    """

    says: str = SAID
    name: str = "scripted"
    uses_model: bool = True
    tasks: list[Task] = field(default_factory=list)

    spans: list[Span] = field(default_factory=list)

    def summarize(self, task: Task, count: Callable[[str], int]) -> Sequence[Summary]:
        self.tasks.append(task)
        room, found = task.budget_tokens, []
        for span in task.spans:
            size = count(self.says)
            if size > room:
                found.append(Summary("", "no room"))
                continue
            room -= size
            self.spans.append(span)
            found.append(Summary(self.says, "" if self.says else "an empty answer"))
        return found


@dataclass
class Ran:
    """A finished run."""

    root: Path
    given: bytes
    made: bytes
    report: Report
    model: Scripted

    @property
    def levels(self) -> tuple[int | str, ...]:
        return tuple(step.level for step in self.report.steps if step.status == "applied")

    @property
    def ids(self) -> list[str]:
        return [uuid for step in self.report.steps for uuid in step.offloads]


def run(
    root: Path,
    given: bytes,
    settings: Settings,
    *,
    form: str = OPENAI,
    says: str = SAID,
    first: bytes = b"",
) -> Ran:
    """Compact a file in its place, and check the promises.

    `first` is what restore has to give where earlier runs made what is given.
    """
    file = root / "talk.jsonl"
    file.write_bytes(given)
    model = Scripted(says)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(api, "choose", lambda _: model)
        report = api.compact(file, None, settings, format_name=form, root=root)
    ran = Ran(root, given, file.read_bytes(), report, model)
    keeps_its_promises(ran, first or given)
    return ran


def keeps_its_promises(ran: Ran, first: bytes) -> None:
    report = ran.report
    assert report.output.tokens <= report.input.tokens
    assert set(report.problems_after) <= set(report.problems_before)
    for original in kept.reload(ran.ids, root=ran.root):
        assert all(line in first for line in original.data.splitlines())
    assert not kept.check(ran.root)
    assert (report.receipt is None) == (ran.made == ran.given)
    if report.receipt is None:
        return
    back = io.BytesIO()
    api.restore(ran.root / "talk.jsonl", back, root=ran.root)
    assert back.getvalue() == first


def passes_through(*records: Any, form: str) -> Callable[[Path], None]:
    """Expect the lines of some records to come out as they were."""

    def check(root: Path) -> None:
        data = b"".join(json.dumps(record).encode() + b" \n" for record in records)
        assert run(root, data, source(force=True), form=form).made == data

    return check


@dataclass(frozen=True)
class Compacts:
    """Run `given` and compare the shape, the levels that did something, and what the model was asked.

    `shape` "" means that not a byte changes; `spans` counts the summaries asked for.
    """

    given: Sequence[Turn]
    settings: Settings
    shape: str = ""
    levels: tuple[int | str, ...] = ()
    spans: int = 0
    form: str = OPENAI
    then: Callable[[Ran], None] | None = None

    def __call__(self, root: Path) -> None:
        ran = run(root, write(self.given, self.form), self.settings, form=self.form)
        expected = self.shape or letters(self.given, self.form)
        found = (shape(ran.made), ran.levels, len(ran.model.spans))
        assert found == (expected, self.levels, self.spans)
        if not self.shape:
            assert ran.made == ran.given
        if self.then:
            self.then(ran)
