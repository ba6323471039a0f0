"""`ctxcompact store` and `ctxcompact formats`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ctxcompact.formats import COUNTED, FORMATS
from tests.cli.command import call

if TYPE_CHECKING:
    from pathlib import Path

KNOWN = {"id", "tool", "format", "line", "path", "bytes", "pack"}


@pytest.fixture
def stored(talk: Path, here: Path) -> Path:
    """Fill a store; return its folder."""
    call("compact", talk, "--mode", "micro", "--keep-recent", "0", "-o", "out.jsonl")
    return here / ".offload"


@pytest.mark.usefixtures("stored")
def test_what_is_kept_is_listed() -> None:
    said = call("store", "list").text
    assert "3 originals in .offload" in said
    data = call("store", "list", "--json").json
    assert (data["ctxcompact"], data["command"]) == (1, "store list")
    assert [row["line"] for row in data["originals"]] == [3, 7, 11]
    assert all(set(row) >= KNOWN | {"run"} and row["id"] in said for row in data["originals"])


@pytest.mark.usefixtures("stored")
def test_each_original_is_listed_with_the_run_that_was_first_to_keep_it(talk: Path) -> None:
    [first] = call("store", "log", "--json").json["runs"]
    call("compact", talk, "--force", "--until", "first", "--levels", "3", "-o", "other.jsonl")
    newest = call("store", "log", "--json").json["runs"][0]
    rows = call("store", "list", "--json").json["originals"]
    assert newest["receipt"] != first["receipt"]
    assert {row["run"] for row in rows} == {first["receipt"]}
    call("compact", talk, "--mode", "micro", "--keep-recent", "0", "-o", "out.jsonl")
    assert call("store", "list", "--json").json["originals"] == rows
    assert call("store", "list").text.count(first["receipt"]) == len(rows)


def test_an_empty_store_is_no_fault(here: Path) -> None:
    assert call("store", "list").text == "0 originals in .offload\n"
    assert call("store", "verify").code == 0
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    "command", ["store list", "store verify", "compact", "restore", "stats", "check"]
)
def test_a_root_that_is_not_there_is_a_usage_error(talk: Path, command: str) -> None:
    arguments = [] if command.startswith("store") else [str(talk)]
    said = call(*command.split(), *arguments, "--root", "nowhere")
    assert (said.code, said.out) == (2, b"")
    assert "--root nowhere: there is no such folder" in said.err


@pytest.mark.usefixtures("stored")
def test_one_is_shown() -> None:
    uuid = call("store", "list", "--json").json["originals"][1]["id"]
    original = call("store", "show", uuid, "--json").json["original"]
    assert set(original) == KNOWN
    assert (original["id"], original["line"], original["tool"]) == (uuid, 7, "read_log")
    assert uuid in call("store", "show", uuid).text


@pytest.mark.parametrize("how", [(), ("--force", "--target", "300", "--last-keep", "0")])
def test_a_list_gives_the_sizes_that_show_gives(talk: Path, how: tuple[str, ...]) -> None:
    """Of records, of ids that share a record, and of stretches of records."""
    call(
        "compact",
        talk,
        *(how or ("--mode", "micro", "--keep-recent", "0")),
        "-i",
        "--min-compression-tokens",
        "10",
    )
    rows = call("store", "list", "--json").json["originals"]
    shown = [call("store", "show", row["id"], "--json").json["original"] for row in rows]
    assert {row["format"] == "span" for row in rows} == ({False} if not how else {False, True})
    assert [row["bytes"] for row in rows] == [one["bytes"] for one in shown]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(["../x"], 2, id="no id"),
        pytest.param([], 2, id="nothing"),
        pytest.param(["00000000-0000-4000-8000-000000000000"], 4, id="unknown"),
    ],
)
@pytest.mark.usefixtures("stored")
def test_what_is_not_there_cannot_be_shown(arguments: list[str], code: int) -> None:
    said = call("store", "show", *arguments)
    assert (said.code, said.out) == (code, b"")


def test_a_sound_store_is_verified(stored: Path) -> None:
    said = call("store", "verify")
    assert (said.code, said.text) == (0, f"the store under {stored.parent}: sound\n")
    assert call("store", "verify", "--json").json == {
        "ctxcompact": 1,
        "command": "store verify",
        "status": "ok",
        "findings": [],
    }


def test_a_damaged_store_is_not(stored: Path) -> None:
    for path in stored.glob("pack-*"):
        path.write_bytes(path.read_bytes().replace(b"entry 0", b"entry 9"))
    said = call("store", "verify")
    assert said.code == 1
    assert "[damaged_original]" in said.text
    findings = call("store", "verify", "--json").json["findings"]
    assert set(findings[0]) == {"code", "path", "line", "message"}


def test_formats_are_listed() -> None:
    said, data = call("formats").text, call("formats", "--json").json
    rows = data["formats"]
    assert [row["name"] for row in rows if row["write"]] == [one.name for one in FORMATS]
    assert [row["name"] for row in rows if not row["write"]] == [one.name for one in COUNTED]
    assert all(set(row) == {"name", "read", "write", "recognised_by"} for row in data["formats"])
    assert all(one.name in said for one in (*FORMATS, *COUNTED))
