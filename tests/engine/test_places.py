"""Folds and full summaries where messages stand in an array of a record and on lines after it."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact import api
from ctxcompact.core.settings import Mode, Settings
from tests.formats.gemini_session import HEADER, called, response, said, snapshot, user

if TYPE_CHECKING:
    from pathlib import Path

FOLDING = Settings(
    levels=(1, 4),
    target=0,
    counter="chars4",
    min_gain_tokens=1,
    min_compression_tokens=0,
    min_consecutive_tool_messages=0,
    last_keep=0,
    floor_tokens=0,
)
FULL = Settings(mode=Mode.MANUAL, counter="chars4")
LONG = "A line that says something of the file it is in.\n" * 40
NOTICE = {"id": "n", "type": "info", "content": "Saved."}


def step(at: int, *, as_parts: bool = False) -> list[Any]:
    """Write a call with its result, as a message of its own or as the client's next start has it."""
    if not as_parts:
        return [said(f"m{at}", "I look.", f"t{at}", result=LONG)]
    after = user(f"m{at}_response", response(f"t{at}", LONG))
    return [said(f"m{at}", [{"text": "I look."}, called(f"t{at}")]), after]


def in_array(*, then: list[Any]) -> list[Any]:
    """Write a snapshot with a prompt and two steps, and what comes after it."""
    items = [user("u0", "Begin."), *step(1, as_parts=True), NOTICE, *step(2, as_parts=True)]
    return [HEADER, snapshot(*items), *then]


TALKS = {
    "in the array alone": in_array(
        then=[said("a0", "Done."), user("u1", "On."), said("a1", "Yes.")]
    ),
    "from the array to lines": in_array(
        then=[*step(3), *step(4), said("a0", "Done."), user("u1", "On."), said("a1", "Yes.")]
    ),
    "on lines newer than items": in_array(
        then=[
            said("m2", [{"text": "I looked."}, called("t2")]),
            *step(3),
            said("a0", "Done."),
            user("u1", "On."),
            said("a1", "Yes."),
        ]
    ),
    "on lines alone": [
        HEADER,
        user("u0", "Begin."),
        said("m1", "I look."),
        *step(1),
        user("r1", response("t1", LONG)),
        *step(2),
        said("a1", "Done."),
        user("u1", "On."),
        said("a2", "Yes."),
    ],
}


def written(talk: list[Any], folder: Path) -> Path:
    file = folder / "session.jsonl"
    file.write_bytes(b"".join(json.dumps(x).encode() + b"\n" for x in talk))
    return file


def compacted(talk: list[Any], settings: Settings, folder: Path) -> tuple[Any, list[Any], bytes]:
    """Return the report, the records of the output and what a restore gives."""
    file = written(talk, folder)
    report = api.compact(file, folder / "out.jsonl", settings, root=folder)
    back = io.BytesIO()
    api.restore(folder / "out.jsonl", back, root=folder)
    lines = (folder / "out.jsonl").read_bytes().splitlines()
    return report, [json.loads(line) for line in lines], back.getvalue()


def applied(report: Any) -> list[Any]:
    return [step.level for step in report.steps if step.status == "applied"]


@pytest.mark.parametrize("talk", TALKS.values(), ids=TALKS)
@pytest.mark.parametrize("settings", [FOLDING, FULL], ids=["a fold", "a full summary"])
def test_messages_become_others_wherever_they_stand(
    talk: list[Any], settings: Settings, tmp_path: Path
) -> None:
    report, records, back = compacted(talk, settings, tmp_path)
    assert applied(report)[-1] in (4, "full")
    left = json.dumps(records)
    assert not any(f'"{key}"' in left for key in ("toolCalls", "functionCall", "functionResponse"))
    again = api.stats(tmp_path / "out.jsonl", Settings(counter="chars4"), root=tmp_path)
    assert (again.facts.messages, again.facts.tokens) == (
        report.output.messages,
        report.output.tokens,
    )
    assert again.problems == ()
    assert back == (tmp_path / "session.jsonl").read_bytes()


def test_what_is_no_message_stays_in_its_array(tmp_path: Path) -> None:
    _, records, _ = compacted(TALKS["in the array alone"], FOLDING, tmp_path)
    items = records[1]["$set"]["messages"]
    assert items[0] == user("u0", "Begin.")
    assert NOTICE in items


def test_earlier_versions_and_repeats_go_with_their_message(tmp_path: Path) -> None:
    _, records, _ = compacted(TALKS["on lines alone"], FOLDING, tmp_path)
    assert [record.get("id") for record in records][1:2] == ["u0"]
    left = [record.get("id") for record in records]
    assert (left.count("m1"), left.count("r1")) == (1, 0)


def test_a_full_summary_stands_before_the_prompt_that_is_still_open(tmp_path: Path) -> None:
    talk = in_array(then=[said("a0", "Done."), user("u1", "And now?"), *step(3)])
    _, records, _ = compacted(talk, FULL, tmp_path)
    rest = [x["id"] for x in records[1]["$set"]["messages"]], [x.get("id") for x in records[2:]]
    assert rest[0][-1] != "u0"
    assert "u1" in rest[1]


def test_a_full_summary_goes_before_an_open_prompt_that_is_first(tmp_path: Path) -> None:
    talk = [HEADER, snapshot(user("u0", "Begin."), *step(1, as_parts=True)), *step(2), *step(3)]
    report, records, back = compacted(talk, FULL, tmp_path)
    assert applied(report) == ["full"]
    kinds = [item["type"] for item in records[1]["$set"]["messages"]]
    assert kinds[:3] == ["user", "gemini", "user"]
    assert records[1]["$set"]["messages"][2] == user("u0", "Begin.")
    assert back == (tmp_path / "session.jsonl").read_bytes()
