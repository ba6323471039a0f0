"""The library, as to what is kept under a root: found, listed, checked, and removed when nothing needs it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcompact.core import tags
from ctxcompact.core.lines import loads
from ctxcompact.core.payloads import text_of
from ctxcompact.core.splice import value_at
from ctxcompact.engine import matches
from ctxcompact.stores import collection
from ctxcompact.stores.folders import search_roots
from ctxcompact.stores.hits import search as look_through
from ctxcompact.stores.nesting import with_nested
from ctxcompact.stores.offloads import Entry, Offloads, Original
from ctxcompact.stores.receipts import read_log, runs_by_pack
from ctxcompact.stores.soundness import Finding, verify
from ctxcompact.wiring import looking_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.stores.collection import Collected
    from ctxcompact.stores.hits import Searched
    from ctxcompact.stores.receipts import Logged

_HERE = Path()
_DAY_S = 24 * 60 * 60


def reload(ids: Sequence[str], *, root: Path = _HERE, recursive: bool = False) -> list[Original]:
    """Return the originals that some ids stand for, as they were.

    Looked for under `root` and its parents. A folded stretch is followed by what had been taken out
    of its messages before. `recursive`: any mark in an original leads on. Raises `UsageError` for what is no id,
    `IdNotFound`, `OriginalDamaged`.
    """
    wanted = [tags.canonical(uuid) for uuid in ids]
    offloads = Offloads(root, search_roots(root))
    found = [offloads.find(uuid) for uuid in wanted]
    return list(with_nested(found, offloads, recursive=recursive))


def reload_text(original: Original) -> str:
    """Return the text of the block that an id stands for, or its records as they are."""
    if not original.path:
        return original.data.decode("utf-8", "replace")
    return text_of(value_at(loads(original.data), original.path))


def search(
    text: str,
    *,
    root: Path = _HERE,
    regex: bool = False,
    ignore_case: bool = False,
    limit: int | None = None,
) -> Searched:
    """Find the originals with a text in them, newest first, at most `limit`.

    Looked for under `root` and its parents, in the texts that `reload_text` returns, of whole
    records in those of their messages. With `regex` it is a regular expression, Python's. What is
    damaged is passed over and named. Raises `UsageError` for an empty text and for what is no
    regular expression, `StoreError` if a pack cannot be read.
    """
    pattern = matches.compile_text(text, regex=regex, ignore_case=ignore_case)
    return look_through(Offloads(root, search_roots(root)), looking_for(pattern), limit=limit)


def entries(root: Path = _HERE) -> Iterator[Entry]:
    """Yield what is kept under a root and the receipt of the run that did, without the originals' bytes."""
    named = runs_by_pack(root)
    for one in Offloads(root).ids():
        yield one._replace(run=named.get(Path(one.pack).name))


def runs(root: Path = _HERE) -> list[Logged]:
    """List the runs whose receipts are kept under a root, newest first."""
    return read_log(root)


def find(uuid: str, root: Path = _HERE) -> Original:
    """Return one original kept under a root."""
    return Offloads(root).find(tags.canonical(uuid))


def check(root: Path = _HERE) -> list[Finding]:
    """Read every byte that is kept under a root, and list what is wrong with it."""
    return verify(Offloads(root))


def collect(
    root: Path = _HERE,
    transcripts: Sequence[Path] = (),
    *,
    older_than_days: float | None = None,
    dry_run: bool = False,
) -> Collected:
    """Remove what no transcript needs any more: none of the given, no output that a receipt names.

    Raises `InputError` if one of them cannot be read, `StoreError` if a receipt is damaged.
    """
    before_s = None if older_than_days is None else time.time() - older_than_days * _DAY_S
    packs = Offloads(root).catalog.packs()
    return collection.collect(root, packs, transcripts, before_s=before_s, dry_run=dry_run)
