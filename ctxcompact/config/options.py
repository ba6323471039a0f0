"""What is asked of the commands beside the settings of a compaction, with its defaults.

How an option is spelled and explained on the command line is not said here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ctxcompact.errors import UsageError

STANDARD = Path("-")


class Summarizer(StrEnum):
    """Who writes summaries."""

    OFFLINE = "offline"
    LLM = "llm"
    NONE = "none"


class OnFailure(StrEnum):
    """What happens when a model fails."""

    OFFLINE = "offline"
    SKIP = "skip"
    FAIL = "fail"


class By(StrEnum):
    """How `stats` groups tokens."""

    ROLE = "role"
    KIND = "kind"
    TOOL = "tool"
    ROUND = "round"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What is asked of the commands. `STANDARD` as a path means standard input or output.

    Raises `UsageError` for a value out of range.
    """

    output: Path = STANDARD
    in_place: bool = False
    format: str = "auto"
    root: Path = Path()
    dry_run: bool = False
    json: bool = False
    report: Path | None = None
    quiet: bool = False
    verbose: bool = False
    model: str = ""
    api_base: str = ""
    summarizer: Summarizer | None = None
    on_failure: OnFailure = OnFailure.OFFLINE
    timeout_s: int = 60
    retries: int = 2
    max_llm_calls: int | None = None
    max_input_tokens: int | None = None
    receipt: str | None = None
    text: bool = False
    recursive: bool = False
    regex: bool = False
    ignore_case: bool = False
    limit: int = 20
    by: By | None = None
    top: int = 10
    plan: bool = False
    max_messages: int | None = None
    follow_appends: bool = False
    older_than: int | None = None

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name in _COUNTS:
            value = getattr(self, name)
            if value is not None and value < 0:
                message = f"--{name.replace('_', '-')} {value}: must be 0 or more"
                raise UsageError(message, hint="give another value, or leave it out")


_COUNTS = (
    "timeout_s",
    "retries",
    "max_llm_calls",
    "max_input_tokens",
    "limit",
    "top",
    "max_messages",
    "older_than",
)
