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


SENDS, UNGUARDS = "have transcripts sent away", "switch off what you asked for"
WRITES = "have files written outside of it"


@pytest.mark.parametrize(
    ("text", "key", "line", "harm"),
    [
        pytest.param("model = 'openai/x'", "model", 1, SENDS, id="a model"),
        pytest.param("top = 3\n\n'api-base' = ''", "api_base", 3, SENDS, id="a server"),
        pytest.param("# model = 1\n  model='x'", "model", 2, SENDS, id="below a comment"),
        pytest.param(
            '"api\\u005fbase" = "x"', "api_base", None, SENDS, id="spelled to be overlooked"
        ),
        pytest.param("summarizer = 'llm'", "summarizer", 1, SENDS, id="the user's model"),
        pytest.param("redact = false", "redact", 1, UNGUARDS, id="a protection"),
        pytest.param("output = '../x'", "output", 1, WRITES, id="an output above it"),
        pytest.param("report = '/tmp/r.json'", "report", 1, WRITES, id="a report elsewhere"),
        pytest.param("root = '~'", "root", 1, WRITES, id="a store at home"),
        pytest.param("root = 'link/x'", "root", 1, WRITES, id="behind a link"),
    ],
)
@pytest.mark.parametrize("name", [OWN, SHARED])
def test_what_could_do_harm_is_not_for_a_project_to_set(
    sources: Sources, name: str, text: str, key: str, line: int | None, harm: str
) -> None:
    (sources.folder / "link").symlink_to(sources.folder.parent)
    if name == SHARED:
        text, line = f"[x]\nmodel = 1\n[tool.ctxcompact]\n{text}", line and line + 3
    path = sources.write(name, text)
    with pytest.raises(UsageError, match=f"^{key} is not for a project to set: .*{harm}") as caught:
        sources.load(model="openai/mine", output="mine.jsonl")
    assert (caught.value.path, caught.value.line) == (str(path), line)
    option = "--" + key.replace("_", "-")
    assert f"use {option}, CTXCOMPACT_{key.upper()} or /" in caught.value.hint


def test_what_a_file_of_a_project_says_is_not_repeated(sources: Sources) -> None:
    sources.write(OWN, "api_base = 'https://me:pa55w0rd@host'")
    with pytest.raises(UsageError) as caught:
        sources.load()
    assert "pa55w0rd" not in caught.value.message + caught.value.hint


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
