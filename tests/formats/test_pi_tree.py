"""Which entries of a pi session are live."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcompact.core.model import Kind, Role
from tests.formats.pi_session import (
    FIRST_HEADER,
    HEADER,
    answered,
    compaction,
    conversation,
    entry,
    live,
    message,
    of_first_version,
    said,
    user,
)

# Records 1 to 4, each hanging on the one before.
TALK = [
    HEADER,
    user("a", None, "one"),
    said("b", "a", "call:t1"),
    answered("c", "b", "t1", "x" * 500),
    said("d", "c", "two"),
]


def test_the_last_entry_leads_up_to_the_root() -> None:
    assert live(*TALK) == [1, 2, 3, 4]


def test_what_hangs_on_an_earlier_entry_is_another_branch() -> None:
    assert live(*TALK, user("e", "a", "instead")) == [1, 5]


def test_an_entry_that_says_nothing_leads_on() -> None:
    assert live(*TALK, entry("label", "e", "b", label="here")) == [1, 2]


def test_a_branch_may_begin_anew() -> None:
    assert live(*TALK, user("e", None, "fresh")) == [5]


def test_a_parent_that_is_not_there_ends_the_walk() -> None:
    assert live(HEADER, *TALK[3:]) == [1, 2]


def test_a_parent_that_is_a_call_stands_for_the_entry_that_calls() -> None:
    assert live(*TALK[:3], answered("c", "t1", "t1"), TALK[4]) == [1, 2, 3, 4]


def test_a_cycle_ends_the_walk() -> None:
    assert live(HEADER, user("a", "b", "x"), said("b", "a", "y")) == [1, 2]


def test_of_two_entries_with_one_id_the_later_counts() -> None:
    assert live(*TALK[:2], user("a", None, "again"), said("b", "a", "x")) == [2, 3]


def test_what_has_no_id_is_not_in_the_tree() -> None:
    assert live(*TALK, {"type": "message", "message": {"role": "user", "content": "x"}}) == [
        1,
        2,
        3,
        4,
    ]


def test_every_entry_is_linked_also_those_off_the_branch() -> None:
    links = conversation(*TALK, user("e", "a", "instead")).links
    assert [(link.record, link.uuid, link.parent) for link in links] == [
        (1, "a", ""),
        (2, "b", "a"),
        (3, "c", "b"),
        (4, "d", "c"),
        (5, "e", "a"),
    ]


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        pytest.param("b", [5, 2, 3, 4, 6], id="some"),
        pytest.param("z", [5, 6], id="an id that is not there keeps none"),
        pytest.param("e", [5, 6], id="its own id keeps none"),
        pytest.param(None, [5, 6], id="no id keeps none"),
    ],
)
def test_a_compaction_stands_before_what_it_keeps(first: str | None, expected: list[int]) -> None:
    assert live(*TALK, compaction("e", "d", first), user("f", "e", "go on")) == expected


def test_the_summary_is_the_clients_and_stays() -> None:
    row = conversation(*TALK, compaction("e", "d", "d")).messages[0]
    (block,) = row.blocks
    assert (row.protected, block.kind, block.fixed, block.path) == (
        True,
        Kind.TEXT,
        True,
        ("summary",),
    )


def test_the_newest_compaction_of_the_branch_counts_and_older_ones_say_nothing() -> None:
    records = [*TALK, compaction("e", "d", "a"), user("f", "e", "x"), compaction("g", "f", "b")]
    assert live(*records) == [7, 2, 3, 4, 6]
    assert live(*records, user("h", "d", "another branch")) == [1, 2, 3, 4, 8]


def test_a_compaction_has_the_system_prompt_that_counts() -> None:
    old = message("p", "a", role="system", content="old")
    new = {"role": "system", "content": "newer"}
    records = [*TALK[:2], old, said("b", "p", "x"), compaction("c", "b", "a", systemMessage=new)]
    system, summary, *kept = conversation(*records).messages
    assert (system.role, system.protected, system.blocks[0].tokens) == (Role.SYSTEM, True, 5)
    assert summary.blocks[0].path == ("summary",)
    assert [row.blocks[0].record for row in kept] == [1, 3]


def edit(target: str, replacement: Any) -> dict[str, Any]:
    return entry("context_edit", "e", "d", targetId=target, replacement=replacement)


def test_a_result_that_the_client_cleared_counts_as_it_is_shown_and_stays() -> None:
    shown = {"content": [{"type": "text", "text": "gone"}]}
    row = conversation(*TALK, edit("c", shown)).messages[2]
    (block,) = row.blocks
    assert (block.tokens, block.chars, block.fixed, row.protected) == (104, 4, True, True)
    assert (block.kind, block.call_id, block.record) == (Kind.RESULT, "t1", 3)


def test_an_entry_that_the_client_left_out_is_no_message() -> None:
    assert live(*TALK, edit("a", None)) == [2, 3, 4]


def test_a_text_that_the_client_replaced_counts_as_it_is_shown() -> None:
    row = conversation(*TALK, edit("a", {"content": "shorter"})).messages[0]
    assert [(block.chars, block.fixed, block.record) for block in row.blocks] == [(7, True, 1)]
    assert row.protected


@pytest.mark.parametrize("replacement", ["text", [], 1], ids=["text", "list", "number"])
def test_an_edit_that_says_nothing_changes_nothing(replacement: Any) -> None:
    assert conversation(*TALK, edit("c", replacement)).messages[2].blocks[0].tokens == 600


def test_of_two_edits_of_one_entry_the_later_counts_and_only_on_its_branch() -> None:
    shown = {"content": "gone"}
    later = entry("context_edit", "f", "e", targetId="c", replacement={"content": "gone too"})
    assert conversation(*TALK, edit("c", shown), later).messages[2].blocks[0].chars == 8
    other = conversation(*TALK, edit("c", shown), user("f", "d", "on"))
    assert other.messages[2].blocks[0].chars == 500


def test_files_of_the_first_version_are_read_line_by_line() -> None:
    found = conversation(FIRST_HEADER, *of_first_version(*TALK[1:]))
    assert [row.blocks[0].record for row in found.messages] == [1, 2, 3, 4]
    assert found.links == []


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        pytest.param(2, [5, 2, 3, 4], id="some"),
        pytest.param(0, [5], id="the header is no entry"),
        pytest.param(5, [5], id="itself"),
        pytest.param(99, [5], id="nothing is there"),
        pytest.param("2", [5], id="no number"),
    ],
)
def test_the_first_version_counts_lines_for_what_it_keeps(index: Any, expected: list[int]) -> None:
    entries = of_first_version(*TALK[1:], compaction("e", "d", firstKeptEntryIndex=index))
    assert live(FIRST_HEADER, *entries) == expected


def test_null_and_its_like_are_not_counted() -> None:
    entries = of_first_version(*TALK[1:], compaction("e", "d", firstKeptEntryIndex=2))
    assert live(FIRST_HEADER, None, *entries) == [6, 3, 4, 5]
