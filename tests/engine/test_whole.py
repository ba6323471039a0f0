"""Files that are one JSON value: what of them is counted, and that none is rewritten."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ctxcompact.core.settings import Settings
from ctxcompact.engine import compaction
from ctxcompact.engine.reading import Reading, read
from ctxcompact.engine.whole import only_counted
from ctxcompact.errors import InputError, ReadOnlyFormat
from tests.fakes import MemorySource, ports

HELLO = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes."}]
RUN = {"trajectory": [], "history": HELLO, "info": {}}
TASK = [{**message, "ts": 1} for message in HELLO]


def source(value: Any, indent: int | None) -> MemorySource:
    return MemorySource(json.dumps(value, indent=indent).encode())


def reading(value: Any, indent: int | None = 1) -> Reading:
    return read(source(value, indent), Settings(), ports())


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    ("value", "form", "messages", "conversations"),
    [
        pytest.param(HELLO, "anthropic", 2, 1, id="an array of messages"),
        pytest.param(
            [{"messages": HELLO}] * 3, "openai-conversations", 6, 3, id="an array of conversations"
        ),
    ],
)
def test_an_array_is_counted_by_its_items(
    value: Any, form: str, messages: int, conversations: int, indent: int | None
) -> None:
    found = reading(value, indent)
    assert (found.format.name, found.messages) == (form, messages)
    assert len(found.conversations) == conversations
    assert f"a JSON array of {len(value)} values" in only_counted(found)


@pytest.mark.parametrize("indent", [None, 1])
def test_a_task_of_cline_is_one_record(indent: int | None) -> None:
    found = reading(TASK, indent)
    assert (found.format.name, found.messages) == ("cline", 2)
    assert "an estimate of the text in it" in only_counted(found)


def test_an_object_over_many_lines_is_counted_as_one_record() -> None:
    found = reading(RUN)
    assert (found.format.name, found.messages) == ("swe-agent", 2)
    assert found.damage == []
    assert len(found.index.line_starts) == found.source.read(0, found.source.size).count(b"\n") + 1


def test_an_object_on_a_line_is_jsonl() -> None:
    assert reading(RUN, None).whole is None


@pytest.mark.parametrize(
    ("value", "error", "hint"),
    [
        pytest.param(HELLO, InputError, "jq -c '.[]'", id="an array that may be made JSONL"),
        pytest.param({"messages": HELLO}, InputError, "jq -c .", id="an object that may be"),
        pytest.param(TASK, ReadOnlyFormat, "in Cline itself", id="a task of Cline"),
        pytest.param(RUN, ReadOnlyFormat, "no agent reads again", id="a run of SWE-agent"),
    ],
)
def test_none_is_rewritten(value: Any, error: type[InputError], hint: str) -> None:
    with pytest.raises(error) as caught:
        compaction.run(source(value, 1), Settings(), ports())
    assert type(caught.value) is error
    assert hint in caught.value.hint
    assert caught.value.path == "talk.jsonl"
