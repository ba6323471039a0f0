"""What the tests of this room build with: a counter to count by hand, and real files if any."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctxcompact.core.blocks import Gauge
from ctxcompact.core.lines import parse_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.format import Format
    from ctxcompact.core.model import Conversation

# Recorded transcripts that may not be published stand beside the repository, or nowhere.
SHARED = Path(
    os.environ.get("CTXCOMPACT_SHARED") or Path(__file__).resolve().parents[2].parent / "shared"
)


@dataclass(frozen=True)
class CharCounter:
    """One token a character; framing in round numbers, so that sums show what they hold."""

    name: str = "chars"
    exact: bool = True
    error_pct: float = 0.0
    message_tokens: int = 1000
    call_tokens: int = 200
    result_tokens: int = 100

    def count(self, text: str) -> int:
        return len(text)


def read(form: Format, *records: Any, **protected: list[str]) -> list[Conversation]:
    """Read records as lines 1, 2, 3 and so on."""
    reader = form.reader(Gauge(CharCounter(), **protected))
    for record, data in enumerate(records):
        reader.feed(record, record + 1, data)
    return reader.finish()


def records_of(path: Path) -> Iterator[Any]:
    """Parse the JSON values of a file, in order."""
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            for record in parse_line(raw, first=number == 1)[0]:
                yield record.data


def shared_files(*patterns: str) -> list[Path]:
    """List the recorded transcripts that match; none in a plain clone."""
    return sorted(path for pattern in patterns for path in SHARED.glob(pattern))
