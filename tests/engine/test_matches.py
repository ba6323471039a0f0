"""Where a text stands in an original, and what is shown of it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as given_settings
from hypothesis import strategies as st

from ctxcompact.core.blocks import Gauge
from ctxcompact.engine.matches import SNIPPET_CHARS, Matches, compile_text, find
from ctxcompact.errors import UsageError
from ctxcompact.formats import FORMATS, named
from tests.fakes import FakeCounter
from tests.formats.hostile import spoiled

GAUGE = Gauge(FakeCounter())
SHOUT = {"type": "tool_result", "tool_use_id": "t", "content": 'first\nline two 中 "q"\tend'}
LINE = {
    "type": "user",
    "uuid": "u1",
    "parentUuid": None,
    "cwd": "/home/ada/harbor",
    "gitBranch": "main",
    "message": {"role": "user", "content": [SHOUT]},
}
PATH = ("message", "content", 0, "content")


def looked(
    wanted: str,
    record: Any,
    path: tuple[str | int, ...] = (),
    form: str = "claude-code",
    **how: bool,
) -> Matches | None:
    data = record if isinstance(record, bytes) else json.dumps(record).encode()
    return find(compile_text(wanted, **how), data, path, named(form), GAUGE)


@pytest.mark.parametrize("path", [PATH, ()], ids=["of a block", "of a record"])
@pytest.mark.parametrize(
    ("wanted", "regex"),
    [
        pytest.param("first\nline", False, id="over a line end"),
        pytest.param("two 中", False, id="a letter that stood as an escape"),
        pytest.param('"q"\tend', False, id="quotes and a tab"),
        pytest.param(r"^line \w+", True, id="a line's begin"),
        pytest.param(r"first$", True, id="a line's end"),
    ],
)
def test_the_text_is_looked_through_not_its_json(
    path: tuple[str | int, ...],
    wanted: str,
    regex: bool,  # noqa: FBT001
) -> None:
    assert "\\u4e2d" in json.dumps(LINE)
    found = looked(wanted, LINE, path, regex=regex)
    assert found is not None
    assert found.times == 1


@pytest.mark.parametrize("wanted", ["harbor", "main", "tool_result", "\\n", "u4e2d", "content"])
def test_what_stands_around_the_text_is_none(wanted: str) -> None:
    assert looked(wanted, LINE) is None
    assert looked(wanted, LINE, PATH) is None


@pytest.mark.parametrize(
    ("record", "path"),
    [
        pytest.param({"type": "progress", "data": {"out": "lost tide"}}, (), id="no message"),
        pytest.param({"a": {"out": "lost tide"}}, ("a",), id="an object"),
        pytest.param({"a": ["lost tide"]}, ("b", 0), id="an address that leads nowhere"),
        pytest.param(b'{"torn": "lost tide', (), id="no JSON"),
        pytest.param([["lost tide"]], (), id="no object"),
    ],
)
def test_what_is_no_text_of_a_message_is_looked_through_as_a_whole(
    record: Any, path: tuple[str | int, ...]
) -> None:
    found = looked("lost tide", record, path)
    assert found is not None
    assert (found.times, "lost tide" in found.snippet) == (1, True)


def test_what_only_the_client_shows_is_found_where_it_has_words() -> None:
    record = LINE | {"toolUseResult": {"originalFile": "def moor(ship):", "agentId": "moor-7"}}
    assert looked("moor", record) == Matches(1, "def moor(ship):")
    assert looked("moor-7", record) is None
    both = record | {"message": {"role": "user", "content": "moor here"}}
    assert looked("moor", both) == Matches(1, "moor here")


def test_a_call_is_found_by_its_arguments_not_by_its_kind() -> None:
    use = {
        "type": "tool_use",
        "id": "toolu_1",
        "name": "Bash",
        "input": {"type": "a", "n": "ls -R"},
    }
    record = {"role": "assistant", "content": [use]}
    assert looked("tool_use", record, form="anthropic") is None
    for wanted in ("toolu_1", "Bash", "ls -R"):
        assert looked(wanted, record, form="anthropic") == Matches(1, wanted)


def test_all_matches_of_a_record_are_counted_and_the_first_is_shown() -> None:
    record = {
        "role": "user",
        "content": [{"type": "text", "text": one} for one in ("a tide", "Tide, tide")],
    }
    assert looked("tide", record, form="anthropic") == Matches(2, "a tide")
    assert looked("TIDE", record, form="anthropic", ignore_case=True) == Matches(3, "a tide")
    assert looked("T.de", record, form="anthropic", regex=True) == Matches(1, "Tide, tide")


def test_a_text_with_letters_of_a_pattern_is_taken_as_it_stands() -> None:
    assert looked("a.b(", {"role": "user", "content": "axb( a.b("}, form="anthropic") == Matches(
        1, "axb( a.b("
    )


def test_a_pattern_that_fits_nothing_finds_what_is_there() -> None:
    record = {"role": "user", "content": "no xx"}
    assert looked("x*", record, form="anthropic", regex=True) == Matches(1, "no xx")
    assert looked("$", record, form="anthropic", regex=True) is None


@pytest.mark.parametrize(
    ("text", "snippet"),
    [
        pytest.param("one\n  a hit here\nthree", "a hit here", id="its line"),
        pytest.param("x" * 500 + " hit", "…" + "x" * 68 + " hit", id="the end of a long line"),
        pytest.param("hit " + "x" * 500, "hit " + "x" * 68 + "…", id="the begin of a long line"),
        pytest.param(
            "a" * 99 + "hit" + "b" * 99, "…" + "a" * 34 + "hit" + "b" * 35 + "…", id="inside"
        ),
        pytest.param("\nhit\n", "hit", id="alone"),
    ],
)
def test_a_snippet_is_cut_around_the_hit(text: str, snippet: str) -> None:
    found = looked("hit", {"role": "user", "content": text}, form="anthropic")
    assert found == Matches(1, snippet)


def test_a_long_hit_is_cut_too() -> None:
    found = looked("x+", {"role": "user", "content": "a" + "x" * 500}, form="anthropic", regex=True)
    assert found == Matches(1, "…" + "x" * SNIPPET_CHARS + "…")


@given(st.text(min_size=1, max_size=200), st.data())
@given_settings(max_examples=50)
def test_every_part_of_a_text_is_found_and_shown(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    part = text[start : start + data.draw(st.integers(1, 60))]
    found = looked(part, {"role": "user", "content": text}, ("content",), "anthropic")
    assert found is not None
    assert found.times == len(re.findall(re.escape(part), text))
    assert part in found.snippet


@given(
    spoiled(
        [LINE, {"role": "user", "content": [SHOUT]}, {"type": "response_item", "payload": SHOUT}]
    )
)
@given_settings(max_examples=30)
def test_no_record_is_too_odd(records: list[Any]) -> None:
    for record in records:
        for form in FORMATS:
            looked("n", record, form=form.name)


@pytest.mark.parametrize(
    "wanted", ["(", "[", "a**", "(" * 50_000 + ")" * 50_000, "a{99999999999}", ""]
)
def test_what_is_no_pattern_is_refused(wanted: str) -> None:
    with pytest.raises(UsageError) as raised:
        compile_text(wanted, regex=True)
    assert raised.value.hint
    assert len(str(raised.value)) < 300


def test_a_pattern_that_python_has_doubts_about_is_taken() -> None:
    assert compile_text("[[a]", regex=True).search("[")


def test_no_text_is_refused() -> None:
    with pytest.raises(UsageError, match="empty"):
        compile_text("")
