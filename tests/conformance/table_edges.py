"""Section 6.7: edge cases that the reference's own tests leave out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ctxcompact import kept
from ctxcompact.core.settings import Settings
from tests.conformance.experiments import Compacts, Ran, run, source
from tests.conformance.regimes import HUGE, LAST_RESORT, offloads_messages
from tests.conformance.rows import better, decided, same
from tests.conformance.shapes import OPENAI, PAIR, USE, A, U, filler, t, texts, u, write

if TYPE_CHECKING:
    from pathlib import Path

DEFAULTS = Settings(counter="agentscope", until="first")  # type: ignore[arg-type]  # words do as well
PAYLOADS = replace(DEFAULTS, msg_threshold=2)
FLOOR = source(msg_threshold=2, last_keep=1, min_compression_tokens=176)
GROUP = [U, *4 * PAIR, A, U]
"""The group of eight messages between the two texts costs 176."""
SIX = source(msg_threshold=2, last_keep=1, min_compression_tokens=0)
TWELVE = source(msg_threshold=2, large_payload_chars=500, min_compression_tokens=HUGE)
LATER = [U, A, u(900), A, *4 * [U, A]]
FIRST = [u(900), A, *5 * [U, A]]
LATER_SHAPE = "U A U* A U A U A U A U A"
FIRST_TASK = "7.2 #8: the first human message is never cut;"
ANSWERED = "7.2 #15, #25: an answered round is history, and no call is paid to save nothing"


def leaves_a_stub_of_the_default_size(ran: Ran) -> None:
    stub = next(text for text in texts(ran.made) if "<context_offload" in text)
    assert stub == f'{filler(200)}...\n<context_offload uuid="{ran.ids[0]}"/>'
    assert kept.reload_text(kept.reload(ran.ids, root=ran.root)[0]) == filler(5121)


def asks_for_a_part_of_the_tokens(root: Path) -> None:
    settings = replace(LAST_RESORT, current_round_ratio=0.335)
    ran = run(root, write([*9 * [U], *2 * [USE, t(1200)]], OPENAI), settings)
    [task] = ran.model.tasks
    assert task.budget_tokens == int(task.spans[0].tokens * 0.335)


ROWS = (
    same("6.7/default-99", "false", Compacts([*49 * [U, A], U], DEFAULTS)),
    better(
        "6.7/default-100",
        "true, with a call that rewrites a one-character answer",
        ANSWERED,
        Compacts(50 * [U, A], DEFAULTS),
    ),
    same("6.7/large-5120", "kept", Compacts([U, A, u(5120), A, U], PAYLOADS)),
    decided(
        "6.7/large-5121",
        "a stub of 271 characters",
        "DESIGN 1: our mark is shorter by five characters; 200 of preview, dots, line feed, mark",
        Compacts(
            [U, A, u(5121), A, U],
            PAYLOADS,
            "U A U* A U",
            levels=(3,),
            then=leaves_a_stub_of_the_default_size,
        ),
    ),
    same(
        "6.7/floor-176",
        "a group of exactly min_compression_tokens is compressed",
        Compacts(GROUP, FLOOR, "U A* A U", levels=(1,), spans=1, then=offloads_messages(8)),
    ),
    same(
        "6.7/floor-177",
        "one token below it is skipped",
        Compacts(GROUP, replace(FLOOR, min_compression_tokens=177)),
    ),
    better(
        "6.7/keep-12",
        "a first message of 900 characters is offloaded by S3",
        f"{FIRST_TASK} a later one moves out",
        Compacts(FIRST, replace(TWELVE, last_keep=12)),
        Compacts(LATER, replace(TWELVE, last_keep=12), LATER_SHAPE, levels=(3,)),
    ),
    better(
        "6.7/keep-13",
        "S3 refuses, S6 rewrites the last answer",
        f"{FIRST_TASK} a later one moves out (7.1 #1260), the answer stays (7.2 #25)",
        Compacts(FIRST, replace(TWELVE, last_keep=13)),
        Compacts(LATER, replace(TWELVE, last_keep=13), LATER_SHAPE, levels=(3,)),
    ),
    same(
        "6.7/six-tool-messages",
        "not compressed",
        Compacts([U, *3 * PAIR, A, U], SIX),
        Compacts([U, *4 * PAIR, A, U], SIX, "U A* A U", levels=(1,), spans=1),
    ),
    decided(
        "6.7/ratio",
        "ratio 0.335 of 101 characters asks for 34 characters, 34 %",
        "DESIGN 4: the share is one of tokens, rounded down, and it is enforced",
        asks_for_a_part_of_the_tokens,
    ),
)
