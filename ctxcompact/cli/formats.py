"""`ctxcompact formats`: what can be read, and what of it rewritten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ctxcompact.cli import options
from ctxcompact.cli.talk import Talk, perform

if TYPE_CHECKING:
    from ctxcompact.cli.exits import Exit
    from ctxcompact.config import Config


@options.takes(options.JSON)
def formats(**flags: Any) -> None:
    """List the transcript formats, and what each is recognized by."""
    raise typer.Exit(perform("formats", flags, _formats))


def _formats(_: Config, talk: Talk) -> Exit:
    from ctxcompact import api  # noqa: PLC0415 - `--help` needs none of these
    from ctxcompact.cli.exits import Exit  # noqa: PLC0415
    from ctxcompact.cli.tables import Table  # noqa: PLC0415

    rows: list[dict[str, Any]] = [
        {
            "name": one.name,
            "read": True,
            "write": one.is_writable,
            "recognised_by": one.recognised_by,
        }
        for one in api.formats()
    ]
    cells = [
        (one["name"], "yes", "yes" if one["write"] else "no", one["recognised_by"]) for one in rows
    ]
    table = Table(("format", "read", "write", "recognized by"), cells)
    talk.result(lambda: {"ctxcompact": 1, "command": "formats", "formats": rows}, [table])
    return Exit.DONE
