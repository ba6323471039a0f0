"""`ctxcompact restore`: the transcript as it was before all compactions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ctxcompact.cli import options, streams
from ctxcompact.cli.talk import Talk, perform

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.api import Restored
    from ctxcompact.cli.exits import Exit
    from ctxcompact.config import Config


@options.takes(*options.RESTORE)
def restore(**flags: Any) -> None:
    """Bring a transcript back as it was, byte for byte.

    All compactions are undone. Lines appended since then stay, after the restored ones; one that
    hangs on a record of ours is hung on what that hung on. A transcript that was edited in its
    compacted part is refused. Without compactions of ours the output equals the input.
    """
    name = flags.pop("source")

    def work(config: Config, talk: Talk) -> Exit:
        return _restore(name, config, talk)

    raise typer.Exit(perform("restore", flags, work, transcript=True))


def _restore(name: str | None, config: Config, talk: Talk) -> Exit:
    from ctxcompact import api  # noqa: PLC0415 - `--help` needs none of these
    from ctxcompact.cli import places  # noqa: PLC0415
    from ctxcompact.cli.exits import Exit  # noqa: PLC0415

    given = streams.incoming(places.path_of(name))
    output = places.destination(given, config.options)
    done = api.restore(given, output, root=config.options.root, receipt=config.options.receipt)
    talk.result(lambda: _as_json(done), _told(done))
    return Exit.DONE


def _as_json(done: Restored) -> dict[str, Any]:
    return {
        "ctxcompact": 1,
        "command": "restore",
        "status": "ok" if done.runs else "unchanged",
        "runs": done.runs,
        "renamed": done.renamed,
        "output": {"path": done.path, "bytes": done.bytes},
        "notes": list(_notes(done)),
    }


def _told(done: Restored) -> Iterator[str]:
    from ctxcompact.cli.words import counted, place  # noqa: PLC0415 - scripts need no words

    if done.runs:
        yield f"{place(done.path, writing=True)}: {counted(done.runs, 'compaction')} undone"
    else:
        yield "nothing to undo, no compaction of ours is in it"
        yield f"{place(done.path, writing=True)}: the same bytes"
    if done.renamed:
        yield f"{counted(done.renamed, 'appended line')} hung on what our record hung on"
    yield f"{counted(done.bytes, 'byte')}"
    yield from _notes(done)


def _notes(done: Restored) -> Iterator[str]:
    if done.marked_line:
        yield (
            f"line {done.marked_line}, appended since, bears a mark of ours: a client that wrote its "
            "messages down again there goes on with those, as they were compacted; without the lines "
            "from there on it goes on with what was restored"
        )
