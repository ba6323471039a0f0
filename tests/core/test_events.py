"""The report in the shape that scripts rely on."""

from __future__ import annotations

import json
from dataclasses import replace

from ctxcompact.core.events import FileFacts, Report, Step, Trigger
from ctxcompact.core.model import Problem
from tests.fakes import FakeCounter

FACTS = FileFacts(path="s.jsonl", bytes=10, lines=2, messages=2, tokens=5, sha256="ab")
REPORT = Report(
    status="ok",
    mode="chain",
    format="anthropic",
    counter=FakeCounter(),
    input=FACTS,
    output=replace(FACTS, path="t.jsonl", tokens=4),
    trigger=Trigger(fired=True, by="tokens", tokens=5, messages=100),
    target=4,
    reached=True,
    blocked_by=("thinking: 3 tokens",),
    steps=(Step(level=2, name="large_payloads", status="applied", offloads=("id",)),),
    receipt="receipt.jsonl",
    problems_before=(Problem(1, "orphan_result", "nobody asked"),),
    warnings=(Problem(2, "unparsed_line", "cut off"),),
)


def test_the_report_is_json_with_the_names_of_the_contract() -> None:
    shown = json.loads(json.dumps(REPORT.as_json()))
    assert shown["ctxcompact"] == 1
    assert (shown["command"], shown["status"], shown["mode"]) == ("compact", "ok", "chain")
    assert shown["counter"] == {"name": "fake", "exact": True, "error_pct": 0.0}
    assert shown["input"] == {
        "path": "s.jsonl",
        "bytes": 10,
        "lines": 2,
        "messages": 2,
        "tokens": 5,
        "sha256": "ab",
    }
    assert shown["output"]["tokens"] == 4
    assert shown["trigger"] == {"fired": True, "by": "tokens", "tokens": 5, "messages": 100}
    assert (shown["target"], shown["reached"], shown["blocked_by"]) == (
        4,
        True,
        ["thinking: 3 tokens"],
    )
    assert (shown["archive"], shown["receipt"]) == (None, "receipt.jsonl")
    assert shown["problems"] == {
        "before": [{"line": 1, "code": "orphan_result", "message": "nobody asked"}],
        "after": [],
    }
    assert shown["warnings"] == [{"line": 2, "code": "unparsed_line", "message": "cut off"}]


def test_a_step_names_its_conversation_only_where_there_are_several() -> None:
    (step,) = REPORT.as_json()["steps"]
    assert {"level", "name", "status", "reason", "edits", "tokens_before"} <= set(step)
    assert step["offloads"] == ["id"]
    assert "conversation" not in step
    of_line = replace(REPORT, steps=(replace(REPORT.steps[0], conversation=7),))
    assert of_line.as_json()["steps"][0]["conversation"] == 7
