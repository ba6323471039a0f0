"""What a summarizer is told of the rest of the conversation: the newest plan, and what was said elsewhere."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact.core.settings import Mode, Settings
from ctxcompact.core.tasks import Summary
from ctxcompact.engine.compaction import run
from ctxcompact.engine.draft import Draft
from ctxcompact.engine.hints import Hints, hints
from ctxcompact.engine.reading import read
from ctxcompact.engine.spans import Entries
from tests.fakes import MemorySource, ports

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ctxcompact.core.tasks import Task

OPEN = {"content": "Write the parser", "status": "in_progress"}
DONE = {"content": "Read the code", "status": "completed"}
ODD: tuple[Any, ...] = (None, 7, True, "words", [], {}, [[None]], {"todos": {"a": [1, {}]}})


def called(tool: str, arguments: Any, result: str = "ok") -> list[Any]:
    use = {"type": "tool_use", "id": "c", "name": tool, "input": arguments}
    back = {"type": "tool_result", "tool_use_id": "c", "content": result}
    return [{"role": "assistant", "content": [use]}, {"role": "user", "content": [back]}]


def said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": text}


def found(*records: Any, taken: Sequence[int] = ()) -> Hints:
    data = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    given = ports("anthropic")
    reading = read(MemorySource(data), Settings(), given)
    entries = Entries(Draft(reading, io.BytesIO()), given.find)
    return hints(reading.conversations[0].messages, taken, entries)


def test_people_come_first_and_then_the_newest_answers() -> None:
    rounds = [m for n in range(5) for m in (said("user", f"q{n}"), said("assistant", f"a{n}"))]
    assert found(*rounds).seed_words == ("q0", "q1", "q2", "q3", "q4", "a4", "a3", "a2")


def test_what_is_being_summarized_is_not_elsewhere() -> None:
    rounds = [m for n in range(3) for m in (said("user", f"q{n}"), said("assistant", f"a{n}"))]
    assert found(*rounds, taken=range(1, 4)).seed_words == ("q0", "q2", "a2")


def test_a_model_that_calls_a_tool_does_not_answer() -> None:
    assert found(said("user", "Go."), *called("Read", {})).seed_words == ("Go.",)


@pytest.mark.parametrize(
    ("calls", "plan"),
    [
        pytest.param([], "", id="no plan"),
        pytest.param(
            [("TodoWrite", {"todos": [DONE, OPEN]})],
            "content: Write the parser; status: in_progress",
            id="what is finished is left out",
        ),
        pytest.param(
            [("TodoWrite", {"todos": [{"content": "Old"}]}), ("TodoWrite", {"todos": [OPEN]})],
            "content: Write the parser; status: in_progress",
            id="the newest whole plan",
        ),
        pytest.param(
            [("write_todos", {"todos": [{"content": "Old"}]}), ("todo_write", {"todos": [OPEN]})],
            "content: Write the parser; status: in_progress",
            id="plans of Gemini CLI and Qwen Code",
        ),
        pytest.param(
            [("create_plan", {"name": "Ship"}), ("update_plan_info", {"name": "Ship it"})],
            "name: Ship\nname: Ship it",
            id="a plan and what was changed in it",
        ),
        pytest.param(
            [("update_plan", {"explanation": "Why", "plan": [{"step": "A"}, {"step": "B"}]})],
            "explanation: Why\nstep: A\nstep: B",
            id="in the order of the plan",
        ),
    ],
)
def test_the_newest_plan_is_told(calls: list[tuple[str, Any]], plan: str) -> None:
    records = [record for tool, arguments in calls for record in called(tool, arguments)]
    assert found(said("user", "Go."), *records).plan == plan


def test_a_plan_that_was_read_is_told_as_it_came_back() -> None:
    made = [*called("TaskCreate", {"subject": "A"}), *called("TaskList", {}, "#1 A (open)")]
    assert found(said("user", "Go."), *made).plan == "#1 A (open)"


@pytest.mark.parametrize("arguments", ODD, ids=repr)
def test_odd_arguments_of_a_plan_are_no_trouble(arguments: Any) -> None:
    assert isinstance(found(said("user", "Go."), *called("TodoWrite", arguments)).plan, str)


class Listening:
    """Notes the tasks it is given, and writes nothing."""

    name = "listening"
    uses_model = False

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def summarize(self, task: Task, count: Callable[[str], int]) -> list[Summary]:
        del count
        self.tasks.append(task)
        return [Summary("", "deaf") for _ in task.spans]


@pytest.mark.parametrize(
    "settings",
    [
        Settings(target=100, min_compression_tokens=0, floor_tokens=0),
        Settings(mode=Mode.MANUAL),
    ],
    ids=["chain", "manual"],
)
def test_a_summarizer_is_told(settings: Settings) -> None:
    records = [
        said("user", "Find port 8443."),
        *called("TodoWrite", {"todos": [OPEN]}),
        *called("Read", {}, "x" * 500),
        said("assistant", "Found."),
        said("user", "And 9443?"),
        said("assistant", "No."),
    ]
    data = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    listening = Listening()
    run(MemorySource(data), settings, ports("anthropic")._replace(summarizer=listening))
    assert listening.tasks[0].plan == "content: Write the parser; status: in_progress"
    assert {"Find port 8443.", "And 9443?"} <= set(listening.tasks[0].seed_words)
