"""What a compaction drags along in a client's own session: copies, recorded counts, a newline."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact import api, kept
from ctxcompact.core.settings import Mode, Settings
from tests.api.files import WORDS, listing, put, restored
from tests.formats.claude_session import answered, said, user

if TYPE_CHECKING:
    from pathlib import Path

MICRO = Settings(mode=Mode.MICRO, keep_recent=0, counter="chars4")
SHOWN = {"stdout": WORDS, "stderr": "", "interrupted": False}
BLOB = {
    "type": "api-request-blob",
    "sessionId": "s",
    "message": answered("x", None, "a", text=WORDS)["message"],
}
SESSION: list[dict[str, Any]] = [
    user("u1", None, "Look."),
    said("u2", "u1", "m1", "call:a", prompt=1000),
    answered("u3", "u2", "a", text=WORDS, toolUseResult=SHOWN),
    BLOB,
    said("u4", "u3", "m2", "Well.", prompt=5000),
]


def session(*, ends: str = "\n") -> bytes:
    return ("\n".join(json.dumps(line) for line in SESSION) + ends).encode()


def after(root: Path, settings: Settings, data: bytes = b"") -> list[Any]:
    """Compact the session in place and return its lines."""
    path = put(root, data or session())
    assert api.compact(path, None, settings, root=root).status == "ok"
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_copies_of_a_cleared_result_go_with_it(tmp_path: Path) -> None:
    lines = after(tmp_path, MICRO)
    placeholder = lines[2]["message"]["content"][0]["content"]
    assert placeholder.startswith("[Previous: used Bash]\n<context_offload")
    assert lines[2]["toolUseResult"] == {**SHOWN, "stdout": placeholder}
    assert lines[3]["message"]["content"][0]["content"] == placeholder
    assert WORDS not in (tmp_path / "talk.jsonl").read_text()


def test_the_newest_recorded_counts_are_lowered_in_proportion(tmp_path: Path) -> None:
    path = put(tmp_path, session())
    report = api.compact(path, None, MICRO, root=tmp_path)
    usage = json.loads(path.read_text().splitlines()[4])["message"]["usage"]
    share = report.output.tokens / report.input.tokens
    assert usage["cache_read_input_tokens"] == int(4999 * share)
    assert json.loads(path.read_text().splitlines()[1])["message"]["usage"] == {
        "input_tokens": 1,
        "cache_read_input_tokens": 999,
    }


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        pytest.param({"keep_usage": True}, 4, id="recorded counts"),
        pytest.param({"keep_twins": True}, 3, id="the copy in the journal"),
    ],
)
def test_what_is_to_be_kept_keeps_its_bytes(
    tmp_path: Path, settings: dict[str, bool], line: int
) -> None:
    lines = after(tmp_path, Settings(mode=Mode.MICRO, keep_recent=0, counter="chars4", **settings))  # type: ignore[arg-type]
    assert lines[line] == SESSION[line]


def test_kept_twins_stay_in_the_line_itself(tmp_path: Path) -> None:
    settings = Settings(mode=Mode.MICRO, keep_recent=0, counter="chars4", keep_twins=True)
    assert after(tmp_path, settings)[2]["toolUseResult"] == SHOWN


def test_a_changed_session_ends_with_a_newline_that_a_restore_takes_away(tmp_path: Path) -> None:
    data = session(ends="")
    after(tmp_path, MICRO, data)
    path = tmp_path / "talk.jsonl"
    assert path.read_bytes().endswith(b"}\n")
    assert restored(path) == data


def test_an_unchanged_session_is_not_given_one(tmp_path: Path) -> None:
    data = session(ends="")
    path = put(tmp_path, data)
    api.compact(path, None, Settings(mode=Mode.MICRO, counter="chars4"), root=tmp_path)
    assert listing(tmp_path) == {"talk.jsonl": data}


def test_mode_and_time_of_a_session_stay(tmp_path: Path) -> None:
    path = put(tmp_path, session())
    path.chmod(0o640)
    os.utime(path, ns=(1_000_000_000, 1_000_000_000))
    api.compact(path, None, MICRO, root=tmp_path)
    assert (path.stat().st_mode & 0o777, path.stat().st_mtime_ns) == (0o640, 1_000_000_000)


def test_the_text_of_a_result_is_reloaded_without_its_line(tmp_path: Path) -> None:
    path = put(tmp_path, session())
    report = api.compact(path, None, MICRO, root=tmp_path)
    (original,) = kept.reload(report.steps[0].offloads, root=tmp_path)
    assert kept.reload_text(original) == WORDS
    assert original.data == session().split(b"\n")[2]
    assert (original.tool, original.line, original.format) == ("Bash", 3, "claude-code")
