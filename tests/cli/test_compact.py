"""`ctxcompact compact`: what it refuses, what it writes, what it reports."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.command import call, shell
from tests.cli.transcripts import ORPHAN, line, rounds

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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(("--mode", "auto"), "--mode auto", id="auto"),
        pytest.param(("--mode", "manual"), "--mode manual", id="manual"),
        pytest.param(("--write", "native"), "--write native", id="native"),
        pytest.param(("--mode", "chian"), "--mode must be one of chain, micro", id="no mode"),
        pytest.param(("--levels", "2,x"), "--levels must be numbers", id="no levels"),
        pytest.param(("--levels", "7"), "--levels 7", id="no such level"),
        pytest.param(("--until", "never"), "--until must be one of", id="no stop rule"),
        pytest.param(("--keep-recent", "-1"), "--keep-recent -1: must be 0 or more", id="negative"),
        pytest.param(("--token-ratio", "1.5"), "--token-ratio 1.5: must be above 0", id="ratio"),
        pytest.param(("--token-ratio", "nan"), "--token-ratio nan", id="no number"),
        pytest.param(
            ("--preview-chars", "9999"), "must be below large_payload_chars", id="preview"
        ),
        pytest.param(
            ("--target", "9", "--max-tokens", "8"), "must be below max_tokens", id="target"
        ),
        pytest.param(("--protect", "("), "must be a regular expression", id="pattern"),
        pytest.param(("--counter", "o201k"), "o201k", id="no counter"),
        pytest.param(("--format", "antropic"), "antropic", id="no format"),
        pytest.param(("-i", "-o", "x"), "exclude each other", id="two outputs"),
        pytest.param(("-q", "-v"), "exclude each other", id="quiet and verbose"),
        pytest.param(("-o", ""), "--output must be a path", id="no output"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(
    talk: Path, here: Path, arguments: tuple[str, ...], said: str
) -> None:
    answer = call("compact", talk, *arguments)
    assert (answer.code, answer.out) == (2, b"")
    assert said in answer.err
    assert "hint: " in answer.err
    assert sorted(here.iterdir()) == [talk]


def test_standard_input_cannot_be_replaced() -> None:
    said = call("compact", "-i", stdin=rounds())
    assert said.code == 2
    assert "standard input cannot be replaced" in said.err


def test_a_model_is_noted_as_not_there_yet(talk: Path) -> None:
    said = call("compact", talk, "--model", "some/model", "-o", "out.jsonl")
    assert said.code == 0
    assert said.err.startswith("note: this version has no summarizer yet")


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


def unreadable(path: Path) -> None:
    path.write_bytes(rounds())
    path.chmod(0)


def foreign(path: Path) -> None:
    path.write_bytes(b'{"a": 1}\n{"b": 2}\n')


def pretty(path: Path) -> None:
    path.write_text(json.dumps([json.loads(line("user", "x"))], indent=2), encoding="utf-8")


@pytest.mark.parametrize("make", [unreadable, foreign, pretty, lambda path: path.mkdir()])
def test_an_input_that_cannot_be_used_fails_and_leaves_nothing(here: Path, make) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    make(here / "talk.jsonl")
    said = call("compact", "talk.jsonl", "-o", "out.jsonl", "--force")
    assert (said.code, said.out) == (1, b"")
    assert said.err.startswith("error: ")
    assert "talk.jsonl" in said.err
    assert "hint: " in said.err
    assert [path.name for path in here.iterdir()] == ["talk.jsonl"]


def test_a_missing_input_is_named() -> None:
    said = call("compact", "gone.jsonl")
    assert (said.code, said.out) == (1, b"")
    assert "cannot read gone.jsonl: no such file" in said.err


def test_an_empty_name_is_no_input() -> None:
    assert call("compact", "").code == 2


def test_a_folder_that_is_missing_takes_no_output(talk: Path, here: Path) -> None:
    said = call("compact", talk, *SHRINK, "-o", "no/such/out.jsonl")
    assert said.code == 1
    assert "no/such/out.jsonl" in said.err
    assert sorted(here.iterdir()) == [talk]


def test_a_read_only_input_is_not_replaced(talk: Path, here: Path) -> None:
    before = talk.read_bytes()
    talk.chmod(0o444)
    said = call("compact", "-i", talk, *SHRINK)
    assert (said.code, talk.read_bytes()) == (1, before)
    assert "read-only" in said.err
    assert sorted(here.iterdir()) == [talk]


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
