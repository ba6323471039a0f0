"""A transcript that has grown since: earlier summaries give room, selected again from their originals."""

from __future__ import annotations

import io
import shutil
from typing import TYPE_CHECKING

from ctxcompact import api, kept
from ctxcompact.core import tags
from ctxcompact.core.settings import Settings
from ctxcompact.core.tasks import Got, Said, Summary
from tests.api.sessions import port, rounds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import pytest

    from ctxcompact.core.tasks import Task

TARGET = Settings(target=2600, floor_tokens=0)
OLD = 4


def grown(root: Path, settings: Settings = TARGET) -> Path:
    """Compact a transcript, then let it grow."""
    file = root / "talk.jsonl"
    file.write_bytes(rounds(0, OLD))
    assert api.compact(file, None, settings, root=root).status == "ok"
    with file.open("ab") as more:
        more.write(rounds(OLD, OLD + 3))
    return file


def summaries(file: Path) -> dict[str, str]:
    """Return the lines that are summaries, by their marks."""
    lines = file.read_text().splitlines()
    return {tags.find(line.replace('\\"', '"'))[0]: line for line in lines if "Record of" in line}


def test_earlier_summaries_become_smaller_under_their_marks(tmp_path: Path) -> None:
    file = grown(tmp_path)
    before = summaries(file)
    originals = {uuid: kept.reload([uuid], root=tmp_path)[0].data for uuid in before}
    report = api.compact(file, None, TARGET, root=tmp_path)
    after = summaries(file)
    assert report.status == "ok"
    assert ("earlier", "applied") in {(step.level, step.status) for step in report.steps}
    assert set(before) < set(after)
    assert sum(len(after[uuid]) for uuid in before) < sum(map(len, before.values()))
    assert {u: kept.reload([u], root=tmp_path)[0].data for u in before} == originals
    assert [port(n) for n in range(OLD + 3) if port(n) not in file.read_text()] == []


def test_a_second_run_and_the_way_back(tmp_path: Path) -> None:
    file = grown(tmp_path)
    api.compact(file, None, TARGET, root=tmp_path)
    after = file.read_bytes()
    assert api.compact(file, None, TARGET, root=tmp_path).status == "unchanged"
    assert file.read_bytes() == after
    stream = io.BytesIO()
    assert api.restore(file, stream, root=tmp_path).runs == 2
    assert stream.getvalue() == rounds(0, OLD + 3)
    assert kept.check(tmp_path) == []


def test_growth_by_words_that_stay_is_made_up_for_too(tmp_path: Path) -> None:
    file = grown(tmp_path)
    api.compact(file, None, TARGET, root=tmp_path)
    with file.open("a") as more:
        more.write('{"role": "user", "content": "' + "Mind this, too. " * 150 + '"}\n')
    report = api.compact(file, None, TARGET, root=tmp_path)
    assert report.status == "ok"
    assert [s.level for s in report.steps if s.status == "applied"] == ["earlier"]


class Terse:
    """Writes a few words for each span, and notes what it was given."""

    name = "terse"
    uses_model = True

    def __init__(self, words: int) -> None:
        self.words = words
        self.tasks: list[Task] = []

    def summarize(self, task: Task, count: Callable[[str], int]) -> Sequence[Summary]:
        del count
        self.tasks.append(task)
        return [Summary("some words " * (self.words // 2)) for _ in task.spans]


def test_a_summarizer_is_given_the_originals_never_a_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = Terse(words=400)
    monkeypatch.setattr(api, "choose", lambda _: writer)
    file = grown(tmp_path)
    first = [span.entries for span in writer.tasks[0].spans]
    writer.tasks, writer.words = [], 100
    assert api.compact(file, None, TARGET, root=tmp_path).status == "ok"
    given = [span.entries for task in writer.tasks for span in task.spans]
    assert all(entries in given for entries in first)
    told = [e.text for entries in given for e in entries if isinstance(e, Got | Said)]
    assert not any(tags.SUMMARY_LABEL in text or "some words" in text for text in told)


def test_without_anything_new_no_model_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = Terse(words=2)
    monkeypatch.setattr(api, "choose", lambda _: writer)
    out_of_reach = Settings(target=100)
    file = tmp_path / "talk.jsonl"
    file.write_bytes(rounds(0, OLD))
    assert api.compact(file, None, out_of_reach, root=tmp_path).status == "over_target"
    after, writer.tasks = file.read_bytes(), []
    api.compact(file, None, out_of_reach, root=tmp_path)
    assert (file.read_bytes(), writer.tasks) == (after, [])


def test_a_summary_without_its_originals_is_left_alone(tmp_path: Path) -> None:
    file = grown(tmp_path)
    before = summaries(file)
    shutil.rmtree(tmp_path / ".offload")
    api.compact(file, None, TARGET, root=tmp_path)
    assert before.items() <= summaries(file).items()


def test_the_text_of_a_folded_stretch_is_its_records(tmp_path: Path) -> None:
    file = grown(tmp_path)
    found = kept.reload(list(summaries(file)), root=tmp_path)
    texts = [kept.reload_text(original) for original in found]
    assert [text.encode() for text in texts] == [original.data for original in found]
    assert min(text.count("\n") for text in texts) > 1
