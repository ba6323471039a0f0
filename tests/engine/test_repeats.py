"""Results that a client sends to the model more than once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ctxcompact import api
from ctxcompact.core.settings import Mode, Settings
from tests.formats.gemini_session import HEADER, response, said, user

if TYPE_CHECKING:
    from pathlib import Path

MICRO = Settings(mode=Mode.MICRO, keep_recent=0, counter="chars4", min_gain_tokens=1)
LONG = "A line that says something.\n" * 40


def compacted(folder: Path, result: str, again: str) -> tuple[Any, list[Any]]:
    """Return the report and the records of a session where a result stands twice."""
    talk = [
        HEADER,
        user("u", "Begin."),
        said("a", "", "t1", result=result),
        user("r", response("t1", again)),
        said("b", "Done."),
    ]
    file, out = folder / "session.jsonl", folder / "out.jsonl"
    file.write_text("".join(json.dumps(x) + "\n" for x in talk), encoding="utf-8")
    report = api.compact(file, out, MICRO, root=folder)
    return report, [json.loads(x) for x in out.read_text(encoding="utf-8").splitlines()]


def test_a_repeat_says_what_the_first_says_and_both_are_saved(tmp_path: Path) -> None:
    report, records = compacted(tmp_path, LONG, LONG)
    first = records[2]["toolCalls"][0]["result"][0]["functionResponse"]["response"]["output"]
    again = records[3]["content"][0]["functionResponse"]["response"]["output"]
    assert first == again
    assert first.startswith("[Previous: used shell]")
    found = api.stats(tmp_path / "out.jsonl", Settings(counter="chars4"), root=tmp_path)
    assert found.facts.tokens == report.output.tokens
    assert report.input.tokens - report.output.tokens > 2 * len(LONG) // 4 - 60
    assert found.by_kind["repeated_result"] == found.by_kind["tool_result"]


def test_nothing_changes_where_a_repeat_would_grow(tmp_path: Path) -> None:
    report, records = compacted(tmp_path, LONG, "x")
    assert report.receipt is None
    assert LONG in records[2]["toolCalls"][0]["result"][0]["functionResponse"]["response"]["output"]
