"""Section 6.1, second half: prompts, plan hints, mixed tools; and the two tests of PR 1279."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ctxcompact import kept
from ctxcompact.core.tasks import Got, Said, Style
from ctxcompact.summarizers.llm.wording import prompt_for, read
from tests.conformance.experiments import SAID, Compacts, Ran
from tests.conformance.regimes import (
    BLOCKS,
    CURRENT,
    CURSOR,
    FEW,
    MIXED,
    RUNS,
    SKIPPED,
    TIGHT,
    TWO_RUNS,
    leaves_a_preview,
    offloads_messages,
)
from tests.conformance.rows import better, decided, not_yet, same
from tests.conformance.shapes import PAIR, USE, A, T, U, a, filler, t, texts, u, use

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conformance.rows import Row

SHRINKS = "7.2 #16: the stub must be smaller than the text; there it grew"
UNREAD = "7.1 #1482: what the model has just said or not read yet stays;"
CURRENT_ROUND = "DESIGN 4: a summary within the current round speaks as the user's, U* for A*"
NO_HINT = "no hint is written yet: a summarizer's task has a place for the plan that nothing fills"
NINE = "U U U U U U U U U"
SAYS = "Compress it."
ROUND = [U, *PAIR, A]
SHORT_RUN = Compacts(
    [U, *5 * PAIR, A],
    RUNS,
    "U U* use T use T A",
    levels=(1,),
    spans=1,
    then=offloads_messages(6),
)
REFUSED_RUN = Compacts(
    [U, *2 * [use("t"), T], u(2000), A, U, A],
    replace(TWO_RUNS, large_payload_chars=100, last_keep=1),
    "U use T use T U* A U A",
    levels=(2,),
)
"""A run of tools too short for a summary to save anything, and after it something for level 2."""

TIGHT_RESULT = [U, USE, t(200), A, U, A]


def our_own_prompt_is_the_default(_: Path) -> None:
    assert prompt_for(Style.TOOL_RUN, {}) == read("tool_run")


def another_prompt_takes_its_place(_: Path) -> None:
    assert prompt_for(Style.TOOL_RUN, {Style.TOOL_RUN: SAYS}) == SAYS


def the_other_prompts_stay(_: Path) -> None:
    assert prompt_for(Style.ROUND, {Style.TOOL_RUN: SAYS}) == read("past_round")


def keeps_id_and_call(ran: Ran) -> None:
    leaves_a_preview(ran)
    assert b'"tool_call_id": "call-1", "content": "entry' in ran.made.splitlines()[2]


def summary_has_its_own_line(ran: Ran) -> None:
    written = f'{SAID}\n<context_offload uuid="{ran.ids[0]}"/>'
    assert written in texts(ran.made)
    assert kept.reload_text(kept.reload(ran.ids, root=ran.root)[0]) == filler(400)


def model_sees_words_only(ran: Ran) -> None:
    summary_has_its_own_line(ran)
    assert ran.model.spans[0].entries == (Said("assistant", filler(400)),)


def model_sees_the_result_only(ran: Ran) -> None:
    summary_has_its_own_line(ran)
    assert ran.model.spans[0].entries == (Got("call-1", "test_tool", filler(400)),)


def no_hint(number: int, outcome: str) -> Row:
    return not_yet(f"6.1/{number}", outcome, NO_HINT)


ROWS = (
    decided(
        "6.1/27",
        "S1 takes the first 6 tool messages, 7 messages; the prompt is the S1 default",
        CURRENT_ROUND,
        SHORT_RUN,
        our_own_prompt_is_the_default,
    ),
    decided(
        "6.1/28",
        "the prompt is the custom text",
        CURRENT_ROUND,
        SHORT_RUN,
        another_prompt_takes_its_place,
    ),
    same("6.1/29", "no call", Compacts([U, a(200)], CURRENT)),
    same(
        "6.1/30",
        "custom for S1, default elsewhere",
        another_prompt_takes_its_place,
        the_other_prompts_stay,
    ),
    same("6.1/31", "no error", Compacts(12 * [U], RUNS), our_own_prompt_is_the_default),
    no_hint(32, "no hint without a notebook"),
    no_hint(33, "no hint without a plan"),
    no_hint(34, "lines for the goal and the expected outcome"),
    no_hint(35, "and one for progress, 1/3 subtasks completed"),
    no_hint(36, "no progress lines"),
    no_hint(37, "no progress lines"),
    no_hint(38, "1/1 subtasks completed"),
    better(
        "6.1/39",
        "use and T untouched; then S6 rewrites the last A",
        "7.2 #25: an answered round is history, the last A stays too",
        Compacts([U, use("test_tool", query="q" * 200), t(11), A, U, A], TIGHT),
    ),
    better(
        "6.1/40",
        "S2; T* keeps id and name, 268 characters; 108 -> 136 tokens",
        SHRINKS,
        Compacts(TIGHT_RESULT, TIGHT, "U use T* A U A", levels=(2,), then=keeps_id_and_call),
    ),
    better(
        "6.1/41",
        "S2 on the U(200) only; every T preceded by its use",
        SHRINKS,
        Compacts(
            [*ROUND, u(200), *PAIR, A, U, A],
            MIXED,
            "U use T A U* use T A U A",
            levels=(2,),
            then=leaves_a_preview,
        ),
    ),
    no_hint(42, "the same hint for other states"),
    better(
        "6.1/43",
        "S1 skips, S2 offloads U(200); 6 tool messages stay",
        SHRINKS,
        Compacts(
            [U, *3 * PAIR, u(200), A, U],
            SKIPPED,
            "U use T use T use T U* A U",
            levels=(2,),
            then=leaves_a_preview,
        ),
        REFUSED_RUN,
    ),
    same(
        "6.1/44",
        "first group kept, second -> A*; 1 call; 12 messages",
        Compacts(
            [U, *3 * PAIR, U, *3 * [USE, t(12_000)], A, U, U],
            CURSOR,
            "U use T use T use T U A* A U U",
            levels=(1,),
            spans=1,
            then=offloads_messages(6),
        ),
    ),
    better(
        "6.1/45",
        "S5; use kept, text replaced; LLM sees no tool block",
        f"{UNREAD} once the model has gone on, the text is replaced as there",
        Compacts([*9 * [U], USE._replace(text=filler(200))], BLOCKS),
        Compacts(
            [*9 * [U], USE._replace(text=filler(400)), T, USE],
            BLOCKS,
            f"{NINE} use* T use",
            levels=(5,),
            spans=1,
            then=model_sees_words_only,
        ),
    ),
    better(
        "6.1/46",
        "S5; T* keeps id and name; LLM sees no result block",
        f"{UNREAD} once it is read it is replaced as there",
        Compacts([*9 * [U], USE._replace(text=filler(13)), t(200)], BLOCKS),
        Compacts(
            [*9 * [U], USE._replace(text=filler(13)), t(400), USE],
            BLOCKS,
            f"{NINE} use T* use",
            levels=(5,),
            spans=1,
            then=model_sees_the_result_only,
        ),
    ),
    same(
        "6.1/47",
        "both groups in one call, 2 LLM calls, 7 messages",
        Compacts(
            [U, *4 * PAIR, U, *4 * PAIR, A, U, U],
            TWO_RUNS,
            "U A* U A* A U U",
            levels=(1,),
            spans=2,
            then=offloads_messages(8, 8),
        ),
    ),
    better(
        "6.1/48",
        "S3 must offload; the reference fails",
        "7.1 #1260 (part 2), PR 1279: the size guard is level 2's alone",
        Compacts([U, u(200), U, A, U, U], FEW, "U U* U A U U", levels=(3,), then=leaves_a_preview),
    ),
)
