"""Recorded transcripts, where there are any: the way back, the second run, and growing files."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from ctxcompact import api, formats, kept
from ctxcompact.core.settings import Mode, Settings
from ctxcompact.errors import UnknownFormat
from tests.api.files import listing, restored
from tests.formats.builders import shared_files

if TYPE_CHECKING:
    from pathlib import Path

    from ctxcompact.core.events import Report

RUNS = 5
MICRO = Settings(mode=Mode.MICRO, counter="chars4", keep_recent=2)
PAYLOADS = Settings(
    counter="chars4",
    levels=(2, 3),
    target=500,
    last_keep=4,
    large_payload_chars=300,
    preview_chars=40,
)


def format_of(path: Path) -> str:
    """Tell the format of a file, "" if it is none that we rewrite."""
    sample = []
    with path.open("rb") as file:
        for line in islice(file, 200):
            try:
                sample.append(json.loads(line))
            except ValueError:
                continue
    try:
        form = formats.detect(sample).format
    except UnknownFormat:
        return ""
    return form.name if form.is_writable else ""


FILES = [
    path for path in shared_files("corpus/*.jsonl", "client-sessions/*/*.jsonl") if format_of(path)
]


def copied(path: Path, root: Path, stop: int | None = None) -> Path:
    """Copy a file, or its first bytes, to where a test may change it."""
    target = root / "talk.jsonl"
    target.write_bytes(path.read_bytes()[:stop])
    return target


def run(path: Path, settings: Settings, form: str = "auto") -> Report:
    return api.compact(path, None, settings, format_name=form, root=path.parent)


def once(path: Path, root: Path, settings: Settings) -> None:
    """Compact, look at the result, go back; compact again, and see that nothing is left to do."""
    talk = copied(path, root)
    report = run(talk, settings)
    assert set(report.problems_after) <= set(report.problems_before)
    assert report.output.tokens <= report.input.tokens
    check_sound_store(root)
    if report.receipt is None:
        assert talk.read_bytes() == path.read_bytes()
    else:
        assert restored(talk) == path.read_bytes()
    after = listing(root)
    run(talk, settings)
    assert listing(root) == after


def check_sound_store(root: Path) -> None:
    assert kept.check(root) == []
    assert not list(root.rglob("*.tmp"))


def growing(path: Path, root: Path) -> None:
    """Compact five times, with what was recorded next appended in between."""
    data, form = path.read_bytes(), format_of(path)
    cuts = [data.rfind(b"\n", 0, len(data) * n // RUNS) + 1 for n in range(1, RUNS)]
    cuts = [cut for cut in cuts if cut] + [len(data)]
    talk, done, changed = copied(path, root, cuts[0]), cuts[0], False
    for number, stop in enumerate(cuts):
        with talk.open("ab") as file:
            file.write(data[done:stop])
        done = stop
        report = run(talk, (MICRO, PAYLOADS)[number % 2], form)
        changed = changed or report.receipt is not None
        check_sound_store(root)
        if changed:
            assert restored(talk) == data[:stop]


if FILES:  # nothing is collected in a plain clone
    real = pytest.mark.parametrize("path", FILES, ids=lambda x: f"{x.parent.name}/{x.name}")

    @real
    @pytest.mark.parametrize("settings", [MICRO, PAYLOADS], ids=["micro", "payloads"])
    def test_a_recorded_transcript_comes_back_and_stays_as_it_is(
        path: Path, settings: Settings, tmp_path: Path
    ) -> None:
        once(path, tmp_path, settings)

    @real
    def test_a_recorded_transcript_that_grows_comes_back_whole(path: Path, tmp_path: Path) -> None:
        growing(path, tmp_path)
