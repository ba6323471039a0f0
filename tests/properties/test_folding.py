"""The promises where messages become one: by all six levels, with summarizers that use no model."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcompact import api, kept
from ctxcompact.core.settings import Until
from ctxcompact.core.tasks import Summary
from tests.properties.bench import bench, folding, written
from tests.properties.makers import FORMATS, Transcript, share, transcripts
from tests.properties.test_laws import (
    Law,
    a_dry_run_tells_what_a_real_one_does,
    a_second_run_changes_nothing,
    it_never_grows,
    the_same_input_gives_the_same_output,
    what_matters_stays,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ctxcompact.core.settings import Settings
    from ctxcompact.core.tasks import Span, Task


class Brief:
    """Says how much happened, where there is room for that."""

    name = "brief"
    uses_model = False

    def summarize(self, task: Task, count: Callable[[str], int]) -> Sequence[Summary]:
        room = task.budget_tokens
        found = []
        for span in task.spans:
            summary = self._of(span, room, count)
            room -= count(summary.text)
            found.append(summary)
        return found

    def _of(self, span: Span, room: int, count: Callable[[str], int]) -> Summary:
        text = f"{len(span.entries)} things happened."
        return (
            Summary(text) if count(text) <= min(room, span.tokens - 1) else Summary("", "no room")
        )


def hold(law: Law, form: str, data: st.DataObject) -> None:
    """Check a law with the offline summarizer, or with one of few words."""
    with pytest.MonkeyPatch.context() as patch:
        if data.draw(st.booleans(), label="few words"):
            patch.setattr(api, "choose", lambda _: Brief())
        law(data.draw(transcripts(form)), data.draw(written(form, LAWS[law])))


def nothing_is_lost(given: Transcript, settings: Settings) -> None:
    """Find a folded stretch kept as the lines it was, that of a conversation as its items."""
    with bench(given) as made:
        report = made.run(settings)
        ids = [uuid for step in report.steps for uuid in step.offloads]
        originals = kept.reload(ids, root=made.root)
        lines = [line for original in originals for line in original.data.split(b"\n")]
        assert all(line in given.data for line in lines)
        assert not kept.check(made.root)
        assert (made.read() if report.receipt is None else made.restored()) == given.data


def no_problem_is_added(given: Transcript, settings: Settings) -> None:
    """Compare by the lines of the input in the report, by kind in the output: lines have gone."""
    with bench(given) as made:
        report = made.run(settings)
        assert set(report.problems_after) <= set(report.problems_before)
        left = Counter(problem.code for problem in made.stats(settings).problems)
        assert left <= Counter(problem.code for problem in report.problems_before)


any_stop = st.one_of(folding(Until.TARGET), folding(Until.FIRST))
LAWS: dict[Law, st.SearchStrategy[Settings]] = {
    nothing_is_lost: any_stop,
    what_matters_stays: any_stop,
    it_never_grows: any_stop,
    a_second_run_changes_nothing: folding(Until.TARGET),
    the_same_input_gives_the_same_output: any_stop,
    a_dry_run_tells_what_a_real_one_does: any_stop,
    no_problem_is_added: any_stop,
}
by_format = pytest.mark.parametrize("form", FORMATS)
by_law = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__.replace("_", " "))


@by_format
@by_law
@settings(max_examples=share(80))
@given(data=st.data())
def test_a_law_holds(law: Law, form: str, data: st.DataObject) -> None:
    hold(law, form, data)


@pytest.mark.slow
@by_format
@by_law
@settings(max_examples=300)
@given(data=st.data())
def test_a_law_holds_for_long(law: Law, form: str, data: st.DataObject) -> None:
    hold(law, form, data)
