"""`ctxcompact store gc`: what no transcript needs any more is removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ctxcompact.cli import options
from ctxcompact.cli.talk import Talk, perform

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ctxcompact.cli.exits import Exit
    from ctxcompact.cli.tables import Table
    from ctxcompact.config import Config
    from ctxcompact.stores.collection import Collected, Kept

_STORES = (".offload", ".transcripts")


@options.takes(*options.GC)
def gc(**flags: Any) -> None:
    """Remove originals, receipts and archives that no transcript needs.

    Asked are the transcripts given and all outputs that are still where they were written. Name
    those that were moved or copied. What was written to standard output is kept, as nobody knows
    where it is, unless --older-than says otherwise.
    """
    names = flags.pop("sources") or []

    def work(config: Config, talk: Talk) -> Exit:
        return _gc(names, config, talk)

    raise typer.Exit(perform("store gc", flags, work))


def _gc(names: Sequence[str], config: Config, talk: Talk) -> Exit:
    from ctxcompact import kept  # noqa: PLC0415 - `--help` needs none of these
    from ctxcompact.cli.exits import Exit  # noqa: PLC0415

    asked = config.options
    transcripts = [path for name in names for path in _files(name)]
    done = kept.collect(
        asked.root, transcripts, older_than_days=asked.older_than, dry_run=asked.dry_run
    )
    data = {
        "ctxcompact": 1,
        "command": "store gc",
        "status": "ok" if done.gone else "unchanged",
        "dry_run": asked.dry_run,
        "transcripts": list(map(str, done.transcripts)),
        "removed": list(map(_as_row, done.gone)),
        "kept": list(map(_as_row, done.kept)),
    }
    talk.result(lambda: data, _told(done, dry_run=asked.dry_run))
    return Exit.DONE


def _files(name: str) -> Iterator[Path]:
    """Yield a transcript, or those in a folder, without the stores in it."""
    from ctxcompact.cli.places import path_of  # noqa: PLC0415 - as above

    path = path_of(name)
    assert path is not None  # noqa: S101 - a name that was given
    if not path.is_dir():
        yield path
        return
    for pattern in ("*.jsonl", "*.jsonl.*"):
        for one in sorted(path.rglob(pattern)):
            if one.is_file() and not set(one.relative_to(path).parts) & set(_STORES):
                yield one


def _as_row(one: Kept) -> dict[str, Any]:
    return one._asdict() | {"path": str(one.path)}


def _told(done: Collected, *, dry_run: bool) -> Iterator[str | Table]:
    from ctxcompact.cli.tables import Table  # noqa: PLC0415 - scripts need no words
    from ctxcompact.cli.words import counted, number, shown  # noqa: PLC0415

    if done.gone:
        cells = [
            (shown(one.path), one.kind, number(one.bytes), number(one.originals))
            for one in done.gone
        ]
        yield Table(("file", "kind", "bytes", "originals"), cells, frozenset({2, 3}))
        yield ""
    size = sum(one.bytes for one in done.gone)
    verb = "would go" if dry_run else "removed"
    yield f"{counted(len(done.gone), 'file')} with {counted(size, 'byte')} {verb}, {number(len(done.kept))} kept"
    yield f"{counted(len(done.transcripts), 'transcript')} asked"
