"""The client's own compaction, made from any entry that it may have to stand after."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from ctxcompact.core.format import Closing
from ctxcompact.core.model import Origin, Role
from ctxcompact.core.tags import FULL_SUMMARY_START
from ctxcompact.formats.pi_native import closing
from tests.formats.hostile import spoiled
from tests.formats.pi_session import HEADER, conversation, message, said, user

LAST = {**said("b", "a", "Done."), "timestamp": "2026-01-31T23:59:59.999Z"}
TEXT = f"{FULL_SUMMARY_START}x]\n\nWhat was."


def made(
    *prompts: Any, last: Any = LAST, first: tuple[str, int] | None = None, parent: str = "b"
) -> dict[str, Any]:
    return closing(Closing(TEXT, last, parent, first, prompts, tokens=7, id="m"))


def test_it_hangs_on_the_newest_entry_and_is_a_little_later() -> None:
    mark = made()
    assert (mark["type"], mark["id"], mark["parentId"]) == ("compaction", "m", "b")
    assert mark["timestamp"] == "2026-02-01T00:00:00.000Z"
    assert (mark["summary"], mark["tokensBefore"], mark["fromHook"]) == (TEXT, 7, True)


def test_it_names_what_it_keeps_and_itself_if_that_is_nothing() -> None:
    assert made(first=("a", 1))["firstKeptEntryId"] == "a"
    assert made()["firstKeptEntryId"] == "m"


@pytest.mark.parametrize("first", [None, ("", 2)], ids=["nothing kept", "some kept"])
def test_of_the_first_version_it_has_no_id(first: tuple[str, int] | None) -> None:
    mark = made(last={"type": "message", "message": {}}, parent="", first=first)
    assert {"id", "parentId", "firstKeptEntryId", "timestamp"}.isdisjoint(mark)
    assert mark.get("firstKeptEntryIndex") == (first and 2)


def test_the_summary_is_read_as_ours_and_nothing_before_it_is_live() -> None:
    (row,) = conversation(HEADER, user("a", None, "Go."), LAST, made()).messages
    assert (row.role, row.origin) == (Role.USER, Origin.SUMMARY)
    (row,) = conversation(HEADER, {**made(), "summary": "So far."}).messages
    assert row.origin is Origin.CLIENT


def test_one_system_prompt_is_carried_over_as_it_is() -> None:
    prompt = {"role": "system", "content": "Be kind.", "own": [1]}
    assert made(prompt)["systemMessage"] == prompt
    assert "systemMessage" not in made()


def test_later_prompts_are_added_to_the_first() -> None:
    read_tool, sent = {"name": "read"}, {"name": "send", "description": "new"}
    prompt = made(
        {"role": "system", "content": "A", "sections": {"x": "1", "y": "2"}, "timestamp": 5},
        {"role": "system", "content": "", "toolsAdded": [read_tool, {"name": "send"}]},
        {"role": "system", "content": "B", "sections": {"x": None, "y": "3"}, "timestamp": 6},
        {"role": "system", "toolsRemoved": [{"name": "read"}], "toolsAdded": [sent]},
    )["systemMessage"]
    assert prompt == {
        "role": "system",
        "content": "A\n\nB",
        "sections": {"y": "3"},
        "toolsAdded": [sent],
        "timestamp": 5,
    }


def test_a_carried_prompt_counts_like_the_one_before() -> None:
    before = message("p", None, role="system", content="", sections={"x": "Be kind."})
    (old,) = conversation(HEADER, before).messages
    new, _ = conversation(HEADER, before, made(before["message"])).messages
    assert (new.role, new.tokens) == (Role.SYSTEM, old.tokens)


PROMPT = {
    "role": "system",
    "content": [{"type": "text", "text": "A"}],
    "sections": {"x": "1"},
    "toolsAdded": [{"name": "read", "parameters": {}}],
    "toolsRemoved": [{"name": "read"}],
    "timestamp": 5,
}


@settings(max_examples=100)
@given(entries=spoiled([PROMPT, PROMPT, LAST]))
def test_whatever_the_entries_say_a_compaction_is_made(entries: list[Any]) -> None:
    *prompts, last = (entry if isinstance(entry, dict) else {} for entry in entries)
    assert conversation(HEADER, made(*prompts, last=last)).messages[-1].origin is Origin.SUMMARY
