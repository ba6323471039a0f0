"""One trial: a damaged transcript is compacted, and every promise is looked after.

A refusal with a clear error is a fine end, if it harms nothing.
"""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ctxcompact import api, kept
from ctxcompact.core.settings import LEVELS, Mode, Settings, Write
from ctxcompact.errors import CtxCompactError, ReadOnlyFormat, UnknownFormat, UsageError

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

REWRITTEN = "rewritten:"

_MARK = re.compile(rb'<context_offload uuid=\\"([0-9a-f-]{36})\\"/>')


def settings(random: Random, size: int) -> Settings:
    """Choose how to compact so many bytes: small bars, so that every level finds something to do."""
    mode = random.choice((Mode.CHAIN, Mode.CHAIN, Mode.CHAIN, Mode.MICRO, Mode.AUTO, Mode.MANUAL))
    asked: dict[str, Any] = {
        "mode": mode,
        "counter": "chars4",
        "target": size // random.choice((10**9, 200, 50, 20)),
        "force": True,
        "floor_tokens": random.choice((0, 500)),
        "threshold": random.choice((0, 500)),
        "levels": tuple(sorted(random.sample(LEVELS, random.randint(2, len(LEVELS))))),
        "last_keep": random.choice((0, 0, 2, 50)),
        "large_payload_chars": random.choice((300, 300, 1000, 5120)),
        "preview_chars": random.choice((0, 20, 40, 200)),
        "min_compression_tokens": random.choice((0, 0, 100, 1000)),
        "min_consecutive_tool_messages": random.choice((0, 2, 6)),
        "min_gain_tokens": random.choice((0, 0, 40)),
        "keep_recent": random.choice((0, 0, 1, 3)),
        "micro_min_chars": random.choice((0, 100)),
        "micro_tag": random.random() < 0.8,
        "keep_twins": random.random() < 0.1,
    }
    asked["write"] = random.choice((None, None, None, Write.EDIT, Write.NATIVE))
    return Settings(**asked)


def try_out(data: bytes, root: Path, chosen: Settings) -> str:
    """Compact a transcript in `root` and look at what became of it; return how it ended.

    Raises AssertionError for a promise that was broken, and whatever should not have been raised.
    """
    path = root / "t.jsonl"
    path.write_bytes(data)
    try:
        before = api.check(path, chosen, root=root)
    except CtxCompactError as error:
        return _refused(error, path, data)
    try:
        report = api.compact(path, None, chosen, root=root)
    except ReadOnlyFormat as error:
        return _refused(error, path, data)
    except UsageError as error:  # a native record where there is none
        assert chosen.write is Write.NATIVE
        _refused(error, path, data)
        return try_out(data, root, replace(chosen, write=Write.EDIT))
    output = path.read_bytes()
    assert output == data or report.status != "unchanged"
    _look_at_restored(path, root, data)
    if output == data:
        return report.status
    after = api.check(path, chosen, format_name=report.format, root=root)
    problems = (len(before.findings), len(after.findings))
    assert problems[1] <= problems[0], f"more problems: {before.findings} {after.findings}"
    told, read = report.output, after.facts
    assert (told.tokens, told.messages) == (read.tokens, read.messages), "the figures are not true"
    assert told.tokens < report.input.tokens, "it grew"
    new = {mark.decode() for mark in _MARK.findall(output)} - {
        mark.decode() for mark in _MARK.findall(data)
    }
    kept.reload(sorted(new), root=root)
    _look_at_second_run(path, root, chosen)
    _look_at_restored(path, root, data)
    return f"{REWRITTEN} {report.format} {report.mode} {report.status}"


def _refused(error: CtxCompactError, path: Path, data: bytes) -> str:
    assert str(error)
    assert error.hint
    assert path.read_bytes() == data
    assert [one.name for one in path.parent.iterdir()] == [path.name], "something was left behind"
    return "unknown" if isinstance(error, UnknownFormat) else type(error).__name__


def _look_at_restored(path: Path, root: Path, data: bytes) -> None:
    stream = io.BytesIO()
    try:
        api.restore(path, stream, root=root)
    except CtxCompactError:
        assert path.read_bytes() == data, "it cannot be restored"
        return  # marks of others in the input
    assert stream.getvalue() == data, "restored otherwise"


def _look_at_second_run(path: Path, root: Path, chosen: Settings) -> None:
    """See that runs come to an end: messages of another kind may be found once, and no run undoes another."""
    sizes = []
    for _ in range(3):
        before = path.read_bytes()
        sizes.append(api.compact(path, None, chosen, root=root).output.tokens)
        if path.read_bytes() == before:
            return
    assert sizes == sorted(sizes, reverse=True), "it comes and goes"
