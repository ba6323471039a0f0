"""A session compacted as a person would have it done: written to a file, and `compact` run on that."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcompact import api
from ctxcompact.core import tags
from ctxcompact.core.settings import Mode, Settings
from tests.bench.retention.folding import Context, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.bench.retention.sessions import Message


def compact(messages: Sequence[Message], budget: int, mode: Mode) -> Context:
    """Compact to a budget with default settings; return what is left, and what each mark leads to."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        file = root / "talk.jsonl"
        file.write_text("".join(f"{json.dumps(message)}\n" for message in messages), "utf-8")
        settings = Settings(mode=mode, target=budget, counter="cl100k_base")
        report = api.compact(file, None, settings, root=root)
        texts = [text_of(json.loads(line)) for line in file.read_text("utf-8").splitlines()]
        behind = {at: list(_behind(text, root)) for at, text in enumerate(texts)}
        if report.archive:
            summary = next(at for at, text in enumerate(texts) if tags.is_summary(text))
            behind[summary] = [text_of(message) for message in messages]
        return Context(texts, {at: found for at, found in behind.items() if found})


def _behind(text: str, root: Path) -> Iterator[str]:
    for original in api.reload(tags.find(text), root=root):
        if original.path:
            yield api.reload_text(original)
        else:
            yield from (text_of(json.loads(line)) for line in original.data.splitlines())
