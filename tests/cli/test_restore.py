"""`ctxcompact restore`: the whole transcript as it was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.api.files import jsonl
from tests.cli.command import call
from tests.cli.transcripts import line, rounds
from tests.formats.pi_session import HEADER, said, user

if TYPE_CHECKING:
    from pathlib import Path

SHRINK = ("--force", "--until", "first", "--levels", "3")


@pytest.fixture
def small(talk: Path, here: Path) -> Path:
    """Return a compacted transcript."""
    call("compact", talk, *SHRINK, "-o", "small.jsonl")
    return here / "small.jsonl"


def test_the_bytes_are_those_of_the_input(talk: Path, small: Path) -> None:
    said = call("restore", small)
    assert said.out == talk.read_bytes()
    assert "1 compaction undone" in said.err


def test_lines_appended_since_stay(talk: Path, small: Path) -> None:
    more = line("user", "And then?")
    small.write_bytes(small.read_bytes() + more)
    assert call("restore", small, "-o", "back.jsonl").code == 0
    assert (small.parent / "back.jsonl").read_bytes() == talk.read_bytes() + more


def test_in_place(talk: Path, small: Path) -> None:
    said = call("restore", "-i", small)
    assert (said.code, said.err) == (0, "")
    assert small.read_bytes() == talk.read_bytes()


@pytest.mark.usefixtures("talk")
def test_a_pipe_is_restored(small: Path) -> None:
    assert call("restore", stdin=small.read_bytes()).out == rounds()


def test_a_transcript_without_our_marks_stays_and_that_is_said(talk: Path) -> None:
    said = call("restore", talk, "-o", "back.jsonl")
    assert said.code == 0
    assert "nothing to undo" in said.text
    assert (talk.parent / "back.jsonl").read_bytes() == talk.read_bytes()


def test_json(small: Path) -> None:
    data = call("restore", small, "-o", "back.jsonl", "--json").json
    assert data == {
        "ctxcompact": 1,
        "command": "restore",
        "status": "ok",
        "runs": 1,
        "renamed": 0,
        "output": {"path": "back.jsonl", "bytes": len(rounds())},
        "notes": [],
    }


def test_a_compacted_message_that_a_client_wrote_down_again_is_told_of(small: Path) -> None:
    lines = small.read_bytes().splitlines(keepends=True)
    marked = next(line for line in lines if b"<context_offload" in line)
    small.write_bytes(b"".join([*lines, line("user", "And then?"), marked]))
    data = call("restore", small, "-o", "back.jsonl", "--json").json
    (note,) = data["notes"]
    assert f"line {len(rounds().splitlines()) + 2}," in note
    assert note in call("restore", small, "-o", "back.jsonl").text.replace("\n", " ")


def test_one_run_is_undone_by_the_name_that_the_log_or_the_report_gives(
    talk: Path, small: Path
) -> None:
    [run] = call("store", "log", "--json").json["runs"]
    for name in (run["receipt"], f".transcripts/{run['receipt']}"):
        assert call("restore", small, "--receipt", name).out == talk.read_bytes()


@pytest.mark.parametrize(
    ("name", "code", "told"),
    [
        pytest.param("nonsense", 2, "'nonsense' is no name of a receipt", id="no name"),
        pytest.param("x" * 5000, 2, "is no name of a receipt", id="a long one"),
        pytest.param("", 2, "'' is no name of a receipt", id="nothing"),
        pytest.param(
            "receipt_0123456789abcdef_0123456789abcdef.jsonl",
            4,
            "no sound receipt here is called receipt_0123456789abcdef_0123456789abcdef.jsonl",
            id="of another store",
        ),
    ],
)
def test_a_receipt_that_is_none_is_not_answered_as_if_it_was(
    small: Path, here: Path, name: str, code: int, told: str
) -> None:
    said = call("restore", small, "-o", "back.jsonl", "--receipt", name)
    assert (said.code, said.out) == (code, b"")
    assert told in said.err
    assert "`ctxcompact store log` lists them" in said.err
    assert max(map(len, said.err.splitlines())) < 200
    assert not (here / "back.jsonl").exists()


def test_an_edited_transcript_is_refused_with_the_line(small: Path, here: Path) -> None:
    small.write_bytes(small.read_bytes().replace(b"Answer 0", b"Answer x"))
    said = call("restore", small, "-o", "back.jsonl")
    assert said.code == 1
    assert "line 4" in said.err
    assert not (here / "back.jsonl").exists()


def test_marks_that_no_store_knows_have_their_own_code(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "small.jsonl").write_bytes(small.read_bytes())
    monkeypatch.chdir(elsewhere)
    said = call("restore", "small.jsonl", "-o", "back.jsonl")
    assert said.code == 4
    assert "no store here knows" in said.err


def test_standard_input_cannot_be_replaced() -> None:
    assert call("restore", "-i", stdin=rounds()).code == 2


def test_a_mark_that_is_quoted_in_a_text_is_no_compaction(talk: Path) -> None:
    arguments = ("--force", "--until", "first", "--levels", "3", "--json", "-o", "out.jsonl")
    [uuid, *_] = call("compact", talk, *arguments).json["steps"][0]["offloads"]
    quoted = line("user", f'What is <context_offload uuid="{uuid}"/> in it?')
    talk.write_bytes(quoted)
    said = call("restore", talk)
    assert (said.code, said.out) == (0, quoted)


def test_lines_that_hung_on_our_record_are_told(here: Path) -> None:
    path = here / "session.jsonl"
    words = "a row of jars, one like the other\n" * 90
    talk = [
        HEADER,
        user("a", None, "Tidy."),
        said("b", "a", words),
        user("c", "b", "And the attic?"),
    ]
    path.write_bytes(jsonl(talk))
    assert call("compact", path, "-i", "--mode", "manual", "--write", "native").code == 0
    mark = json.loads(path.read_bytes().splitlines()[-1])
    with path.open("ab") as file:
        file.write(jsonl([said("d", mark["id"], "Tidy, too.")]))
    told = call("restore", path, "-o", "back.jsonl")
    assert "1 appended line hung on what our record hung on" in told.text
    assert (here / "back.jsonl").read_bytes() == jsonl([*talk, said("d", "c", "Tidy, too.")])
    assert call("restore", path, "-i", "--json").json["renamed"] == 1
