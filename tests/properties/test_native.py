"""A client's session that goes on after each full summary, written as the client's own record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcompact.core.lines import parse_line
from ctxcompact.core.settings import Mode, Settings, Write
from ctxcompact.formats import named
from tests.properties.bench import bench, said
from tests.properties.makers import Transcript, writer
from tests.properties.spelling import styles, write
from tests.properties.talks import PROTECT, talks

if TYPE_CHECKING:
    from tests.properties.bench import Bench

RUNS = 3
FORMS = ("claude-code", "pi")

fulls = st.builds(
    Settings,
    mode=st.sampled_from((Mode.MANUAL, Mode.MANUAL, Mode.AUTO)),
    write=st.just(Write.NATIVE),
    threshold=st.sampled_from((0, 300)),
    min_gain_tokens=st.sampled_from((1, 40)),
    protect=st.sampled_from(((), (PROTECT,))),
    counter=st.sampled_from(("o200k_base", "chars4")),
)


def hold(form: str, data: st.DataObject) -> None:
    """After each run its figures are true and nothing is left to do; the way back leads to all that was written."""
    make, style = writer(form), data.draw(styles)._replace(bom=False)
    expected = write(make(data.draw(talks(unique_ids=True, rounds_max=3))), style)
    with bench(Transcript(expected, form, (), (), (), style)) as made:
        is_compacted = False
        for number in range(1, RUNS + 1):
            is_compacted |= _compact(made, data.draw(fulls))
            if is_compacted:
                is_back = made.restored() == expected  # a diff of them takes pytest minutes
                assert is_back
            records = make(data.draw(talks(unique_ids=True, rounds_max=2, first=number * 1000)))
            # A name that is put anew is spelled as clients do.
            style = style._replace(seed=style.seed + number, is_odd=False)
            was, leaf = _leaf(expected, form), _leaf(made.read(), form)
            gap = b"" if expected.endswith(b"\n") else b"\n"
            expected += gap + write(records, style)
            gap = b"" if made.read().endswith(b"\n") else b"\n"
            with made.file.open("ab") as file:
                file.write(gap + write([_hung(x, was, leaf) for x in records], style))
        if is_compacted:
            is_back = made.restored() == expected
            assert is_back


def _compact(made: Bench, wanted: Settings) -> bool:
    """Compact once; return whether anything changed."""
    before = made.read()
    dry = made.run(wanted, dry_run=True)
    report = made.run(wanted)
    assert said(report) == said(dry)
    facts = made.stats(wanted).facts
    assert (facts.tokens, facts.messages) == (report.output.tokens, report.output.messages)
    assert set(report.problems_after) <= set(report.problems_before)
    if report.receipt is None:
        assert made.read() == before
        return False
    assert report.output.tokens < report.input.tokens
    after = made.listing()
    assert wanted.mode is not Mode.MANUAL or made.run(wanted).receipt is None
    assert wanted.mode is not Mode.MANUAL or made.listing() == after
    return True


def _leaf(data: bytes, form: str) -> str:
    """Return the id on which a client hangs what it writes next."""
    key = named(form).id_key
    found = (x.data for raw in reversed(data.split(b"\n")) for x in parse_line(raw)[0])
    return next((record[key] for record in found if isinstance(record, dict) and key in record), "")


def _hung(record: Any, was: str, leaf: str) -> Any:
    """Hang a record that was to hang on the entry `was` on another one."""
    return {key: leaf if value == was else value for key, value in record.items()}


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=15)
@given(data=st.data())
def test_a_session_goes_on(form: str, data: st.DataObject) -> None:
    hold(form, data)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=300)
@given(data=st.data())
def test_a_session_goes_on_for_long(form: str, data: st.DataObject) -> None:
    hold(form, data)
