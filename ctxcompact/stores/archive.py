"""Byte copies of whole transcripts, each named by its content.

A compressed transcript is kept as it came too, for what is inside can be compressed in many ways:
such a copy is named by what is inside, and by itself.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from ctxcompact.errors import CtxCompactError, StoreError
from ctxcompact.stores.faults import reported
from ctxcompact.stores.folders import TRANSCRIPTS, make_temp, tidy
from ctxcompact.stores.packs import open_inside
from ctxcompact.stores.source import WINDOW_BYTES, Source
from ctxcompact.stores.temps import flush_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

_NAMED_BY = 16


def archive_path(root: Path, source: Source) -> Path:
    """Return where the copy of a source stands, or will."""
    return root / TRANSCRIPTS / f"transcript_{source.sha256[:_NAMED_BY]}.jsonl"


def archive(root: Path, source: Source) -> Path:
    """Make the copy durable and return its path; a sound one that is there stays as it is.

    On an exception nothing stays. Raises `StoreError`, and `InputChanged` if the source does not
    give the bytes it gave before.
    """
    path = archive_path(root, source)
    if hash_file(path) != source.sha256:
        _keep(path, source, lambda write: source.copy_to(write, 0, source.size))
    return path


def compressed_path(root: Path, source: Source) -> Path:
    """Return where the copy of the compressed file stands, or will, from which a source was unpacked."""
    digest = hashlib.sha256()
    source.copy_compressed_to(digest.update)
    names = f"{source.sha256[:_NAMED_BY]}_{digest.hexdigest()[:_NAMED_BY]}"
    return root / TRANSCRIPTS / f"compressed_{names}.jsonl.zst"


def archive_compressed(root: Path, source: Source) -> Path:
    """Make a copy of the compressed file durable, as `archive` does for what is inside."""
    path = compressed_path(root, source)
    if not hash_file(path).startswith(path.name.split("_")[-1][:_NAMED_BY]):
        _keep(path, source, source.copy_compressed_to)
    return path


def list_compressed(root: Path, sha256: str = "") -> list[Path]:
    """List the compressed files that are kept, all of them or those that hold what has this hash."""
    pattern = f"compressed_{sha256[:_NAMED_BY] or '*'}_*.jsonl.zst"
    paths = sorted((root / TRANSCRIPTS).glob(pattern))
    return [path for path in paths if not path.is_symlink()]


def find_compressed(roots: Iterable[Path], source: Source) -> Source | None:
    """Return the compressed file that is kept for what a source holds, None if none is.

    Of several, the one kept last. It is for the caller to close.
    """
    paths = [path for root in roots for path in list_compressed(root, source.sha256)]
    for path in sorted(paths, key=lambda path: path.lstat().st_mtime_ns, reverse=True):
        with suppress(CtxCompactError):
            kept = Source.open(str(path))
            if kept.sha256 == source.sha256:
                return kept
            kept.close()
    return None


def _keep(path: Path, source: Source, fill: Callable[[Callable[[bytes], object]], None]) -> None:
    with reported(StoreError, "keep a copy in", path.parent):
        is_new = not os.path.lexists(path)
        try:
            with make_temp(path.parent) as temp:
                fill(temp.file.write)
                source.check_unchanged()
                temp.place(path)
            flush_folder(path.parent)
        except BaseException:
            if is_new:
                path.unlink(missing_ok=True)
            tidy(path.parent)
            raise


def unarchive(path: Path) -> None:
    """Remove a copy that this run made, because a later step failed."""
    with reported(StoreError, "remove", path):
        path.unlink(missing_ok=True)
        tidy(path.parent)


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file in a store in hex, or "" if there is none to read."""
    try:
        with open_inside(path) as file:
            digest = hashlib.sha256()
            while window := file.read(WINDOW_BYTES):
                digest.update(window)
            return digest.hexdigest()
    except OSError:
        return ""
