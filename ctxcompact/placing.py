"""Outputs in their places: a file, the input's own place, a stream."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from ctxcompact.core.counts import counted
from ctxcompact.engine import compaction
from ctxcompact.engine.writing import write
from ctxcompact.errors import OutputError, UsageError
from ctxcompact.stores.atomic import write_atomically
from ctxcompact.stores.compression import SUFFIX, compressing
from ctxcompact.stores.faults import reported
from ctxcompact.stores.folders import is_inside, seen_from
from ctxcompact.stores.interrupts import PART_SENT, noted
from ctxcompact.stores.transaction import Kept, Placed, Transaction, measure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.events import Report
    from ctxcompact.stores.source import Source
    from ctxcompact.stores.staging import DryStaging, Staging

Output: TypeAlias = Path | BinaryIO | None
"""Where to write; None means in the place of the input."""
Target: TypeAlias = Path | BinaryIO


@contextmanager
def target_of(source: Source, output: Output) -> Iterator[Target]:
    """Give where the output goes; what is no regular file (`/dev/null`, a pipe) is opened as a stream.

    Raises `UsageError` if a stream is to be replaced in place.
    """
    target = _target(source, output)
    if isinstance(target, Path) and target.exists() and not (target.is_file() or target.is_dir()):
        with reported(OutputError, "write", target), target.open("wb") as stream:
            yield stream
    else:
        yield target


def _target(source: Source, output: Output) -> Target:
    if output is not None:
        return output
    if source.name == "-":
        message = "standard input cannot be replaced in place"
        raise UsageError(message, hint="name a file, or write to standard output or with -o")
    return Path(source.name)


def is_same_file(target: Target, source: Source) -> bool:
    """Tell whether the output takes the place of the input."""
    if not isinstance(target, Path) or source.name == "-":
        return False
    return os.path.realpath(target) == os.path.realpath(source.name)


def is_to_be_compressed(target: Target, source: Source) -> bool:
    """Tell whether an output is to be compressed: another file by its name, any other as the input is."""
    if isinstance(target, Path) and not is_same_file(target, source):
        return target.suffix == SUFFIX
    return source.compressed is not None


def copy(source: Source, target: Target, *, replaced: Source | None = None) -> None:
    """Put the bytes of a source in the place of the output, as they are.

    `replaced` is the file whose mode the output keeps and which must still be what was read, where
    it is that file. Raises `OutputError`, and `InputChanged`.
    """
    compressed = is_to_be_compressed(target, replaced or source)
    if not isinstance(target, Path):
        with noted(PART_SENT):
            _copy(source, target, compressed=compressed)
            target.flush()
        return
    check = replaced.check_unchanged if replaced and is_same_file(target, replaced) else None
    with write_atomically(target, last_check=check) as file:
        _copy(source, file, compressed=compressed)


def _copy(source: Source, file: BinaryIO, *, compressed: bool) -> None:
    """Write a source as it is, or compressed: by the bytes from which it was unpacked, if it was."""
    if not compressed:
        source.copy_to(file.write, 0, source.size)
    elif source.compressed:
        source.copy_compressed_to(file.write)
    else:
        with compressing(file, "the output") as put:
            source.copy_to(put, 0, source.size)


def put_output(
    done: compaction.Run,
    source: Source,
    target: Target,
    root: Path,
    staging: Staging | DryStaging,
    *,
    dry_run: bool,
) -> Report:
    """Write the output of a run, unless it is a dry one or nothing changes where it stands."""
    name = str(target) if isinstance(target, Path) else "-"
    if dry_run:
        return compaction.report(done, measure(partial(write, done.draft)), name, dry_run=True)
    if not done.changed:
        if not is_same_file(target, source):
            copy(source, target)
        return compaction.report(done, done.facts, name)
    archived = done.archive is not None
    run = compaction.journal(done)._replace(input=_named(source, root))
    transaction = Transaction(
        source,
        done.facts.lines,
        staging,
        root,
        archived=archived,
        heirs=done.draft.heirs,
        run=run,
    )
    placed = _placed(done, source, target, transaction)
    receipt = os.path.relpath(placed.receipt, root)
    report = compaction.report(done, placed.content, name, receipt=receipt)
    if not placed.carried:
        return report
    note = f"{counted(placed.carried, 'line')} appended meanwhile carried over, and not counted"
    return replace(report, notes=(*report.notes, note))


def _named(source: Source, root: Path) -> str:
    """Return what a receipt calls the input: a name that holds wherever the root is moved to."""
    path = Path(source.name)
    is_near = source.name != "-" and is_inside(path, root)
    return seen_from(root, path) if is_near else path.name


def _placed(
    done: compaction.Run, source: Source, target: Target, transaction: Transaction
) -> Placed:
    """Put what changed in its place, with the mode and time of a file that is replaced."""
    output = partial(write, done.draft)
    form, mode = done.reading.format, done.settings.mode.value
    compressed = is_to_be_compressed(target, source)
    if not isinstance(target, Path):
        return transaction.to_stream(
            target, output, format=form.name, mode=mode, compressed=compressed
        )
    in_place = is_same_file(target, source)
    kept = Kept(
        source.mode if in_place else None,
        source.mtime_ns if in_place and form.session else None,
        compressed,
    )
    return transaction.to_file(target, output, kept, format=form.name, mode=mode)
