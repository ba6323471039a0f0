"""`ctxcompact search`: originals by what stands in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ctxcompact.cli import options
from ctxcompact.cli.talk import Talk, perform

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.cli.exits import Exit
    from ctxcompact.config import Config
    from ctxcompact.stores.hits import Hit, Searched


@options.takes(*options.SEARCH)
def search(**flags: Any) -> None:
    """Find originals by a text in them, the newest first.

    Looked through are their texts, as `ctxcompact reload --text` prints them, not their JSON; of
    whole records what the model sees, then the rest. They are looked for in .offload/ of the root
    and of the folders above it. Exit 4 if nothing is found.
    """
    wanted = flags.pop("wanted")

    def work(config: Config, talk: Talk) -> Exit:
        return _search(wanted or "", config, talk)

    raise typer.Exit(perform("search", flags, work))


def _search(wanted: str, config: Config, talk: Talk) -> Exit:
    from ctxcompact import kept  # noqa: PLC0415 - `--help` needs none of these
    from ctxcompact.cli.exits import Exit  # noqa: PLC0415

    asked = config.options
    found = kept.search(
        wanted,
        root=asked.root,
        regex=asked.regex,
        ignore_case=asked.ignore_case,
        limit=asked.limit,
    )
    data = {
        "ctxcompact": 1,
        "command": "search",
        "hits": list(map(_as_row, found.hits)),
        "more": found.more,
        "damaged": [one._asdict() for one in found.damaged],
    }
    talk.result(lambda: data, _told(found))
    for note in _notes(found):
        talk.note(note)
    return Exit.DONE if found.hits or found.more else Exit.ID_NOT_FOUND


def _as_row(one: Hit) -> dict[str, Any]:
    head = one.head
    return {
        "id": head.id,
        "tool": head.tool,
        "format": head.format,
        "line": head.line,
        "path": list(head.path),
        "pack": one.pack,
        "matches": one.matches,
        "snippet": one.snippet,
    }


def _told(found: Searched) -> Iterator[str]:
    from ctxcompact.cli.words import counted, shown  # noqa: PLC0415 - for people only

    for one in found.hits:
        head = one.head
        about = [f"{shown(head.format)} line {head.line}", shown(head.tool)]
        about.append(counted(one.matches, "match", "matches"))
        yield f"{head.id}  {', '.join(filter(None, about))}"
        yield f"    {shown(one.snippet)}"
    more = "; there are more, see --limit" if found.more else ""
    yield f"{counted(len(found.hits), 'original')} found{more}"


def _notes(found: Searched) -> Iterator[str]:
    """Say of each pack how much of it could not be read."""
    from collections import Counter  # noqa: PLC0415 - damage is rare

    from ctxcompact.cli.words import counted, shown  # noqa: PLC0415

    for pack, rows in Counter(one.path for one in found.damaged).items():
        said = counted(rows, "damaged row")
        yield f"{said} of {shown(pack)} passed over; `ctxcompact store verify` names them"
