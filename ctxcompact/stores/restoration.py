"""The way back: a transcript as it was before all compactions.

A receipt fits when its output is a prefix of the transcript, by length and hash; what was appended
since stays, after the restored part; what it names that is gone then, it names by its heir.
Receipts are undone one after the other until none fits.
Everything is checked against the hashes in the receipts before the first byte is handed out.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from array import array
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol
from zlib import crc32

from ctxcompact.core.counts import counted
from ctxcompact.errors import RestoreError, StoreError
from ctxcompact.stores.faults import explain, reported
from ctxcompact.stores.heirs import copy_appended
from ctxcompact.stores.packs import open_inside
from ctxcompact.stores.receipt_file import ARCHIVED, called
from ctxcompact.stores.source import WINDOW_BYTES, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from ctxcompact.stores.offloads import Original
    from ctxcompact.stores.receipt_file import Receipt


class Finds(Protocol):
    """Where originals come from."""

    def find(self, id: str) -> Original:  # noqa: A002 - the word of the whole room
        """Return an original; raises `IdNotFound` or `OriginalDamaged`."""


class Restored(NamedTuple):
    """What was undone, newest first, lines that name an heir now, and where what was appended begins."""

    receipts: tuple[str, ...]
    bytes: int
    renamed: int
    former_bytes: int


def restore(
    source: Source,
    receipts: Sequence[Receipt],
    offloads: Finds,
    write: Callable[[bytes], object],
    *,
    receipt: str | None = None,
) -> Restored:
    """Hand the bytes of the restored transcript to `write`; with nothing to undo, the source's.

    With `receipt`, the name of one, only that one is undone.

    Raises `UsageError` and `IdNotFound` for a name that is none or that no receipt has;
    `RestoreError` if the transcript was edited in its compacted part (`line` is the first that
    differs), if several receipts fit that lead to different inputs, if one of the chain is missing,
    or if the one named does not fit; `StoreError`, `IdNotFound` or `OriginalDamaged` if something
    that is needed is damaged or gone.
    """
    left = list(receipts) if receipt is None else called(receipt, receipts)
    undone, renamed, current, former_bytes = list[str](), set[int](), source, source.size
    try:
        while chosen := _choose(current, left):
            left = [one for one in left if one.name != chosen.name]
            _refuse_edited(current, left, undone, beyond=chosen.output.lines)
            former, current = current, _undo(current, chosen, offloads, renamed)
            if former is not source:
                former.close()
            undone.append(chosen.name)
            former_bytes = chosen.input.bytes
            if receipt is None:
                _refuse_gap(chosen, receipts, source)
        if receipt is not None and not undone:
            raise _misfit(source, left[0].name)
        _refuse_edited(current, left if receipt is None else [], undone)
        current.copy_to(write, 0, current.size)
        return Restored(tuple(undone), current.size, len(renamed), former_bytes)
    finally:
        if current is not source:
            current.close()


def fitting(source: Source, receipts: Iterable[Receipt]) -> list[Receipt]:
    """List the receipts whose output the source begins with; only those with the longest output.

    The first of them is the `previous` of a new receipt.
    """
    candidates = [one for one in receipts if 0 < one.output.bytes <= source.size]
    digest = hashlib.sha256()
    at, hashes = 0, dict[int, str]()
    for length in sorted({one.output.bytes for one in candidates}):
        source.copy_to(digest.update, at, length)
        at = length
        hashes[length] = digest.copy().hexdigest()
    fits = [one for one in candidates if hashes[one.output.bytes] == one.output.sha256]
    longest = max((one.output.bytes for one in fits), default=0)
    return [one for one in fits if one.output.bytes == longest]


def _choose(source: Source, receipts: Sequence[Receipt]) -> Receipt | None:
    """Pick the receipt to undo: of this very path before others, then the newest file."""
    fits = fitting(source, receipts)
    ours = [one for one in fits if _is_about(one, source)] or fits
    if len({one.input.sha256 for one in ours}) > 1:
        names = ", ".join(sorted(one.name for one in ours))
        message = f"{source.name} was made from several transcripts: {names}"
        hint = "choose one of them with --receipt NAME"
        raise RestoreError(message, hint=hint, path=source.name)
    return max(ours, key=lambda one: one.path.stat().st_mtime_ns) if ours else None


def _is_about(receipt: Receipt, source: Source) -> bool:
    """Tell whether the source stands where the receipt's output was written; a stream does not."""
    if source.name == "-":
        return False
    root = receipt.path.parent.parent
    here = os.path.realpath(source.name)
    return any(os.path.realpath(root / path) == here for path in receipt.paths)


def _undo(source: Source, receipt: Receipt, offloads: Finds, renamed: set[int]) -> Source:
    """Return the source as it was before the receipt's run, in a temp file without a name."""
    with ExitStack() as stack, reported(RestoreError, "restore", source.name):
        restored = stack.enter_context(tempfile.TemporaryFile(buffering=WINDOW_BYTES))
        if _put_input(source, receipt, offloads, restored) != receipt.input.sha256:
            message = f"{receipt.name} and the originals do not give back its input"
            hint = "`ctxcompact store verify` names what is damaged; nothing was written"
            raise RestoreError(message, hint=hint, path=str(receipt.path))
        if _ends_line_anew(source, receipt, restored):
            restored.write(b"\n")
        renamed |= copy_appended(source, receipt, restored.write)
        restored.flush()
        stack.pop_all()  # from here on the source returned owns the file
    return Source(restored, source.name)


def _ends_line_anew(source: Source, receipt: Receipt, restored: IO[bytes]) -> bool:
    """Tell whether what was appended would be glued to a last line that had no newline before."""
    end = receipt.output.bytes
    if source.size == end or not restored.tell() or source.read(end - 1, 1) != b"\n":
        return False
    restored.seek(-1, os.SEEK_END)
    return restored.read(1) != b"\n"


def _put_input(source: Source, receipt: Receipt, offloads: Finds, file: IO[bytes]) -> str:
    """Write the input of the receipt's run to a file and return its hash."""
    digest = hashlib.sha256()

    def put(data: bytes) -> None:
        digest.update(data)
        file.write(data)

    at = 0
    for start, stop, ids in receipt.read().hunks:
        source.copy_to(put, at, start)
        for number, id_ in enumerate(ids):
            if number:
                put(b"\n")
            if ARCHIVED.fullmatch(id_):
                _copy_archive(receipt.path.parent / f"{id_}.jsonl", put)
            elif id_:
                put(offloads.find(id_).data)
        at = stop
    source.copy_to(put, at, receipt.output.bytes)
    return digest.hexdigest()


def _copy_archive(path: Path, put: Callable[[bytes], object]) -> None:
    """Hand over an archive; whether it is sound shows in the hash of the whole."""
    try:
        with open_inside(path) as file:
            while window := file.read(WINDOW_BYTES):
                put(window)
    except OSError as error:
        message = f"the archive {path} cannot be read: {explain(error)[0]}"
        hint = "a backup may hold a copy; nothing was written"
        raise RestoreError(message, hint=hint, path=str(path)) from error


def _refuse_edited(
    source: Source, receipts: Iterable[Receipt], undone: Sequence[str], *, beyond: int = -1
) -> None:
    """Raise `RestoreError` if the source was made by one of these runs, and edited since.

    They do not fit, but lines that one of them changed are there, the first of them after all that
    came before it or at least half of them (others may be quotes, or another run's), and more than
    `beyond` lines from the start are as it wrote them.
    """
    receipts = [one for one in receipts if one.output.lines > beyond]
    nearest = _find_nearest(source, receipts) if receipts else None
    if nearest is None or nearest[0] <= beyond:
        return
    line = nearest[0] + 1
    message = f"{source.name} was edited in its compacted part: line {line} is not as written"
    hint = f"undo the edit; {nearest[1].name} says how the lines were"
    if undone:
        message += f" (with {counted(len(undone), 'compaction')} undone)"
        hint += f"; or stop earlier: --receipt {undone[0]}"
    raise RestoreError(message, hint=hint, path=source.name, line=line)


def _refuse_gap(receipt: Receipt, receipts: Iterable[Receipt], source: Source) -> None:
    """Raise `RestoreError` if the compaction before that of a receipt cannot be undone any more."""
    if receipt.previous is not None and all(one.name != receipt.previous for one in receipts):
        message = f"{receipt.previous}, which undoes the compaction before, is missing or damaged"
        hint = f"a backup may hold it; or undo the newest compaction only: --receipt {receipt.name}"
        raise RestoreError(message, hint=hint, path=source.name)


def _find_nearest(source: Source, receipts: Iterable[Receipt]) -> tuple[int, Receipt] | None:
    """Find the run whose changed lines are there, and that shares most lines from the start."""
    crcs = array("I", (crc32(line) for line in source.lines()))
    present = set(crcs)
    nearest: tuple[int, Receipt] | None = None
    for receipt in receipts:
        try:
            body = receipt.read()
        except StoreError:
            continue
        shared = _shared(crcs, body.crcs)
        found = sum(body.crcs[number - 1] in present for number in body.changed)
        is_made_by_it = found and (shared >= body.changed[0] or 2 * found >= len(body.changed))
        if is_made_by_it and (nearest is None or shared > nearest[0]):
            nearest = shared, receipt
    return nearest


def _shared(crcs: array[int], written: array[int]) -> int:
    """Count the lines that are the same from the start."""
    for number, (now, then) in enumerate(zip(crcs, written, strict=False)):
        if now != then:
            return number
    return min(len(crcs), len(written))


def _misfit(source: Source, name: str) -> RestoreError:
    message = f"{name} does not fit {source.name}: it begins with other bytes than that run wrote"
    hint = "leave --receipt out to have all receipts tried"
    return RestoreError(message, hint=hint, path=source.name)
