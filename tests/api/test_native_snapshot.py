"""A compaction of a Gemini CLI session as the client's own `$set`, which replaces all messages before it."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcompact import api, kept
from ctxcompact.core.settings import Mode, Settings, Write
from ctxcompact.errors import CtxCompactError
from ctxcompact.formats.gemini_cli import item_at
from tests.api.files import jsonl, listing, put, restored
from tests.formats.gemini_session import HEADER, called, live, response, said, snapshot, user
from tests.formats.hostile import spoiled

if TYPE_CHECKING:
    from ctxcompact.core.events import Report

LONG = "a line of a log, and one more of it\n" * 100


def steps(*numbers: int) -> list[dict[str, Any]]:
    """Write calls as the client does: a message, again with its calls, and the results once more."""
    lines = []
    for n in numbers:
        text = f"{n} {n * 7919} {LONG}"
        lines += [said(f"g{n}"), said(f"g{n}", "", f"c{n}", result=text)]
        lines += [user(f"r{n}", response(f"c{n}", text)), {"$set": {"lastUpdated": "t"}}]
    return lines


TALK = [
    HEADER,
    snapshot(user("s", "<session_context>"), user("a", "Look at the logs.")),
    *steps(1, 2, 3),
    {"id": "i", "type": "info", "content": "Saved."},
    *steps(4, 5, 6, 7),
    said("b", "All is well."),
]
GIVEN = jsonl(TALK)
NATIVE = Settings(counter="chars4", write=Write.NATIVE)
RUNS = {
    "micro": replace(NATIVE, mode=Mode.MICRO),
    "chain": replace(NATIVE, target=2000, force=True, min_compression_tokens=100, floor_tokens=0),
    "manual": replace(NATIVE, mode=Mode.MANUAL),
    "auto": replace(NATIVE, mode=Mode.AUTO, threshold=1000),
}
by_run = pytest.mark.parametrize("run", RUNS)


def written(path: Path, run: str) -> Report:
    report = api.compact(path, None, RUNS[run], root=path.parent)
    assert report.status == "ok"
    return report


def in_snapshot(path: Path) -> list[Any]:
    """Return the messages in the record at the end."""
    found: list[Any] = json.loads(path.read_bytes().splitlines()[-1])["$set"]["messages"]
    return found


@by_run
def test_all_lines_stay_and_one_is_added_that_is_read_as_was_reported(
    tmp_path: Path, run: str
) -> None:
    path = put(tmp_path, GIVEN)
    report = written(path, run)
    assert path.read_bytes().startswith(GIVEN)
    assert path.read_bytes().count(b"\n") == len(TALK) + 1
    facts = api.stats(path, RUNS[run], root=tmp_path).facts
    assert (facts.tokens, facts.messages) == (report.output.tokens, report.output.messages)
    assert report.output.tokens < report.input.tokens // 2
    assert api.check(path, RUNS[run], root=tmp_path).findings == ()


@by_run
def test_a_second_run_changes_nothing(tmp_path: Path, run: str) -> None:
    path = put(tmp_path, GIVEN)
    written(path, run)
    before = listing(tmp_path)
    api.compact(path, None, RUNS[run], root=tmp_path)
    assert listing(tmp_path) == before


@by_run
def test_a_grown_session_is_compacted_again_and_restored(tmp_path: Path, run: str) -> None:
    path = put(tmp_path, GIVEN)
    written(path, run)
    more = jsonl([user("d", "Go on."), *steps(11, 12, 13, 14), said("e", "Done.")])
    with path.open("ab") as file:
        file.write(more)
    report = written(path, run)
    assert api.stats(path, RUNS[run], root=tmp_path).facts.tokens == report.output.tokens
    assert restored(path) == GIVEN + more


def test_lines_are_edited_unless_it_is_asked_for(tmp_path: Path) -> None:
    path = put(tmp_path, GIVEN)
    api.compact(path, None, replace(RUNS["micro"], write=None), root=tmp_path)
    assert len(path.read_bytes()) < len(GIVEN)


def test_messages_are_what_they_were_but_for_what_was_cleared(tmp_path: Path) -> None:
    path = put(tmp_path, GIVEN)
    report = written(path, "micro")
    found = in_snapshot(path)
    assert [one["id"] for one in found][:3] == ["a", "g1", "r1"]
    assert not {"s", "i"} & {one["id"] for one in found}  # these the client makes anew, or shows
    given = {one["id"]: one for one in TALK[2:] if "id" in one}
    changed = [one for one in found[1:] if one != given[one["id"]]]
    assert len(changed) == 2 * 4  # the newest three are kept, and each result stands twice
    marks = report.steps[0].offloads
    for one, uuid in zip(changed[::2], marks, strict=True):
        text = one["toolCalls"][0]["result"][0]["functionResponse"]["response"]["output"]
        assert uuid in text
        assert kept.reload([uuid], root=tmp_path)[0].data == json.dumps(given[one["id"]]).encode()


def test_to_rewind_to_a_summary_is_the_same_with_what_it_stands_for(tmp_path: Path) -> None:
    path = put(tmp_path, GIVEN)
    written(path, "chain")
    ours = [str(one["content"]).startswith("[{'text': '[") for one in in_snapshot(path)]
    before = ours.index(True)
    with path.open("ab") as file:
        file.write(jsonl([{"$rewindTo": in_snapshot(path)[before]["id"]}]))
    now = live(*map(json.loads, path.read_bytes().splitlines()))
    then = live(*map(json.loads, restored(path).splitlines()))
    assert len(now) == len(then) == before


def test_a_snapshot_that_the_client_took_since_is_told_of(tmp_path: Path) -> None:
    path = put(tmp_path, GIVEN)
    written(path, "micro")
    own = {"$set": {"messages": [*in_snapshot(path), user("d", "Go on.")]}}
    with path.open("ab") as file:
        file.write(jsonl([user("d", "Go on."), said("e", "Yes."), own]))
    done = api.restore(path, tmp_path / "back.jsonl", root=tmp_path)
    assert done.marked_line == len(TALK) + 3


def test_nothing_is_told_of_lines_that_bear_no_mark(tmp_path: Path) -> None:
    path = put(tmp_path, GIVEN)
    written(path, "micro")
    with path.open("ab") as file:
        file.write(jsonl([user("d", "Go on.")]))
    assert api.restore(path, tmp_path / "back.jsonl", root=tmp_path).marked_line == 0


def test_a_message_is_found_wherever_it_stands() -> None:
    assert item_at(("content", 0, "text")) == ()
    assert item_at(("$set", "messages", 3, "content", 0, "text")) == ("$set", "messages", 3)
    assert item_at(("messages", 3, "content", 0, "text")) == ("messages", 3)


ODD = [
    HEADER,
    {**HEADER, "messages": [user("o", "Begin.")]},
    *TALK[1:6],
    snapshot(user("a", "Look."), said("x", [called("t1")]), user("y", response("t1", LONG))),
    said("x", [called("t1")]),
    *TALK[6:10],
    said("z", "Done."),
    {"$rewindTo": "z"},
    said("b", "All is well."),
]


@settings(max_examples=25)
@given(spoiled(ODD), st.sampled_from(sorted(RUNS)))
def test_what_is_odd_is_carried_and_comes_back(records: list[Any], run: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = put(Path(folder), jsonl(records))
        try:
            report = api.compact(path, None, RUNS[run], root=path.parent)
        except CtxCompactError:
            assert path.read_bytes() == jsonl(records)
            return
        facts = api.stats(path, RUNS[run], format_name=report.format, root=path.parent).facts
        assert (facts.tokens, facts.messages) == (report.output.tokens, report.output.messages)
        assert restored(path) == jsonl(records)
