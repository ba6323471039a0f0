"""Section 6.1, first half: the tests of AutoContextMemory about triggers, rounds and runs.

Texts are as short as there. Where they are too short for a summary to save anything the row is run
a second time with long ones, to show the same selection.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ctxcompact import kept
from ctxcompact.core.tasks import Style
from ctxcompact.errors import IdNotFound
from tests.conformance import table_chain_more
from tests.conformance.experiments import Compacts, Ran, passes_through, run
from tests.conformance.regimes import (
    CURRENT,
    LARGE,
    LAST_RESORT,
    ROUNDS,
    ROUNDS_OF_FIVE,
    RUNS,
    SMALL,
    leaves_a_preview,
    offloads_messages,
)
from tests.conformance.rows import better, not_applicable, not_yet, same
from tests.conformance.shapes import (
    CONVERSATIONS,
    LONG_PAIR,
    NOTHING,
    OPENAI,
    PAIR,
    PLAN_PAIR,
    A,
    T,
    U,
    a,
    shape,
    u,
    write,
)
from tests.conformance.shapes import USE as CALL

if TYPE_CHECKING:
    from pathlib import Path

NO_LIST = "a transcript is a file: nobody adds, deletes or clears messages through this tool"
NO_NOTEBOOK = "there is no plan notebook in a file; a plan's calls stay where they are (6.1/20b)"
NO_GAIN = "7.2 #15, #16: a summary is taken only where it saves something;"
UNREAD = "7.1 #1482: the newest call and what the model has not read stay;"
SHRINKS = "7.2 #16: the stub must be smaller than the text; there it grew"

LONG_ROUND = [U, *LONG_PAIR, A]
ROUND = [U, *PAIR, A]
TEN = " U" * 10
NINE = "U U U U U U U U U"
TOOL_RUN = [U, *5 * PAIR, A, *10 * [U]]


def reload_gives_what_was_offloaded(root: Path) -> None:
    ran = run(root, write([U, A, U, A, u(200), A, *5 * [U]], OPENAI), LARGE)
    assert [original.data for original in kept.reload(ran.ids, root=root)] == [
        write([u(200)], OPENAI).rstrip()
    ]


def an_unknown_id_is_an_error(root: Path) -> None:
    with pytest.raises(IdNotFound):
        kept.reload(["0f8fad5b-d9cb-869f-a165-70867728950e"], root=root)


def a_line_of_null_passes_through(root: Path) -> None:
    data = write([U, A, U], OPENAI) + b"null\n"
    assert run(root, data, SMALL).made == data


def a_grown_file_is_compacted_again(root: Path) -> None:
    given = write([*3 * LONG_ROUND, U], OPENAI)
    more = write([*2 * [*LONG_PAIR, A, U]], OPENAI).replace(b'"call-', b'"later-')
    first = run(root, given, ROUNDS_OF_FIVE)
    second = run(root, first.made + more, ROUNDS_OF_FIVE, first=given + more)
    assert shape(second.made) == "U A* U A* U A* U A* U use T A U"
    assert (first.levels, second.levels) == ((4,), (4,))
    assert len(second.model.spans) == 2


def folds_four_rounds_once(ran: Ran) -> None:
    offloads_messages(3, 3, 3, 3)(ran)
    again = run(ran.root, ran.made, ROUNDS, first=ran.given)
    assert (again.made, again.model.spans) == (ran.made, [])


def asks_in_the_style_of_tool_runs(ran: Ran) -> None:
    assert [span.style for span in ran.model.spans] == [Style.TOOL_RUN]


ROWS = (
    same("6.1/1", "1 in working, 1 in original", Compacts([U], SMALL)),
    same("6.1/2", "5, no LLM call", Compacts(5 * [U], SMALL)),
    better(
        "6.1/3",
        "S6 rewrites the last A, 1 call, size grew",
        "7.2 #15, #25: an answered round is history, and nothing here is worth a call",
        Compacts(12 * [U, A], SMALL),
    ),
    better(
        "6.1/4",
        "S4, 4 calls, 13 messages, offloads of 4 messages; second call false",
        f"{NO_GAIN} short rounds stay, long ones go as there; the person's message stays in place and"
        " is not offloaded, so 3 messages stand behind a mark",
        Compacts([*5 * ROUND, U], ROUNDS),
        Compacts(
            [*5 * LONG_ROUND, U],
            ROUNDS,
            "U A* U A* U A* U A* U use T A U",
            levels=(4,),
            spans=4,
            then=folds_four_rounds_once,
        ),
    ),
    not_applicable("6.1/5", "First, Third", NO_LIST),
    not_applicable("6.1/6", "unchanged", NO_LIST),
    not_applicable("6.1/7", "working 0, original 0", NO_LIST),
    same("6.1/8", "reload gives it", reload_gives_what_was_offloaded),
    better(
        "6.1/9",
        "an empty list",
        "7.4 invariant 2: an id that leads nowhere is an error, never an empty answer",
        an_unknown_id_is_an_error,
    ),
    not_yet("6.1/10", "reload gives nothing", "originals are never removed; `store gc` is to come"),
    same("6.1/11", "false, 15, no call", Compacts(15 * [U], RUNS)),
    same(
        "6.1/12",
        "S1; run of 10 -> A*; 13 messages; 1 call",
        Compacts(TOOL_RUN, RUNS, f"U A* A{TEN}", levels=(1,), spans=1, then=offloads_messages(10)),
    ),
    better(
        "6.1/13",
        "S2; message 4 -> U* of 268 characters; 0 calls; 89 -> 117 tokens",
        SHRINKS,
        Compacts(
            [U, A, U, A, u(200), A, *5 * [U]],
            LARGE,
            "U A U A U* A U U U U U",
            levels=(2,),
            then=leaves_a_preview,
        ),
    ),
    better(
        "6.1/14",
        "S5 rewrites the final answer of 200 characters; 1 call",
        "7.2 #25: a current round with a final answer is history, and the newest answer stays",
        Compacts([*9 * [U], a(200)], CURRENT),
    ),
    same("6.1/15", "an empty list", passes_through(NOTHING, form=CONVERSATIONS)),
    same("6.1/16", "anything but a crash", a_line_of_null_passes_through),
    same("6.1/17", "5 in working, 5 in original", Compacts(5 * [U], SMALL)),
    better(
        "6.1/18",
        "S6; 10 messages; asks for 23 of 76 characters",
        f"{UNREAD} and with texts so short nothing is saved",
        Compacts([*9 * [U], *2 * PAIR], LAST_RESORT),
        Compacts([*9 * [U], *2 * LONG_PAIR], LAST_RESORT, f"{NINE} U* use T", levels=(6,), spans=1),
    ),
    same(
        "6.1/19",
        "false; nothing changed; no event",
        Compacts(
            [U, *5 * [CALL, T._replace(results=("ok",))], A, *10 * [U]],
            replace(RUNS, min_compression_tokens=10_000),
        ),
    ),
    same(
        "6.1/20a",
        "as 12: S1",
        Compacts(
            TOOL_RUN,
            RUNS,
            f"U A* A{TEN}",
            levels=(1,),
            spans=1,
            then=asks_in_the_style_of_tool_runs,
        ),
    ),
    better(
        "6.1/20b",
        "run of 6 with a plan pair offloaded whole, LLM sees the 2 other pairs, 1 A*",
        "7.2 #22: plan messages do not vanish; the pair stays in its place",
        Compacts(
            [U, *PLAN_PAIR, *2 * PAIR, A, *10 * [U]],
            RUNS,
            f"U use T A* A{TEN}",
            levels=(1,),
            spans=1,
            then=offloads_messages(4),
        ),
    ),
    not_yet(
        "6.1/20c",
        "the last message to the LLM is the plan hint",
        "a summarizer's task has a place for the plan, but nothing reads it from the transcript yet",
    ),
    better(
        "6.1/21",
        "S4; 2 calls; 13 -> 9",
        f"{NO_GAIN} short rounds stay, long ones go as there (a command has no scheduler)",
        Compacts([*3 * ROUND, U], ROUNDS_OF_FIVE),
        Compacts(
            [*3 * LONG_ROUND, U], ROUNDS_OF_FIVE, "U A* U A* U use T A U", levels=(4,), spans=2
        ),
    ),
    better(
        "6.1/22",
        "21, then 2 more rounds and U: both true",
        f"{NO_GAIN} tried with long rounds",
        a_grown_file_is_compacted_again,
    ),
    not_applicable("6.1/23", "no error", NO_NOTEBOOK),
    same("6.1/24", "12 U: no call", Compacts(12 * [U], RUNS)),
    same("6.1/25", "false", Compacts(12 * [U], RUNS)),
    same("6.1/26", "false", Compacts(15 * [U], RUNS)),
    *table_chain_more.ROWS,
)
