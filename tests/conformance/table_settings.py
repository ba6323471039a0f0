"""Section 6.5: the configuration and the prompts."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from typing import TYPE_CHECKING

import pytest

from ctxcompact.core.settings import MAX_TOKENS, Settings, Until
from ctxcompact.core.tasks import Style
from ctxcompact.errors import UsageError
from ctxcompact.levels.tool_runs import RUNS_A_PASS
from ctxcompact.summarizers.choosing import Wanted
from ctxcompact.summarizers.llm.settings import LlmSettings
from ctxcompact.summarizers.llm.wording import prompt_for, read
from tests.conformance.rows import Row, better, not_applicable, same

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

FOUR = (Style.TOOL_RUN, Style.ROUND, Style.PAYLOAD, Style.CURRENT_ROUND)
CUSTOM = {style: f"My own words for a {style.value}." for style in FOUR}
OTHERS = {
    "msg_threshold": 7,
    "max_tokens": 9000,
    "token_ratio": 0.5,
    "last_keep": 3,
    "large_payload_chars": 800,
    "preview_chars": 90,
    "min_consecutive_tool_messages": 2,
    "min_compression_tokens": 11,
    "current_round_ratio": 0.4,
}
REFUSED = "7.1 PR 1682: configuration is validated; leave the prompt out to get ours"


def the_defaults_are_those_of_the_reference(_: Path) -> None:
    given = Settings()
    assert (given.msg_threshold, given.last_keep, given.min_consecutive_tool_messages) == (
        100,
        50,
        6,
    )
    assert (MAX_TOKENS, given.token_ratio, given.trigger_tokens) == (131_072, 0.75, 98_304)
    assert (given.large_payload_chars, given.preview_chars) == (5120, 200)
    assert (given.min_compression_tokens, given.current_round_ratio) == (5000, 0.3)
    assert RUNS_A_PASS == 5


def all_values_are_kept(_: Path) -> None:
    given = Settings(**OTHERS)  # type: ignore[arg-type]  # numbers all of them
    assert {name: getattr(given, name) for name in OTHERS} == OTHERS


def two_settings_are_independent(_: Path) -> None:
    one = Settings()
    other = replace(one, last_keep=3)
    assert (one.last_keep, other.last_keep) == (50, 3)
    with pytest.raises(FrozenInstanceError):
        one.last_keep = 4  # type: ignore[misc]  # that it is frozen is what is tried


def others_keep_their_defaults(_: Path) -> None:
    assert replace(Settings(until=Until.FIRST), until=Until.TARGET) == Settings()


def no_prompt_is_replaced(_: Path) -> None:
    assert (Wanted().prompts, LlmSettings(model="m").prompts) == ({}, {})


def prompts_are_kept(_: Path) -> None:
    given = LlmSettings(model="m", prompts=CUSTOM, retries=7)
    assert (given.prompts, given.retries) == (CUSTOM, 7)


def replaces_only(*styles: Style) -> Callable[[Path], None]:
    """Expect these prompts to be the person's own, and all others ours."""

    def check(_: Path) -> None:
        given: Mapping[Style, str] = {style: CUSTOM[style] for style in styles}
        found = {style: prompt_for(style, given) for style in FOUR}
        assert found == {style: given.get(style) or read(style.value) for style in FOUR}
        assert LlmSettings(model="m", prompts=given).prompts == given

    return check


def is_refused(prompt: str) -> Callable[[Path], None]:
    def check(_: Path) -> None:
        with pytest.raises(UsageError, match="empty") as caught:
            LlmSettings(model="m", prompts={Style.ROUND: prompt})
        assert "leave the file out" in caught.value.hint

    return check


def row(name: str, reference: str, *experiments: Callable[[Path], None]) -> Row:
    return same(f"6.5/{name}", reference, *experiments)


ROWS = (
    row("config/defaults", "as in 1.1", the_defaults_are_those_of_the_reference),
    row("config/builder-defaults", "the same", the_defaults_are_those_of_the_reference),
    row("config/all-custom", "all kept", all_values_are_kept),
    not_applicable(
        "6.5/config/chaining", "returns the builder", "settings are one record, made at once"
    ),
    row("config/two-builds", "independent", two_settings_are_independent),
    row("config/partial", "other defaults kept", others_keep_their_defaults),
    row("config/prompts-default", "null", no_prompt_is_replaced),
    row("config/prompts-kept", "kept", prompts_are_kept),
    row("config/prompts-with-others", "all kept", prompts_are_kept, all_values_are_kept),
    row("prompts/none", "all null", no_prompt_is_replaced),
    *(row(f"prompts/alone/{style.value}", "kept", replaces_only(style)) for style in FOUR),
    row("prompts/all", "kept", replaces_only(*FOUR)),
    row("prompts/partial", "kept", replaces_only(*FOUR[:2])),
    better("6.5/prompts/empty", "kept as an empty text", REFUSED, is_refused("")),
    row(
        "prompts/later-builds", "earlier ones stay", replaces_only(FOUR[0]), replaces_only(FOUR[1])
    ),
    row("provider/null-config", "default", replaces_only()),
    row("provider/null-field", "default", replaces_only(FOUR[1])),
    better("6.5/provider/empty", "default", REFUSED, is_refused("")),
    better("6.5/provider/blank", "default", REFUSED, is_refused(" \n\t")),
    row("provider/set", "custom", replaces_only(FOUR[0])),
    row("provider/mixed", "custom and default", replaces_only(FOUR[0], FOUR[3])),
    row("provider/all", "custom", replaces_only(*FOUR)),
)
