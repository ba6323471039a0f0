"""What a run did, as records. The report is made from these and from what was written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.facts import FactScore
    from ctxcompact.core.measure import Counter
    from ctxcompact.core.model import Problem
    from ctxcompact.core.tasks import Spending

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFacts:
    """A transcript as read or written: `sha256` is of all bytes, `tokens` includes no overhead."""

    path: str
    bytes: int
    lines: int
    messages: int
    tokens: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """Whether the run had a reason to start, and the thresholds it was measured against."""

    fired: bool
    by: str | None
    tokens: int
    messages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One level tried on one conversation.

    `status` is applied, skipped, failed or undone. `facts` says how many of the facts of what was
    summarized are kept, `spending` what a model was used for, `touched` (for the receipt alone) the
    line of each message that was changed or taken in. A `conversation` is named by its line where
    every line is one.
    """

    level: int | str
    name: str
    status: str
    reason: str = ""
    edits: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    offloads: tuple[str, ...] = ()
    touched: Sequence[int] = ()
    facts: FactScore | None = None
    spending: Spending | None = None
    conversation: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What `compact` did. `reached` is about all conversations of the file."""

    status: str
    mode: str
    format: str
    counter: Counter
    input: FileFacts
    output: FileFacts
    trigger: Trigger
    target: int | None
    reached: bool
    blocked_by: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    archive: str | None = None
    receipt: str | None = None
    problems_before: tuple[Problem, ...] = ()
    problems_after: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = field(default=())
    dry_run: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the report in the shape that scripts rely on."""
        return {
            "ctxcompact": SCHEMA_VERSION,
            "command": "compact",
            "status": self.status,
            "mode": self.mode,
            "format": self.format,
            "dry_run": self.dry_run,
            "counter": counter_as_json(self.counter),
            "input": _plain(self.input),
            "output": _plain(self.output),
            "trigger": _plain(self.trigger),
            "target": self.target,
            "reached": self.reached,
            "blocked_by": list(self.blocked_by),
            "steps": [_step_as_json(step) for step in self.steps],
            "archive": self.archive,
            "receipt": self.receipt,
            "problems": {
                "before": [problem._asdict() for problem in self.problems_before],
                "after": [problem._asdict() for problem in self.problems_after],
            },
            "warnings": [problem._asdict() for problem in self.warnings],
            "notes": list(self.notes),
        }


class Size(NamedTuple):
    """What a session amounts to. Tokens are the counter's, without `overhead_tokens`."""

    tokens: int
    messages: int


class Event(NamedTuple):
    """One compaction that was tried.

    `prefix_kept` is the share of the former bytes, from the beginning on, that stay as they were:
    what a prompt cache may still serve. `report` is the object that `ctxcompact compact --json`
    prints.
    """

    before: Size
    after: Size
    prefix_kept: float
    report: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the fields as JSON has them."""
        return {**self._asdict(), "before": list(self.before), "after": list(self.after)}

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Self:
        """Make an event from what `as_json` gave."""
        sizes = {name: Size(*fields[name]) for name in ("before", "after")}
        return cls(**{**fields, **sizes})


def counter_as_json(counter: Counter) -> dict[str, Any]:
    """Name a counter, and how far it is to be trusted."""
    return {"name": counter.name, "exact": counter.exact, "error_pct": counter.error_pct}


def file_as_json(facts: FileFacts, format: str, counter: Counter) -> dict[str, Any]:  # noqa: A002 - the key's name
    """Return what is said of every transcript that was read, whatever the command."""
    shown = _plain(facts)
    path = shown.pop("path")
    return {"path": path, "format": format, "counter": counter_as_json(counter), **shown}


def _step_as_json(step: Step) -> dict[str, Any]:
    shown = _plain(step)
    shown["offloads"] = list(step.offloads)
    del shown["touched"]
    for name, key in (("facts", "facts"), ("spending", "llm")):
        value = shown.pop(name)
        if value is not None:
            shown[key] = value._asdict()
    if step.conversation is None:
        del shown["conversation"]
    return shown


def _plain(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__dataclass_fields__}
