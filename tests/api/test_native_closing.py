"""A full summary as the client's own record at the end, which names what it keeps: pi's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact import api
from ctxcompact.core.settings import Mode, Settings, Write
from tests.api.files import listing, put, restored
from tests.formats.pi_session import (
    FIRST_HEADER,
    HEADER,
    answered,
    compaction,
    entry,
    message,
    of_first_version,
    said,
    user,
)

if TYPE_CHECKING:
    from pathlib import Path

NATIVE = Settings(mode=Mode.MANUAL, write=Write.NATIVE, counter="chars4")
PROMPT = message("p", None, role="system", content="Be kind.", sections={"x": "Tidy."})


def turns(parent: str | None, first: int = 1) -> list[dict[str, Any]]:
    """Write a prompt and eight turns, each a call with a long result."""
    lines = [user(f"u{first}", parent, "Tidy the shed.")]
    for n in range(first, first + 8):
        text = f"shelf {n} holds item {n * 7919} and\n" + "a row of jars, one like the other\n" * 90
        usage = {"input": 9000, "output": 3, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 9003}
        reply = said(f"c{n}", lines[-1]["id"], f"call:{n}", usage=usage, stopReason="toolUse")
        lines += [reply, answered(f"r{n}", f"c{n}", str(n), text)]
    return lines


DONE = [HEADER, PROMPT, *turns("p"), said("a", "r8", "All tidy."), entry("label", "l", "a")]
OPEN = [*DONE, user("u9", "l", "And the attic?")]
AT_WORK = [HEADER, PROMPT, *turns("p"), said("c9", "r8", "call:9"), answered("r9", "c9", "9")]


def write(root: Path, lines: list[dict[str, Any]]) -> Path:
    return put(root, b"".join(map(line, lines)))


def line(data: Any) -> bytes:
    return json.dumps(data).encode() + b"\n"


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(row) for row in path.read_bytes().splitlines()]


def compacted(root: Path, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Compact a session; see that what is read of it is what was said, and nothing is wrong."""
    path = write(root, lines)
    report = api.compact(path, None, NATIVE, root=root)
    assert report.status == "ok"
    facts = api.stats(path, NATIVE, root=root).facts
    assert (facts.tokens, facts.messages) == (report.output.tokens, report.output.messages)
    assert api.check(path, NATIVE, root=root).findings == ()
    return lines_of(path)


def append(path: Path, *lines: dict[str, Any]) -> None:
    with path.open("ab") as file:
        file.writelines(map(line, lines))


def test_one_record_is_added_and_every_line_stays(tmp_path: Path) -> None:
    *before, mark = compacted(tmp_path, DONE)
    assert before == DONE
    assert (mark["type"], mark["parentId"]) == ("compaction", "l")
    assert mark["firstKeptEntryId"] == mark["id"]
    assert mark["systemMessage"] == PROMPT["message"]
    assert "55433" in mark["summary"]  # shelf 7
    assert api.stats(tmp_path / "talk.jsonl", NATIVE, root=tmp_path).facts.messages == 2


def test_an_open_prompt_is_kept_by_its_name(tmp_path: Path) -> None:
    *before, mark = compacted(tmp_path, OPEN)
    assert before == OPEN
    assert (mark["firstKeptEntryId"], mark["parentId"]) == ("u9", "u9")
    assert api.stats(tmp_path / "talk.jsonl", NATIVE, root=tmp_path).facts.messages == 3


def test_what_is_worked_on_is_hung_on_its_prompt(tmp_path: Path) -> None:
    *before, mark = compacted(tmp_path, AT_WORK)
    assert before == [*AT_WORK[:-2], {**AT_WORK[-2], "parentId": "u1"}, AT_WORK[-1]]
    assert (mark["firstKeptEntryId"], mark["parentId"]) == ("u1", "r9")
    path = tmp_path / "talk.jsonl"
    assert api.stats(path, NATIVE, root=tmp_path).facts.messages == 5
    assert restored(path) == b"".join(map(line, AT_WORK))


def test_what_hangs_elsewhere_stays_there(tmp_path: Path) -> None:
    left = [user("x", "r8", "No."), entry("label", "y", "x")]
    *before, _ = compacted(tmp_path, [*AT_WORK[:-2], *left, *AT_WORK[-2:]])
    assert [row for row in before if row["id"] in ("x", "y")] == left


def test_the_first_version_names_what_is_kept_by_its_line(tmp_path: Path) -> None:
    lines = [
        FIRST_HEADER,
        *of_first_version(*turns(None), said("a", "r8", "Tidy.")),
        user("", "", "Attic?"),
    ]
    *before, mark = compacted(tmp_path, lines)
    assert before == lines
    assert mark["firstKeptEntryIndex"] == len(lines) - 1
    assert "id" not in mark


def test_of_the_first_version_nothing_can_be_hung_anew(tmp_path: Path) -> None:
    path = write(tmp_path, [FIRST_HEADER, *of_first_version(*AT_WORK[2:])])
    report = api.compact(path, None, NATIVE, root=tmp_path)
    assert report.status == "unchanged"
    assert "stands before what goes" in report.steps[0].reason


def test_what_is_protected_and_stands_before_is_not_for_it(tmp_path: Path) -> None:
    path = write(tmp_path, DONE)
    settings = Settings(
        mode=Mode.MANUAL, write=Write.NATIVE, counter="chars4", protect=("item 15838",)
    )
    report = api.compact(path, None, settings, root=tmp_path)
    assert report.status == "unchanged"
    assert "stands before what goes" in report.steps[0].reason


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    compacted(tmp_path, AT_WORK)
    before = listing(tmp_path)
    assert api.compact(tmp_path / "talk.jsonl", None, NATIVE, root=tmp_path).status == "unchanged"
    assert listing(tmp_path) == before


def test_the_clients_own_compaction_and_what_it_kept_go_too(tmp_path: Path) -> None:
    later = {"role": "system", "content": "Be brief.", "timestamp": 7}
    own = compaction("k", "l", "r8", systemMessage=later)
    more = [*turns("k", 20), entry("context_edit", "e", "r27", targetId="r21", replacement=None)]
    again = message("q", "e", role="system", content="Be fast.")
    *_, mark = compacted(tmp_path, [*DONE, own, *more, again, said("z", "q", "Done.")])
    assert mark["firstKeptEntryId"] == mark["id"]
    assert "The story so far." in mark["summary"]
    assert "166299" not in mark["summary"]  # shelf 21, which the client left out
    assert mark["systemMessage"]["content"] == "Be brief.\n\nBe fast."
    assert api.stats(tmp_path / "talk.jsonl", NATIVE, root=tmp_path).facts.messages == 2


def test_a_prompt_from_before_the_clients_own_compaction_is_kept(tmp_path: Path) -> None:
    lines = [*DONE[:-2], compaction("k", "r8", "u1"), said("c9", "k", "call:9"), AT_WORK[-1]]
    *before, mark = compacted(tmp_path, lines)
    assert mark["firstKeptEntryId"] == "u1"
    assert [row["parentId"] for row in before if row["id"] in ("k", "c9")] == ["u1", "k"]
    assert api.stats(tmp_path / "talk.jsonl", NATIVE, root=tmp_path).facts.messages == 4


def test_what_comes_later_hangs_on_the_mark_and_counts(tmp_path: Path) -> None:
    *_, mark = compacted(tmp_path, DONE)
    path = tmp_path / "talk.jsonl"
    append(path, user("u10", mark["id"], "Thanks."), said("a10", "u10", "Bye."))
    assert api.stats(path, NATIVE, root=tmp_path).facts.messages == 4


def test_a_later_run_takes_the_first_summary_in_from_its_originals(tmp_path: Path) -> None:
    *_, mark = compacted(tmp_path, DONE)
    path = tmp_path / "talk.jsonl"
    append(path, *turns(mark["id"], 20), said("z", "r27", "Again."))
    assert api.compact(path, None, NATIVE, root=tmp_path).status == "ok"
    summary = lines_of(path)[-1]["summary"]
    assert "55433" in summary  # shelf 7, from before the first summary
    assert "Conversation compressed" not in summary[5:]
    assert api.stats(path, NATIVE, root=tmp_path).facts.messages == 2


def test_after_a_restore_what_came_later_hangs_on_what_was_there(tmp_path: Path) -> None:
    *_, mark = compacted(tmp_path, DONE)
    path = tmp_path / "talk.jsonl"
    append(path, *turns(mark["id"], 20), said("z", "r27", "Again."))
    api.compact(path, None, NATIVE, root=tmp_path)
    *_, second = lines_of(path)
    more = [user("u30", second["id"], f"What is {mark['id']}?"), said("a30", "u30", "The mark.")]
    append(path, *more)
    assert api.restore(path, None, root=tmp_path) == (2, str(path), path.stat().st_size, 2, 0)
    since = [*turns("l", 20), said("z", "r27", "Again."), {**more[0], "parentId": "z"}, more[1]]
    assert path.read_bytes() == b"".join(map(line, [*DONE, *since]))
    assert api.stats(path, NATIVE, root=tmp_path).facts.messages == 1 + 18 + 18 + 2


def test_a_label_on_the_mark_is_on_what_was_there(tmp_path: Path) -> None:
    *_, mark = compacted(tmp_path, DONE)
    path = tmp_path / "talk.jsonl"
    append(path, entry("label", "l2", mark["id"], targetId=mark["id"], label="here"))
    given = b"".join(map(line, DONE))
    assert restored(path) == given + line(entry("label", "l2", "l", targetId="l", label="here"))


def test_the_first_of_two_runs_is_undone_by_itself(tmp_path: Path) -> None:
    write(tmp_path, DONE)
    path, out = tmp_path / "talk.jsonl", tmp_path / "out.jsonl"
    api.compact(path, out, NATIVE, root=tmp_path)
    assert restored(out) == path.read_bytes()


@pytest.mark.parametrize("ending", [b"", b"\n"], ids=["torn", "ended"])
def test_a_file_that_ends_open_is_ended_first(tmp_path: Path, ending: bytes) -> None:
    given = b"".join(map(line, DONE)).rstrip(b"\n") + ending
    path = put(tmp_path, given)
    api.compact(path, None, NATIVE, root=tmp_path)
    assert len(path.read_bytes().splitlines()) == len(DONE) + 1
    assert restored(path) == given


def test_below_the_threshold_auto_clears_results_in_their_lines(tmp_path: Path) -> None:
    path = write(tmp_path, DONE)
    settings = Settings(mode=Mode.AUTO, write=Write.NATIVE, counter="chars4", threshold=99_999)
    assert api.compact(path, None, settings, root=tmp_path).status == "ok"
    assert [row["type"] for row in lines_of(path)] == [row["type"] for row in DONE]
