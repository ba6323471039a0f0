"""`ctxcompact store log`: what was done here, run by run."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.command import call
from tests.cli.transcripts import rounds

if TYPE_CHECKING:
    from pathlib import Path

KEYS = [
    "receipt",
    "when",
    "damaged",
    "format",
    "mode",
    "input",
    "output",
    "counter",
    "target",
    "steps",
    "archive",
    "pack",
    "previous",
]
FILE = {"bytes", "lines", "messages", "tokens", "sha256"}
STEP = {"level", "name", "edits", "messages", "lines", "tokens_saved", "llm"}
MICRO = ("--mode", "micro", "--keep-recent", "0")


@pytest.fixture
def small(talk: Path, here: Path) -> dict[str, Any]:
    """Compact a transcript; return the report."""
    report: dict[str, Any] = call("compact", talk.name, *MICRO, "-o", "small.jsonl", "--json").json
    [receipt] = here.glob(".transcripts/receipt_*")
    os.utime(receipt, (1_000_000_000, 1_000_000_000))
    return report


def runs() -> list[dict[str, Any]]:
    said = call("store", "log", "--json")
    assert said.code == 0
    assert (said.json["ctxcompact"], said.json["command"]) == (1, "store log")
    found: list[dict[str, Any]] = said.json["runs"]
    return found


def test_a_run_is_told_as_its_report_told_it(small: dict[str, Any]) -> None:
    [run] = runs()
    assert list(run) == KEYS
    assert run["receipt"] == small["receipt"].removeprefix(".transcripts/")
    assert (run["when"], run["damaged"]) == ("2001-09-09T01:46:40Z", False)
    for key in ("format", "mode", "counter", "target", "archive"):
        assert run[key] == small[key]
    output = small["output"] | {"paths": [small["output"].pop("path")]}
    assert (run["input"], run["output"]) == (small["input"], output)
    [told], [step] = run["steps"], small["steps"]
    assert set(told) == STEP
    assert (told["level"], told["name"], told["edits"]) == ("micro", "micro", 3)
    assert told["tokens_saved"] == step["tokens_before"] - step["tokens_after"]
    assert (told["messages"], told["lines"], told["llm"]) == (3, "3,7,11", None)


@pytest.mark.usefixtures("small")
def test_it_is_told_to_people_with_the_name_that_restore_takes(talk: Path) -> None:
    said = call("store", "log").text
    [run] = runs()
    assert re.search(
        r"^2001-09-09T01:46:40Z  talk.jsonl -> small.jsonl: micro, "
        r"[\d,]+ -> [\d,]+ tokens, 12 -> 12 messages, by o200k_base \(exact\)$",
        said,
        re.MULTILINE,
    )
    assert re.search(r"^micro +3 +3 +[\d,]+  3,7,11$", said, re.MULTILINE)
    assert said.splitlines()[-3:] == [run["receipt"], "", "1 compaction in .transcripts"]
    restored = call("restore", "small.jsonl", "--receipt", said.splitlines()[-3])
    assert restored.out == talk.read_bytes()


@pytest.mark.usefixtures("small")
def test_the_newest_comes_first_and_names_what_it_was_made_from() -> None:
    call("compact", "small.jsonl", "-i", "--mode", "manual")
    newest, oldest = runs()
    assert (newest["mode"], oldest["mode"]) == ("manual", "micro")
    assert newest["previous"] == oldest["receipt"]
    assert (newest["input"]["path"], newest["output"]["paths"]) == ("small.jsonl", ["small.jsonl"])
    assert newest["archive"].startswith(".transcripts/transcript_")
    assert [step["level"] for step in newest["steps"]] == ["full"]
    assert newest["steps"][0]["lines"] == "1-12"


def test_a_pipe_is_named_as_one() -> None:
    call("compact", *MICRO, stdin=rounds())
    [run] = runs()
    assert (run["input"]["path"], run["output"]["paths"]) == ("-", ["-"])
    assert "standard input -> standard output: micro" in call("store", "log").text


def test_an_input_from_elsewhere_is_told_by_its_name(tmp_path: Path) -> None:
    """So the same run leaves the same receipt, wherever its input lies."""
    (tmp_path / "far.jsonl").write_bytes(rounds())
    call("compact", tmp_path / "far.jsonl", *MICRO, "-o", "near.jsonl")
    assert runs()[0]["input"]["path"] == "far.jsonl"


def test_levels_are_summed_up_over_all_conversations_of_a_file(here: Path) -> None:
    messages = [json.loads(line) for line in rounds().splitlines()]
    for message in messages:
        if not isinstance(message["content"], str):
            message["content"] = json.dumps(message["content"])
    row = json.dumps({"messages": messages}).encode() + b"\n"
    (here / "many.jsonl").write_bytes(row * 3)
    call("compact", "many.jsonl", "-i", "--force", "--levels", "3", "--until", "first")
    [run] = runs()
    [step] = run["steps"]
    assert (step["level"], step["edits"], step["messages"], step["lines"]) == (3, 6, 6, "1-3")


@pytest.mark.usefixtures("small")
def test_nothing_that_was_said_is_in_the_log(here: Path) -> None:
    words = re.compile(rb"entry|Question|Answer|read_log|toolu_")
    [receipt] = here.glob(".transcripts/receipt_*")
    assert words.search((here / "talk.jsonl").read_bytes())
    assert not words.search(receipt.read_bytes())
    assert not words.search(call("store", "log").out + call("store", "log", "--json").out)


@pytest.mark.usefixtures("small")
def test_the_same_run_leaves_the_same_receipt(here: Path) -> None:
    [receipt] = here.glob(".transcripts/receipt_*")
    before = receipt.read_bytes()
    call("compact", "talk.jsonl", *MICRO, "-o", "small.jsonl")
    assert receipt.read_bytes() == before
    assert len(runs()) == 1


def _older(receipt: Path) -> None:
    """Make a receipt as it was written before there was a log."""
    from hashlib import sha256  # noqa: PLC0415 - here alone

    first, *spans, last = receipt.read_bytes().splitlines(keepends=True)
    header, end = json.loads(first), json.loads(last)
    del header["run"]
    rows = json.dumps(header, separators=(",", ":")).encode() + b"\n" + b"".join(spans)
    end["sha256"] = sha256(rows).hexdigest()
    receipt.write_bytes(rows + json.dumps(end).encode() + b"\n")


@pytest.mark.usefixtures("small")
def test_an_older_receipt_is_listed_and_restored(talk: Path, here: Path) -> None:
    [receipt] = here.glob(".transcripts/receipt_*")
    _older(receipt)
    [run] = runs()
    assert list(run) == KEYS
    assert (run["receipt"], run["mode"], run["damaged"]) == (receipt.name, "micro", False)
    assert set(run["input"]) == FILE | {"path"}
    assert set(run["output"]) == FILE | {"paths"}
    assert (run["input"]["bytes"], run["input"]["tokens"]) == (talk.stat().st_size, None)
    assert (run["steps"], run["counter"]) == (None, None)
    said = call("store", "log").text
    assert re.search(r"small.jsonl: micro, [\d,]+ -> [\d,]+ bytes; no more was recorded", said)
    assert call("restore", "small.jsonl", "--receipt", receipt.name).out == talk.read_bytes()
    assert {row["run"] for row in call("store", "list", "--json").json["originals"]} == {None}


@pytest.mark.usefixtures("small")
def test_a_damaged_receipt_is_listed_as_such(here: Path) -> None:
    [receipt] = here.glob(".transcripts/receipt_*")
    receipt.write_bytes(receipt.read_bytes().replace(b'"micro"', b'"macro"'))
    [run] = runs()
    assert list(run) == KEYS
    assert (run["receipt"], run["damaged"], run["steps"]) == (receipt.name, True, None)
    said = call("store", "log")
    assert said.code == 0
    assert "the receipt is damaged, `ctxcompact store verify` says more" in said.text
    assert "macro" not in said.text


@pytest.mark.usefixtures("small")
def test_a_time_that_no_calendar_has_is_not_told(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ctxcompact.cli import log  # noqa: PLC0415 - here alone

    assert log._when(10**30) is None
    monkeypatch.setattr(log, "_when", lambda _: None)
    assert "at an unknown time" in call("store", "log").text
    assert [here.name] == ["work"]


def test_an_empty_store_has_an_empty_log(here: Path) -> None:
    assert call("store", "log").text == "0 compactions in .transcripts\n"
    assert runs() == []
    assert list(here.iterdir()) == []


def test_what_a_model_was_used_for_is_told_apart(small: dict[str, Any], here: Path) -> None:
    """Told from the receipt: here one in which a model has its say."""
    from hashlib import sha256  # noqa: PLC0415 - here alone

    assert small["receipt"]
    [receipt] = here.glob(".transcripts/receipt_*")
    first, *spans, last = receipt.read_bytes().splitlines(keepends=True)
    header, end = json.loads(first), json.loads(last)
    llm = {
        "model": "openai/stub\x1b[31m",
        "calls": 1,
        "input_tokens": 1200,
        "output_tokens": 34,
        "cost_usd": 0.5,
    }
    header["run"]["steps"][0]["llm"] = llm
    rows = json.dumps(header).encode() + b"\n" + b"".join(spans)
    end["sha256"] = sha256(rows).hexdigest()
    receipt.write_bytes(rows + json.dumps(end).encode() + b"\n")
    assert runs()[0]["steps"][0]["llm"] == llm
    said = call("store", "log").text
    assert "openai/stub\\x1b[31m: 1 request, 1,200 in, 34 tokens out, $0.5000" in said
