"""A run in small: what the engine does with the stores, and originals to do it with."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import uuid
from typing import TYPE_CHECKING, Any

from ctxcompact.stores.atomic import write_atomically
from ctxcompact.stores.lock import locked
from ctxcompact.stores.offloads import Offloads
from ctxcompact.stores.packs import SPAN
from ctxcompact.stores.receipts import Content, ReceiptWriter, Tally, read_receipts, restore
from ctxcompact.stores.restoration import fitting
from ctxcompact.stores.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest import MonkeyPatch  # noqa: PT013 - only its type

    from ctxcompact.engine.ports import Staging as Taking
    from ctxcompact.stores.receipts import Restored
    from ctxcompact.stores.staging import DryStaging, Pack, Staging

LONG = 60
TAG = re.compile(rb'<context_offload uuid=\\"([0-9a-f-]{36})\\"/>')
SYSTEM_CALLS = ("open", "write", "fsync", "replace", "mkdir", "chmod", "fchmod", "ftruncate")


def id_of(data: bytes) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, data.hex()))


def add(staging: Taking, data: bytes, *, id_: str = "", line: int = 1, form: str = "test") -> str:
    """Stage one original and return its id."""
    id_ = id_ or id_of(data)
    sha256 = hashlib.sha256(data).hexdigest()
    staging.add(
        id_, data, sha256, path=("message", "content", 0), tool="Bash", format=form, line=line
    )
    return id_


def commit(root: Path, staging: Staging | DryStaging) -> Pack | None:
    """Commit what is staged, under the lock."""
    with locked(root):
        return staging.commit()


def record(number: int, words: int = 0) -> bytes:
    """Make a line of a transcript."""
    return b'{"n":%d,"text":"%s"}\n' % (number, b"word " * words)


def append(path: Path, data: bytes) -> None:
    """Add bytes to a file."""
    with path.open("ab") as file:
        file.write(data)


def keep(root: Path, *originals: bytes) -> list[str]:
    """Keep some originals in one pack, and return their ids."""
    staging = Offloads(root).stage()
    ids = [add(staging, data) for data in originals]
    commit(root, staging)
    return ids


def keep_span(root: Path, id_: str, parts: bytes) -> str:
    """Keep a stretch of records, and return its id."""
    staging = Offloads(root).stage()
    add(staging, parts, id_=id_, form=SPAN)
    commit(root, staging)
    return id_


def shorten(line: bytes) -> bytes:
    """Return the line that stands for a long one."""
    tag = f'<context_offload uuid=\\"{id_of(line)}\\"/>'
    return b'{"content":"%s"}' % tag.encode()


def compact(root: Path, source_path: Path, output: Path, longer_than: int = LONG) -> Tally:
    """Move every long line of a transcript out, as a run does: originals, receipt, output."""
    staging, writer, tally = Offloads(root).stage(), ReceiptWriter(root), Tally()
    try:
        with Source.open(str(source_path)) as source:
            pieces: list[bytes] = []
            number = at = 0
            for number, line in enumerate(source.lines(), 1):
                record = line.removesuffix(b"\n")
                if len(record) > longer_than and not TAG.search(record):
                    add(staging, record, line=number)
                    pieces.append(shorten(record) + line[len(record) :])
                    writer.hunk(at, at + len(shorten(record)), id_of(record))
                else:
                    pieces.append(line)
                at += len(pieces[-1])
            for piece in pieces:
                tally.add(piece)
            content = Content(source.size, number, source.sha256)
            with locked(root):
                try:
                    source.check_unchanged()
                    before = fitting(source, read_receipts([root]))
                    staging.commit()
                    writer.commit(
                        format="test",
                        path=str(output),
                        mode="chain",
                        input=content,
                        output=tally,
                        previous=before[0].name if before else None,
                    )
                    with write_atomically(output) as file:
                        file.writelines(pieces)
                except Exception:  # an interrupt may come when the output stands already
                    writer.undo()
                    staging.undo()
                    raise
    finally:
        writer.discard()
        staging.discard()
    return tally


def bring_back(root: Path, transcript: Path, **how: Any) -> tuple[bytes, Restored]:
    """Restore a transcript, and return its bytes and what was done."""
    pieces: list[bytes] = []
    with Source.open(str(transcript)) as source:
        done = restore(source, read_receipts([root]), Offloads(root), pieces.append, **how)
    return b"".join(pieces), done


def listing(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder and what they hold."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def interrupt_calls(
    patch: MonkeyPatch, number: int, action: Callable[[], object]
) -> Callable[[], int]:
    """Let the `number`-th of the coming system calls do something else; return what counts them."""
    count = 0

    def wrap(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal count
            count += 1
            if count == number:
                action()
            return real(*args, **kwargs)

        return call

    for name in SYSTEM_CALLS:
        patch.setattr(os, name, wrap(getattr(os, name)))
    return lambda: count


def disk_full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
