"""The library: settings and files in, reports out. Here everything is wired together."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact import formats as known
from ctxcompact.engine import compaction, statistics
from ctxcompact.engine.checking import over_budget
from ctxcompact.engine.comparison import Change, compare
from ctxcompact.engine.ports import as_it_is
from ctxcompact.engine.reading import Reading, read
from ctxcompact.engine.whole import refuse_rewrite
from ctxcompact.placing import Output, copy, is_same_file, put_output, target_of
from ctxcompact.redaction import mask
from ctxcompact.stores.archive import find_compressed
from ctxcompact.stores.interrupts import telling_of
from ctxcompact.stores.offloads import NoOffloads, Offloads
from ctxcompact.stores.receipts import read_receipts
from ctxcompact.stores.receipts import restore as undo
from ctxcompact.stores.source import Source
from ctxcompact.summarizers.choosing import Wanted, choose
from ctxcompact.wiring import (
    AUTO,
    Input,
    line_of_ours,
    opened,
    refuse_unknown_marks,
    roots_of,
    screening,
    wired,
    without_collector,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.events import FileFacts, Report
    from ctxcompact.core.format import Format
    from ctxcompact.core.measure import Counter
    from ctxcompact.core.model import Problem
    from ctxcompact.core.settings import Settings
    from ctxcompact.engine.ports import Ports
    from ctxcompact.engine.statistics import Statistics

_HERE = Path()
_DEFAULT = Wanted()
_DAY_S = 24 * 60 * 60


class Restored(NamedTuple):
    """What a restore did: how many runs were undone, and what stands now.

    No run: there were no marks of ours. `renamed` lines that were appended since hung on a line of
    ours, and hang on what that hung on. `marked_line` is the first of those that bears a mark of
    ours all the same, 0 if none does: a client that writes messages down again goes on with those.
    """

    runs: int
    path: str
    bytes: int
    renamed: int
    marked_line: int


class Checked(NamedTuple):
    """What a check found; no findings, no faults."""

    facts: FileFacts
    format: str
    counter: Counter
    findings: tuple[Problem, ...]


class Compared(NamedTuple):
    """Two states of a transcript, and what changed between them."""

    before: FileFacts
    after: FileFacts
    format: str
    counter: Counter
    changes: tuple[Change, ...]


def compact(  # noqa: PLR0913 - all but three have to be named, and have a default
    source: Input,
    output: Output,
    settings: Settings,
    *,
    format_name: str = AUTO,
    root: Path = _HERE,
    dry_run: bool = False,
    summaries: Wanted = _DEFAULT,
    follow_appends: bool = False,
) -> Report:
    """Make a transcript smaller, and keep everything taken out under `root`.

    `summaries` says who writes them: without a model by default. A dry run never calls a model.
    With `settings.redact` credentials are masked in what is written anew (previews, summaries) and
    in what a model is shown; the stored originals stay complete.
    With `settings.no_store_secrets` nothing with a credential in it is kept under a root that is not
    the transcript's own: the working directory where it lies in there, else its folder.
    With `follow_appends` whole lines that are appended meanwhile are carried over.
    Raises `InputError`, `UnknownFormat`, `InputChanged`, `OutputError`, and `StoreError` (of a
    credential `CredentialFound`); the input is then as it was, and nothing of this run is left behind.
    """
    with (
        opened(source) as file,
        target_of(file, output) as target,
        telling_of(target),
        without_collector(),
    ):
        file.follows = follow_appends
        staging = (NoOffloads if dry_run else Offloads)(root).stage()
        summarizer = choose(summaries.without_model() if dry_run else summaries)
        try:
            hide = mask if settings.redact else as_it_is
            screen = screening(file, root, staging, is_asked=settings.no_store_secrets)
            with wired(
                file, root, format_name, screen or staging, settings.counter, summarizer, hide
            ) as ports:
                done = compaction.run(file, settings, ports, in_place=is_same_file(target, file))
                if screen and done.changed:
                    whole = done.archive is not None or file.compressed is not None
                    screen.refuse(file, root, whole=whole)
                return put_output(done, file, target, root, staging, dry_run=dry_run)
        finally:
            staging.discard()


def restore(
    source: Input, output: Output, *, root: Path = _HERE, receipt: str | None = None
) -> Restored:
    """Bring a transcript back as it was before all compactions.

    Lines appended since stay, after it; one that hangs on a line of ours is hung on what that hung
    on. Raises `RestoreError` if it was edited in its compacted
    part, `IdNotFound` if it carries marks that no store knows, `OriginalDamaged` if an original
    fails its hash.
    """
    with (
        opened(source) as file,
        target_of(file, output) as target,
        telling_of(target),
        tempfile.TemporaryFile() as spool,
    ):
        roots = roots_of(root, file)
        offloads = Offloads(root, roots)
        marked_line = 0
        undone = undo(file, read_receipts(roots), offloads, spool.write, receipt=receipt)
        if not undone.receipts:
            refuse_unknown_marks(file, offloads, roots)
        spool.flush()
        if undone.receipts or not is_same_file(target, file):
            content = Source(spool, file.name) if undone.receipts else file
            marked_line = line_of_ours(content, undone.former_bytes, offloads, roots)
            with find_compressed(roots, content) or content as former:
                copy(former, target, replaced=file)
        name = str(target) if isinstance(target, Path) else "-"
        return Restored(len(undone.receipts), name, undone.bytes, undone.renamed, marked_line)


def stats(
    source: Input,
    settings: Settings,
    *,
    format_name: str = AUTO,
    root: Path = _HERE,
    top: int = 10,
    plan: bool = False,
) -> Statistics:
    """Say where the tokens of a transcript go.

    With `plan` also what the levels that write no summary would save, each by itself.
    """
    with _read(source, settings, format_name, root) as (reading, ports):
        found = statistics.statistics(reading, compaction.facts_of(reading), top=top)
        if not plan or found.only_counted:
            return found
        return replace(found, plan=statistics.savings(reading, settings, ports))


def check(
    source: Input,
    settings: Settings,
    *,
    format_name: str = AUTO,
    root: Path = _HERE,
    max_tokens: int | None = None,
    max_messages: int | None = None,
) -> Checked:
    """Say whether a transcript is valid and within a budget, for each conversation in it."""
    with _read(source, settings, format_name, root) as (reading, _):
        over = over_budget(reading, max_tokens, max_messages)
        findings = (*reading.problems(), *over)
        facts = compaction.facts_of(reading)
        return Checked(facts, reading.format.name, reading.gauge.counter, findings)


def diff(
    before: Input | None,
    after: Path,
    settings: Settings,
    *,
    format_name: str = AUTO,
    root: Path = _HERE,
) -> Compared:
    """Say what changed between two states of a transcript, message by message.

    Without `before` it is what `restore` makes of `after`. Both are read in the format of the
    first. Raises as `restore` and `stats` do, and `ReadOnlyFormat`.
    """
    with ExitStack() as stack:
        if before is None:
            before = stack.enter_context(tempfile.TemporaryFile())
            restore(after, before, root=root)
            before.seek(0)
        old, _ = stack.enter_context(_read(before, settings, format_name, root))
        refuse_rewrite(old)
        new, _ = stack.enter_context(_read(after, settings, old.format.name, root))
        refuse_rewrite(new)
        return Compared(
            compaction.facts_of(old),
            compaction.facts_of(new),
            new.format.name,
            new.gauge.counter,
            tuple(compare(old, new)),
        )


def formats() -> tuple[Format, ...]:
    """List the formats: those that are read and written, then those that are only counted."""
    return (*known.FORMATS, *known.COUNTED)


@contextmanager
def _read(
    source: Input, settings: Settings, format_name: str, root: Path
) -> Iterator[tuple[Reading, Ports]]:
    """Read a transcript that is only looked at."""
    with (
        opened(source) as file,
        without_collector(),
        wired(file, root, format_name, NoOffloads(root).stage(), settings.counter) as ports,
    ):
        yield read(file, settings, ports), ports
