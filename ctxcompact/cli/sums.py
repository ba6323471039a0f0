"""The tables of `stats`, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.cli.tables import Table
from ctxcompact.cli.words import (
    counted,
    counter,
    level,
    listed,
    number,
    place,
    problem,
    share,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from ctxcompact.config import Options
    from ctxcompact.engine.statistics import Statistics

Part = str | Table

_ALL = 1_000_000_000


def told(sums: Iterable[Statistics], asked: Options, files: Sequence[Path]) -> Iterator[Part]:
    """Tell the sums of each file."""
    if asked.verbose:
        yield from (f"settings from {shown(path)}" for path in files)
    for at, one in enumerate(sums):
        if at:
            yield ""
        yield from _told(one, asked)


def _told(one: Statistics, asked: Options) -> Iterator[Part]:
    facts = one.facts
    sizes = (
        counted(facts.tokens, "token"),
        counted(facts.messages, "message"),
        counted(facts.lines, "line"),
        counted(facts.bytes, "byte"),
    )
    yield f"{place(facts.path)}: {', '.join(sizes)}"
    model = f", model {shown(one.model)}" if one.model else ""
    several = f", {counted(one.conversations, 'conversation')}" if one.conversations > 1 else ""
    yield f"{one.format}{several}{model}, counted by {counter(one.counter)}"
    if one.only_counted:
        yield f"counted only: {one.only_counted}"
    if one.recorded:
        yield (
            f"recorded by the provider: {counted(one.recorded.tokens, 'token')} "
            f"(line {one.recorded.line})"
        )
    most = _ALL if asked.verbose else asked.top
    for heading, table in _groups(one, most).items():
        if table.rows and asked.by in {None, heading}:
            yield from ("", table)
    if asked.by is None:
        yield from _largest(one)
        yield from _plan(one)
        yield from _problems(one, most)


def _groups(one: Statistics, most: int) -> dict[str, Table]:
    rounds = sorted(one.by_round, key=lambda row: -row.tokens)[:most]
    rows = [
        (f"from line {row.line}", number(row.tokens), _part(row.tokens, one), number(row.messages))
        for row in rounds
    ]
    heads = (_headed("round", len(rounds), len(one.by_round)), "tokens", "share", "messages")
    return {
        "role": _group("role", one.by_role, one, most),
        "kind": _group("kind", one.by_kind, one, most),
        "tool": _group("tool", one.by_tool, one, most),
        "round": Table(heads, rows, frozenset({1, 2, 3})),
    }


def _group(heading: str, sums: Mapping[str, int], one: Statistics, most: int) -> Table:
    rows = [
        (shown(name), number(tokens), _part(tokens, one))
        for name, tokens in list(sums.items())[:most]
    ]
    heads = (_headed(heading, len(rows), len(sums)), "tokens", "share")
    return Table(heads, rows, frozenset({1, 2}))


def _headed(heading: str, some: int, all_: int) -> str:
    return f"by {heading}" if some == all_ else f"by {heading} (largest {some} of {number(all_)})"


def _part(tokens: int, one: Statistics) -> str:
    return share(tokens, one.facts.tokens)


def _largest(one: Statistics) -> Iterator[Part]:
    if one.largest:
        rows = [
            (
                f"line {row.line}",
                number(row.tokens),
                _part(row.tokens, one),
                row.kind,
                shown(row.tool),
            )
            for row in one.largest
        ]
        heads = ("largest", "tokens", "share", "kind", "tool")
        yield from ("", Table(heads, rows, frozenset({1, 2})))


def _plan(one: Statistics) -> Iterator[Part]:
    if one.plan:
        rows = [
            (level(row.level, row.name), number(row.edits), number(row.tokens_saved))
            for row in one.plan
        ]
        yield from ("", "what levels without a summary would save now, each by itself:")
        yield Table(("level", "edits", "tokens saved"), rows, frozenset({1, 2}))
        yield "`ctxcompact compact --dry-run` says what the others save"


def _problems(one: Statistics, most: int) -> Iterator[Part]:
    if one.problems:
        yield from ("", f"{counted(len(one.problems), 'problem')} in it:")
        yield from listed(map(problem, one.problems), most, " (`ctxcompact check` lists all)")
