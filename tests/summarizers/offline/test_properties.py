"""What holds for any text: the budget is kept, nothing is invented, and the same task gives the same text."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core import tags
from ctxcompact.core.atoms import atoms
from ctxcompact.core.tasks import Called, Got, Said, Span, Style, Task
from ctxcompact.summarizers.offline import Offline
from tests.summarizers.offline.spans import BIG, count_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ctxcompact.core.tasks import Entry

ROOT = Path(__file__).resolve().parents[3]
_SEEN = {f"{major}{minor}" for major in "LMNPSZC" for minor in "abcdefiklmnopstu"} - {"Cc", "Cs"}
UUID = "0f8fad5b-d9cb-8469-a165-70867728950e"
_COUNTED = re.compile(r"\(×\d+\+?\)")
_line = st.sampled_from(
    [
        "2026-03-01T10:00:00Z ERROR cannot reach db-4:5432 (E7741)",
        "src/app_main.py:33: def run(self, batch):",
        '{"id": "job_1", "state": "dead_letter", "n": 1.50}',
        '{"rows": [{"id": "a1", "v": 1e5}, {"id": "b2", "v": -0}]}',
        "<tr><td>Flight CA1840</td><td>$2155</td></tr>",
        "| id | plan |",
        "订单62682175退款失败，金额30154元。",
        "Never restart prod-77. I chose plan b_2 because of ENOENT.",
        "\x1b[31mFAILED\x1b[0m tests/test_x.py::test_y",
        tags.render(UUID),
        "[Previous: used bash]",
        "12\tlimit = 4096",
        "plain words and nothing else",
        "",
    ]
)
_text = st.one_of(st.text(max_size=120), st.lists(_line, max_size=12).map("\n".join))
_json: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | _text,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
_entry = st.one_of(
    st.builds(Said, st.sampled_from(["user", "assistant", "system"]), _text),
    st.builds(Called, st.sampled_from("abc"), st.sampled_from(["bash", "write_file", ""]), _json),
    st.builds(Got, st.sampled_from("abc"), st.just("bash"), _text, st.booleans()),
    st.builds(Got, st.sampled_from("abc"), st.just("api"), _json.map(json.dumps)),
)
_span = st.builds(
    Span,
    st.sampled_from(list(Style)),
    st.lists(_entry, max_size=8).map(tuple),
    st.integers(1, 500),
    _text,
)
_task = st.builds(
    Task,
    st.lists(_span, max_size=3).map(tuple),
    st.integers(0, 400),
    _text,
    _text,
    st.tuples(_text),
)
_counter = st.sampled_from([count_words, len, lambda text: len(text.split())])


@given(_task, _counter)
def test_texts_keep_to_the_budget_and_to_their_spans(
    task: Task, count: Callable[[str], int]
) -> None:
    made = Offline().summarize(task, count)
    assert len(made) == len(task.spans)
    assert sum(count(one.text) for one in made) <= task.budget_tokens
    for one, span in zip(made, task.spans, strict=True):
        assert count(one.text) <= span.tokens
        assert bool(one.text) is not bool(one.reason)


@given(_task)
def test_a_text_can_be_written_down_and_holds_no_mark_of_ours(task: Task) -> None:
    for one in Offline().summarize(task._replace(budget_tokens=BIG), count_words):
        assert one.text == one.text.encode().decode()
        assert {category(character) for character in one.text.replace("\n", "")} <= _SEEN
        assert tags.find(one.text) == []
        assert not tags.is_placeholder(one.text)
        assert tags.PLACEHOLDER_START not in one.text
        assert tags.FULL_SUMMARY_START not in one.text
        assert not tags.is_summary(one.text)


@given(st.lists(_span, max_size=3).map(tuple))
def test_every_value_stood_in_the_transcript(spans: tuple[Span, ...]) -> None:
    made = Offline().summarize(Task(spans, BIG), count_words)
    for one, span in zip(made, spans, strict=True):
        source = "\n".join(_spelled(span.entries))
        values = {atom.text for atom in atoms(_COUNTED.sub("", one.text))}
        assert {value for value in values if value not in source} == set()


@given(_task)
def test_the_same_task_gives_the_same_texts(task: Task) -> None:
    assert Offline().summarize(task, count_words) == Offline().summarize(task, count_words)


def test_the_texts_do_not_hang_on_the_seed_of_hashes() -> None:
    script = (
        "from tests.bench.retention import workshop\n"
        "from tests.bench.retention.folding import spans_of\n"
        "from tests.summarizers.offline.spans import count_words\n"
        "from ctxcompact.core.tasks import Task\n"
        "from ctxcompact.summarizers.offline import Offline\n"
        "spans = spans_of(workshop.make(1, rounds=1).messages, count_words)\n"
        "print([one.text for one in Offline().summarize(Task(tuple(spans), 900), count_words)])\n"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
    assert len(texts.pop()) > 1000


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a" * 200_000, id="an endless word"),
        pytest.param(" " * 200_000, id="blanks"),
        pytest.param("word " * 40_000, id="an endless line"),
        pytest.param("[" * 50_000 + "]" * 50_000, id="deep JSON"),
        pytest.param('{"a":' * 900 + "1" + "}" * 900, id="nested as deep as it parses"),
        pytest.param('{"a": [1, 2, ' * 5_000, id="broken JSON"),
        pytest.param("<html><script>a" * 5_000, id="scripts that never end"),
        pytest.param("<" * 100_000, id="open brackets"),
        pytest.param("\x1b]0;" * 50_000, id="terminal codes that never end"),
        pytest.param("a" * 90_000 + "\r\n" + "b" * 90_000, id="long lines with returns"),
        pytest.param("\x00\ud83d\x07 x1y\n" * 9_000, id="nothing printable"),
        pytest.param('<context_offload uuid="' * 9_000, id="marks that never end"),
        pytest.param("x7 ok\n" * 20_000, id="equal lines"),
    ],
)
def test_hostile_text_is_summarized_like_any_other(text: str) -> None:
    entries = (Called("1", "bash", {"command": text}), Got("1", "bash", text))
    made = Offline().summarize(Task((Span(Style.TOOL_RUN, entries, BIG),), 300), count_words)[0]
    assert made.text.startswith("Called bash")
    assert count_words(made.text) <= 300


def _spelled(entries: tuple[Entry, ...]) -> Iterator[str]:
    """Yield all texts as they are, as they parse, and as they show on a screen."""
    for entry in entries:
        texts = (
            [entry.text]
            if isinstance(entry, Said | Got)
            else [entry.tool, *_scalars(entry.arguments)]
        )
        for text in texts:
            yield text
            yield "".join(
                c
                for c in text.replace("\x1b[31m", "").replace("\x1b[0m", "")
                if c.isprintable() or c.isspace()
            )
            yield from _scalars_of_json(text)


def _scalars_of_json(text: str) -> Iterator[str]:
    for part in [text, *text.splitlines()]:
        try:
            parsed = json.loads(part)
        except ValueError:
            continue
        for scalar in _scalars(parsed):
            yield scalar
            yield "".join(c for c in scalar if c.isprintable() or c.isspace())


def _scalars(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, below in value.items():
            yield str(key)
            yield from _scalars(below)
    elif isinstance(value, list):
        for below in value:
            yield from _scalars(below)
    else:
        yield str(value)
