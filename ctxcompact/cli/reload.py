"""`ctxcompact reload`: originals by their ids, on standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ctxcompact.cli import options, streams
from ctxcompact.cli.talk import Talk, perform

if TYPE_CHECKING:
    from ctxcompact.cli.exits import Exit
    from ctxcompact.config import Config
    from ctxcompact.stores.offloads import Original


@options.takes(*options.RELOAD)
def reload(**flags: Any) -> None:
    """Print original messages by their ids.

    One JSON line each, bytes as they were; after a folded stretch comes what had been taken out of
    it before. They are looked for in .offload/ of the root and of the folders above it.
    """
    ids = flags.pop("ids") or []

    def work(config: Config, talk: Talk) -> Exit:
        return _reload(ids, config, talk)

    raise typer.Exit(perform("reload", flags, work))


def _reload(ids: list[str], config: Config, talk: Talk) -> Exit:
    from ctxcompact import kept  # noqa: PLC0415 - `--help` needs none of these
    from ctxcompact.cli.exits import Exit  # noqa: PLC0415
    from ctxcompact.core.tags import canonical  # noqa: PLC0415
    from ctxcompact.errors import UsageError  # noqa: PLC0415

    if not ids:
        raise UsageError("no id", hint="`ctxcompact store list` shows all: ctxcompact reload UUID")
    wanted = [canonical(one) for one in ids]
    found = kept.reload(wanted, root=config.options.root, recursive=config.options.recursive)
    if talk.json:
        texts = [kept.reload_text(one) for one in found] if config.options.text else []
        talk.result(lambda: _as_json(found, texts), ())
    elif config.options.text:
        for one in found:
            _print_text(kept.reload_text(one))
    else:
        streams.write(b"".join(one.data + b"\n" for one in found))
    return Exit.DONE


def _print_text(text: str) -> None:
    """Print a text as it was; on a terminal, without what would move or color things there."""
    from ctxcompact.cli.words import shown  # noqa: PLC0415 - a script gets the text as it was

    if streams.is_terminal():
        text = "\n".join(shown(line) for line in text.split("\n"))
    streams.write(text.encode("utf-8", "backslashreplace") + b"\n")


def _as_json(found: list[Original], texts: list[str]) -> dict[str, Any]:
    from ctxcompact.cli.store import as_row  # noqa: PLC0415 - scripts only

    rows = [as_row(one) | _bytes_of(one) for one in found]
    for row, text in zip(rows, texts, strict=False):
        row["text"] = text
    return {"ctxcompact": 1, "command": "reload", "originals": rows}


def _bytes_of(one: Original) -> dict[str, Any]:
    """Return the record as a string, as base64 where it is no UTF-8."""
    try:
        return {"data": one.data.decode(), "base64": None}
    except UnicodeDecodeError:
        import base64  # noqa: PLC0415 - such records are rare

        return {"data": None, "base64": base64.b64encode(one.data).decode()}
