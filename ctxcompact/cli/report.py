"""The report of `compact`, for people. What scripts get is `Report.as_json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.cli.tables import Table
from ctxcompact.cli.words import (
    counted,
    counter,
    level,
    listed,
    number,
    place,
    problem,
    quoted,
    share,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ctxcompact.core.events import Report, Step
    from ctxcompact.core.model import Problem

Part = str | Table

_ROWS = 24
_IDS = 3
_LINES = 10
_ALL = 1_000_000_000


class Telling(NamedTuple):
    """A report, and what the person who asked for it should know beside."""

    report: Report
    root: Path
    files: Sequence[Path] = ()
    verbose: bool = False

    def most(self, some: int) -> int:
        """Return how much of a long list is told: all of it with -v."""
        return _ALL if self.verbose else some


def told(telling: Telling) -> Iterator[Part]:
    """Tell what was done: a headline, the sizes, each step, and what else is worth knowing."""
    report = telling.report
    if report.dry_run:
        yield "dry run: nothing is written"
    yield _headline(report)
    yield ""
    if report.status != "unchanged":
        yield from (_sizes(report), "")
    if report.steps:
        yield from (*_steps(telling), "")
    rows = []
    for name, lines in _facts(telling):
        rows += [(name if not at else "", line) for at, line in enumerate(lines)]
    yield Table((), rows)


def _headline(report: Report) -> str:
    where = place(report.input.path)
    if report.output.path != report.input.path or report.output.path == "-":
        where += f" -> {place(report.output.path, writing=True)}"
    return f"{where}: {_verdict(report)}"


def _verdict(report: Report) -> str:
    before, after = report.input.tokens, report.output.tokens
    match report.status:
        case "unchanged" if not report.trigger.fired:
            return "nothing to do"
        case "unchanged":
            return "nothing changed"
        case "over_target" if before == after:
            return "nothing could be saved, and it is over the target"
        case "over_target":
            return f"{share(before - after, before)} of the tokens saved, still over the target"
        case _:
            return f"{share(before - after, before)} of the tokens saved"


def _sizes(report: Report) -> Table:
    before, after = report.input, report.output
    rows = [
        (name, number(was), number(now), share(was - now, was))
        for name, was, now in (
            ("tokens", before.tokens, after.tokens),
            ("messages", before.messages, after.messages),
            ("bytes", before.bytes, after.bytes),
        )
    ]
    return Table(("", "before", "after", "saved"), rows, frozenset({1, 2, 3}))


def _steps(telling: Telling) -> Iterator[Part]:
    """Show each step in a row, and in one row those that were skipped for the same reason."""
    steps = telling.report.steps
    most = telling.most(_ROWS)
    if len(steps) > most:
        steps = tuple(step for step in steps if step.status != "skipped")
    in_lines = any(step.conversation for step in steps)
    groups: dict[object, list[Step]] = {}
    for at, step in enumerate(steps[:most]):
        is_idle = step.status == "skipped" and not in_lines
        groups.setdefault((step.reason, step.tokens_before) if is_idle else at, []).append(step)
    rows = [_row(group, in_lines=in_lines) for group in groups.values()]
    heads = ("level", *(["line"] if in_lines else []), "status", "edits", "tokens", "")
    yield Table(heads, rows, frozenset({2 + in_lines, 3 + in_lines}))
    if rest := len(telling.report.steps) - len(steps[:most]):
        yield f"and {number(rest)} more (-v shows all)"


def _row(group: Sequence[Step], *, in_lines: bool) -> tuple[str, ...]:
    step = group[0]
    named = level(step.level, step.name)
    if len(group) > 1:
        named = ", ".join(str(one.level) for one in group)
    tokens = number(step.tokens_before)
    if step.tokens_after != step.tokens_before:
        tokens += f" -> {number(step.tokens_after)}"
    line = (f"line {step.conversation}",) if in_lines else ()
    return (named, *line, step.status, number(step.edits), tokens, shown(step.reason))


def _facts(telling: Telling) -> Iterator[tuple[str, list[str]]]:
    """Yield what is said below the tables, by its name."""
    report = telling.report
    yield "format", [f"{report.format}, counted by {counter(report.counter)}"]
    yield "trigger", _trigger(report)
    yield "target", _target(report)
    yield "in the way", [shown(one) for one in report.blocked_by]
    yield "originals", _originals(telling)
    yield "archive", [shown(report.archive)] if report.archive else []
    yield "to undo", _undo(telling)
    yield "problems", _problems(telling)
    beside = [one for one in report.warnings if one not in report.problems_before]
    yield "warnings", _lines(beside, telling.most(_LINES))
    yield "notes", [shown(one) for one in report.notes]
    yield "settings", [f"from {shown(path)}" for path in telling.files] if telling.verbose else []


def _trigger(report: Report) -> list[str]:
    trigger = report.trigger
    tokens, messages = counted(trigger.tokens, "token"), counted(trigger.messages, "message")
    limits = (
        f"the trigger is {tokens} or {messages}" if trigger.messages else f"the trigger is {tokens}"
    )
    match trigger.by:
        case None if trigger.fired:
            return []
        case None:
            left = report.output if report.mode == "auto" else report.input
            size = f"{counted(left.tokens, 'token')}, {counted(left.messages, 'message')}"
            return [f"not triggered: {size};", f"{limits}; --force does without"]
        case "force":
            return [f"not asked ({'mode manual' if report.mode == 'manual' else '--force'})"]
        case _:
            return [f"fired by {trigger.by}; {limits}"]


def _target(report: Report) -> list[str]:
    if report.target is None or not report.trigger.fired:
        return []
    if report.status == "over_target":
        return [f"{counted(report.target, 'token')}: missed"]
    return [f"{counted(report.target, 'token')}: reached"] if report.reached else []


def _originals(telling: Telling) -> list[str]:
    report = telling.report
    ids = list(dict.fromkeys(id_ for step in report.steps for id_ in step.offloads))
    if not ids:
        return []
    verb = "would be kept" if report.dry_run else "kept"
    where = shown(telling.root / ".offload")
    shown_ids = listed(ids, telling.most(_IDS), " (-v shows all)")
    return [f"{number(len(ids))} {verb} in {where}: `ctxcompact reload ID` prints one", *shown_ids]


def _undo(telling: Telling) -> list[str]:
    report = telling.report
    if report.dry_run or report.receipt is None:
        return []
    root = f" --root {quoted(telling.root)}" if telling.root.parts else ""
    if report.output.path == "-":
        return [f"ctxcompact restore{root} < FILE, where FILE holds this output"]
    return [f"ctxcompact restore -i {quoted(report.output.path)}{root}"]


def _problems(telling: Telling) -> list[str]:
    """Name what was wrong before, and what still is; line numbers are those of the input."""
    before, after = telling.report.problems_before, telling.report.problems_after
    if not before and not after:
        return []
    still = set(after)
    gone = [one for one in before if one not in still]
    head = f"{number(len(before))} in the input, {number(len(after))} in the output"
    most = telling.most(_LINES)
    return [head, *_lines(after, most), *(f"{one} (gone)" for one in _lines(gone, most))]


def _lines(problems: Sequence[Problem], most: int) -> list[str]:
    return listed(map(problem, problems), most, " (-v shows all)")
