"""The settings of section 6.1, translated: mt is msg_threshold, lk last_keep, mc, lp and mct likewise.

A preview as long as the threshold is refused here (7.2 #17), so previews have 20 characters where
the reference's threshold is below its 200.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ctxcompact import kept
from tests.conformance.experiments import source
from tests.conformance.shapes import filler, texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conformance.experiments import Ran

HUGE = 2**31 - 1

SMALL = source(msg_threshold=10, max_tokens=1000, last_keep=5, min_consecutive_tool_messages=3)
ROUNDS = source(
    msg_threshold=10,
    max_tokens=10_000,
    token_ratio=0.9,
    last_keep=2,
    min_consecutive_tool_messages=10,
    large_payload_chars=10_000,
    min_compression_tokens=0,
)
ROUNDS_OF_FIVE = replace(ROUNDS, msg_threshold=5)
LAST_RESORT = replace(ROUNDS, last_keep=5)
CURRENT = replace(LAST_RESORT, large_payload_chars=100, min_compression_tokens=5000)
RUNS = source(
    msg_threshold=10, last_keep=5, min_consecutive_tool_messages=3, min_compression_tokens=0
)
LARGE = source(msg_threshold=10, large_payload_chars=100, last_keep=3, min_compression_tokens=0)
TIGHT = source(
    msg_threshold=5,
    large_payload_chars=50,
    last_keep=2,
    min_consecutive_tool_messages=100,
    min_compression_tokens=HUGE,
)
MIXED = replace(TIGHT, msg_threshold=8, last_keep=3)
FEW = replace(TIGHT, msg_threshold=3, last_keep=15)
TWO_RUNS = source(
    msg_threshold=5, min_consecutive_tool_messages=2, last_keep=2, min_compression_tokens=0
)
CURSOR = replace(TWO_RUNS, min_compression_tokens=5000)
SKIPPED = replace(TWO_RUNS, min_compression_tokens=10_000, large_payload_chars=100)
BLOCKS = source(
    msg_threshold=10, large_payload_chars=100, last_keep=5, min_consecutive_tool_messages=100
)


def leaves_a_preview(ran: Ran) -> None:
    """Expect 200 characters to become their first 20 and a mark on a line of its own, and to be smaller."""
    preview = f'{filler(20)}...\n<context_offload uuid="{ran.ids[0]}"/>'
    assert [text for text in texts(ran.made) if "<context_offload" in text] == [preview]
    assert kept.reload_text(kept.reload(ran.ids, root=ran.root)[0]) == filler(200)
    [step] = [step for step in ran.report.steps if step.status == "applied"]
    assert step.tokens_after < step.tokens_before


def offloads_messages(*counts: int) -> Callable[[Ran], None]:
    """Expect a mark for each fold, with so many messages behind it."""

    def check(ran: Ran) -> None:
        found = [
            len(original.data.splitlines()) for original in kept.reload(ran.ids, root=ran.root)
        ]
        assert found == list(counts)

    return check
