"""`ctxcompact diff`: what was cut, for people and for scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.command import call

if TYPE_CHECKING:
    from pathlib import Path


def test_one_transcript_is_compared_with_what_it_was(talk: Path) -> None:
    before = talk.read_bytes()
    call("compact", "-i", talk, "--force", "--until", "first", "--levels", "3")
    said = call("diff", talk)
    assert (said.code, said.err) == (0, "")
    heads, *rows = [line.split() for line in said.text.splitlines()[3:]]
    assert heads == ["line", "now", "what", "tokens", "now", "of", "mark"]
    assert [row[:3] for row in rows] == [[line, line, "shortened"] for line in ("3", "7", "11")]
    assert all(row[-1] in talk.read_text() for row in rows)
    assert call("diff", "-", talk, stdin=before).text == said.text


def test_json_has_both_sides_of_every_change(talk: Path) -> None:
    call("compact", talk, "--force", "--until", "first", "--levels", "3", "-o", "out.jsonl")
    data = call("diff", talk, "out.jsonl", "--json").json
    assert (data["ctxcompact"], data["command"]) == (1, "diff")
    assert (data["before"]["path"], data["after"]["path"]) == (str(talk), "out.jsonl")
    change = data["changes"][0]
    assert change["what"] == "shortened"
    assert change["before"]["tokens"] > change["after"]["tokens"]
    assert len(change["marks"]) == 1


def test_where_nothing_differs_that_is_said(talk: Path) -> None:
    assert call("diff", talk, talk).text.splitlines()[-1] == "no message differs"


def test_a_state_to_look_at_has_to_be_named() -> None:
    for arguments in ((), ("-",), ("talk.jsonl", "-")):
        said = call("diff", *arguments)
        assert said.code == 2
        assert "ctxcompact diff BEFORE AFTER" in said.err


def test_what_cannot_be_restored_is_an_error(talk: Path, tmp_path: Path) -> None:
    call("compact", "-i", talk, "--force", "--until", "first", "--levels", "3")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    said = call("diff", talk.rename(elsewhere / "talk.jsonl"), "--root", elsewhere)
    assert said.code == 4
    assert "--root" in said.err
