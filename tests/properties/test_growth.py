"""A transcript that grows, compacted by the same settings each time: what was taken out before stays within reach."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcompact import kept
from ctxcompact.core import tags
from ctxcompact.core.settings import Settings, Until
from tests.fakes import MARK
from tests.properties.bench import bench, folding, written
from tests.properties.makers import FORMATS, Transcript, share, writer
from tests.properties.spelling import styles, write
from tests.properties.talks import talks
from tests.properties.words import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.properties.bench import Bench

RUNS = 3
_FOREIGN = tags.closing(MARK)

# Guards at their defaults give way to the target; those drawn with the others hold.
usual = st.builds(
    Settings,
    target=st.sampled_from((0, 300, 1000, 3000)),
    large_payload_chars=st.sampled_from((210, 5120)),
    min_gain_tokens=st.sampled_from((1, 40)),
    floor_tokens=st.just(0),
    counter=st.sampled_from(("o200k_base", "chars4")),
)


def hold(form: str, data: st.DataObject) -> None:
    """After each run nothing is left to do, every mark leads somewhere, and the way back to all that was written."""
    make, style = writer(form), data.draw(styles)
    wanted = data.draw(written(form, st.one_of(usual, folding(Until.TARGET))))
    expected = write(make(data.draw(talks(unique_ids=True))), style._replace(bom=False))
    with bench(Transcript(expected, form, (), (), (), style)) as made:
        for number in range(1, RUNS + 1):
            receipt = made.run(wanted).receipt
            after = made.listing()
            again = made.run(wanted)
            assert (again.receipt, made.listing()) == (None, after)
            if receipt:
                is_back = made.restored() == expected  # a diff of them takes pytest minutes
                assert is_back
            _follow(made)
            assert _out_of_reach(made, expected) == []
            talk = data.draw(talks(unique_ids=True, first=number * 1000))
            more = write(make(talk), style._replace(bom=False, seed=style.seed + number))
            with made.file.open("ab") as file:
                file.write(more if made.read().endswith(b"\n") else b"\n" + more)
            expected += more if expected.endswith(b"\n") else b"\n" + more


def _follow(made: Bench) -> None:
    """Follow each mark, and those of the originals behind it."""
    waiting = _marks(made.read())
    seen: set[str] = set()
    while waiting:
        uuid = waiting.pop()
        if uuid not in seen:
            seen.add(uuid)
            waiting |= _marks(kept.reload([uuid], root=made.root)[0].data)


def _out_of_reach(made: Bench, expected: bytes) -> list[str]:
    """List what was said and neither stands in the output nor comes back by one reload of its marks."""
    output = made.read()
    stands = set(spoken(output))
    for original in kept.reload(sorted(_marks(output)), root=made.root):
        stands.update(*(_texts(json.loads(line)) for line in original.data.split(b"\n")))
    return [text for text in spoken(expected) if text.startswith("#") and text not in stands]


def _texts(value: Any) -> Iterator[str]:
    """Yield every string below a JSON value."""
    stack = [value]
    while stack:
        top = stack.pop()
        if isinstance(top, str):
            yield top
        elif isinstance(top, dict | list):
            stack += top.values() if isinstance(top, dict) else top


def _marks(data: bytes) -> set[str]:
    text = data.decode("utf-8", "replace").replace('\\"', '"')
    return set(tags.find(text)) - {_FOREIGN}


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=share(40))
@given(data=st.data())
def test_a_grown_transcript_is_compacted_again(form: str, data: st.DataObject) -> None:
    hold(form, data)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=200)
@given(data=st.data())
def test_a_grown_transcript_is_compacted_again_for_long(form: str, data: st.DataObject) -> None:
    hold(form, data)
