"""Whether what is kept is what was written: every byte is read.

What belongs to no store, an index (it is a cache) and originals nothing refers to are no findings.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.errors import OriginalDamaged, StoreError
from ctxcompact.stores.archive import hash_file
from ctxcompact.stores.faults import explain
from ctxcompact.stores.folders import TRANSCRIPTS
from ctxcompact.stores.packs import SPAN, decode_row, scan, to_key
from ctxcompact.stores.receipt_file import ARCHIVED, Receipt
from ctxcompact.stores.receipts import list_receipts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ctxcompact.stores.offloads import Offloads
    from ctxcompact.stores.packs import Row

DAMAGED = "damaged_original"

_ARCHIVE = re.compile(
    r"transcript_([0-9a-f]{16})\.jsonl|compressed_[0-9a-f]{16}_([0-9a-f]{16})\.jsonl\.zst"
)
_HEX_SHOWN = 16


class Finding(NamedTuple):
    """Something that is wrong in a file of a store; `line` is a row of it, from 1."""

    code: str
    path: str
    line: int | None
    message: str


def verify(offloads: Offloads) -> list[Finding]:
    """List what is wrong with the packs, receipts and archives of a root."""
    root = offloads.root
    return [*offloads.verify(), *check_receipts(root, offloads), *check_archives(root)]


def check_pack(pack: Path, offloads: Offloads) -> list[Finding]:
    """Check each row of a pack, and that none is missing."""
    found: list[Finding] = []
    heads = hashlib.sha256()
    try:
        for line, (_, written) in enumerate(scan(pack), 1):
            row = decode_row(written)
            heads.update(row.written)
            if problem := _problem(row, offloads):
                found.append(Finding(DAMAGED, str(pack), line, problem))
    except OSError as error:
        return [Finding("unreadable_pack", str(pack), None, explain(error)[0])]
    if not found and pack.name != f"pack-{heads.hexdigest()[:_HEX_SHOWN]}.jsonl":
        message = "rows are missing, or are not those it was written with"
        found.append(Finding("incomplete_pack", str(pack), None, message))
    return found


def _problem(row: Row, offloads: Offloads) -> str:
    if row.head is None:
        return "the row is torn or damaged; its original is lost"
    if row.data is None:
        places = offloads.catalog.places(to_key(row.head.id))
        sound = offloads.locate(row.head.id, places) is not None
    else:
        sound = hashlib.sha256(row.data).hexdigest() == row.head.sha256
    if not sound:
        return f"the original of {row.head.id} fails its hash"
    return _missing_part(row.head.id, offloads) if row.head.format == SPAN else ""


def _missing_part(span: str, offloads: Offloads) -> str:
    """Say which record of a stretch is no longer there."""
    try:
        offloads.find(span)
    except OriginalDamaged as error:
        return error.message
    return ""


def check_receipts(root: Path, offloads: Offloads) -> Iterator[Finding]:
    """Check that each receipt is whole and that each of its ids is kept."""
    for path in list_receipts(root):
        try:
            body = Receipt.open(path).read()
        except StoreError:
            yield Finding("damaged_receipt", str(path), None, "the receipt is damaged")
            continue
        for line, hunk in enumerate(body.hunks, 2):
            for id_ in filter(None, hunk.ids):
                if ARCHIVED.fullmatch(id_):
                    known = (root / TRANSCRIPTS / f"{id_}.jsonl").is_file()
                else:
                    known = offloads.known(id_)
                if not known:
                    message = f"no original is kept under {id_}"
                    yield Finding("dangling_id", str(path), line, message)


def check_archives(root: Path) -> Iterator[Finding]:
    """Check that each archive holds the bytes it is named by."""
    folder = root / TRANSCRIPTS
    for path in sorted(folder.glob("*.jsonl*")):
        name = _ARCHIVE.fullmatch(path.name)
        wanted = name and (name[1] or name[2])
        if wanted and not path.is_symlink() and hash_file(path)[:_HEX_SHOWN] != wanted:
            yield Finding("damaged_archive", str(path), None, "the copy is damaged")
