"""Byte copies of whole transcripts, each named by its content."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from ctxcompact.errors import StoreError
from ctxcompact.stores.faults import reported
from ctxcompact.stores.folders import TRANSCRIPTS, make_temp, tidy
from ctxcompact.stores.packs import open_inside
from ctxcompact.stores.source import WINDOW_BYTES
from ctxcompact.stores.temps import flush_folder

if TYPE_CHECKING:
    from pathlib import Path

    from ctxcompact.stores.source import Source


def archive_path(root: Path, source: Source) -> Path:
    """Return where the copy of a source stands, or will."""
    return root / TRANSCRIPTS / f"transcript_{source.sha256[:16]}.jsonl"


def archive(root: Path, source: Source) -> Path:
    """Make the copy durable and return its path; a sound one that is there stays as it is.

    On an exception nothing stays. Raises `StoreError`, and `InputChanged` if the source does not
    give the bytes it gave before.
    """
    path = archive_path(root, source)
    if hash_file(path) == source.sha256:
        return path
    with reported(StoreError, "keep a copy in", path.parent):
        is_new = not os.path.lexists(path)
        try:
            with make_temp(path.parent) as temp:
                source.copy_to(temp.file.write, 0, source.size)
                source.check_unchanged()
                temp.place(path)
            flush_folder(path.parent)
        except BaseException:
            if is_new:
                path.unlink(missing_ok=True)
            tidy(path.parent)
            raise
    return path


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
