"""Facts: what is one, what still stands, and what one would look for behind a mark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.facts import CUE_CHARS, Fact, FactScore, cue, facts, missing, score
from ctxcompact.core.tasks import Called, Got, Said

if TYPE_CHECKING:
    from ctxcompact.core.tasks import Entry

SESSION: tuple[Entry, ...] = (
    Said("user", "Find out why the export fails. Never restart host prod-77."),
    Called("1", "run_command", {"command": "pytest -k export"}),
    Got(
        "1",
        "run_command",
        "2026-03-01 10:00:00 ERROR cannot reach db-4:5432\n3 passed",
        failed=True,
    ),
    Called("2", "write_file", {"path": "/srv/export.py", "content": "LIMIT = 4096"}),
    Got("2", "write_file", "written"),
    Said("assistant", "I decided to raise LIMIT because rows are wide."),
)


@pytest.mark.parametrize(
    "fact",
    [
        pytest.param(Fact("rule", "Never restart host prod-77."), id="a rule of the person"),
        pytest.param(Fact("command", "pytest -k export"), id="a command"),
        pytest.param(
            Fact("error", "ERROR cannot reach db-4:5432"), id="an error message without its time"
        ),
        pytest.param(Fact("number", "5432"), id="a port in a result"),
        pytest.param(Fact("effect", "/srv/export.py"), id="the target of a write"),
        pytest.param(Fact("number", "4096"), id="a number which was written"),
        pytest.param(
            Fact("decision", "I decided to raise LIMIT because rows are wide."), id="a decision"
        ),
    ],
)
def test_a_fact_is_found(fact: Fact) -> None:
    assert fact in facts(SESSION)


@pytest.mark.parametrize(
    ("entry", "wanted"),
    [
        pytest.param(Said("user", "From here on, ask me before renaming."), "ask me", id="a wish"),
        pytest.param(Said("user", "不要修改 legacy/report.py。"), "legacy/report.py", id="Chinese"),
        pytest.param(
            Got("c", "http", "see https://example.test/a?b=1 for it"),
            "https://example.test/a?b=1",
            id="an address",
        ),
    ],
)
def test_what_a_reader_needs_verbatim_is_part_of_a_fact(entry: Entry, wanted: str) -> None:
    assert any(wanted in fact.text for fact in facts([entry]))


def test_what_people_and_agents_wrote_comes_before_what_results_hold() -> None:
    kinds = [fact.kind for fact in facts(SESSION)]
    assert kinds.index("rule") < kinds.index("error")
    assert kinds.index("decision") < kinds.index("error")


def test_a_text_is_one_fact_however_often_it_stands() -> None:
    twice = (*SESSION, *SESSION)
    assert facts(twice) == facts(SESSION)


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        pytest.param("HTTP/1.1 404 Not Found", True, id="as a word"),
        pytest.param("code=404;", True, id="between signs"),
        pytest.param("状态404错误", True, id="inside Chinese"),
        pytest.param("14045", False, id="inside a number"),
        pytest.param("v404a", False, id="inside a word"),
    ],
)
def test_a_fact_stands_on_word_boundaries(text: str, stands: bool) -> None:  # noqa: FBT001
    assert (missing([Fact("number", "404")], [text]) == []) is stands


def test_white_space_does_not_part_a_fact() -> None:
    assert missing([Fact("error", "cannot reach db-4")], ["cannot\n  reach db-4"]) == []


@pytest.mark.parametrize(
    ("reachable", "expected"),
    [
        pytest.param(True, FactScore(3, 1, 2, 0), id="behind a mark"),
        pytest.param(False, FactScore(3, 1, 0, 2), id="with no way back"),
    ],
)
def test_the_score_tells_kept_reachable_and_lost(reachable: bool, expected: FactScore) -> None:  # noqa: FBT001
    wanted = [Fact("path", "/a/b"), Fact("number", "404"), Fact("id", "x_1")]
    assert score(wanted, ["see /a/b here"], reachable=reachable) == expected


def test_a_cue_names_each_tool_with_its_main_argument() -> None:
    assert cue(SESSION) == "run_command pytest -k export; write_file /srv/export.py"


def test_a_cue_of_many_calls_names_all_tools_first() -> None:
    calls = [
        Called(str(n), f"tool_{n % 5}", {"path": f"/very/long/path/{n}.txt"}) for n in range(40)
    ]
    line = cue(calls)
    assert len(line) <= CUE_CHARS
    assert all(f"tool_{n}" in line for n in range(5))


def test_a_cue_without_calls_is_the_beginning_of_what_was_said() -> None:
    assert cue([Said("assistant", "第一步已经完成。\n然后继续。")]) == "第一步已经完成。 然后继续。"
    assert cue([]) == ""


def test_a_cue_never_looks_like_a_mark() -> None:
    uuid = "00000000-0000-8000-8000-000000000000"
    line = cue([Called("1", "bash", {"command": f'<context_offload uuid="{uuid}"/>'})])
    assert "<context_offload" not in line


_entry = st.one_of(
    st.builds(Said, st.sampled_from(["user", "assistant"]), st.text(max_size=200)),
    st.builds(
        Called,
        st.just("1"),
        st.text(max_size=20),
        st.dictionaries(st.text(max_size=9), st.text(max_size=60), max_size=3),
    ),
    st.builds(Got, st.just("1"), st.text(max_size=20), st.text(max_size=300)),
)


@given(
    st.lists(
        st.builds(Said, st.sampled_from(["user", "assistant"]), st.text(max_size=300)), max_size=6
    )
)
def test_every_fact_of_any_text_stands_in_that_text(entries: list[Said]) -> None:
    assert missing(facts(entries), [entry.text for entry in entries]) == []


@given(st.lists(_entry, max_size=6))
def test_facts_are_found_in_anything(entries: list[Entry]) -> None:
    found = facts(entries)
    assert len({fact.text for fact in found}) == len(found)


@given(st.lists(_entry, max_size=6))
def test_a_cue_of_anything_is_one_short_line(entries: list[Entry]) -> None:
    line = cue(entries)
    assert len(line) <= CUE_CHARS
    assert len(line.splitlines()) <= 1
