"""A compaction of a Codex rollout as the client's own record: it holds all that the model is to see."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact import api, kept
from ctxcompact.core.settings import Mode, Settings, Write
from ctxcompact.formats.codex_native import item_at
from tests.api.files import listing, put, restored
from tests.formats.codex_session import META, answered, called, counted, item, record, said

if TYPE_CHECKING:
    from pathlib import Path

    from ctxcompact.core.events import Report

LONG = "a line of a log, and one more of it\n" * 200
REASONING = item("reasoning", summary=[], encrypted_content="x" * 80)
TALK = [
    META,
    said("developer", "Be brief."),
    said("user", "Look at the logs."),
    *(
        one
        for n in range(8)
        for one in (REASONING, called(f"c{n}"), answered(f"c{n}", f"{n} {n * 7919} {LONG}"))
    ),
    said("assistant", "All is well."),
    counted(20_000),
]
RUNS = {
    "micro": Settings(mode=Mode.MICRO, counter="chars4"),
    "chain": Settings(
        target=2500, counter="chars4", force=True, min_compression_tokens=100, floor_tokens=0
    ),
    "manual": Settings(mode=Mode.MANUAL, counter="chars4"),
}


def rollout(records: list[dict[str, Any]] = TALK, *, ends: str = "\n") -> bytes:
    numbered = [
        {**record, "timestamp": f"2026-05-01T10:00:0{min(n, 9)}.000Z", "ordinal": n}
        for n, record in enumerate(records)
    ]
    return ("\n".join(map(json.dumps, numbered)) + ends).encode()


def written(path: Path, run: str) -> Report:
    report = api.compact(path, None, RUNS[run], root=path.parent)
    assert report.status == "ok"
    return report


@pytest.mark.parametrize("run", RUNS)
def test_in_place_all_lines_stay_and_two_are_added(tmp_path: Path, run: str) -> None:
    given = rollout()
    path = put(tmp_path, given)
    report = written(path, run)
    data = path.read_bytes()
    assert data.startswith(given)
    compacted, count = map(json.loads, data[len(given) :].splitlines())
    assert (compacted["type"], compacted["payload"]["message"]) == ("compacted", "")
    assert [compacted["ordinal"], count["ordinal"]] == [len(TALK), len(TALK) + 1]
    assert compacted["timestamp"] < count["timestamp"]
    tokens = count["payload"]["info"]["last_token_usage"]["input_tokens"]
    assert tokens == 20_000 * report.output.tokens // report.input.tokens
    assert any("--write edit" in note for note in report.notes)


@pytest.mark.parametrize("run", RUNS)
def test_what_is_read_again_is_what_was_reported(tmp_path: Path, run: str) -> None:
    path = put(tmp_path, rollout())
    report = written(path, run)
    facts = api.stats(path, RUNS[run], root=tmp_path).facts
    assert (facts.tokens, facts.messages) == (report.output.tokens, report.output.messages)
    assert report.output.tokens < report.input.tokens // 2
    assert api.check(path, RUNS[run], root=tmp_path).findings == ()


@pytest.mark.parametrize("run", RUNS)
def test_restore_takes_the_lines_out_and_keeps_what_came_after(tmp_path: Path, run: str) -> None:
    given = rollout()
    path = put(tmp_path, given)
    written(path, run)
    more = json.dumps(said("user", "And now?")).encode() + b"\n"
    with path.open("ab") as file:
        file.write(more)
    assert restored(path) == given + more


@pytest.mark.parametrize("run", RUNS)
def test_a_second_run_changes_nothing(tmp_path: Path, run: str) -> None:
    path = put(tmp_path, rollout())
    written(path, run)
    before = listing(tmp_path)
    api.compact(path, None, RUNS[run], root=tmp_path)
    assert listing(tmp_path) == before


def test_items_are_what_they_were_but_for_what_was_cleared(tmp_path: Path) -> None:
    path = put(tmp_path, rollout())
    report = written(path, "micro")
    items = json.loads(path.read_bytes().splitlines()[-2])["payload"]["replacement_history"]
    given = [record["payload"] for record in TALK if record["type"] == "response_item"]
    changed = [(new, old) for new, old in zip(items, given, strict=True) if new != old]
    assert len(changed) == report.steps[0].edits == 5
    for (new, old), uuid in zip(changed, report.steps[0].offloads, strict=True):
        assert uuid in new["output"]
        assert {**new, "output": old["output"]} == old
        assert json.loads(kept.reload([uuid], root=tmp_path)[0].data)["payload"] == old


def test_elsewhere_lines_are_edited_unless_it_is_asked_for(tmp_path: Path) -> None:
    path = put(tmp_path, rollout())
    out = tmp_path / "out.jsonl"
    api.compact(path, out, RUNS["micro"], root=tmp_path)
    assert len(out.read_bytes()) < len(path.read_bytes())
    asked = Settings(mode=Mode.MICRO, counter="chars4", write=Write.NATIVE)
    report = api.compact(path, out, asked, root=tmp_path)
    assert out.read_bytes().startswith(path.read_bytes())
    assert report.notes == ()


def test_in_place_lines_are_edited_if_that_is_asked_for(tmp_path: Path) -> None:
    path = put(tmp_path, rollout())
    asked = Settings(mode=Mode.MICRO, counter="chars4", write=Write.EDIT)
    api.compact(path, None, asked, root=tmp_path)
    assert len(path.read_bytes()) < len(rollout())


def test_a_file_without_a_last_newline_gets_one_first(tmp_path: Path) -> None:
    given = rollout(ends="")
    path = put(tmp_path, given)
    written(path, "micro")
    assert path.read_bytes().startswith(given + b"\n{")
    assert restored(path) == given


def test_a_size_that_is_to_be_kept_is_not_told_again(tmp_path: Path) -> None:
    path = put(tmp_path, rollout())
    keeping = Settings(mode=Mode.MICRO, counter="chars4", keep_usage=True)
    api.compact(path, None, keeping, root=tmp_path)
    assert len(path.read_bytes().splitlines()) == len(TALK) + 1


def test_what_is_not_an_object_is_no_line_to_follow(tmp_path: Path) -> None:
    path = put(tmp_path, rollout() + b"[]\n")
    written(path, "micro")
    assert json.loads(path.read_bytes().splitlines()[-1])["ordinal"] == len(TALK) + 1


def test_an_item_is_found_whether_it_has_a_record_of_its_own_or_shares_one() -> None:
    assert item_at(("payload", "content", 0, "text")) == ("payload",)
    kept = ("payload", "replacement_history", 3, "output")
    assert item_at(kept) == kept[:3]


def test_what_the_client_kept_with_more_beside_it_is_compacted_with_the_rest(
    tmp_path: Path,
) -> None:
    """In its own record it has to stay as it is: by its index more is told of each item there."""
    kept = [one["payload"] for one in TALK[2:-2]]
    told = record(
        "compacted", message="", replacement_history=kept, replacement_history_metadata=[]
    )
    talk = [META, told, said("user", "Go on."), said("assistant", "Yes.")]
    path = put(tmp_path, rollout(talk))
    edited = api.compact(
        path, tmp_path / "o", replace(RUNS["chain"], write=Write.EDIT), root=tmp_path
    )
    assert edited.status == "over_target"
    written(path, "chain")
    before = path.read_bytes()
    api.compact(path, None, RUNS["chain"], root=tmp_path)
    assert path.read_bytes() == before


def test_what_else_was_made_of_the_same_transcript_is_not_taken_for_its_output(
    tmp_path: Path,
) -> None:
    given = rollout()
    path = put(tmp_path, given)
    for name, settings in RUNS.items():
        asked = replace(settings, write=Write.NATIVE)
        assert api.compact(path, tmp_path / name, asked, root=tmp_path).status == "ok"
        api.compact(path, tmp_path / f"edited {name}", settings, root=tmp_path)
    for name in RUNS:
        assert restored(tmp_path / name) == restored(tmp_path / f"edited {name}") == given
    assert restored(path) == given
