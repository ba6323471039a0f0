"""ShareGPT: speakers, calls without ids, turns that alternate, and lines by themselves."""

from __future__ import annotations

import io
import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact import api
from ctxcompact.core import laws
from ctxcompact.core.model import Block, Kind, Message, Origin, Role
from ctxcompact.core.settings import Mode, Settings
from ctxcompact.core.splice import value_at
from ctxcompact.formats import sharegpt
from tests.formats.builders import read

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = sharegpt.FORMAT


def turn(speaker: Any, value: Any, **beside: Any) -> dict[str, Any]:
    return {"from": speaker, "value": value, **beside}


def line(*turns: Any, **beside: Any) -> dict[str, Any]:
    return {"conversations": list(turns), **beside}


def call(*names: str) -> dict[str, Any]:
    made = [{"name": name, "arguments": {"a": 1}} for name in names]
    return turn("function_call", json.dumps(made if len(made) > 1 else made[0]))


def messages(*turns: Any, **protected: list[str]) -> list[Message]:
    (conversation,) = read(FORMAT, line(*turns), **protected)
    return conversation.messages


@pytest.mark.parametrize(
    ("speaker", "role", "origin"),
    [
        pytest.param("human", Role.USER, Origin.PERSON, id="human"),
        pytest.param("user", Role.USER, Origin.PERSON, id="user"),
        pytest.param("gpt", Role.ASSISTANT, Origin.MODEL, id="gpt"),
        pytest.param("assistant", Role.ASSISTANT, Origin.MODEL, id="assistant"),
        pytest.param("function_call", Role.ASSISTANT, Origin.MODEL, id="function_call"),
        pytest.param("observation", Role.TOOL, Origin.TOOL, id="observation"),
        pytest.param("tool", Role.TOOL, Origin.TOOL, id="tool"),
        pytest.param("system", Role.SYSTEM, Origin.CLIENT, id="system"),
    ],
)
def test_who_speaks(speaker: str, role: Role, origin: Origin) -> None:
    (message,) = messages(turn(speaker, "four", weight=0))
    assert (message.role, message.origin) == (role, origin)
    assert message.blocks[0].chars == 4


@pytest.mark.parametrize(
    ("called", "tool"),
    [
        pytest.param(call("grep"), "grep", id="one call"),
        pytest.param(call("grep", "sh", "grep"), "grep, sh", id="a list of calls"),
        pytest.param(call("grep", "TodoWrite"), "TodoWrite", id="a protected tool among them"),
        pytest.param(turn("tool_call", "grep it"), "", id="no JSON"),
        pytest.param(turn("function_call", {"name": "grep"}), "grep", id="an object"),
        pytest.param(
            turn("gpt", 'I look.\n<tool_call>\n{"name": "grep", "arguments": {}}\n</tool_call>'),
            "grep",
            id="in the model's words",
        ),
        pytest.param(
            turn(
                "gpt",
                '<tool_call>{"name": "a"}</tool_call><tool_call>{"name": "b"}</tool_call>',
            ),
            "a, b",
            id="two in the model's words",
        ),
        pytest.param(turn("gpt", "<tool_call>{nothing</tool_call>"), "", id="broken tags"),
    ],
)
def test_an_observation_answers_the_call_before_it(called: dict[str, Any], tool: str) -> None:
    found = messages(turn("human", "go"), called, turn("observation", "four"), turn("gpt", "done"))
    kinds = [[block.kind for block in message.blocks] for message in found]
    assert kinds == [[Kind.TEXT], [Kind.CALL], [Kind.RESULT], [Kind.TEXT]]
    assert [found[1].blocks[0].tool, found[2].blocks[0].tool] == [tool, tool]
    assert laws.problems(found, FORMAT.rules) == []


def test_addresses_lead_to_values_and_to_calls_as_a_whole() -> None:
    record = line(turn("human", "go"), call("grep"), turn("observation", "four"), note=1)
    (found,) = read(FORMAT, record)
    paths = [message.blocks[0].path for message in found.messages]
    assert paths == [
        ("conversations", 0, "value"),
        ("conversations", 1),
        ("conversations", 2, "value"),
    ]
    assert value_at(record, paths[2]) == "four"


@pytest.mark.parametrize(
    ("turns", "codes"),
    [
        pytest.param([turn("gpt", "x")], ["first_not_user"], id="the model begins"),
        pytest.param(
            [turn("human", "x"), turn("human", "y")], ["turns_do_not_alternate"], id="twice"
        ),
        pytest.param(
            [turn("system", "x"), turn("human", "y"), turn("gpt", "z"), turn("observation", "a")],
            ["orphan_result"],
            id="an observation of nothing",
        ),
        pytest.param(
            [turn("human", "x"), call("a"), turn("human", "y")], ["unanswered_call"], id="no answer"
        ),
    ],
)
def test_what_trainers_refuse(turns: list[Any], codes: list[str]) -> None:
    found = laws.problems(messages(*turns), FORMAT.rules)
    assert [problem.code for problem in found] == codes


def test_each_line_is_a_conversation_with_what_is_sent_beside_it() -> None:
    hello = [turn("human", "hi"), turn("narrator", "x"), "odd", turn("gpt", "ho")]
    found = read(FORMAT, line(*hello, system="four", tools="[1]"), {"note": 1}, line(*hello))
    assert [conversation.line for conversation in found] == [1, 3]
    assert [[m.framing for m in conversation.messages] for conversation in found] == [
        [1000 + 4 + 3, 1000],
        [1000, 1000],
    ]
    assert found[0].messages[1].blocks[0].path == ("conversations", 3, "value")


@pytest.mark.parametrize(
    ("sample", "share"),
    [
        pytest.param([line(turn("human", "x")), {"a": 1}, None], 1 / 3, id="lines among others"),
        pytest.param([line()], 0.0, id="an empty list"),
        pytest.param([line({"role": "user", "content": "x"})], 0.0, id="messages of another API"),
        pytest.param([line(turn("human", "x"), turn(["gpt"], "x"))], 0.0, id="an odd speaker"),
        pytest.param([{"conversations": {"from": "human"}}], 0.0, id="an object"),
        pytest.param([], 0.0, id="nothing"),
    ],
)
def test_what_is_claimed(sample: list[Any], share: float) -> None:
    assert FORMAT.score(sample) == share


@pytest.mark.parametrize(
    ("near", "names"),
    [
        pytest.param("gpt", ["human", "gpt"], id="as usual"),
        pytest.param("assistant", ["user", "assistant"], id="as other APIs"),
    ],
)
def test_a_turn_made_has_the_name_its_neighbors_go_by(near: str, names: list[str]) -> None:
    made = [
        FORMAT.compose(role, "said", call("a"), turn(near, "x"), "")
        for role in (Role.USER, Role.ASSISTANT)
    ]
    assert made == [turn(name, "said") for name in names]


LONG = "a line of a log, and one more of it\n" * 40


def session(steps: int, *, end: str = "done") -> list[Any]:
    rows = [turn("human", "go")]
    for _ in range(steps):
        rows += [call("sh"), turn("observation", LONG)]
    return [*rows, turn("gpt", end)]


def compacted(rows: list[Any], tmp_path: Path, settings: Settings) -> list[Any]:
    """Compact, go back, see that a second run does nothing; return the turns of the first line."""
    source, output, stream = tmp_path / "in.jsonl", tmp_path / "out.jsonl", io.BytesIO()
    source.write_text(json.dumps(line(*rows, tools="[]" * 50, system="be brief")) + "\n")
    report = api.compact(source, output, settings, root=tmp_path)
    assert not [step for step in report.steps if step.status == "undone"]
    api.restore(output, stream, root=tmp_path)
    assert stream.getvalue() == source.read_bytes()
    before = output.read_bytes()
    api.compact(output, None, settings, root=tmp_path)
    assert output.read_bytes() == before
    made: list[Any] = json.loads(before)["conversations"]
    return made


def alternates(turns: list[Any]) -> bool:
    sides = [sharegpt.role_of(one) is Role.ASSISTANT for one in turns]
    return all(one is not other for one, other in pairwise(sides))


SMALL: dict[str, Any] = {
    "counter": "chars4",
    "min_compression_tokens": 50,
    "min_gain_tokens": 1,
    "floor_tokens": 0,
}


def test_past_rounds_become_one_turn_and_the_sides_still_alternate(tmp_path: Path) -> None:
    rows = [*session(4), *session(4, end="yes")]
    settings = Settings(levels=(1, 4, 6), target=300, last_keep=1, **SMALL)
    made = compacted(rows, tmp_path, settings)
    assert alternates(made)
    assert [one["from"] for one in made[:3]] == ["human", "gpt", "human"]
    assert made[3:] == rows[len(rows) // 2 + 1 :]


def test_a_full_summary_keeps_the_schemas_beside_it_counted(tmp_path: Path) -> None:
    rows = [*session(4), *session(4, end="yes")]
    made = compacted(rows, tmp_path, Settings(mode=Mode.MANUAL, **SMALL))
    assert [one["from"] for one in made] == ["human", "gpt"]


def test_old_observations_are_cleared(tmp_path: Path) -> None:
    settings = Settings(mode=Mode.MICRO, counter="chars4", keep_recent=1)
    made = compacted(session(3), tmp_path, settings)
    cleared = [one["value"].startswith("[Previous: used sh]") for one in made]
    assert cleared == [False, False, True, False, True, False, False, False]


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["x", "{", '{"name": 1}', "[1]"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["name", "text", "type", "value"]), inner, max_size=2)
    ),
    max_leaves=5,
)
TURNS = st.builds(
    turn, st.sampled_from([*sharegpt.ROLES, "narrator", None, 7]), VALUES
) | st.dictionaries(st.sampled_from(["from", "value"]), VALUES, max_size=2)


@given(st.lists(TURNS, max_size=4))
def test_whatever_stands_in_a_turn_it_is_read(turns: list[Any]) -> None:
    record = line(*turns)
    for conversation in read(FORMAT, record):
        for message in conversation.messages:
            assert all(_is_sound(block, record) for block in message.blocks)


def _is_sound(block: Block, record: Any) -> bool:
    if block.fixed or block.kind not in {Kind.TEXT, Kind.RESULT}:
        return block.tokens >= 0
    value = value_at(record, block.path)
    return isinstance(value, str if block.kind is Kind.TEXT else (str, list))
