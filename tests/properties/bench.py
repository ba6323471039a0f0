"""A folder for one example: its root, its files, and what stands in them."""

from __future__ import annotations

import hashlib
import io
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from ctxcompact import api
from ctxcompact.core.settings import Mode, Settings, Until, Write
from tests.properties.talks import PROTECT, PROTECT_TOOL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.events import Report
    from ctxcompact.engine.statistics import Statistics
    from tests.properties.makers import Transcript

_protection = {"protect_tool": st.just((PROTECT_TOOL,)), "protect": st.just((PROTECT,))}
_counters = st.sampled_from(("o200k_base", "chars4", "agentscope", "claude"))

micros = st.builds(
    Settings,
    mode=st.just(Mode.MICRO),
    keep_recent=st.integers(0, 3),
    micro_min_chars=st.sampled_from((0, 20, 100)),
    micro_tag=st.booleans(),
    min_gain_tokens=st.sampled_from((0, 1, 40)),
    counter=_counters,
    **_protection,
)


def folding(until: Until) -> st.SearchStrategy[Settings]:
    """Draw settings of the chain with all levels, small enough to find something to do."""
    return st.builds(
        Settings,
        until=st.just(until),
        levels=st.sampled_from(((1, 2, 3, 4, 5, 6), (1,), (4,), (5,), (6,), (1, 4, 6), (2, 5))),
        target=st.sampled_from((0, 300, 2000)),
        last_keep=st.integers(0, 6),
        large_payload_chars=st.sampled_from((21, 60, 300)),
        preview_chars=st.sampled_from((0, 7, 20)),
        min_gain_tokens=st.sampled_from((0, 1, 40)),
        min_consecutive_tool_messages=st.integers(0, 4),
        min_compression_tokens=st.sampled_from((0, 50, 500)),
        floor_tokens=st.just(0),
        counter=_counters,
        **_protection,
    )


def chains(until: Until) -> st.SearchStrategy[Settings]:
    """Draw settings of the chain with its two levels, small enough to find something to do."""
    return st.builds(
        Settings,
        until=st.just(until),
        levels=st.sampled_from(((2, 3), (2, 3), (2,), (3,))),
        target=st.sampled_from((0, 300, 2000)),
        last_keep=st.integers(0, 6),
        large_payload_chars=st.sampled_from((21, 60, 300)),
        preview_chars=st.sampled_from((0, 7, 20)),
        min_gain_tokens=st.sampled_from((0, 1, 40)),
        counter=_counters,
        **_protection,
    )


# What a second run leaves alone; after `--until first` it may go on to the next level.
steady = st.one_of(micros, chains(Until.TARGET))
anything = st.one_of(micros, chains(Until.TARGET), chains(Until.FIRST))
# Some clients' files are given a record in place, and keep all lines.
in_lines = anything.map(lambda settings: replace(settings, write=Write.EDIT))


def written(form: str, wanted: st.SearchStrategy[Settings]) -> st.SearchStrategy[Settings]:
    """Draw some that ask for the client's own record, where a format has one and edits are usual."""
    if form != "gemini-cli":
        return wanted
    asked = wanted.map(lambda one: one if one.write else replace(one, write=Write.NATIVE))
    return st.one_of(wanted, asked)


@dataclass
class Bench:
    """One folder with a transcript in it."""

    root: Path
    given: Transcript

    @property
    def file(self) -> Path:
        return self.root / "talk.jsonl"

    def run(self, settings: Settings, **options: Any) -> Report:
        """Compact the file in its place."""
        return api.compact(
            self.file, None, settings, format_name=self.given.format, root=self.root, **options
        )

    def read(self) -> bytes:
        return self.file.read_bytes()

    def restored(self) -> bytes:
        """Restore into a stream."""
        stream = io.BytesIO()
        api.restore(self.file, stream, root=self.root)
        return stream.getvalue()

    def stats(self, settings: Settings) -> Statistics:
        return api.stats(self.file, settings, format_name=self.given.format, root=self.root)

    def listing(self) -> dict[str, str]:
        """Return a hash of each file below the root, by name."""
        return {
            str(path.relative_to(self.root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }


@contextmanager
def bench(given: Transcript) -> Iterator[Bench]:
    """Make a folder, put the transcript there, and throw all away afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        made = Bench(Path(folder), given)
        made.file.write_bytes(given.data)
        yield made


def said(report: Report) -> dict[str, Any]:
    """Return what a report says, without what tells a dry run from a real one."""
    return replace(report, dry_run=False, receipt=None).as_json()
