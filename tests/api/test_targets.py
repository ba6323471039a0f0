"""A deep target: what gives way for it, what holds, and what is said of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact import api
from ctxcompact.core.settings import LEVELS, Settings
from tests.api.sessions import port, rounds, verdict, wish

if TYPE_CHECKING:
    from pathlib import Path

    from ctxcompact.core.events import Report

DATA = rounds(0, 6)
_GAVE_WAY = "gave way"


def compacted(root: Path, share: float, data: bytes = DATA, **fields: Any) -> tuple[Report, str]:
    """Compact to a share of the tokens; return the report and the output."""
    file = root / "talk.jsonl"
    file.write_bytes(data)
    before = api.stats(file, Settings(), root=root).facts.tokens
    settings = Settings(target=int(before * share), **fields)
    return api.compact(file, None, settings, root=root), file.read_text()


def spoken(output: str) -> list[str]:
    return [record["content"] for record in map(json.loads, output.splitlines())]


@pytest.mark.parametrize("share", [0.5, 0.3, 0.2, 0.12])
def test_a_target_is_reached_by_summaries_of_small_and_recent_rounds(
    share: float, tmp_path: Path
) -> None:
    report, output = compacted(tmp_path, share)
    assert (report.status, report.reached) == ("ok", True)
    assert any(_GAVE_WAY in note for note in report.notes)
    assert set(map(wish, range(6))) < set(spoken(output))
    assert spoken(output)[-1] == verdict(5)
    assert [port(number) for number in range(6) if port(number) not in output] == []


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"min_compression_tokens": 4999, "last_keep": 49}, id="two guards"),
        pytest.param({"levels": LEVELS[:5]}, id="the levels"),
    ],
)
def test_what_somebody_chose_holds(fields: dict[str, Any], tmp_path: Path) -> None:
    report, output = compacted(tmp_path, 0.2, **fields, min_consecutive_tool_messages=9)
    assert report.status == "over_target"
    assert output.encode().startswith(rounds(0, 5))
    assert not any(_GAVE_WAY in note for note in report.notes)


def test_no_guard_gives_way_where_the_levels_reach_the_target(tmp_path: Path) -> None:
    report, output = compacted(tmp_path, 0.5, rounds(0, 2, calls=24))
    assert report.status == "ok"
    assert not any(_GAVE_WAY in note for note in report.notes)
    assert "context_offload" in output


def test_a_target_out_of_reach_is_approached_and_a_second_run_finds_nothing_more(
    tmp_path: Path,
) -> None:
    report, output = compacted(tmp_path, 0.001)
    assert report.status == "over_target"
    assert report.output.tokens < report.input.tokens // 5
    assert set(map(wish, range(6))) < set(spoken(output))
    again, same = compacted(tmp_path, 0.001, output.encode())
    assert (again.steps and not any(step.edits for step in again.steps), same) == (True, output)


@pytest.mark.parametrize(("share", "previews"), [(0.8, 1), (0.3, 0)], ids=["near", "deep"])
def test_what_is_cut_to_a_preview_is_summarized_for_a_deep_target(
    share: float, previews: int, tmp_path: Path
) -> None:
    lines = DATA.splitlines(keepends=True)
    large = json.loads(lines[12])
    large["content"] *= 8
    lines[12] = json.dumps(large).encode() + b"\n"
    report, output = compacted(tmp_path, share, b"".join(lines))
    assert report.status == "ok"
    assert sum("...\n<context_offload" in text for text in spoken(output) if text) == previews


def test_previews_that_lead_to_a_deep_target_by_themselves_stay(tmp_path: Path) -> None:
    records = [json.loads(line) for line in DATA.splitlines()]
    for record in records:
        if record["role"] == "tool":
            record["content"] *= 6
    data = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    report, output = compacted(tmp_path, 0.3, data, last_keep=60)
    assert [step.level for step in report.steps if step.status == "applied"] == [3]
    assert len(output.splitlines()) == len(records)
