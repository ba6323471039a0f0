"""Codex rollouts: what is claimed, what is written, and that nothing odd stops the reader."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact import api
from ctxcompact.core.model import Kind, Origin, Role
from ctxcompact.core.settings import Mode, Settings
from ctxcompact.core.splice import value_at
from ctxcompact.formats.codex import FORMAT
from ctxcompact.formats.responses_items import KINDS
from tests.formats.builders import read
from tests.formats.codex_session import (
    META,
    answered,
    called,
    compacted,
    completed,
    conversation,
    counted,
    event,
    item,
    record,
    said,
)

if TYPE_CHECKING:
    from pathlib import Path

    from ctxcompact.core.events import Report

LONG = "a line of a log, and one more of it\n" * 40


@pytest.mark.parametrize(
    ("sample", "share"),
    [
        pytest.param([META, said("user", "x"), event("task_started")], 1.0, id="a rollout"),
        pytest.param([META, record("news_of_tomorrow")], 1.0, id="a kind nobody knows beside it"),
        pytest.param([record("news_of_tomorrow")], 0.0, id="that kind alone"),
        pytest.param([META, {"type": "message"}], 0.5, id="half of it"),
        pytest.param([META, {"type": "x", "payload": {}}], 0.5, id="wrapped by something else"),
        pytest.param([{"type": "response_item", "payload": None}], 0.0, id="nothing inside"),
        pytest.param([{"type": ["response_item"], "payload": {}}, None, 7], 0.0, id="odd types"),
        pytest.param([], 0.0, id="nothing"),
    ],
)
def test_what_is_claimed(sample: list[Any], share: float) -> None:
    assert FORMAT.score(sample) == share


def test_the_model_is_the_newest_that_a_turn_names() -> None:
    turns = [record("turn_context", model=name) for name in ("gpt-5", "gpt-5-codex", None)]
    assert conversation(META, *turns, event("collab_end", model="other")).model == "gpt-5-codex"


@pytest.mark.parametrize("role", [Role.USER, Role.ASSISTANT])
def test_the_record_that_stands_for_a_fold_is_one_text_in_the_dress_of_the_last(role: Role) -> None:
    first, last = said("user", "a"), {**answered("c1"), "timestamp": "t9", "ordinal": 9}
    made = FORMAT.compose(role, "said before", first, {**last, "metadata": {}}, "gpt-5")
    assert list(made) == ["timestamp", "ordinal", "type", "payload"]
    assert (made["timestamp"], made["ordinal"]) == ("t9", 9)
    assert value_at(made, FORMAT.composed_path) == "said before"
    (found,) = conversation(made).messages
    assert (found.role, [b.path for b in found.blocks]) == (role, [FORMAT.composed_path])
    assert "ordinal" not in FORMAT.compose(role, "x", first, first, "")


def session(steps: int = 4) -> list[dict[str, Any]]:
    """Write a session of two turns, with everything said and shown twice."""
    rows = [META, said("developer", "be brief"), said("user", "first")]
    rows.append(event("user_message", message="first"))
    for n in range(steps):
        rows += step(f"c{n}", n)
    rows += [said("assistant", "done"), event("agent_message", message="done")]
    return [*rows, counted(9000), said("user", "second"), said("assistant", "yes"), counted(9100)]


def step(call_id: str, n: int) -> list[dict[str, Any]]:
    shown = {"aggregated_output": LONG, "stderr": ""}
    done = completed("CommandExecution", id=call_id, **shown)
    older = event("exec_command_end", call_id=call_id, **shown)
    return [
        item("reasoning", id=f"rs_{call_id}", summary=[], encrypted_content="g" * 900),
        called(call_id),
        done if n % 2 else older,
        answered(call_id, LONG),
    ]


def compact(
    rows: list[Any], tmp_path: Path, **options: Any
) -> tuple[Report, list[dict[str, Any]], str]:
    """Compact, go back, and return the records of the output, and its text."""
    source, output, stream = tmp_path / "in.jsonl", tmp_path / "out.jsonl", io.BytesIO()
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    settings = Settings(counter="chars4", min_gain_tokens=1, floor_tokens=0, **options)
    report = api.compact(source, output, settings, root=tmp_path)
    api.restore(output, stream, root=tmp_path)
    assert stream.getvalue() == source.read_bytes()
    made = [json.loads(line) for line in output.read_text().splitlines()]
    (found,) = read(FORMAT, *made)
    assert len(found.messages) == report.output.messages
    return report, made, output.read_text()


def test_a_result_goes_with_what_events_repeat_of_it(tmp_path: Path) -> None:
    rows = session()
    _, made, text = compact(rows, tmp_path, mode=Mode.MICRO, keep_recent=1)
    assert text.count("a line of a log") == 2 * 40  # the newest result, and its event
    assert [n for n, (a, b) in enumerate(zip(rows, made, strict=True)) if a != b] == [
        *(6, 7, 10, 11, 14, 15),
        len(rows) - 1,
    ]
    assert made[7]["payload"]["output"] == made[6]["payload"]["aggregated_output"]
    assert made[11]["payload"]["output"] == made[10]["payload"]["item"]["aggregated_output"]


def test_copies_stay_where_that_is_asked_for(tmp_path: Path) -> None:
    _, _, text = compact(session(), tmp_path, mode=Mode.MICRO, keep_recent=1, keep_twins=True)
    assert text.count("a line of a log") == 5 * 40


def test_the_size_that_the_client_reads_at_its_start_is_lowered(tmp_path: Path) -> None:
    report, made, _ = compact(session(), tmp_path, mode=Mode.MICRO, keep_recent=1)
    info = made[-1]["payload"]["info"]
    ratio = report.output.tokens / report.input.tokens
    assert info["last_token_usage"]["input_tokens"] == int(9100 * ratio)
    assert info["last_token_usage"]["total_tokens"] == int(9110 * ratio)
    assert info["total_token_usage"] == {"input_tokens": 91000, "total_tokens": 91000}
    assert made[-4] == session()[-4]


def test_words_that_move_out_go_from_the_screen_too(tmp_path: Path) -> None:
    rows = [said("user", "go"), said("assistant", LONG), event("agent_message", message=LONG)]
    rows += [said("user", "on"), said("assistant", "yes")]
    options: dict[str, Any] = {"levels": (3,), "last_keep": 0, "large_payload_chars": 300}
    _, made, _ = compact([META, *rows], tmp_path, target=50, preview_chars=20, **options)
    assert made[2]["payload"]["content"][0]["text"] == made[3]["payload"]["message"]
    assert made[3]["payload"]["message"].startswith(LONG[:20])
    assert len(made[3]["payload"]["message"]) < len(LONG)


FOLD: dict[str, Any] = {
    "levels": (1,),
    "target": 300,
    "last_keep": 3,
    "min_consecutive_tool_messages": 1,
    "min_compression_tokens": 50,
}


def test_a_fold_takes_reasoning_with_what_it_led_to_and_clears_the_screen(tmp_path: Path) -> None:
    _, made, text = compact(session(), tmp_path, **FOLD)
    items = [row["payload"] for row in made if row["type"] == "response_item"]
    assert [data.get("role") or data["type"] for data in items] == [
        *("developer", "user", "assistant", "assistant", "user", "assistant")
    ]
    shown = [row["payload"] for row in made if row["type"] == "event_msg"]
    outputs = [x.get("item", x).get("aggregated_output") for x in shown]
    assert [x for x in outputs if x is not None] == ["[folded into a summary]"] * 4
    assert "gggg" not in text


def test_a_fold_leaves_the_screen_alone_where_that_is_asked_for(tmp_path: Path) -> None:
    _, _, text = compact(session(), tmp_path, keep_twins=True, **FOLD)
    assert text.count("folded into a summary") == 0
    assert text.count(LONG.partition("\n")[0]) >= 4 * 40


def test_a_full_summary_is_a_rollout_too(tmp_path: Path) -> None:
    _, made, text = compact(session(), tmp_path, mode=Mode.MANUAL)
    assert made[0] == META
    (found,) = read(FORMAT, *made)
    assert [m.origin for m in found.messages] == [Origin.CLIENT, Origin.SUMMARY, Origin.SUMMARY]
    assert text.count('"[folded into a summary]"') == 4


def kept(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Write what rows say as the history that a compaction kept, with one more turn after it."""
    items = [row["payload"] for row in rows if row["type"] == "response_item"]
    rest = [*step("c9", 9), said("assistant", "so it is"), said("user", "third")]
    return [META, *rows, compacted(*items), *rest, said("assistant", "good"), counted(9100)]


def test_what_a_compaction_kept_is_cleared_in_its_place(tmp_path: Path) -> None:
    rows = kept(session())
    _, made, _ = compact(rows, tmp_path, mode=Mode.MICRO, keep_recent=1)
    at = len(session()) + 1
    history = [row["payload"]["replacement_history"] for row in (rows[at], made[at])]
    changed = [n for n, (a, b) in enumerate(zip(*history, strict=True)) if a != b]
    assert [history[0][n]["type"] for n in changed] == ["function_call_output"] * 4
    assert all(history[1][n]["output"].startswith("[Previous: used") for n in changed)
    assert made[: at - 10] != rows[: at - 10]  # what events repeat
    assert [row for row in made[:at] if row["type"] == "response_item"] == [
        row for row in rows[:at] if row["type"] == "response_item"
    ]


def test_a_fold_of_what_a_compaction_kept_is_an_item_there(tmp_path: Path) -> None:
    _, made, _ = compact(kept(session()), tmp_path, **FOLD)
    (record,) = (row["payload"] for row in made if row["type"] == "compacted")
    kinds = [item.get("role") or item["type"] for item in record["replacement_history"]]
    assert kinds == ["developer", "user", *["assistant"] * 2, "user", "assistant"]
    assert set(record["replacement_history"][2]) == {"type", "role", "content"}


def test_a_full_summary_of_what_a_compaction_kept_stands_there(tmp_path: Path) -> None:
    _, made, _ = compact(kept(session()), tmp_path, mode=Mode.MANUAL)
    (record,) = (row["payload"] for row in made if row["type"] == "compacted")
    kinds = [item.get("role") for item in record["replacement_history"]]
    assert kinds == ["developer", "user", "assistant"]
    at = [row["type"] for row in made].index("compacted")
    assert "response_item" not in [row["type"] for row in made[at:]]


def test_in_place_each_run_goes_on_from_what_the_last_has_kept(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in session()))
    before = source.read_bytes()
    settings = Settings(mode=Mode.MICRO, counter="chars4", keep_recent=1)
    outputs = []
    for turn in range(3):
        api.compact(source, None, settings, root=tmp_path)
        (found,) = read(FORMAT, *map(json.loads, source.read_text().splitlines()))
        blocks = [b for m in found.messages for b in m.blocks if b.kind is Kind.RESULT]
        outputs.append([b.chars > 500 for b in blocks])
        more = [said("user", "again"), *step(f"d{turn}", 0), said("assistant", "yes")]
        with source.open("a") as file:
            file.writelines(json.dumps(row) + "\n" for row in more)
    assert outputs == [[False] * n + [True] for n in (3, 4, 5)]
    api.restore(source, None, root=tmp_path)
    assert source.read_bytes().startswith(before)


def test_a_file_without_a_last_newline_is_given_one_when_it_changes(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    data = "\n".join(json.dumps(row) for row in session()).encode()
    source.write_bytes(data)
    source.chmod(0o600)
    settings = Settings(mode=Mode.MICRO, counter="chars4", keep_recent=1)
    before = source.stat()
    api.compact(source, None, settings, root=tmp_path)
    assert source.read_bytes().endswith(b"}\n")
    after = source.stat()
    assert (after.st_mtime_ns, after.st_mode) == (before.st_mtime_ns, before.st_mode)
    api.restore(source, None, root=tmp_path)
    assert source.read_bytes() == data


FIELDS = """
type role content output call_id id name arguments message replacement_history num_turns item info
last_token_usage input_tokens total_tokens model text text_elements stdout aggregated_output result
status last_agent_message content_items summary encrypted_content
""".split()
KIND = st.sampled_from(
    [
        *sorted(KINDS),
        *("user_message", "agent_message", "token_count", "item_completed", "task_complete"),
        *("exec_command_end", "thread_rolled_back", "mcp_tool_call_end", "CommandExecution"),
    ]
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | KIND
    | st.sampled_from(["user", "c1", "", LONG]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=3)
    ),
    max_leaves=6,
)
PAYLOADS = VALUES | st.builds(
    lambda kind, rest: {**rest, "type": kind},
    KIND,
    st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=6),
)
RECORDS = VALUES | st.builds(
    lambda kind, payload: {"type": kind, "payload": payload},
    st.sampled_from(["response_item", "event_msg", "compacted", "turn_context", "session_meta"]),
    PAYLOADS,
)


@given(st.lists(RECORDS, max_size=6))
def test_whatever_stands_in_a_record_it_is_read_and_every_address_leads_somewhere(
    records: list[Any],
) -> None:
    found = conversation(*records)
    for message in found.messages:
        for block in message.blocks:
            if block.kind in {Kind.TEXT, Kind.RESULT} and not block.fixed:
                value_at(records[block.record], block.path)
    for places in found.copies.values():
        assert all(isinstance(value_at(records[at], path), str) for at, path in places)
    assert all(value_at(records[at], path) == size for at, path, size in found.counts)
