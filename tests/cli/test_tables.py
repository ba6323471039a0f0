"""Lines and tables, piped and on a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ctxcompact.cli.tables import Table, plain
from tests.cli.command import on_a_terminal
from tests.cli.transcripts import rounds

if TYPE_CHECKING:
    from pathlib import Path


def test_columns_are_aligned_and_nothing_trails() -> None:
    table = Table(
        ("name", "tokens", ""), [("a", "1,234", "why"), ("long", "5", "")], frozenset({1})
    )
    assert plain(["head", table]).split("\n") == [
        "head",
        "name  tokens",
        "a      1,234  why",
        "long       5",
    ]


def test_a_wide_character_takes_two_columns() -> None:
    table = Table(("name", "n"), [("日本", "1"), ("abcd", "2")])
    assert plain([table]) == "name  n\n日本  1\nabcd  2"


def test_names_and_what_is_said_of_them_need_no_heads() -> None:
    assert plain([Table((), [("format", "x"), ("", "y")])]) == "format  x\n        y"


def test_nothing_is_wrapped_where_nobody_looks() -> None:
    long = "x" * 500
    assert plain([Table(("a", "b"), [(long, long)])]).count("\n") == 1


HOSTILE = "[/INST] [red]r[/red] \x1b[31m"


def test_a_terminal_gets_tables_and_no_text_is_taken_for_markup(here: Path) -> None:
    (here / "talk.jsonl").write_bytes(rounds(tool=HOSTILE))
    said = on_a_terminal("stats", "talk.jsonl", "--by", "tool")
    assert "\x1b[1m" in said
    assert "[/INST] [red]r[/red] \\x1b[31m" in said
    assert "\x1b[31m" not in said


def test_no_color_means_no_escape_at_all(here: Path) -> None:
    (here / "talk.jsonl").write_bytes(rounds(tool=HOSTILE))
    said = on_a_terminal("stats", "talk.jsonl", "--by", "tool", NO_COLOR="1")
    assert "by tool" in said
    assert "\x1b" not in said


def test_ids_are_whole_on_a_terminal(here: Path) -> None:
    (here / "talk.jsonl").write_bytes(rounds())
    arguments = ("compact", "talk.jsonl", "--force", "--target", "1", "--last-keep", "0")
    said = on_a_terminal(*arguments, "-o", "out.jsonl")
    ids = [word for word in said.split() if len(word) == 36 and word.count("-") == 4]
    assert len(ids) == 3
    assert max(map(len, re.sub(r"\x1b\[[0-9;]*m", "", said).splitlines())) <= 80
