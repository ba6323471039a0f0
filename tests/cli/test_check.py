"""`ctxcompact check`: findings with their lines, for CI."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.command import call
from tests.cli.transcripts import ORPHAN

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def bad(here: Path) -> Path:
    path = here / "bad.jsonl"
    path.write_bytes(ORPHAN + b'{"role": "assis')
    return path


def test_a_sound_transcript_passes(talk: Path) -> None:
    said = call("check", talk)
    assert said.code == 0
    assert ": sound; anthropic, 12 messages, " in said.text


def test_each_finding_is_named_by_path_and_line(bad: Path) -> None:
    said = call("check", bad.name)
    assert said.code == 1
    found = said.text.splitlines()
    assert found[0].startswith("bad.jsonl:3: ")
    assert found[1].startswith("bad.jsonl:4: ")
    assert found[2].startswith("bad.jsonl: 2 findings; ")


@pytest.mark.parametrize(
    ("option", "code"), [("--max-tokens", "over_tokens"), ("--max-messages", "over_messages")]
)
def test_a_budget_that_is_exceeded_is_a_finding(talk: Path, option: str, code: str) -> None:
    said = call("check", talk, option, "5")
    assert said.code == 1
    assert f"the budget is 5 [{code}]" in said.text
    assert call("check", talk, option, "99999").code == 0


def test_json(bad: Path) -> None:
    data = call("check", bad, "--json").json
    assert (data["ctxcompact"], data["command"], data["status"]) == (1, "check", "failed")
    (file,) = data["files"]
    assert file["ok"] is False
    assert [finding["line"] for finding in file["findings"]] == [3, 4]
    assert all(set(finding) == {"line", "code", "message"} for finding in file["findings"])


def test_several_files_are_all_checked(talk: Path, bad: Path) -> None:
    said = call("check", "gone.jsonl", bad, talk, "--json")
    assert said.code == 1
    assert [file.get("ok") for file in said.json["files"]] == [None, False, True]


def test_quiet_says_it_with_the_exit_code(bad: Path) -> None:
    said = call("check", "-q", bad)
    assert (said.code, said.out, said.err) == (1, b"", "")


def test_a_target_of_the_project_does_not_disturb_a_budget(talk: Path, here: Path) -> None:
    (here / "ctxcompact.toml").write_text("target = 60000", encoding="utf-8")
    assert call("check", talk, "--max-tokens", "5").code == 1


def test_nothing_is_written(bad: Path, here: Path) -> None:
    call("check", bad)
    assert list(here.iterdir()) == [bad]
