"""The agent's tools: described for each API, and what a call gives."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ctxcompact import Session, Settings, tools
from ctxcompact.core import tags
from ctxcompact.core.settings import Until
from ctxcompact.errors import UsageError

ROWS = "\n".join(f"{number} port={9000 + number}" for number in range(300))


def cleared() -> tuple[Session, str]:
    """Make a session in which an old result is behind a mark; return the id too."""
    session = Session("anthropic", Settings(counter="chars4", keep_recent=0, until=Until.FIRST))
    session.extend(asked("t1", "run", {}, ROWS))
    session.append({"role": "assistant", "content": "Done."})
    session.micro()
    (uuid,) = tags.find(str(session.messages()[2]["content"][0]["content"]))
    return session, uuid


def asked(call: str, tool: str, given: dict[str, Any], result: str) -> list[dict[str, Any]]:
    use = {"type": "tool_use", "id": call, "name": tool, "input": given}
    answer = {"type": "tool_result", "tool_use_id": call, "content": result}
    return [
        {"role": "user", "content": "Please look."},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [answer]},
    ]


@pytest.mark.parametrize(
    ("dialect", "path"),
    [
        ("anthropic", ["input_schema"]),
        ("openai-chat", ["function", "parameters"]),
        ("openai-responses", ["parameters"]),
        ("mcp", ["inputSchema"]),
    ],
)
def test_tools_are_described_as_each_api_wants_them(dialect: str, path: list[str]) -> None:
    described = tools.definitions(dialect)
    named = [one.get("function", one) for one in described]
    assert [one["name"] for one in named] == ["context_offload", "compact"]
    assert all(one["description"] for one in named)
    schema = described[0]
    for key in path:
        schema = schema[key]
    assert schema["required"] == ["uuid"]
    assert json.loads(json.dumps(described)) == described


def test_the_prompt_names_what_it_speaks_of() -> None:
    assert all(one["name"] in tools.PROMPT for one in tools.definitions("mcp"))
    assert tags.render("...") in tools.PROMPT


def test_a_mark_is_followed_to_what_it_stands_for() -> None:
    session, uuid = cleared()
    assert tools.call(session, "context_offload", {"uuid": uuid}) == ROWS
    given = json.dumps({"uuid": uuid.upper(), "query": "port=9123"})
    assert "124: 123 port=9123" in tools.call(session, "context_offload", given)
    part = tools.call(session, "context_offload", {"uuid": uuid, "max_tokens": 100})
    assert part.startswith("[")
    assert len(part) < 600


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({}, id="no id"),
        pytest.param({"uuid": 3}, id="a number"),
        pytest.param({"uuid": "0f8fad5b-d9cb-869f-a165-70867728950e"}, id="an unknown id"),
        pytest.param("{not json", id="no JSON"),
        pytest.param("[]", id="no object"),
        pytest.param({"uuid": "x", "head": 0}, id="no line"),
        pytest.param({"uuid": "x", "tail": "3"}, id="a number as text"),
    ],
)
def test_what_a_model_does_wrong_is_told_to_it(given: Any) -> None:
    assert tools.call(cleared()[0], "context_offload", given).startswith("error: ")


def test_a_tool_of_somebody_else_is_not_ours_to_call() -> None:
    with pytest.raises(UsageError, match="'run'"):
        tools.call(cleared()[0], "run", {})
    with pytest.raises(UsageError, match="no API"):
        tools.definitions("cobol")


def test_compact_makes_a_full_summary_before_the_next_call() -> None:
    session, _ = cleared()
    session.extend(asked("t2", "compact", {"focus": "ports"}, ""))
    said = tools.call(session, "compact", {"focus": "ports"})
    assert said
    event = session.compact_if_needed()
    assert event is not None
    assert event.report["mode"] == "manual"


def test_what_was_brought_back_stays_for_its_round_and_may_go_after_it() -> None:
    session, uuid = cleared()
    back = tools.call(session, "context_offload", {"uuid": uuid})
    session.extend(asked("t2", "context_offload", {"uuid": uuid}, back))
    session.append({"role": "assistant", "content": [{"type": "text", "text": "Port 9000."}]})
    session.micro()
    assert back in str(session.messages()[-2]).replace("\\n", "\n")
    session.append({"role": "user", "content": "Thanks."})
    session.append({"role": "assistant", "content": "Gladly."})
    session.micro()
    assert back not in str(session.messages()).replace("\\n", "\n")
    assert back in str(session.original()[-4]).replace("\\n", "\n")
