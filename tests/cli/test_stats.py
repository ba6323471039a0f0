"""`ctxcompact stats`: sums, for people and scripts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.command import call
from tests.cli.transcripts import rounds

if TYPE_CHECKING:
    from pathlib import Path


def test_json_has_the_keys_of_the_contract(talk: Path) -> None:
    data = call("stats", talk, "--json", "--plan").json
    assert (data["ctxcompact"], data["command"]) == (1, "stats")
    (file,) = data["files"]
    wanted = {"path", "format", "counter", "bytes", "lines", "messages", "tokens", "recorded"}
    assert set(file) >= wanted | {"by", "largest", "plan"}
    assert set(file["by"]) == {"role", "kind", "tool", "round"}
    assert all(set(row) == {"line", "message", "kind", "tool", "tokens"} for row in file["largest"])
    assert all(set(row) >= {"level", "edits", "tokens_saved"} for row in file["plan"])
    assert file["recorded"] is None


def test_the_sums_fit_together(talk: Path) -> None:
    file = call("stats", talk, "--json").json["files"][0]
    assert (file["path"], file["bytes"], file["lines"]) == (str(talk), len(rounds()), 12)
    assert sum(file["by"]["role"].values()) == file["tokens"]
    assert sum(file["by"]["kind"].values()) == file["tokens"]
    assert sum(row["tokens"] for row in file["by"]["round"]) == file["tokens"]


def test_words_name_the_counter_and_the_largest(talk: Path) -> None:
    said = call("stats", talk).text
    assert "counted by o200k_base (exact)" in said
    assert "by role" in said
    assert "by tool" in said
    assert "line 3" in said
    assert "would save now" not in said


def test_a_plan_is_shown_when_asked_for(talk: Path) -> None:
    said = call("stats", talk, "--plan").text
    assert "what levels without a summary would save now" in said
    assert "`ctxcompact compact --dry-run` says what the others save" in said


def test_what_is_counted_only_is_said(here: Path) -> None:
    (here / "events.jsonl").write_text(
        '{"type":"user.message","data":{"content":"x"}}\n', encoding="utf-8"
    )
    said = call("stats", "events.jsonl", "--plan").text
    assert "counted only: an estimate of the text in it, not of what copilot sends" in said
    assert "would save now" not in said
    (file,) = call("stats", "events.jsonl", "--json").json["files"]
    assert (file["format"], file["messages"]) == ("copilot", 1)
    assert file["only_counted"]


def test_an_array_of_messages_is_counted(here: Path) -> None:
    (here / "talk.json").write_text(
        json.dumps([json.loads(row) for row in rounds().splitlines()], indent=1), encoding="utf-8"
    )
    (here / "talk.jsonl").write_bytes(rounds())
    (array,) = call("stats", "talk.json", "--json").json["files"]
    (lines,) = call("stats", "talk.jsonl", "--json").json["files"]
    assert (array["tokens"], array["by"]["kind"]) == (lines["tokens"], lines["by"]["kind"])
    assert "a JSON array of 12 values, not JSONL" in array["only_counted"]
    assert lines["only_counted"] == ""


def test_one_table_alone(talk: Path) -> None:
    said = call("stats", talk, "--by", "kind").text
    assert "by kind" in said
    assert "by role" not in said
    assert "largest" not in said


def test_top_limits_the_tables(here: Path) -> None:
    (here / "talk.jsonl").write_bytes(rounds(20))
    said = call("stats", "talk.jsonl", "--top", "2").text
    assert "by round (largest 2 of 20)" in said
    assert len(call("stats", "talk.jsonl", "--top", "2", "--json").json["files"][0]["largest"]) == 2


def test_standard_input_is_read_without_a_name() -> None:
    assert call("stats", stdin=rounds()).text.startswith("standard input: ")


def test_a_file_that_fails_does_not_stop_the_others(talk: Path) -> None:
    said = call("stats", "gone.jsonl", talk, "--json")
    assert said.code == 1
    gone, good = said.json["files"]
    assert (gone["path"], gone["error"]["code"]) == ("gone.jsonl", "input")
    assert good["tokens"] > 0
    assert "gone.jsonl" in said.err


def test_a_file_that_fails_alone_is_an_error() -> None:
    said = call("stats", "gone.jsonl", "--json")
    assert (said.code, said.json["status"]) == (1, "failed")


@pytest.mark.parametrize("option", [("--counter", "nope"), ("--by", "nope"), ("--top", "-1")])
def test_a_wrong_word_is_a_usage_error(talk: Path, option: tuple[str, str]) -> None:
    said = call("stats", talk, talk, *option)
    assert (said.code, said.out) == (2, b"")


def test_nothing_is_written(talk: Path, here: Path) -> None:
    call("stats", talk, "--plan")
    assert list(here.iterdir()) == [talk]
