"""What is said of a target that was missed: what is in the way, and which option leads further."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcompact.core.model import Origin
from ctxcompact.core.settings import Mode, Settings
from ctxcompact.engine.obstacles import obstacles, ways_on
from tests.fakes import MARK, answer, call, result, system, talk, text_block, user

MANUAL = "to go further, --mode manual makes one summary of all but what is still open"


def test_each_kind_is_named_with_its_tokens_the_largest_first() -> None:
    notice = user()._replace(origin=Origin.CLIENT, blocks=(text_block("n" * 50),))
    messages = [user("a" * 70), user("b" * 60), notice, answer("c" * 40), answer("d" * 30)]
    assert obstacles(talk(*messages, user("e" * 20)), Settings()) == [
        "first human message: 70 tokens",
        "other human messages, which stay word for word: 60 tokens",
        "texts that the client put in: 50 tokens",
        "texts that no level takes: 40 tokens",
        "the newest answer: 30 tokens",
    ]


def test_what_is_ours_and_what_is_unread_is_named_so() -> None:
    ours = answer(f"{'s' * 100}\n{MARK}")._replace(origin=Origin.SUMMARY)
    cut = answer(f"{'p' * 10}\n{MARK}")
    found = obstacles(talk(system("y" * 30), ours, cut, call(), result("r" * 40)), Settings())
    assert [one.partition(":")[0] for one in found] == [
        "our own summaries",
        "previews and placeholders",
        "results the model has not read yet",
        "system messages",
        "tool calls",
    ]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        pytest.param({}, [MANUAL], id="by default"),
        pytest.param({"mode": Mode.MANUAL}, [], id="in the mode that goes furthest"),
        pytest.param(
            {"levels": (2, 3)},
            ["only the levels 2,3 were asked for (--levels)", MANUAL],
            id="with some of the levels",
        ),
        pytest.param(
            {"last_keep": 9, "min_compression_tokens": 7},
            [
                (
                    "these hold, for they were set to another size: "
                    "--min-compression-tokens 7, --last-keep 9"
                ),
                MANUAL,
            ],
            id="with guards of somebody's own",
        ),
    ],
)
def test_the_options_that_lead_further_are_named(fields: dict[str, Any], said: list[str]) -> None:
    assert ways_on(Settings(**fields)) == said
