"""`ctxcompact store`: the originals kept under a root."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ctxcompact.cli import options
from ctxcompact.cli.talk import Talk, perform

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.cli.exits import Exit
    from ctxcompact.config import Config
    from ctxcompact.stores.offloads import Entry, Original
    from ctxcompact.stores.soundness import Finding


@options.takes(*options.STORE)
def list_(**flags: Any) -> None:
    """List the originals kept under the root, each with the run that was first to keep it."""
    raise typer.Exit(perform("store list", flags, _list))


@options.takes(options.ID, *options.STORE)
def show(**flags: Any) -> None:
    """Show what is known about an original; `ctxcompact reload` prints it."""
    wanted = flags.pop("id")

    def work(config: Config, talk: Talk) -> Exit:
        return _show(wanted, config, talk)

    raise typer.Exit(perform("store show", flags, work))


@options.takes(*options.STORE)
def verify(**flags: Any) -> None:
    """Compare every original and receipt with its hash. Exit 1 if one is damaged."""
    raise typer.Exit(perform("store verify", flags, _verify))


def _list(config: Config, talk: Talk) -> Exit:
    from ctxcompact import kept  # noqa: PLC0415 - `--help` needs none of these
    from ctxcompact.cli.exits import Exit  # noqa: PLC0415
    from ctxcompact.cli.tables import Table  # noqa: PLC0415
    from ctxcompact.cli.words import counted, number, shown  # noqa: PLC0415

    rows = list(kept.entries(config.options.root))
    data = {"ctxcompact": 1, "command": "store list", "originals": [_entry(one) for one in rows]}
    cells = [
        (one.head.id, str(one.head.line), number(one.bytes), shown(one.head.tool), one.run or "-")
        for one in rows
    ]
    table = Table(("id", "line", "bytes", "tool", "run"), cells, frozenset({1, 2}))
    where = shown(config.options.root / ".offload")
    head = f"{counted(len(rows), 'original')} in {where}"
    talk.result(lambda: data, [table, "", head] if rows else [head])
    return Exit.DONE


def _entry(one: Entry) -> dict[str, Any]:
    head = one.head
    return {
        "id": head.id,
        "tool": head.tool,
        "format": head.format,
        "line": head.line,
        "path": list(head.path),
        "sha256": head.sha256,
        "bytes": one.bytes,
        "pack": one.pack,
        "run": one.run,
    }


def _show(wanted: str | None, config: Config, talk: Talk) -> Exit:
    from ctxcompact import kept  # noqa: PLC0415 - `--help` needs none of these
    from ctxcompact.cli.exits import Exit  # noqa: PLC0415
    from ctxcompact.cli.tables import Table  # noqa: PLC0415
    from ctxcompact.cli.words import number, shown  # noqa: PLC0415
    from ctxcompact.errors import UsageError  # noqa: PLC0415

    if wanted is None:
        raise UsageError("no id", hint="`ctxcompact store list` shows all")
    row = as_row(kept.find(wanted, config.options.root))
    data = {"ctxcompact": 1, "command": "store show", "original": row}
    told = row | {"bytes": number(row["bytes"])}
    told["path"] = "/".join(map(str, row["path"])) or "the whole record"
    table = Table((), [(name, shown(value)) for name, value in told.items()])
    talk.result(lambda: data, [table])
    return Exit.DONE


def as_row(one: Original) -> dict[str, Any]:
    """Return what is known about an original; `path` leads to the block inside the record."""
    return {
        "id": one.id,
        "tool": one.tool,
        "format": one.format,
        "line": one.line,
        "path": list(one.path),
        "bytes": len(one.data),
        "pack": one.pack,
    }


def _verify(config: Config, talk: Talk) -> Exit:
    from ctxcompact import kept  # noqa: PLC0415 - `--help` needs none of these
    from ctxcompact.cli.exits import Exit  # noqa: PLC0415

    found = kept.check(config.options.root)
    data = {
        "ctxcompact": 1,
        "command": "store verify",
        "status": "failed" if found else "ok",
        "findings": [one._asdict() for one in found],
    }
    talk.result(lambda: data, _verdict(found, config))
    return Exit.FAILED if found else Exit.DONE


def _verdict(found: Sequence[Finding], config: Config) -> list[str]:
    from ctxcompact.cli.words import counted, shown  # noqa: PLC0415 - for people only

    lines = [
        f"{shown(one.path)}{f':{one.line}' if one.line else ''}: {shown(one.message)} [{one.code}]"
        for one in found
    ]
    verdict = counted(len(found), "finding") if found else "sound"
    return [*lines, f"the store under {shown(config.options.root.resolve())}: {verdict}"]
