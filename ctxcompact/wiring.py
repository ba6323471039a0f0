"""What the library's functions share: opening, choosing, putting things in their places."""

from __future__ import annotations

import gc
import re
import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeAlias

from ctxcompact import counters, redaction
from ctxcompact import formats as known
from ctxcompact.core import tags
from ctxcompact.core.blocks import Gauge
from ctxcompact.engine.matches import find
from ctxcompact.engine.ports import Ports, as_it_is
from ctxcompact.errors import IdNotFound, RestoreError, StoreError
from ctxcompact.stores.faults import reported
from ctxcompact.stores.folders import TRANSCRIPTS, is_inside, search_roots
from ctxcompact.stores.interrupts import NOTHING_WRITTEN, noted
from ctxcompact.stores.offloads import Offloads
from ctxcompact.stores.receipt_file import ARCHIVED
from ctxcompact.stores.receipts import read_receipts
from ctxcompact.stores.restoration import fitting
from ctxcompact.stores.screening import Screening, own_root
from ctxcompact.stores.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ctxcompact.core.format import Format
    from ctxcompact.core.tasks import Summarizer
    from ctxcompact.engine.ports import Kept
    from ctxcompact.engine.ports import Staging as Taking
    from ctxcompact.stores.hits import Look
    from ctxcompact.stores.staging import DryStaging, Staging

Input: TypeAlias = Path | BinaryIO

AUTO = "auto"

_MARK_BYTES = re.compile(rb"context_offload|CONTEXT_OFFLOAD")
_ARCHIVE_BYTES = re.compile(
    re.escape(tags.FULL_SUMMARY_START).encode()
    + rb"\.transcripts/(transcript_[0-9a-f]{16})\.jsonl\]"
)


@contextmanager
def opened(source: Input) -> Iterator[Source]:
    """Open the input for the time of the run; a stream is spooled."""
    with noted(NOTHING_WRITTEN):
        file = Source.open(str(source)) if isinstance(source, Path) else Source.spool(source)
    with file:
        yield file


def roots_of(root: Path, source: Source) -> list[Path]:
    """List the places where originals of a transcript may be kept, nearest first."""
    transcript = None if source.name == "-" else Path(source.name)
    return search_roots(root, transcript)


@contextmanager
def wired(
    source: Source,
    root: Path,
    format_name: str,
    staging: Taking,
    counter: str,
    summarizer: Summarizer | None = None,
    mask: Callable[[str], str] = as_it_is,
) -> Iterator[Ports]:
    """Choose what the engine is wired to. Raises `UsageError` for a name that is none."""
    given = None if format_name == AUTO else known.named(format_name)
    roots = [root, *roots_of(root, source)]
    offloads = Offloads(root, roots)
    counters.choose(counter)

    def detect(sample: Sequence[Any]) -> Format:
        return given or _recorded_format(source, roots) or known.detect(sample).format

    with reported(StoreError, "hold changed records in", "the temp folder"):
        spare = tempfile.TemporaryFile()  # noqa: SIM115 - closed below
    with spare as scratch:
        yield Ports(
            detect=detect,
            counter=lambda model: counters.choose(counter, model),
            is_known=offloads.known,
            find=lambda name: _find(name, offloads, roots),
            staging=staging,
            scratch=scratch,
            spool=partial(_spooled, source.name),
            summarizer=summarizer,
            mask=mask,
        )


def screening(
    source: Source, root: Path, staging: Staging | DryStaging, *, is_asked: bool
) -> Screening | None:
    """Return what originals are to pass on their way to a store, None if nothing is to be held up.

    Raises `UsageError` if it is asked for and nothing knows what a credential looks like.
    """
    if not is_asked:
        return None
    redaction.require()
    if is_inside(root, own_root(source.name)):
        return None
    return Screening(staging, redaction.kinds_in)


@contextmanager
def _spooled(name: str, fill: Callable[[Callable[[bytes], object]], None]) -> Iterator[Source]:
    """Give as a source what a function hands to a sink."""
    with reported(StoreError, "hold the output in", "the temp folder"):
        spare = tempfile.TemporaryFile()  # noqa: SIM115 - the source closes it
        fill(spare.write)
        spare.flush()
    with Source(spare, name) as source:
        yield source


def _recorded_format(source: Source, roots: Sequence[Path]) -> Format | None:
    """Return the format of the run that wrote the beginning of a transcript, if one did.

    What a summary leaves may be plain messages, which several formats claim.
    """
    fits = fitting(source, read_receipts(roots))
    return known.named(fits[0].format) if fits else None


def _find(name: str, offloads: Offloads, roots: Sequence[Path]) -> Kept:
    """Return an original by its id, or an archive by its name."""
    if not ARCHIVED.fullmatch(name):
        return offloads.find(name)
    for root in roots:
        path = root / TRANSCRIPTS / f"{name}.jsonl"
        if path.is_file() and not path.is_symlink():
            with Source.open(str(path)) as archive:
                return Archived(archive.read(0, archive.size))
    message = f"no archive is called {name}"
    raise IdNotFound(message, hint="name the root of the run with --root")


class Archived(NamedTuple):
    """A whole transcript as it was."""

    data: bytes
    path: tuple[str | int, ...] = ()


@contextmanager
def without_collector() -> Iterator[None]:
    """Keep the collector off.

    Rows are many and hold no cycles, it would only walk them again and again.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def line_of_ours(source: Source, start: int, offloads: Offloads, roots: Sequence[Path]) -> int:
    """Return the number of the first line that ends after a byte and bears a mark of ours, 0 if none does."""
    stop = 0
    for number, raw in enumerate(source.lines() if start < source.size else (), 1):
        stop += len(raw)
        if stop > start and _is_ours(raw, offloads, roots):
            return number
    return 0


def _is_ours(raw: bytes, offloads: Offloads, roots: Sequence[Path]) -> bool:
    archives = [f"{name.decode()}.jsonl" for name in _ARCHIVE_BYTES.findall(raw)]
    if any((root / TRANSCRIPTS / name).is_file() for name in archives for root in roots):
        return True
    marked = tags.closing_in(raw.decode("utf-8", "replace")) if _MARK_BYTES.search(raw) else []
    return any(map(offloads.known, marked))


def refuse_unknown_marks(source: Source, offloads: Offloads, roots: Sequence[Path]) -> None:
    """Raise an error if marks stand in a transcript that no receipt leads back from.

    Raises `IdNotFound` if no store knows them, `RestoreError` if their originals are kept all the
    same, or if the archive is that a full summary names. What stands inside a text is quoted.
    """
    for number, raw in enumerate(source.lines(), 1):
        for name in _ARCHIVE_BYTES.findall(raw):
            _refuse_archived(
                source, number, [root / TRANSCRIPTS / f"{name.decode()}.jsonl" for root in roots]
            )
        if not _MARK_BYTES.search(raw):
            continue
        for uuid in tags.closing_in(raw.decode("utf-8", "replace")):
            where = f"line {number} carries the mark {uuid}"
            if offloads.known(uuid):
                message = f"{where}, but no receipt says how the transcript was before"
                hint = (
                    "`ctxcompact reload` gives its original; name the root of the run with --root"
                )
                raise RestoreError(message, hint=hint, path=source.name, line=number)
            message = f"{where}, which no store here knows"
            hint = "name the folder that holds .offload/ with --root"
            raise IdNotFound(message, hint=hint, path=source.name, line=number)


def _refuse_archived(source: Source, line: int, archives: Sequence[Path]) -> None:
    for path in archives:
        if path.is_file():
            message = f"line {line} is a full summary, but no sound receipt leads back from it"
            hint = f"{path} is the transcript as it was then"
            raise RestoreError(message, hint=hint, path=source.name, line=line)


def looking_for(pattern: re.Pattern[str]) -> Look:
    """Make what looks for a pattern in an original, by the format that it was taken from."""
    by_name = {form.name: form for form in known.FORMATS}
    gauge = Gauge(counters.choose("chars4"))  # the quickest, as nobody asks for sizes

    def look(name: str, path: tuple[str | int, ...], data: bytes) -> tuple[int, str] | None:
        return find(pattern, data, path, by_name.get(name), gauge)

    return look
