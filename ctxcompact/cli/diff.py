"""`ctxcompact diff`: what a compaction did, message by message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ctxcompact.cli import options, streams
from ctxcompact.cli.talk import Talk, perform

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from ctxcompact.api import Compared
    from ctxcompact.cli.exits import Exit
    from ctxcompact.cli.tables import Table
    from ctxcompact.config import Config
    from ctxcompact.engine.comparison import Change, Side

_TOOLS_SHOWN = 2


@options.takes(*options.DIFF)
def diff(**flags: Any) -> None:
    """Show what was cut from a transcript, message by message.

    Of one transcript, what our compactions did to it: it is compared with what `ctxcompact restore`
    would make of it. Nothing is written.
    """
    names = [flags.pop("before"), flags.pop("after")]

    def work(config: Config, talk: Talk) -> Exit:
        return _diff([name for name in names if name is not None], config, talk)

    raise typer.Exit(perform("diff", flags, work))


def _diff(names: list[str], config: Config, talk: Talk) -> Exit:
    from ctxcompact import api  # noqa: PLC0415 - `--help` needs none of these
    from ctxcompact.cli import places  # noqa: PLC0415
    from ctxcompact.cli.exits import Exit  # noqa: PLC0415
    from ctxcompact.errors import UsageError  # noqa: PLC0415

    after = places.path_of(names[-1]) if names else None
    if after is None or str(after) == "-":
        message = "no file to look at"
        raise UsageError(message, hint="ctxcompact diff BEFORE AFTER, or ctxcompact diff AFTER")
    before: Path | BinaryIO | None = None
    if len(names) > 1:
        before = streams.incoming(places.path_of(names[0]))
    asked = config.options
    found = api.diff(before, after, config.settings, format_name=asked.format, root=asked.root)
    talk.result(lambda: _as_json(found), _told(found))
    return Exit.DONE


def _as_json(found: Compared) -> dict[str, Any]:
    from ctxcompact.core.events import file_as_json  # noqa: PLC0415 - scripts only

    return {
        "ctxcompact": 1,
        "command": "diff",
        "before": file_as_json(found.before, found.format, found.counter),
        "after": file_as_json(found.after, found.format, found.counter),
        "changes": [
            {
                **one._asdict(),
                "before": one.before and one.before._asdict(),
                "after": one.after and one.after._asdict(),
            }
            for one in found.changes
        ],
    }


def _told(found: Compared) -> Iterator[str | Table]:
    from ctxcompact.cli.tables import Table  # noqa: PLC0415 - for people only
    from ctxcompact.cli.words import counted, counter, number  # noqa: PLC0415

    before, after = found.before, found.after
    yield (
        f"{number(before.tokens)} -> {counted(after.tokens, 'token')}, "
        f"{number(before.messages)} -> {counted(after.messages, 'message')}, "
        f"{number(before.bytes)} -> {counted(after.bytes, 'byte')}"
    )
    yield f"{found.format}, counted by {counter(found.counter)}"
    if not found.changes:
        yield "no message differs"
        return
    yield ""
    rows = [_row(change) for change in found.changes]
    heads = ("line", "now", "what", "tokens", "now", "of", "mark")
    yield Table(heads, rows, frozenset({0, 1, 3, 4}))


def _row(change: Change) -> tuple[str, ...]:
    from ctxcompact.cli.words import counted, shown  # noqa: PLC0415 - for people only

    tools = ", ".join(map(shown, change.tools[:_TOOLS_SHOWN]))
    more = ", …" if len(change.tools) > _TOOLS_SHOWN else ""
    several = change.before or change.after
    count = f"{counted(several.messages, 'message')}: " if several and several.messages > 1 else ""
    return (
        _line(change.before),
        _line(change.after),
        change.what,
        _tokens(change.before),
        _tokens(change.after),
        f"{count}{', '.join(change.roles)}{' ' if tools else ''}{tools}{more}",
        " ".join(change.marks),
    )


def _line(side: Side | None) -> str:
    return str(side.line) if side else "-"


def _tokens(side: Side | None) -> str:
    from ctxcompact.cli.words import number  # noqa: PLC0415 - for people only

    return number(side.tokens) if side else "-"
