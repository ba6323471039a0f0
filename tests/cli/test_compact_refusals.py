"""What `ctxcompact compact` refuses, and that nothing is left behind then."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.command import call
from tests.cli.transcripts import line, rounds

if TYPE_CHECKING:
    from pathlib import Path

SHRINK = ("--force", "--until", "first", "--levels", "2,3", "--last-keep", "0")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
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


def test_what_is_counted_only_is_named_with_what_to_do_instead(here: Path) -> None:
    before = b'{"type":"user.message","data":{"content":"x"}}\n'
    (here / "events.jsonl").write_bytes(before)
    said = call("compact", "events.jsonl", "-i", "--force")
    assert (said.code, said.out) == (1, b"")
    assert "copilot transcripts are counted (`ctxcompact stats`), never rewritten" in said.err
    assert "hint: use /compact in Copilot CLI itself" in said.err
    assert [path.read_bytes() for path in here.iterdir()] == [before]
    error = call("compact", "events.jsonl", "-o", "out.jsonl", "--json").json["error"]
    assert error["code"] == "read_only_format"


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


def test_a_project_that_would_have_transcripts_sent_away_is_refused(talk: Path, here: Path) -> None:
    (here / "ctxcompact.toml").write_text("until = 'first'\napi_base = 'http://x'\n")
    said = call("compact", talk, *SHRINK, "-o", "out.jsonl")
    assert (said.code, said.out) == (2, b"")
    assert said.err.startswith(f"error: {here}/ctxcompact.toml:2: api_base is not for a project")
    assert "use --api-base, CTXCOMPACT_API_BASE or " in said.err
    assert not (here / "out.jsonl").exists()
    assert not (here / ".offload").exists()
