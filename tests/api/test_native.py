"""A full summary as the client's own record: what was there stays, and the client passes over it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact import api
from ctxcompact.core.settings import Mode, Settings, Write
from ctxcompact.errors import RestoreError, UsageError
from tests.api.files import TRANSCRIPT, listing, put, restored
from tests.formats.claude_session import answered, line, said, user

if TYPE_CHECKING:
    from pathlib import Path

NATIVE = Settings(mode=Mode.MANUAL, write=Write.NATIVE, counter="chars4")
TIME = "2026-03-01T10:00:00.500Z"
NOTICE = line("system", "n1", "a9", subtype="turn_duration", timestamp=TIME)
LEAF = {"type": "last-prompt", "leafUuid": "a9", "sessionId": "s"}


def turns(start: str | None = None, first: int = 1) -> list[dict[str, Any]]:
    """Write a prompt and eight turns, each a call with a long result."""
    lines = [user(f"u{first - 1}", start, "Tidy the shed.", timestamp=TIME)]
    for n in range(first, first + 8):
        parent = lines[-1]["uuid"]
        text = f"shelf {n} holds item {n * 7919} and\n" + "a row of jars, one like the other\n" * 90
        lines += [
            said(f"c{n}", parent, f"m{n}", f"call:{n}", timestamp=TIME, prompt=900 * n),
            answered(f"r{n}", f"c{n}", str(n), text=text, timestamp=TIME),
        ]
    return lines


DONE = [*turns(), said("a9", "r8", "m9", "All tidy.", timestamp=TIME, prompt=9000), NOTICE, LEAF]
OPEN = [*DONE[:-2], user("u9", "a9", "And the attic?", timestamp=TIME)]
AT_WORK = [
    *turns(),
    said("c9", "r8", "m9", "call:9", timestamp=TIME, prompt=9000),
    answered("r9", "c9", "9", timestamp=TIME),
]


def write(root: Path, lines: list[dict[str, Any]]) -> Path:
    return put(root, "".join(json.dumps(row) + "\n" for row in lines).encode())


def compacted(root: Path, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    path = write(root, lines)
    assert api.compact(path, None, NATIVE, root=root).status == "ok"
    return [json.loads(row) for row in path.read_text().splitlines()]


def added(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines that are new, after a look that all others are what they were."""
    new = [row for row in after if row not in before]
    assert [row for row in after if row not in new] == before
    return new


def test_a_boundary_and_a_summary_stand_behind_what_they_sum_up(tmp_path: Path) -> None:
    after = compacted(tmp_path, DONE)
    boundary, summary = added(DONE, after)
    at = after.index(boundary)
    assert after[at - 1]["uuid"] == "a9"
    assert after[at + 1 :] == [summary, NOTICE, LEAF]
    assert (boundary["subtype"], boundary["parentUuid"]) == ("compact_boundary", None)
    assert boundary["logicalParentUuid"] == "a9"
    assert boundary["compactMetadata"]["trigger"] == "manual"
    assert summary["isCompactSummary"]
    assert summary["parentUuid"] == boundary["uuid"]


def test_what_hung_on_the_last_line_hangs_on_the_summary(tmp_path: Path) -> None:
    _, summary = added(DONE, compacted(tmp_path, DONE))
    assert summary["uuid"] == NOTICE["parentUuid"] == LEAF["leafUuid"]


def test_each_line_is_later_than_the_one_before(tmp_path: Path) -> None:
    boundary, summary = added(DONE, compacted(tmp_path, DONE))
    assert boundary["timestamp"] == "2026-03-01T10:00:00.501Z"
    assert summary["timestamp"] == "2026-03-01T10:00:00.502Z"


def test_only_the_summary_is_read_again(tmp_path: Path) -> None:
    path = write(tmp_path, DONE)
    report = api.compact(path, None, NATIVE, root=tmp_path)
    facts = api.stats(path, NATIVE, root=tmp_path).facts
    assert (facts.messages, facts.tokens) == (1, report.output.tokens)
    assert report.output.tokens < report.input.tokens // 3


def test_an_open_prompt_stays_where_it_is(tmp_path: Path) -> None:
    after = compacted(tmp_path, OPEN)
    boundary, summary = added(OPEN, after)
    assert after[-3:] == [boundary, summary, OPEN[-1]]
    assert summary["uuid"] == OPEN[-1]["parentUuid"]


def test_a_prompt_that_is_worked_on_is_said_again_before_the_newest_turn(tmp_path: Path) -> None:
    after = compacted(tmp_path, AT_WORK)
    boundary, summary, again = after[-5:-2]
    assert again["message"] == AT_WORK[0]["message"]
    assert [boundary["uuid"], summary["uuid"]] == [summary["parentUuid"], again["parentUuid"]]
    assert again["uuid"] == "r8"
    assert after[-2]["parentUuid"] == "r8"
    assert api.check(tmp_path / "talk.jsonl", NATIVE, root=tmp_path).findings == ()


def test_what_a_client_reads_at_its_start_is_lowered_where_it_still_counts(tmp_path: Path) -> None:
    after = compacted(tmp_path, AT_WORK)
    assert after[-2]["message"]["usage"]["cache_read_input_tokens"] < 8999
    assert after[: len(AT_WORK) - 2] == AT_WORK[:-2]


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    compacted(tmp_path, DONE)
    before = listing(tmp_path)
    assert api.compact(tmp_path / "talk.jsonl", None, NATIVE, root=tmp_path).status == "unchanged"
    assert listing(tmp_path) == before


def test_restore_takes_the_marks_out_and_what_was_said_since_hangs_on_what_was_there(
    tmp_path: Path,
) -> None:
    path = write(tmp_path, DONE)
    given = path.read_bytes()
    api.compact(path, None, NATIVE, root=tmp_path)
    more = json.dumps(user("u10", "n1", "Thanks.")).encode() + b"\n"
    with path.open("ab") as file:
        file.write(more)
    assert restored(path) == given + more


def test_a_later_run_takes_the_first_summary_in(tmp_path: Path) -> None:
    compacted(tmp_path, DONE)
    path = tmp_path / "talk.jsonl"
    with path.open("a") as file:
        for row in [*turns("n1", 20), said("y", "r27", "m99", "Again.")]:
            file.write(json.dumps(row) + "\n")
    report = api.compact(path, None, NATIVE, root=tmp_path)
    assert report.status == "ok"
    (summary,) = [
        row for row in map(json.loads, path.read_text().splitlines()) if row.get("uuid") == "y"
    ][1:]
    assert "55433" in summary["message"]["content"]  # shelf 7, from before the first summary
    assert api.stats(path, NATIVE, root=tmp_path).facts.messages == 1


def test_what_is_protected_and_stands_before_is_no_native_records_matter(tmp_path: Path) -> None:
    path = write(tmp_path, DONE)
    settings = Settings(
        mode=Mode.MANUAL, write=Write.NATIVE, counter="chars4", protect=("item 15838",)
    )
    report = api.compact(path, None, settings, root=tmp_path)
    assert report.status == "unchanged"
    assert "stands before what goes" in report.steps[0].reason


@pytest.mark.parametrize(
    ("lines", "mode", "said"),
    [
        pytest.param(TRANSCRIPT, Mode.MANUAL, "anthropic has no record", id="a format without"),
        pytest.param(
            b"".join(json.dumps(row).encode() + b"\n" for row in DONE),
            Mode.CHAIN,
            "holds a full summary",
            id="the chain",
        ),
    ],
)
def test_where_no_native_record_fits_it_is_refused(
    tmp_path: Path, lines: bytes, mode: Mode, said: str
) -> None:
    path = put(tmp_path, lines)
    with pytest.raises(UsageError, match=said):
        api.compact(path, None, Settings(mode=mode, write=Write.NATIVE), root=tmp_path)
    assert listing(tmp_path) == {"talk.jsonl": lines}


@pytest.mark.parametrize("native_first", [True, False], ids=["before the others", "after them"])
def test_what_else_was_made_of_the_same_transcript_is_not_taken_for_its_output(
    tmp_path: Path, *, native_first: bool
) -> None:
    path = write(tmp_path, DONE)
    given = path.read_bytes()
    others = {"micro": Settings(mode=Mode.MICRO, counter="chars4"), "native": NATIVE}
    for name in sorted(others, reverse=native_first):
        assert api.compact(path, tmp_path / name, others[name], root=tmp_path).status == "ok"
    for name in ("micro", "native", "talk.jsonl"):
        assert restored(tmp_path / name) == given


def test_a_mark_that_was_edited_is_named(tmp_path: Path) -> None:
    compacted(tmp_path, DONE)
    path = tmp_path / "talk.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    at = next(n for n, row in enumerate(lines) if b"isCompactSummary" in row)
    lines[at] = lines[at].replace(b"Tidy", b"Burn")
    path.write_bytes(b"".join(lines))
    with pytest.raises(RestoreError) as caught:
        restored(path)
    assert caught.value.line == at + 1
