from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.tasks import Called, Entry, Said
from ctxcompact.summarizers.llm.chunks import TRUNCATED, clip, pack
from ctxcompact.summarizers.llm.records import Record, units
from tests.summarizers.llm.fakes import call, got, span


def cost(record: Record) -> int:
    """One token a character, and ten around it."""
    return len(record.title) + len(record.body) + 10


def bodies(*entries: Entry, room: int) -> list[list[str]]:
    return [[record.body for record in part] for part in pack(units(span(*entries)), room, cost)]


WORDS = st.integers(1, 120).map(lambda size: [f"{size:x}w{n * n:x}" for n in range(size)])
ENTRIES = st.lists(
    st.one_of(
        st.builds(lambda words: [Said("user", " ".join(words))], WORDS),
        st.builds(
            lambda words, gap: [call(), got(gap.join(words))], WORDS, st.sampled_from([" ", "\n"])
        ),
        st.builds(
            lambda words: [
                call("a", "1"),
                call("b", "2"),
                got(" ".join(words), "2"),
                got("x", "1"),
            ],
            WORDS,
        ),
        st.builds(lambda words: [Called("c", "write", {"text": " ".join(words)})], WORDS),
    ),
    min_size=1,
    max_size=8,
).map(lambda groups: [entry for group in groups for entry in group])


@given(ENTRIES, st.integers(300, 900))
def test_parts_fit_and_hold_every_word_in_order(entries: list[Entry], room: int) -> None:
    groups = units(span(*entries))
    parts = pack(groups, room, cost)
    assert all(sum(map(cost, part)) <= room for part in parts)
    sent = " ".join(record.body for part in parts for record in part)
    for unit in groups:
        for pair in unit:
            for record in pair.records:
                assert set(record.body.split()) <= set(sent.split())


@given(st.text("ab{}\N{GRINNING FACE}", min_size=1, max_size=1500), st.integers(300, 500))
def test_a_name_is_whole_in_some_part_wherever_the_cut_falls(text: str, room: int) -> None:
    pieces = [body for part in bodies(got(text), room=room) for body in part]
    for start in range(max(1, len(text) - 60)):
        assert any(text[start : start + 60] in piece for piece in pieces)


def test_everything_small_goes_into_one_part() -> None:
    assert bodies(call(), got("one"), Said("user", "two"), room=300) == [
        ["path=a.py", "one", "two"]
    ]


def test_a_part_ends_between_units_and_never_between_a_call_and_its_result() -> None:
    entries: list[Entry] = [
        call("a", "1"),
        got("x" * 100, "1"),
        call("b", "2"),
        got("y" * 100, "2"),
    ]
    assert bodies(*entries, room=200) == [["path=a", "x" * 100], ["path=b", "y" * 100]]


def test_parallel_calls_that_do_not_fit_together_part_pair_by_pair() -> None:
    entries: list[Entry] = [
        call("a", "1"),
        call("b", "2"),
        got("x" * 100, "1"),
        got("y" * 100, "2"),
    ]
    assert bodies(*entries, room=200) == [["path=a", "x" * 100], ["path=b", "y" * 100]]


def test_a_result_too_large_for_a_part_is_cut_and_its_call_goes_before_each_piece() -> None:
    text = "".join(f"line {number:03}\n" for number in range(40))
    parts = bodies(call("a"), got(text), room=200)
    assert len(parts) > 2
    assert {part[0] for part in parts} == {"path=a"}
    pieces = [part[1] for part in parts]
    assert pieces[0].endswith(f"\n{TRUNCATED}")
    assert all(piece.startswith(f"{TRUNCATED}\n") for piece in pieces[1:])
    assert not pieces[-1].endswith(TRUNCATED)
    lines = re.findall(r"line \d\d\d", "".join(pieces))
    assert lines == text.split("\n")[:-1]


def test_large_arguments_are_cut_as_well_and_only_their_beginning_is_repeated() -> None:
    written = Called("1", "write", {"text": "word " * 100})
    parts = bodies(written, got("z" * 600, "1"), room=450)
    joined = [" ".join(part) for part in parts]
    assert sum("word" in text for text in joined) == len(parts)
    assert joined[-1].startswith("text=word word")
    assert f" {TRUNCATED} " in joined[-1]


@pytest.mark.parametrize(
    ("body", "room", "expected"),
    [
        pytest.param("short", 100, "short", id="what fits stays"),
        pytest.param(
            "one two three four five six seven " * 3,
            60,
            f"one two three four five \n{TRUNCATED}",
            id="the rest is marked",
        ),
    ],
)
def test_clipping_keeps_the_beginning(body: str, room: int, expected: str) -> None:
    assert clip(Record("plan", body), room, cost).body == expected
