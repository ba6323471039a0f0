"""OpenAI Responses, an item a line: what is claimed, what is live, and what is written."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact import api
from ctxcompact.core.model import Conversation, Kind, Role
from ctxcompact.core.settings import Mode, Settings
from ctxcompact.core.splice import value_at
from ctxcompact.formats import openai_responses
from tests.formats.builders import read

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = openai_responses.FORMAT
LONG = "a line of a log, and one more of it\n" * 40


def said(role: str, text: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def step(call_id: str, payload: Any = LONG) -> list[dict[str, Any]]:
    return [
        {"type": "reasoning", "id": f"rs_{call_id}", "summary": [], "encrypted_content": "g" * 900},
        {"type": "function_call", "call_id": call_id, "name": "sh", "arguments": '{"a": 1}'},
        {"type": "function_call_output", "call_id": call_id, "output": payload},
    ]


def session(steps: int = 4) -> list[dict[str, Any]]:
    rows = [said("developer", "be brief"), said("user", "first")]
    for n in range(steps):
        rows += step(f"c{n}")
    return [*rows, said("assistant", "done"), said("user", "second"), said("assistant", "yes")]


@pytest.mark.parametrize(
    ("sample", "share"),
    [
        pytest.param([{"type": "function_call", "call_id": "1"}], 1.0, id="a call"),
        pytest.param([said("user", "x"), {"note": 1}], 0.5, id="a message, and something else"),
        pytest.param(
            [{"role": "user", "content": "x"}, {"type": "reasoning", "summary": []}],
            1.0,
            id="a plain message beside an item",
        ),
        pytest.param([{"role": "user", "content": "x"}], 0.0, id="plain messages alone"),
        pytest.param(
            [{"type": "message", "role": "assistant", "content": [{"type": "text"}]}],
            0.0,
            id="a response of Anthropic's",
        ),
        pytest.param([{"type": "levitation_call", "id": "1"}], 0.0, id="a kind nobody knows"),
        pytest.param([None, 7, [said("user", "x")]], 0.0, id="no objects"),
        pytest.param([], 0.0, id="nothing"),
    ],
)
def test_what_is_claimed(sample: list[Any], share: float) -> None:
    assert FORMAT.score(sample) == share


def test_one_file_is_one_conversation_and_lines_of_no_kind_are_carried() -> None:
    (found,) = read(FORMAT, {"id": "s", "git": {}}, *session(1), {"record_type": "state"}, 7, None)
    assert [message.role for message in found.messages] == [
        Role.SYSTEM,
        Role.USER,
        Role.ASSISTANT,
        Role.TOOL,
        Role.ASSISTANT,
        Role.USER,
        Role.ASSISTANT,
    ]
    assert found.line is None


def test_what_stands_before_the_newest_compaction_is_not_sent() -> None:
    compaction = {"type": "compaction", "id": "cmp_1", "encrypted_content": "g" * 4000}
    (found,) = read(FORMAT, *session(1), compaction, *session(1), compaction, said("user", "go"))
    assert [message.protected for message in found.messages] == [True, False]
    assert found.tokens == 2 * 1000 + (4000 * 3 // 4 - 650) // 4 + 2


@pytest.mark.parametrize("role", [Role.USER, Role.ASSISTANT])
def test_the_item_that_stands_for_a_fold_is_read_as_one_text(role: Role) -> None:
    item = FORMAT.compose(role, "said before", {}, {}, "gpt-x")
    assert value_at(item, FORMAT.composed_path) == "said before"
    (found,) = read(FORMAT, item)
    ((block,),) = (message.blocks for message in found.messages)
    assert (found.messages[0].role, block.kind, block.path) == (
        role,
        Kind.TEXT,
        FORMAT.composed_path,
    )


def test_what_points_into_a_text_goes_with_it() -> None:
    part = {"type": "output_text", "text": "x", "annotations": [{"start_index": 0}], "logprobs": []}
    record = {"type": "message", "role": "assistant", "content": [{"type": "refusal"}, part]}
    path = ("content", 1, "text")
    assert FORMAT.twins(record, path, "y") == [(("content", 1, "annotations"), [])]
    assert FORMAT.twins({"type": "message", "content": "x"}, ("content",), "y") == []
    assert FORMAT.twins({"type": "function_call_output", "output": "x"}, ("output",), "y") == []


def compacted(
    rows: list[Any], tmp_path: Path, settings: Settings
) -> tuple[list[dict[str, Any]], Conversation]:
    """Compact, go back, and return the records of the output with what they are read as."""
    source, output, stream = tmp_path / "in.jsonl", tmp_path / "out.jsonl", io.BytesIO()
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    api.compact(source, output, settings, root=tmp_path)
    api.restore(output, stream, root=tmp_path)
    assert stream.getvalue() == source.read_bytes()
    made = [json.loads(line) for line in output.read_text().splitlines()]
    (found,) = read(FORMAT, *made)
    return made, found


def test_old_outputs_are_cleared_in_their_shape(tmp_path: Path) -> None:
    rows = session()
    rows[4]["output"] = [{"type": "input_text", "text": LONG}]
    rows[7]["output"] = [
        {"type": "input_image", "image_url": "data:image/png;base64," + "A" * 9000}
    ]
    settings = Settings(mode=Mode.MICRO, counter="chars4", keep_recent=1)
    made, _ = compacted(rows, tmp_path, settings)
    kinds = [
        (part["type"], part["text"][:20]) for row in (made[4], made[7]) for part in row["output"]
    ]
    assert kinds == [("input_text", "[Previous: used sh]\n")] * 2
    assert made[10]["output"].startswith("[Previous: used sh]")
    assert [a for a, b in zip(rows, made, strict=True) if a == b] == [
        row for n, row in enumerate(rows) if n not in (4, 7, 10)
    ]


def test_reasoning_goes_with_what_it_led_to(tmp_path: Path) -> None:
    settings = Settings(
        counter="chars4",
        levels=(1,),
        target=300,
        last_keep=3,
        min_consecutive_tool_messages=1,
        min_compression_tokens=50,
        min_gain_tokens=1,
        floor_tokens=0,
    )
    made, found = compacted(session(), tmp_path, settings)
    kinds = [row.get("role") or row["type"] for row in made]
    assert kinds == ["developer", "user", "assistant", "assistant", "user", "assistant"]
    assert len(found.messages) == len(made)
