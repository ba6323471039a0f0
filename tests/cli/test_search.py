"""`ctxcompact search`: originals by what stands in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.command import call, on_a_terminal
from tests.cli.transcripts import call as use
from tests.cli.transcripts import line, result

if TYPE_CHECKING:
    from pathlib import Path

MICRO = ("--mode", "micro", "--keep-recent", "0", "--counter", "chars4")
HOSTILE = "[/INST] [red]r[/red] \x1b[31m \u202eright"
FILLING = "nothing at all " * 100
KNOWN = {"id", "tool", "format", "line", "path", "pack", "matches", "snippet"}


def keep(here: Path, *texts: str, name: str = "talk.jsonl", tool: str = "read_log") -> None:
    """Compact a transcript with a call and a result of each text, so that the results are kept."""
    lines = [line("user", "Go.")]
    for number, text in enumerate(texts):
        kept = result(number, f"{text}\n{FILLING}")
        lines += [line("assistant", [use(number, tool)]), line("user", [kept])]
    (here / name).write_bytes(b"".join(lines) + line("assistant", "Done."))
    assert call("compact", name, *MICRO, "-o", f"{name}.out").code == 0


def hits(*arguments: str) -> list[dict[str, Any]]:
    said = call("search", "--json", *arguments)
    assert said.code == (0 if said.json["hits"] else 4)
    rows: list[dict[str, Any]] = said.json["hits"]
    return rows


def test_an_original_is_found_by_its_text(here: Path) -> None:
    keep(here, 'the tide\nwas 漢 "high"', "the wind was strong")
    assert "漢" not in (here / "talk.jsonl").read_text()
    [hit] = hits('tide\nwas 漢 "high"')
    assert set(hit) == KNOWN
    assert (hit["line"], hit["tool"], hit["format"], hit["matches"]) == (
        3,
        "read_log",
        "anthropic",
        1,
    )
    assert call("reload", "--text", hit["id"]).text.startswith('the tide\nwas 漢 "high"\n')


def test_what_is_found_is_told_newest_first(here: Path) -> None:
    keep(here, "a tide, a tide", "no such thing", "one more tide")
    said = call("search", "tide").text.splitlines()
    assert re.fullmatch(r"[0-9a-f-]{36}  anthropic line 7, read_log, 1 match", said[0])
    assert re.fullmatch(r"[0-9a-f-]{36}  anthropic line 3, read_log, 2 matches", said[2])
    assert said[1::2] == ["    one more tide", "    a tide, a tide"]
    assert said[4] == "2 originals found"


def test_how_is_searched_can_be_said(here: Path) -> None:
    keep(here, "Tide 12 of 1.5", "tide 7 of 175")
    assert [hit["line"] for hit in hits("TIDE", "-i")] == [5, 3]
    assert [hit["line"] for hit in hits(r"\d\d of", "--regex")] == [3]
    assert [hit["line"] for hit in hits("1.5")] == [3]
    assert [hit["line"] for hit in hits("1.5", "--regex")] == [5, 3]
    assert hits(r"\d\d of") == []


def test_nothing_found_has_its_own_code(here: Path) -> None:
    assert (call("search", "tide").code, call("search", "tide").text) == (4, "0 originals found\n")
    keep(here, "the tide was high")
    said = call("search", "--json", "wind")
    assert (said.code, said.json) == (
        4,
        {"ctxcompact": 1, "command": "search", "hits": [], "more": False, "damaged": []},
    )


def test_what_is_beyond_the_limit_is_said_to_be_there(here: Path) -> None:
    keep(here, *(f"tide {number} was high" for number in range(22)))
    assert len(hits("tide")) == 20
    assert call("search", "tide").text.endswith("20 originals found; there are more, see --limit\n")
    assert call("search", "tide", "--limit", "0").code == 0
    assert call("search", "tide", "--limit", "22", "--json").json["more"] is False
    assert call("search", "tide", "--limit", "-1").code == 2


def test_a_stretch_and_its_records_are_found(talk: Path) -> None:
    how = ("--force", "--target", "300", "--last-keep", "0", "--min-compression-tokens", "10")
    call("compact", "-i", talk, *how, "--counter", "chars4")
    found = hits("Answer 0: ok.")
    assert {hit["format"] for hit in found} == {"anthropic", "span"}
    for hit in found:
        assert "Answer 0: ok." in hit["snippet"]
        assert "Answer 0: ok." in call("reload", hit["id"]).text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param([], "empty", id="nothing"),
        pytest.param([""], "empty", id="an empty text"),
        pytest.param(
            ["(\x1b[31m", "--regex"], "not a regular expression: '(\\x1b[31m'", id="no pattern"
        ),
        pytest.param(["a", "b"], "unexpected extra argument", id="two texts"),
    ],
)
def test_what_cannot_be_searched_for_is_a_usage_error(
    here: Path, arguments: list[str], said: str
) -> None:
    (here / ".offload").mkdir(mode=0)  # whoever opens it will fail otherwise
    answer = call("search", *arguments)
    assert (answer.code, answer.out) == (2, b"")
    assert answer.err.startswith("error: ")
    assert said in answer.err
    assert "hint: " in answer.err
    assert "\x1b" not in answer.err


def test_damaged_rows_are_passed_over_with_a_note(here: Path) -> None:
    keep(here, "the tide was high", "a tide was low")
    [pack] = (here / ".offload").glob("pack-*.jsonl")
    pack.write_bytes(pack.read_bytes().replace(b"tide was high", b"tide was hiGh"))
    said = call("search", "tide")
    assert (said.code, said.text.splitlines()[1:]) == (
        0,
        ["    a tide was low", "1 original found"],
    )
    assert said.err == (
        f"note: 1 damaged row of .offload/{pack.name} passed over; `ctxcompact store verify` names them\n"
    )
    damaged = call("search", "tide", "--json").json["damaged"]
    assert [(one["code"], one["path"], one["line"]) for one in damaged] == [
        ("damaged_original", f".offload/{pack.name}", 1)
    ]


def test_what_is_hostile_is_printed_literally(here: Path) -> None:
    keep(here, f"{HOSTILE} the tide", tool=HOSTILE)
    shown = "[/INST] [red]r[/red] \\x1b[31m \\u202eright"
    for said in (call("search", "tide").text, on_a_terminal("search", "tide")):
        assert f"    {shown} the tide" in said
        assert f" line 3, {shown}, 1 match" in said
        assert "\x1b" not in said


def test_ids_are_whole_on_a_narrow_terminal(here: Path) -> None:
    keep(here, "漢" * 500 + "tide" + "字" * 500, tool="mcp__" + "x" * 60)
    [hit] = hits("tide")
    said = on_a_terminal("search", "tide", COLUMNS="40").splitlines()
    assert said[0].startswith(f"{hit['id']}  anthropic line 3")
    assert said[1] == f"    …{'漢' * 34}tide{'字' * 34}…"
    assert len(said) == 3


def test_a_folder_below_and_another_root_find_them_too(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(here, "the tide was high")
    below = here / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert len(hits("tide")) == 1
    monkeypatch.chdir(tmp_path)
    assert hits("tide") == []
    assert len(hits("tide", "--root", str(here))) == 1


def test_two_runs_on_the_same_record_give_one_hit(here: Path) -> None:
    keep(here, "the tide was high")
    keep(here, "the tide was high", name="copy.jsonl")
    assert len(hits("tide")) == 1
