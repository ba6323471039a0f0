"""What is wrong with a setting is said with the place where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ctxcompact.config.keys import KEYS
from ctxcompact.errors import UsageError
from tests.sources import OWN, SHARED, Sources

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    return Sources(tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "said", "hint"),
    [
        pytest.param(OWN, "keep_recnt = 1", "keep_recnt", "did you mean keep_recent?", id="a slip"),
        pytest.param(
            SHARED,
            "[tool.ctxcompact]\nforse = true",
            "forse",
            "did you mean force?",
            id="in a table",
        ),
        pytest.param(OWN, "zzz = 1", "zzz", "--help", id="nothing like it"),
        pytest.param(OWN, "[chain]\nx = 1", "chain", "", id="a table"),
        pytest.param(
            OWN,
            "keep_recent = '3'",
            "keep_recent must be a whole number, not '3'",
            "",
            id="a text for a number",
        ),
        pytest.param(
            OWN,
            "keep_recent = true",
            "keep_recent must be a whole number",
            "",
            id="a switch for a number",
        ),
        pytest.param(
            OWN,
            "keep_recent = 3.5",
            "keep_recent must be a whole number",
            "",
            id="a part of a number",
        ),
        pytest.param(
            OWN,
            "force = 1",
            "force must be true or false, not 1",
            "",
            id="a number for a switch",
        ),
        pytest.param(
            OWN,
            "mode = 'chian'",
            "mode must be one of chain, micro, auto, manual",
            "",
            id="no such word",
        ),
        pytest.param(
            OWN, "levels = [2, 'x']", "levels must be numbers", "", id="a text among numbers"
        ),
        pytest.param(
            OWN,
            "protect = [1]",
            "protect must be a text or a list of texts",
            "",
            id="a number among texts",
        ),
        pytest.param(OWN, "root = ''", "root must be a path", "", id="an empty path"),
        pytest.param(OWN, 'root = "a\\u0000b"', "root must be a path", "", id="a NUL in a path"),
        pytest.param(
            OWN, "keep_recent = -1", "keep_recent -1: must be 0 or more", "", id="out of range"
        ),
        pytest.param(OWN, "top = -1", "top -1: must be 0 or more", "", id="an option out of range"),
        pytest.param(OWN, "x = = 1", "not TOML", "", id="not TOML"),
        pytest.param(
            OWN, "keep_recent = 1\nkeep-recent = 2", "keep_recent is set twice", "", id="twice"
        ),
        pytest.param(
            SHARED,
            "[tool.ctxcompact]\n[[tool.ctxcompact]]",
            "not TOML",
            "",
            id="table and list",
        ),
        pytest.param(
            SHARED,
            "# [tool.ctxcompact]\ntool.ctxcompact = 3",
            "must be a table",
            "",
            id="no table",
        ),
    ],
)
def test_a_fault_in_a_file_is_named_with_the_file(
    sources: Sources, name: str, text: str, said: str, hint: str
) -> None:
    sources.write(name, text)
    with pytest.raises(UsageError) as caught:
        sources.load()
    assert caught.value.path == str(sources.folder / name)
    assert said in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("name", "value", "said", "hint"),
    [
        pytest.param("CTXCOMPACT_TARGT", "1", "CTXCOMPACT_TARGT", "CTXCOMPACT_TARGET", id="a slip"),
        pytest.param("CTXCOMPACT_TOP", "x", "CTXCOMPACT_TOP must be a whole number", "", id="type"),
        pytest.param("CTXCOMPACT_FORCE", "maybe", "CTXCOMPACT_FORCE must be true", "", id="switch"),
        pytest.param("CTXCOMPACT_LAST_KEEP", "-2", "CTXCOMPACT_LAST_KEEP -2", "", id="range"),
    ],
)
def test_a_fault_in_the_environment_is_named(
    sources: Sources, name: str, value: str, said: str, hint: str
) -> None:
    sources.environ[name] = value
    with pytest.raises(UsageError) as caught:
        sources.load()
    assert said in caught.value.message
    assert hint in caught.value.hint


def test_output_and_in_place_from_one_source_exclude_each_other(sources: Sources) -> None:
    with pytest.raises(UsageError, match="--output and --in-place exclude each other"):
        sources.load(output="x.jsonl", in_place=True)


def test_a_flag_of_the_wrong_kind_is_spelled_as_a_flag(sources: Sources) -> None:
    with pytest.raises(UsageError, match=r"--levels must be numbers with commas between.*'2;3'"):
        sources.load(levels="2;3")


def test_a_rule_between_two_settings_is_checked_after_the_merge(sources: Sources) -> None:
    sources.write(OWN, "large_payload_chars = 150")
    with pytest.raises(UsageError, match="must be below large_payload_chars"):
        sources.load(preview_chars=200)


def test_no_setting_is_without_a_key() -> None:
    assert set(KEYS) >= {
        "target",
        "levels",
        "protect_tool",
        "root",
        "json",
        "model",
        "max_messages",
    }
