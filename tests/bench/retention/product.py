"""A session compacted as a person would have it done: written to a file, and `compact` run on that."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact import api, kept
from ctxcompact.core import tags
from ctxcompact.core.settings import Mode, Settings
from tests.bench.retention.folding import Context, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.bench.retention.sessions import Message


class Made(NamedTuple):
    """What a compaction left: the messages, and what can be had of all that was said."""

    messages: list[Message]
    context: Context


def compact(messages: Sequence[Message], budget: int, mode: Mode) -> Made:
    """Compact to a budget with default settings."""
    return compact_in_turn([messages], budget, mode)


def compact_in_turn(parts: Sequence[Sequence[Message]], budget: int, mode: Mode) -> Made:
    """Compact a session which grows, after each of its parts."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        file = root / "talk.jsonl"
        settings = Settings(mode=mode, target=budget, counter="cl100k_base")
        archive = None
        for part in parts:
            with file.open("a", encoding="utf-8") as more:
                more.writelines(f"{json.dumps(message)}\n" for message in part)
            archive = api.compact(file, None, settings, root=root).archive or archive
        after = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        texts = [text_of(message) for message in after]
        behind = {at: list(_behind(text, root)) for at, text in enumerate(texts)}
        if archive:
            summary = next(at for at, text in enumerate(texts) if tags.is_summary(text))
            behind[summary] = [text_of(message) for part in parts for message in part]
        return Made(after, Context(texts, {at: found for at, found in behind.items() if found}))


def _behind(text: str, root: Path) -> Iterator[str]:
    for original in kept.reload(tags.find(text), root=root):
        if original.path:
            yield kept.reload_text(original)
        else:
            yield from (text_of(json.loads(line)) for line in original.data.splitlines())
