"""The sample of an agent's loop, against a server that plays the model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctxcompact import api
from ctxcompact.core import tags
from tests.summarizers.llm.server import Reply, Server

if TYPE_CHECKING:
    from collections.abc import Generator

ROOT = Path(__file__).resolve().parents[2]


def call(number: int, tool: str, **given: Any) -> dict[str, Any]:
    function = {"name": tool, "arguments": json.dumps(given)}
    calls = [{"id": f"c{number}", "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def script() -> Generator[dict[str, Any], dict[str, Any]]:
    """Play a model that reads a lot, asks for room, and looks back behind a mark."""
    request = yield call(0, "read_file")
    assert "notes.txt" in request["messages"][-1]["content"]
    for number in range(1, 9):
        request = yield call(
            number, "read_file", path="notes.txt", first=number * 100, last=number * 100 + 99
        )
    marks = tags.find(json.dumps(request["messages"]).replace('\\"', '"'))
    assert marks
    request = yield call(20, "context_offload", uuid=marks[0], query="port")
    assert "port 9000" in request["messages"][-1]["content"]
    request = yield call(21, "compact", focus="rows")
    assert len(request["messages"]) < 10
    yield {"role": "assistant", "content": "Row 800 says so."}
    yield {"role": "assistant", "content": "As I said."}


class Model(Server):
    """Answers each request with the next message of a script."""

    def __init__(self) -> None:
        super().__init__(())
        self._script = script()
        self._message = next(self._script)

    def next_reply(self, request: dict[str, Any]) -> Reply:
        message = self._message if not self.requests else self._script.send(request)
        self.requests.append(request)
        return Reply(body={"choices": [{"message": message}]})


def test_the_loop_reads_compacts_looks_back_and_answers(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "notes.txt").write_text("".join(f"row {n}: {'port 9000 ' * 8}\n" for n in range(1000)))
    state = tmp_path / "talk.jsonl"
    with Model() as model:
        options = ["--model", "m", "--api-base", model.url, "--folder", str(files)]
        run = subprocess.run(
            [
                *(sys.executable, str(ROOT / "samples" / "agent_loop.py"), *options),
                *("--state", str(state), "--max-tokens", "16000", "Which row?", "Really?"),
            ],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert run.returncode == 0, run.stderr
    assert run.stdout == "Row 800 says so.\nAs I said.\n"
    assert run.stderr.count("compacted:") >= 2
    api.restore(state, None, root=tmp_path)
    said = [json.loads(line) for line in state.read_text().splitlines()]
    assert [m["content"] for m in said if m["role"] == "user"] == ["Which row?", "Really?"]
    assert sum(m["role"] == "tool" for m in said) == 11
