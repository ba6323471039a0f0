"""What changed between two states of a transcript: every message of it is accounted for."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact import api
from ctxcompact.core.settings import Mode, Settings
from ctxcompact.errors import ReadOnlyFormat
from tests.api.files import MICRO, WORDS, jsonl, put, rows

if TYPE_CHECKING:
    from ctxcompact.api import Compared

SAMPLES = sorted((Path(__file__).parents[2] / "samples").glob("*.jsonl"))
PLAIN = Settings(counter="chars4")
RUNS = {
    "micro": Settings(mode=Mode.MICRO, counter="chars4"),
    "chain": Settings(target=20_000, counter="chars4"),
    "manual": Settings(mode=Mode.MANUAL, counter="chars4"),
}


def compared(before: list[dict[str, Any]], after: list[dict[str, Any]], root: Path) -> Compared:
    given = put(root, jsonl(before), "before.jsonl")
    return api.diff(given, put(root, jsonl(after), "after.jsonl"), PLAIN, root=root)


def test_a_result_that_was_cleared_is_shortened_and_its_mark_is_named(tmp_path: Path) -> None:
    path = put(tmp_path)
    report = api.compact(path, None, MICRO, root=tmp_path)
    found = api.diff(None, path, PLAIN, root=tmp_path)
    assert [change.what for change in found.changes] == ["shortened"] * 3
    assert [mark for change in found.changes for mark in change.marks] == list(
        report.steps[0].offloads
    )
    first = found.changes[0]
    assert (first.roles, first.tools) == (("user",), ("Read",))
    assert first.before is not None
    assert first.after is not None
    assert (first.before.line, first.after.line) == (3, 3)


def test_nothing_differs_from_itself(tmp_path: Path) -> None:
    assert compared(rows(), rows(), tmp_path).changes == ()


def test_a_transcript_without_marks_is_what_it_was(tmp_path: Path) -> None:
    assert api.diff(None, put(tmp_path), PLAIN, root=tmp_path).changes == ()


def test_what_is_counted_only_has_no_states_to_compare(tmp_path: Path) -> None:
    event = {"type": "user.message", "data": {"content": "x"}}
    with pytest.raises(ReadOnlyFormat, match="never rewritten"):
        compared([event], [event], tmp_path)


def test_what_was_taken_out_added_or_made_longer_is_told(tmp_path: Path) -> None:
    after = rows()
    del after[3:5]
    after[2]["content"][0]["content"] += WORDS
    after.append({"role": "user", "content": "More?"})
    found = compared(rows(), after, tmp_path).changes
    assert [(change.what, change.roles) for change in found] == [
        ("grown", ("user",)),
        ("removed", ("assistant", "user")),
        ("added", ("user",)),
    ]
    assert found[1].after is None
    assert found[2].before is None


def test_conversations_are_compared_by_their_lines(tmp_path: Path) -> None:
    talk = {"messages": [{"role": "user", "content": "Hi."}]}
    more = {"messages": [*talk["messages"], {"role": "assistant", "content": "Hello."}]}
    found = compared([talk, talk, talk], [talk, more], tmp_path).changes
    told = [(c.what, c.before and c.before.line, c.after and c.after.line) for c in found]
    assert told == [("added", None, 2), ("removed", 3, None)]


def test_the_state_before_may_be_a_stream(tmp_path: Path) -> None:
    path = put(tmp_path)
    assert api.diff(io.BytesIO(path.read_bytes()), path, PLAIN, root=tmp_path).changes == ()


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_the_changes_add_up_to_the_difference(tmp_path: Path, sample: Path, run: str) -> None:
    path = tmp_path / sample.name
    report = api.compact(sample, path, RUNS[run], root=tmp_path)
    found = api.diff(sample, path, PLAIN, root=tmp_path)
    assert bool(found.changes) is (report.status != "unchanged")
    for field in ("tokens", "messages"):
        gone = sum(getattr(c.before, field) for c in found.changes if c.before)
        come = sum(getattr(c.after, field) for c in found.changes if c.after)
        assert getattr(found.before, field) - gone + come == getattr(found.after, field)
    assert (found.after.tokens, found.after.messages) == (
        report.output.tokens,
        report.output.messages,
    )
    json.dumps([change._asdict() for change in found.changes])
