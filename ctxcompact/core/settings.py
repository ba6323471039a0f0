"""Every default in one place, checked when made."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn

from ctxcompact.errors import UsageError


class Mode(StrEnum):
    """What `compact` runs."""

    CHAIN = "chain"
    MICRO = "micro"
    AUTO = "auto"
    MANUAL = "manual"


class Write(StrEnum):
    """How a compaction is written: into the lines that are there, or as the client's own record."""

    EDIT = "edit"
    NATIVE = "native"


class Until(StrEnum):
    """When the chain stops."""

    FIRST = "first"
    TARGET = "target"


LEVELS = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to compact. Sizes in characters are code points; tokens are the chosen counter's.

    Defaults of the levels are those of AgentScope Java's AutoContextConfig, those of micro, auto
    and manual those of learn-claude-code. Raises `UsageError` for a value out of range, naming the
    rule.
    """

    mode: Mode = Mode.CHAIN
    write: Write | None = None
    target: int | None = None
    overhead_tokens: int = 0
    floor_tokens: int = 8000
    until: Until = Until.TARGET
    max_tokens: int | None = None
    token_ratio: float = 0.75
    target_ratio: float = 0.5
    msg_threshold: int = 100
    force: bool = False
    levels: tuple[int, ...] = LEVELS
    last_keep: int = 50
    large_payload_chars: int = 5120
    preview_chars: int = 200
    min_consecutive_tool_messages: int = 6
    min_compression_tokens: int = 5000
    current_round_ratio: float = 0.3
    min_gain_tokens: int = 40
    summary_ratio: float = 0.3
    keep_recent: int = 3
    micro_min_chars: int = 100
    micro_tag: bool = True
    threshold: int = 50_000
    focus: str = ""
    protect_tool: tuple[str, ...] = ()
    protect: tuple[str, ...] = ()
    keep_usage: bool = False
    keep_twins: bool = False
    redact: bool = False
    no_store_secrets: bool = False
    counter: str = "auto"

    def __post_init__(self) -> None:
        """Check the rules that no single value can break alone."""
        object.__setattr__(self, "mode", _word("mode", Mode, self.mode))
        object.__setattr__(self, "until", _word("until", Until, self.until))
        if self.write is not None:
            object.__setattr__(self, "write", _word("write", Write, self.write))
        self._check_ranges()
        if self.preview_chars >= self.large_payload_chars:
            rule = f"must be below large_payload_chars ({self.large_payload_chars})"
            _refuse("preview_chars", self.preview_chars, rule)
        if (
            self.target is not None
            and self.max_tokens is not None
            and self.target >= self.max_tokens
        ):
            _refuse("target", self.target, f"must be below max_tokens ({self.max_tokens})")
        if not self.levels or not set(self.levels) <= set(LEVELS):
            _refuse("levels", ",".join(map(str, self.levels)), "must be some of 1,2,3,4,5,6")
        for pattern in self.protect:
            _check_pattern(pattern)

    def _check_ranges(self) -> None:
        for name in _COUNTS:
            value = getattr(self, name)
            if value is not None and value < 0:
                _refuse(name, value, "must be 0 or more")
        for name in _RATIOS:
            if not 0 < getattr(self, name) <= 1:
                _refuse(name, getattr(self, name), "must be above 0 and at most 1")

    @property
    def trigger_tokens(self) -> int:
        """The number of tokens from which the chain starts."""
        if self.target is not None and self.max_tokens is None:
            return self.target
        return int(self.window_tokens * self.token_ratio)

    @property
    def target_tokens(self) -> int:
        """The number of tokens wanted afterwards."""
        return int(self.window_tokens * self.target_ratio) if self.target is None else self.target

    @property
    def window_tokens(self) -> int:
        """The number of tokens that fit into the model's window."""
        return MAX_TOKENS if self.max_tokens is None else self.max_tokens


MAX_TOKENS = 131_072

_COUNTS = (
    "target",
    "overhead_tokens",
    "floor_tokens",
    "max_tokens",
    "msg_threshold",
    "last_keep",
    "large_payload_chars",
    "preview_chars",
    "min_consecutive_tool_messages",
    "min_compression_tokens",
    "min_gain_tokens",
    "keep_recent",
    "micro_min_chars",
    "threshold",
)
_RATIOS = ("token_ratio", "target_ratio", "current_round_ratio", "summary_ratio")


def _word(name: str, kind: type[Mode | Until | Write], value: str) -> str:
    """Return a word as one of its kind; the library may be given plain strings."""
    try:
        return kind(value)
    except ValueError:
        _refuse(name, value, f"must be one of {', '.join(kind)}")


def _check_pattern(pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        _refuse("protect", pattern, f"must be a regular expression: {error}")


def _refuse(name: str, value: object, rule: str) -> NoReturn:
    option = "--" + name.replace("_", "-")
    message = f"{option} {value}: {rule}"
    raise UsageError(message, hint=f"give another value for {option}, or leave it out")
