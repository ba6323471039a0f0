"""Credentials leave no trace in what is written anew, and stay in what is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ctxcompact import api
from ctxcompact.core.settings import Mode, Settings
from tests.api.files import jsonl, put, restored, rows

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "sk-ant-api03-" + "0123456789abcdef" * 3
CHAIN = {"force": True, "min_compression_tokens": 100, "floor_tokens": 0, "counter": "chars4"}
RUNS = {
    "previews": Settings(levels=(3,), large_payload_chars=500, target=100, **CHAIN),  # type: ignore[arg-type]
    "folds": Settings(levels=(1, 4, 6), target=2500, last_keep=0, **CHAIN),  # type: ignore[arg-type]
    "a full summary": Settings(mode=Mode.MANUAL, counter="chars4"),
}


def told(turns: int = 12) -> bytes:
    """Write a conversation in which a key is used and printed in each but the newest turn."""
    messages = rows(turns)
    for n, message in enumerate(messages[1:-3]):
        part = message["content"][0]
        if "input" in part:
            part["input"] = {"command": f"curl -H 'x-api-key: {SECRET}' https://host/{n}"}
        else:
            part["content"] = f"key {SECRET}\n{part['content']}"
    return jsonl(messages)


def hiding(run: str) -> Settings:
    return replace(RUNS[run], redact=True)


@pytest.mark.parametrize("run", RUNS)
def test_what_is_written_anew_holds_no_credential(tmp_path: Path, run: str) -> None:
    given = told()
    path = put(tmp_path, given)
    assert api.compact(path, None, hiding(run), root=tmp_path).status != "unchanged"
    new = [line for line in path.read_bytes().splitlines() if line not in given.splitlines()]
    assert new
    calls = [line for line in new if b'"tool_use"' in line]
    assert not any(SECRET.encode() in line for line in new if line not in calls)
    assert restored(path) == given


@pytest.mark.parametrize("run", RUNS)
def test_without_the_switch_it_would_be_there(tmp_path: Path, run: str) -> None:
    given = told()
    path = put(tmp_path, given)
    api.compact(path, None, RUNS[run], root=tmp_path)
    new = [line for line in path.read_bytes().splitlines() if line not in given.splitlines()]
    assert any(SECRET.encode() in line for line in new)


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    path = put(tmp_path, told())
    api.compact(path, None, hiding("previews"), root=tmp_path)
    again = api.compact(path, None, hiding("previews"), root=tmp_path)
    assert sum(step.edits for step in again.steps) == 0
