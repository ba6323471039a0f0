"""What a person is told about a compaction."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ctxcompact.cli.report import Telling, told
from ctxcompact.cli.tables import plain
from ctxcompact.core.events import FileFacts, Report, Step, Trigger
from ctxcompact.core.model import Problem
from ctxcompact.counters import choose

IDS = tuple(f"00000000-0000-8000-8000-{number:012}" for number in range(5))
BEFORE = FileFacts(path="s.jsonl", bytes=9000, lines=9, messages=8, tokens=3000, sha256="a")
AFTER = replace(BEFORE, path="t.jsonl", bytes=3000, tokens=1000)
STEP = Step(
    level=2,
    name="large_payloads",
    status="applied",
    edits=5,
    tokens_before=3000,
    tokens_after=1000,
    offloads=IDS,
)
DONE = Report(
    status="ok",
    mode="chain",
    format="anthropic",
    counter=choose("chars4"),
    input=BEFORE,
    output=AFTER,
    trigger=Trigger(fired=True, by="tokens", tokens=2000, messages=100),
    target=1500,
    reached=True,
    steps=(STEP,),
    receipt=".transcripts/receipt_x.jsonl",
)
QUIET = Trigger(fired=False, by=None, tokens=98_304, messages=100)


def say(report: Report, root: str = ".", **more: Any) -> str:
    return plain(told(Telling(report, Path(root), **more)))


def test_a_finished_run() -> None:
    assert say(DONE).splitlines() == [
        "s.jsonl -> t.jsonl: 66.7 % of the tokens saved",
        "",
        "          before  after   saved",
        "tokens     3,000  1,000  66.7 %",
        "messages       8      8       -",
        "bytes      9,000  3,000  66.7 %",
        "",
        "level             status   edits          tokens",
        "2 large_payloads  applied      5  3,000 -> 1,000",
        "",
        "format     anthropic, counted by chars4 (an estimate, +- 57 %)",
        "trigger    fired by tokens; the trigger is 2,000 tokens or 100 messages",
        "target     1,500 tokens: reached",
        "originals  5 kept in .offload: `ctxcompact reload ID` prints one",
        f"           {IDS[0]}",
        f"           {IDS[1]}",
        f"           {IDS[2]}",
        "           and 2 more (-v shows all)",
        "to undo    ctxcompact restore -i t.jsonl",
    ]


def test_nothing_to_do() -> None:
    idle = replace(DONE, status="unchanged", trigger=QUIET, steps=(), output=BEFORE, receipt=None)
    assert say(idle).splitlines() == [
        "s.jsonl: nothing to do",
        "",
        "format   anthropic, counted by chars4 (an estimate, +- 57 %)",
        "trigger  not triggered: 3,000 tokens, 8 messages;",
        "         the trigger is 98,304 tokens or 100 messages; --force does without",
    ]


def test_no_level_found_anything() -> None:
    step = replace(STEP, status="skipped", edits=0, offloads=(), reason="nothing here for it")
    step = replace(step, tokens_after=3000)
    said = say(replace(DONE, status="unchanged", steps=(step,), output=BEFORE, receipt=None))
    assert said.startswith("s.jsonl: nothing changed\n")
    assert "2 large_payloads  skipped      0   3,000  nothing here for it" in said


def test_levels_skipped_for_the_same_reason_share_a_row() -> None:
    idle = replace(STEP, status="skipped", edits=0, offloads=(), tokens_after=3000, reason="no")
    steps = (idle, replace(idle, level=4), STEP, replace(idle, level=5, reason="other"))
    lines = say(replace(DONE, steps=steps)).splitlines()
    assert lines[8].split() == ["2,", "4", "skipped", "0", "3,000", "no"]
    assert lines[10].split() == ["5", "large_payloads", "skipped", "0", "3,000", "other"]


def test_a_missed_target() -> None:
    blocked = ("newest human message: 70000 tokens", "tool calls: 9 tokens")
    said = say(replace(DONE, status="over_target", reached=False, blocked_by=blocked))
    assert "66.7 % of the tokens saved, still over the target" in said
    assert "target      1,500 tokens: missed" in said
    assert (
        "in the way  newest human message: 70000 tokens\n            tool calls: 9 tokens" in said
    )


def test_a_missed_target_without_any_edit() -> None:
    output = replace(BEFORE, path="t.jsonl")
    said = say(replace(DONE, status="over_target", reached=False, output=output, steps=()))
    assert "nothing could be saved, and it is over the target" in said


@pytest.mark.parametrize(
    ("trigger", "said"),
    [
        pytest.param(replace(QUIET, fired=True, by="force"), "not asked (--force)", id="force"),
        pytest.param(replace(QUIET, fired=True, by="messages"), "fired by messages", id="messages"),
    ],
)
def test_what_fired(trigger: Trigger, said: str) -> None:
    assert said in say(replace(DONE, trigger=trigger))


def test_a_full_summary_by_hand_asks_for_no_trigger() -> None:
    by_hand = replace(DONE, mode="manual", trigger=replace(QUIET, fired=True, by="force"))
    assert "not asked (mode manual)" in say(by_hand)


def test_what_micro_left_was_too_little_for_a_full_summary() -> None:
    left = replace(DONE.output, tokens=700, messages=8)
    assert "not triggered: 700 tokens, 8 messages" in say(
        replace(DONE, mode="auto", trigger=QUIET, output=left)
    )


def test_a_layer_has_no_trigger() -> None:
    trigger = Trigger(fired=True, by=None, tokens=0, messages=0)
    assert "trigger" not in say(replace(DONE, trigger=trigger))


def test_the_way_back_of_a_pipe() -> None:
    output = replace(AFTER, path="-")
    said = say(replace(DONE, output=output), root="a b")
    assert "ctxcompact restore --root 'a b' < FILE, where FILE holds this output" in said
    assert said.startswith("s.jsonl -> standard output: ")


def test_faults_are_named_by_line_whether_they_stay_or_go() -> None:
    stays, goes = Problem(7, "nul_bytes", "holds 3 NULs"), Problem(9, "orphan_call", "no result")
    report = replace(DONE, problems_before=(stays, goes), problems_after=(stays,))
    lines = say(replace(report, warnings=(stays, Problem(2, "odd", "odd")))).splitlines()
    assert lines[-5:] == [
        "to undo    ctxcompact restore -i t.jsonl",
        "problems   2 in the input, 1 in the output",
        "           line 7: holds 3 NULs [nul_bytes]",
        "           line 9: no result [orphan_call] (gone)",
        "warnings   line 2: odd [odd]",
    ]


def test_many_faults_are_cut_short_unless_all_are_wanted() -> None:
    many = tuple(Problem(line, "odd", "odd") for line in range(1, 31))
    report = replace(DONE, problems_before=many, problems_after=many)
    assert "and 20 more (-v shows all)" in say(report)
    assert "line 30: odd" in say(report, verbose=True)


def test_many_conversations_show_what_was_done_first() -> None:
    steps = []
    for line in range(1, 41):
        steps.append(replace(STEP, conversation=line, status="skipped"))
        steps.append(replace(STEP, conversation=line))
    lines = say(replace(DONE, steps=tuple(steps))).splitlines()
    assert lines[7].split() == ["level", "line", "status", "edits", "tokens"]
    assert "line 1 " in lines[8]
    assert not any("skipped" in line for line in lines)
    assert "and 56 more (-v shows all)" in lines


def test_notes_and_archive_are_told() -> None:
    said = say(replace(DONE, notes=("tokens fit",), archive=".transcripts/transcript_0.jsonl"))
    assert "notes      tokens fit" in said
    assert "archive    .transcripts/transcript_0.jsonl" in said
