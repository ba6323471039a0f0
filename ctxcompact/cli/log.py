"""`ctxcompact store log`: what was done to transcripts here, run by run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ctxcompact.cli import options
from ctxcompact.cli.talk import Talk, perform

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.cli.exits import Exit
    from ctxcompact.cli.tables import Table
    from ctxcompact.config import Config
    from ctxcompact.core.journal import Deed, Journal
    from ctxcompact.core.tasks import Spending
    from ctxcompact.stores.receipts import Content, Logged, Receipt

_LINES_CHARS = 40


@options.takes(*options.STORE)
def log(**flags: Any) -> None:
    """List the compactions made here, newest first, and what each did.

    The name below each is for `ctxcompact restore --receipt`.
    """
    raise typer.Exit(perform("store log", flags, _log))


def _log(config: Config, talk: Talk) -> Exit:
    from ctxcompact import kept  # noqa: PLC0415 - `--help` needs none of these
    from ctxcompact.cli.exits import Exit  # noqa: PLC0415
    from ctxcompact.cli.words import counted, shown  # noqa: PLC0415

    runs = kept.runs(config.options.root)
    data = {"ctxcompact": 1, "command": "store log", "runs": list(map(_as_json, runs))}
    where = shown(config.options.root / ".transcripts")
    head = f"{counted(len(runs), 'compaction')} in {where}"
    talk.result(lambda: data, [*_told(runs), head])
    return Exit.DONE


def _as_json(run: Logged) -> dict[str, Any]:
    """Return the same keys for every run; what its receipt does not tell is null."""
    receipt = run.receipt
    journal = receipt.run if receipt else None
    told = journal.as_json() if journal else {}
    output = _file(receipt.output if receipt else None, told.get("after"))
    return {
        "receipt": run.name,
        "when": _when(run.when_ns),
        "damaged": receipt is None,
        "format": receipt and receipt.format,
        "mode": receipt and receipt.mode,
        "input": {
            "path": told.get("input"),
            **_file(receipt.input if receipt else None, told.get("before")),
        },
        "output": {"paths": list(receipt.paths) if receipt else None, **output},
        **{key: told.get(key) for key in ("counter", "target", "steps", "archive", "pack")},
        "previous": receipt and receipt.previous,
    }


def _file(content: Content | None, size: dict[str, int] | None) -> dict[str, Any]:
    return {
        **dict.fromkeys(("bytes", "lines", "messages", "tokens", "sha256")),
        **(content._asdict() if content else {}),
        **(size or {}),
    }


def _when(ns: int) -> str | None:
    """Write a time in UTC; a file system may hold one that no calendar has."""
    from datetime import UTC, datetime, timedelta  # noqa: PLC0415 - `--help` needs no calendar

    try:
        when = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=ns // 10**9)
    except OverflowError:
        return None
    return when.isoformat().replace("+00:00", "Z")


def _told(runs: Sequence[Logged]) -> Iterator[str | Table]:
    for run in runs:
        when = _when(run.when_ns) or "at an unknown time"
        if run.receipt is None:
            yield f"{when}  the receipt is damaged, `ctxcompact store verify` says more"
        else:
            yield f"{when}  {_headline(run.receipt)}"
            yield from _deeds(run.receipt.run)
        yield from (run.name, "")


def _headline(receipt: Receipt) -> str:
    from ctxcompact.cli.words import counted, counter, number, place, shown  # noqa: PLC0415

    where = ", ".join(place(path, writing=True) for path in receipt.paths)
    run, before, after = receipt.run, receipt.input, receipt.output
    if run is None:
        sizes = f"{number(before.bytes)} -> {counted(after.bytes, 'byte')}"
        return f"{where}: {shown(receipt.mode)}, {sizes}; no more was recorded"
    if receipt.paths != (run.input,) or run.input == "-":
        where = f"{place(run.input)} -> {where}"
    tokens = f"{number(run.before.tokens)} -> {counted(run.after.tokens, 'token')}"
    messages = f"{number(run.before.messages)} -> {counted(run.after.messages, 'message')}"
    return f"{where}: {shown(receipt.mode)}, {tokens}, {messages}, by {counter(run.counter)}"


def _deeds(run: Journal | None) -> Iterator[str | Table]:
    from ctxcompact.cli.tables import Table  # noqa: PLC0415 - scripts need no tables

    if run is None or not run.deeds:
        return
    heads = ("level", "edits", "messages", "tokens saved", "lines")
    yield Table(heads, list(map(_row, run.deeds)), frozenset({1, 2, 3}))
    yield from (_usage(deed.llm) for deed in run.deeds if deed.llm is not None)


def _row(deed: Deed) -> tuple[str, ...]:
    from ctxcompact.cli.words import level, number, shown  # noqa: PLC0415 - as above

    lines = deed.lines
    if len(lines) > _LINES_CHARS:
        lines = f"{lines[:_LINES_CHARS].rpartition(',')[0]},…"
    numbers = (deed.edits, deed.messages, deed.tokens_saved)
    return (shown(level(deed.level, deed.name)), *map(number, numbers), shown(lines))


def _usage(llm: Spending) -> str:
    from ctxcompact.cli.words import counted, number, shown  # noqa: PLC0415 - as above

    cost = "" if llm.cost_usd is None else f", ${llm.cost_usd:.4f}"
    calls = counted(llm.calls, "request")
    tokens = f"{number(llm.input_tokens)} in, {counted(llm.output_tokens, 'token')} out"
    return f"{shown(llm.model)}: {calls}, {tokens}{cost}"
