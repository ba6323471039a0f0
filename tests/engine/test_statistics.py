"""Where the tokens of a transcript go, and what stands in the way of a target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core.settings import Settings
from ctxcompact.engine.compaction import facts_of
from ctxcompact.engine.obstacles import obstacles
from ctxcompact.engine.reading import read
from ctxcompact.engine.statistics import Large, Round, savings, statistics
from tests.engine.test_chain import LONG, MINUTES, turns
from tests.fakes import (
    FakeCounter,
    MemorySource,
    answer,
    call,
    ports,
    result,
    result_block,
    results,
    system,
    talk,
    user,
)

if TYPE_CHECKING:
    from ctxcompact.engine.reading import Reading
    from ctxcompact.engine.statistics import Statistics

COUNTER = FakeCounter(message_tokens=1000, call_tokens=20, result_tokens=300)


def sums(data: bytes, *, top: int = 3) -> tuple[Reading, Statistics]:
    reading = read(MemorySource(data), Settings(), ports("anthropic", counter=COUNTER))
    return reading, statistics(reading, facts_of(reading), top=top)


def test_every_token_is_in_one_role_one_kind_and_one_round() -> None:
    _, found = sums(turns("ok", LONG))
    assert sum(found.by_role.values()) == found.facts.tokens
    assert sum(found.by_kind.values()) == found.facts.tokens
    assert sum(row.tokens for row in found.by_round) == found.facts.tokens


def test_the_sums_are_named_and_sorted_by_size() -> None:
    _, found = sums(turns("ok", LONG))
    assert found.by_kind == {
        "framing": 6 * 1000,
        "tool_result": 2 + len(LONG) + 2 * 300,
        "tool_call": 2 * (len("Read") + len("{}") + 20),
        "text": len("Go.") + len("Done."),
    }
    assert found.by_tool == {"Read": found.by_kind["tool_result"] + found.by_kind["tool_call"]}
    assert list(found.by_role) == ["user", "assistant"]
    assert found.by_round == (Round(1, 6, found.facts.tokens),)


def test_the_largest_blocks_are_named_by_line_and_message() -> None:
    _, found = sums(turns("ok", LONG), top=2)
    assert found.largest == (
        Large(5, 5, "tool_result", "Read", len(LONG) + 300),
        Large(3, 3, "tool_result", "Read", 2 + 300),
    )


def test_a_plan_says_what_each_level_would_save_and_changes_nothing() -> None:
    data = turns(LONG, LONG, LONG, LONG)
    reading = read(MemorySource(data), Settings(), ports("anthropic"))
    found = {row.level: row for row in savings(reading, Settings(**MINUTES), ports("anthropic"))}
    assert found["micro"].edits == 1
    assert found[2].edits == found[3].edits == 4
    assert found[2].tokens_saved == found[3].tokens_saved > 4 * 400
    assert reading.tokens == read(MemorySource(data), Settings(), ports("anthropic")).tokens


def test_obstacles_are_named_largest_first() -> None:
    conversation = talk(
        system("s" * 50),
        user("f" * 60),
        call(),
        results(result_block("r" * 70, fixed=True)),
        answer(),
        user("n" * 40),
        call("d"),
        result("u" * 90, "d"),
    )
    assert obstacles(conversation, Settings(overhead_tokens=80)) == [
        "results the model has not read yet: 90 tokens",
        "system prompt and tools outside the file: 80 tokens",
        "tool results that keep their bytes: 70 tokens",
        "first human message: 60 tokens",
        "system messages: 50 tokens",
    ]


def test_a_file_without_any_message_has_nothing_to_sum_up() -> None:
    _, found = sums(b'{"type":"note"}\n')
    assert (found.facts.messages, found.by_round, found.largest) == (0, (), ())
