"""One small transcript of each format, and the bytes that a run makes of it.

Ids come from the content, so the outputs are the same everywhere.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from ctxcompact import api
from ctxcompact.core.settings import Mode, Settings, Until

HERE = Path(__file__).parent
FORMATS = (
    "agentscope",
    "anthropic",
    "claude-code",
    "codex",
    "gemini",
    "langchain",
    "openai-chat",
    "openai-conversations",
    "openai-responses",
    "sharegpt",
)
RUNS = {
    "micro": Settings(mode=Mode.MICRO, counter="chars4", keep_recent=1, min_gain_tokens=5),
    "payloads": Settings(
        counter="chars4",
        levels=(2, 3),
        target=100,
        last_keep=2,
        large_payload_chars=200,
        preview_chars=30,
        min_gain_tokens=5,
    ),
    "first": Settings(
        counter="chars4",
        until=Until.FIRST,
        levels=(2, 3),
        target=100,
        last_keep=6,
        large_payload_chars=200,
        preview_chars=30,
        min_gain_tokens=5,
    ),
}


def compacted(source: Path, settings: Settings, root: Path) -> tuple[bytes, bytes]:
    """Return the output, and the steps that changed something as JSON."""
    stream = io.BytesIO()
    report = api.compact(source, stream, settings, root=root)
    steps = [step for step in report.as_json()["steps"] if step["status"] == "applied"]
    return stream.getvalue(), json.dumps(steps, indent=1).encode() + b"\n"


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("form", FORMATS)
def test_the_output_is_the_expected_one(
    form: str, run: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    output, steps = compacted(HERE / f"{form}.jsonl", RUNS[run], tmp_path)
    expected = HERE / form / f"{run}.jsonl", HERE / form / f"{run}.steps.json"
    if request.config.getoption("--update-golden", default=False):
        expected[0].parent.mkdir(exist_ok=True)
        expected[0].write_bytes(output)
        expected[1].write_bytes(steps)
    assert output == expected[0].read_bytes()
    assert steps == expected[1].read_bytes()


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("form", FORMATS)
def test_the_expected_output_is_smaller_and_leads_back(form: str, run: str, tmp_path: Path) -> None:
    source = HERE / f"{form}.jsonl"
    output, stream = tmp_path / "out.jsonl", io.BytesIO()
    api.compact(source, output, RUNS[run], root=tmp_path)
    api.restore(output, stream, root=tmp_path)
    assert stream.getvalue() == source.read_bytes()
    assert output.read_bytes() != source.read_bytes()
