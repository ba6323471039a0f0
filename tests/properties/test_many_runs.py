"""A transcript that grows and is compacted again and again, with other settings each time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcompact import kept
from tests.properties.bench import anything, bench
from tests.properties.makers import FORMATS, Transcript, share, writer
from tests.properties.spelling import styles, write
from tests.properties.talks import talks

RUNS = 5


def hold(form: str, data: st.DataObject) -> None:
    """After each run the way back leads to all that was ever written."""
    make, style = writer(form), data.draw(styles)
    first = write(make(data.draw(talks(unique_ids=True, rounds_max=2))), style)
    expected = first
    with bench(Transcript(first, form, (), (), (), style)) as made:
        receipts: set[str] = set()
        for number in range(1, RUNS + 1):
            report = made.run(data.draw(anything))
            receipts |= {report.receipt or ""} - {""}
            if receipts:
                is_back = made.restored() == expected  # a diff of them takes pytest minutes
                assert is_back
            assert not kept.check(made.root)
            talk = data.draw(talks(unique_ids=True, rounds_max=2, first=number * 1000))
            more = write(make(talk), style._replace(bom=False, seed=style.seed + number))
            with made.file.open("ab") as file:
                file.write(more if made.read().endswith(b"\n") else b"\n" + more)
            # A session that ended open was given a newline: what is appended begins a line anew.
            expected += more if expected.endswith(b"\n") else b"\n" + more
        if receipts:
            is_back = made.restored() == expected
            assert is_back


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=share(50))
@given(data=st.data())
def test_every_restore_gives_back_all_that_was_written(form: str, data: st.DataObject) -> None:
    hold(form, data)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=300)
@given(data=st.data())
def test_every_restore_gives_back_all_that_was_written_for_long(
    form: str, data: st.DataObject
) -> None:
    hold(form, data)
