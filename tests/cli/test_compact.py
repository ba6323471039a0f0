"""`ctxcompact compact`: what it refuses, what it writes, what it reports."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.command import call, shell
from tests.cli.transcripts import ORPHAN, rounds

if TYPE_CHECKING:
    from pathlib import Path

SHRINK = ("--force", "--until", "first", "--levels", "2,3", "--last-keep", "0")

KEYS = {
    "ctxcompact",
    "command",
    "status",
    "mode",
    "format",
    "counter",
    "input",
    "output",
    "trigger",
    "target",
    "reached",
    "blocked_by",
    "steps",
    "archive",
    "receipt",
    "problems",
    "warnings",
}
FACTS = {"path", "bytes", "lines", "messages", "tokens", "sha256"}
STEP = {"level", "name", "status", "reason", "edits", "tokens_before", "tokens_after", "offloads"}


def test_the_json_report_has_the_keys_of_the_contract(talk: Path) -> None:
    report = call("compact", talk, *SHRINK, "-o", "out.jsonl", "--json").json
    assert set(report) >= KEYS
    assert set(report["counter"]) == {"name", "exact", "error_pct"}
    assert set(report["input"]) == set(report["output"]) == FACTS
    assert set(report["trigger"]) == {"fired", "by", "tokens", "messages"}
    assert set(report["problems"]) == {"before", "after"}
    assert all(set(step) >= STEP for step in report["steps"])


def test_it_names_itself_and_what_it_did(talk: Path) -> None:
    report = call("compact", talk, *SHRINK, "-o", "out.jsonl", "--json").json
    assert (report["ctxcompact"], report["command"], report["status"]) == (1, "compact", "ok")
    assert report["output"]["bytes"] < report["input"]["bytes"]


def test_nothing_to_do_is_said_with_the_reason(talk: Path) -> None:
    said = call("compact", talk, "-o", "out.jsonl")
    assert said.code == 0
    assert "nothing to do" in said.text
    assert "not triggered" in said.text
    assert "the trigger is 98,304 tokens or 100 messages" in said.text


def test_a_missed_target_is_written_and_has_its_own_code(talk: Path, here: Path) -> None:
    said = call("compact", talk, "--target", "1", "-o", "out.jsonl")
    assert said.code == 3
    assert (here / "out.jsonl").stat().st_size < talk.stat().st_size
    assert "still over the target" in said.text
    assert "in the way" in said.text


def test_a_dry_run_writes_nothing_and_tells_the_same(talk: Path, here: Path) -> None:
    before = sorted(here.rglob("*"))
    dry = call("compact", talk, *SHRINK, "-o", "out.jsonl", "--json", "--dry-run").json
    assert sorted(here.rglob("*")) == before
    real = call("compact", talk, *SHRINK, "-o", "out.jsonl", "--json").json
    assert dry["steps"] == real["steps"]
    assert dry["output"] == real["output"]


def test_a_dry_run_in_words_says_that_it_is_one(talk: Path) -> None:
    said = call("compact", talk, *SHRINK, "-i", "--dry-run").text
    assert said.startswith("dry run: nothing is written\n")
    assert "would be kept" in said
    assert "restore" not in said


def test_the_way_back_in_the_report_works(talk: Path) -> None:
    before = talk.read_bytes()
    said = call("compact", "-i", "talk.jsonl", *SHRINK).text
    undo = next(line for line in said.splitlines() if line.startswith("to undo"))
    assert undo.split(maxsplit=2)[2] == "ctxcompact restore -i talk.jsonl"
    assert call("restore", "-i", "talk.jsonl").code == 0
    assert talk.read_bytes() == before


def test_the_way_back_names_the_root(talk: Path) -> None:
    said = call("compact", "-i", talk, *SHRINK, "--root", "..").text
    assert f"ctxcompact restore -i {talk} --root .." in said


@pytest.mark.parametrize("more", [(), ("--dry-run",), ("-q",)], ids=["real", "dry", "quiet"])
def test_a_report_file_is_written(talk: Path, here: Path, more: tuple[str, ...]) -> None:
    call("compact", talk, *SHRINK, "-o", "out.jsonl", "--report", "report.json", *more)
    report = json.loads((here / "report.json").read_bytes())
    assert (report["status"], report["dry_run"]) == ("ok", "--dry-run" in more)


def test_a_report_file_is_written_on_failure_as_well(here: Path) -> None:
    said = call("compact", "gone.jsonl", "-o", "out.jsonl", "--report", "report.json")
    assert said.code == 1
    assert json.loads((here / "report.json").read_bytes())["error"]["path"] == "gone.jsonl"


def test_a_report_goes_to_a_stream_as_well(talk: Path) -> None:
    run = shell(f"compact {talk} -o out.jsonl -q --report /dev/stderr 2>>log; cat log")
    assert json.loads(run.stdout)["command"] == "compact"


def test_a_report_to_a_stream_leaves_what_is_there(talk: Path, here: Path) -> None:
    (here / "log").write_text("before\n", encoding="utf-8")
    shell(f"compact {talk} -o out.jsonl -q --report /dev/stderr 2>>log")
    assert (here / "log").read_text(encoding="utf-8").startswith('before\n{"ctxcompact": 1')


def test_a_report_named_dash_is_the_json_report(talk: Path) -> None:
    assert call("compact", talk, "-o", "out.jsonl", "--report", "-").json["command"] == "compact"


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("-o", "out.jsonl", "--report", "out.jsonl"), id="over the output"),
        pytest.param(("-o", "out.jsonl", "--report", "talk.jsonl"), id="over the input"),
        pytest.param(("-i", "--report", "./talk.jsonl"), id="over the input, in place"),
    ],
)
def test_a_report_may_not_overwrite_a_transcript(talk: Path, arguments: tuple[str, ...]) -> None:
    before = talk.read_bytes()
    said = call("compact", "talk.jsonl", *SHRINK, *arguments)
    assert (said.code, talk.read_bytes()) == (2, before)
    assert "would overwrite" in said.err


def test_a_model_is_not_asked_where_nothing_is_summarized(talk: Path) -> None:
    said = call("compact", talk, "--model", "some/model", "-o", "out.jsonl")
    assert (said.code, said.err) == (0, "")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("--model", "x", "--json"), id="JSON on the same stream"),
        pytest.param(("--summarizer", "none", "-q"), id="no summaries wanted"),
        pytest.param(("--model", "x", "-q"), id="quiet"),
    ],
)
def test_no_note_where_none_belongs(talk: Path, arguments: tuple[str, ...]) -> None:
    assert "note:" not in call("compact", talk, *arguments).err


def test_faults_are_named_by_their_lines(here: Path) -> None:
    (here / "talk.jsonl").write_bytes(ORPHAN + b'{"role": "assis\n' + rounds())
    said = call("compact", "talk.jsonl", *SHRINK, "-o", "out.jsonl").text
    assert "line 3:" in said
    assert "line 4:" in said


def test_verbose_lists_all_ids_and_the_settings_used(here: Path) -> None:
    (here / "talk.jsonl").write_bytes(rounds(8))
    (here / "ctxcompact.toml").write_text("target = 1", encoding="utf-8")
    arguments = ("compact", "talk.jsonl", "--last-keep", "0", "-o", "out.jsonl", "--dry-run")
    short, long = call(*arguments).text, call(*arguments, "-v").text
    assert "and 5 more (-v shows all)" in short
    assert "more" not in long
    assert str(here / "ctxcompact.toml") in long


def test_the_environment_is_heard(talk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXCOMPACT_MODE", "micro")
    monkeypatch.setenv("CTXCOMPACT_KEEP_RECENT", "0")
    report = call("compact", talk, "-o", "out.jsonl", "--json").json
    assert [step["level"] for step in report["steps"]] == ["micro"]


def test_a_hostile_transcript_is_told_without_its_escapes(here: Path) -> None:
    text = "[/INST] [red]\x1b[31m\u202e"
    (here / "\x1b[1m.jsonl").write_bytes(rounds(tool=text, said=text) + ORPHAN)
    said = call("compact", "\x1b[1m.jsonl", "--mode", "micro", "--keep-recent", "0", "-v", "-i")
    assert said.code == 0
    assert "\x1b" not in said.text + said.err
    assert "\u202e" not in said.text + said.err
    assert "\\x1b[1m.jsonl" in said.text
