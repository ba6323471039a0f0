"""`ctxcompact reload`: originals come back, and nothing else is opened."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.command import call

if TYPE_CHECKING:
    from pathlib import Path

UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def ids(talk: Path) -> list[str]:
    """Compact a transcript; return the ids of what was taken out."""
    arguments = ("--force", "--until", "first", "--levels", "3", "-o", "out.jsonl", "--json")
    found: list[str] = call("compact", talk, *arguments).json["steps"][0]["offloads"]
    return found


def test_originals_are_printed_as_they_were(talk: Path, ids: list[str]) -> None:
    lines = talk.read_bytes().splitlines(keepends=True)
    said = call("reload", *ids)
    assert (said.code, said.err) == (0, "")
    assert said.out == b"".join(lines[at] for at in (2, 6, 10))


def test_ids_are_read_in_either_case(ids: list[str]) -> None:
    assert call("reload", ids[0].upper()).out == call("reload", ids[0]).out


def test_text_is_what_was_taken_out(ids: list[str]) -> None:
    text = call("reload", "--text", ids[1]).text
    assert text.startswith("entry 1 of the log; entry 1")
    assert text.endswith("; \n")


def test_json_holds_the_record_and_what_is_known(talk: Path, ids: list[str]) -> None:
    data = call("reload", "--json", "--text", ids[0]).json
    original = data["originals"][0]
    assert (data["ctxcompact"], data["command"]) == (1, "reload")
    assert original["data"].encode() == talk.read_bytes().splitlines()[2]
    assert (original["id"], original["tool"], original["line"]) == (ids[0], "read_log", 3)
    assert original["text"].startswith("entry 0")


def test_json_holds_bytes_that_are_no_text_as_base64(here: Path) -> None:
    text = b'"content": "' + b"x\xff " * 4000
    line = b'{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", ' + text
    call_line = {"type": "tool_use", "id": "t", "name": "cat", "input": {}}
    (here / "talk.jsonl").write_bytes(
        b'{"role": "user", "content": "Go."}\n'
        + json.dumps({"role": "assistant", "content": [call_line]}).encode()
        + b"\n"
        + line
        + b'"}]}\n{"role": "assistant", "content": "Done."}\n'
    )
    call("compact", "talk.jsonl", "--mode", "micro", "--keep-recent", "0", "-o", "out.jsonl")
    found = call("store", "list", "--json").json["originals"]
    original = call("reload", "--json", found[0]["id"]).json["originals"][0]
    assert original["data"] is None
    assert base64.b64decode(original["base64"]).startswith(line)


@pytest.mark.parametrize(
    "id_",
    [
        pytest.param("../../secret", id="a path"),
        pytest.param("", id="nothing"),
        pytest.param(UNKNOWN + "\n", id="a line end behind it"),
        pytest.param("{" + UNKNOWN + "}", id="braces"),
        pytest.param(UNKNOWN.replace("-", ""), id="no dashes"),
        pytest.param("-x", id="an option"),
        pytest.param("--", id="the end of options"),
        pytest.param("\x1b[31m", id="an escape"),
    ],
)
def test_what_is_no_id_is_refused(here: Path, id_: str) -> None:
    (here / ".offload").mkdir(mode=0)  # whoever opens it will fail otherwise
    said = call("reload", id_)
    assert (said.code, said.out) == (2, b"")
    assert said.err.startswith("error: ")
    assert "\x1b" not in said.err


def test_one_bad_id_among_good_ones_prints_nothing(ids: list[str]) -> None:
    said = call("reload", ids[0], "nonsense")
    assert (said.code, said.out) == (2, b"")


@pytest.mark.usefixtures("ids")
def test_an_unknown_id_has_its_own_code() -> None:
    said = call("reload", UNKNOWN)
    assert (said.code, said.out) == (4, b"")
    assert f"error: no original is kept under {UNKNOWN}" in said.err
    assert call("reload", UNKNOWN, "--json").json["error"]["code"] == "id_not_found"


def test_a_damaged_original_is_said_to_be_damaged(here: Path, ids: list[str]) -> None:
    for path in (here / ".offload").glob("pack-*"):
        path.write_bytes(path.read_bytes().replace(b"entry 0", b"entry 9"))
    said = call("reload", ids[0])
    assert (said.code, said.out) == (1, b"")
    assert "damaged" in said.err


def test_a_folder_below_finds_them_too(
    here: Path, ids: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    below = here / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert call("reload", *ids).code == 0


def test_another_folder_finds_them_by_the_root(
    here: Path, ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call("reload", *ids).code == 4
    assert call("reload", *ids, "--root", here).code == 0


def test_what_was_compacted_twice_leads_back_to_the_first(talk: Path, ids: list[str]) -> None:
    arguments = ("--force", "--target", "200", "--min-compression-tokens", "10", "--json")
    again = call("compact", "out.jsonl", *arguments, "-o", "again.jsonl").json
    outer = [uuid for step in again["steps"] if step["level"] != 3 for uuid in step["offloads"]]
    said = call("reload", *outer)
    assert ids[0].encode() in said.out
    assert talk.read_bytes().splitlines()[2] in said.out.splitlines()
