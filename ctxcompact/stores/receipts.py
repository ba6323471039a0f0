"""Writing receipts, and listing them.

Their form is in `receipt_file`, their use in `restoration`; the names others need are here too.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from array import array
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.errors import StoreError
from ctxcompact.stores.faults import reported
from ctxcompact.stores.folders import TRANSCRIPTS, make_temp, tidy
from ctxcompact.stores.receipt_file import (
    NAME,
    Hunk,
    Receipt,
    encode_header,
    encode_hunk,
    encode_last,
)
from ctxcompact.stores.restoration import Restored, restore
from ctxcompact.stores.tally import Content, Tally
from ctxcompact.stores.temps import flush_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from ctxcompact.core.journal import Journal
    from ctxcompact.stores.temps import Temp

__all__ = [
    "Content",
    "Logged",
    "Receipt",
    "ReceiptWriter",
    "Restored",
    "Tally",
    "list_receipts",
    "read_log",
    "read_receipts",
    "restore",
    "runs_by_pack",
]

_SPOOL_BYTES = 1 << 20


class ReceiptWriter:
    """Collects the spans of one run; `commit` writes the receipt, `discard` forgets it.

    `heirs` are to be named in the place of lines that are added.
    """

    def __init__(self, root: Path, heirs: Mapping[str, str] = MappingProxyType({})) -> None:
        self._folder = root / TRANSCRIPTS
        self._heirs = heirs
        self._hunks = tempfile.SpooledTemporaryFile(_SPOOL_BYTES)  # noqa: SIM115 - closed by discard
        self._starts = array("Q")
        self._stop = 0
        self._created: Path | None = None

    def hunk(self, start: int, stop: int, id: str | Sequence[str]) -> None:  # noqa: A002
        """Say that output bytes from `start` to `stop` stand for an original, or for several.

        Spans come in order and do not overlap, else `ValueError`.
        """
        if not self._stop <= start <= stop:
            message = f"span {start} to {stop} comes after {self._stop}"
            raise ValueError(message)
        ids = (id,) if isinstance(id, str) else tuple(id)
        with reported(StoreError, "keep a receipt in", self._folder):
            self._hunks.write(encode_hunk(Hunk(start, stop, ids)))
        if start < stop:
            self.touch(start, ids)
        self._stop = stop

    def whole(self, stop: int, archive: str) -> None:
        """Say that an archive stands for the whole output."""
        self._hunks.write(encode_hunk(Hunk(0, stop, (archive,))))

    def touch(self, start: int, ids: Sequence[str]) -> None:
        """Say that a line of ours begins at an output byte: if it is found changed later, it is named.

        What stands for nothing may begin with the newline of a line that is not ours.
        """
        self._starts.append(start if ids else start + 1)

    def commit(
        self,
        *,
        format: str,  # noqa: A002 - the word of the whole room
        path: str,
        mode: str,
        input: Content,  # noqa: A002
        output: Tally,
        previous: str | None = None,
        run: Journal | None = None,
    ) -> Path:
        """Make the receipt durable and return its path; `path` is where the output will stand.

        The same output made from the same input has one receipt: a further path is added to it, and
        the pack that the first run made stays named. On an exception nothing stays. Raises
        `StoreError`.
        """
        content = output.content()
        name = f"receipt_{content.sha256[:16]}_{input.sha256[:16]}.jsonl"
        former = _former(self._folder / name)
        if former and former.run and run and not run.pack:
            run = run._replace(pack=former.run.pack)
        receipt = Receipt(
            path=self._folder / name,
            format=format,
            paths=tuple(dict.fromkeys((path, *(former.paths if former else ())))),
            mode=mode,
            input=input,
            output=content,
            previous=previous,
            heirs=self._heirs,
            run=run,
        )
        with reported(StoreError, "keep a receipt in", self._folder):
            is_new = not os.path.lexists(receipt.path)
            try:
                with make_temp(self._folder) as temp:
                    self._write(temp, receipt, output)
                    self._created = receipt.path if is_new else None
                    temp.place(receipt.path)
                flush_folder(self._folder)
            except BaseException:
                self.undo()
                raise
        self._hunks.close()
        return receipt.path

    def discard(self) -> None:
        """Forget what was not committed."""
        self._hunks.close()
        tidy(self._folder)

    def undo(self) -> None:
        """Remove what `commit` wrote, because a later step failed; an older receipt stays."""
        if self._created is not None:
            self._created.unlink(missing_ok=True)
            self._created = None
        self.discard()

    def _write(self, temp: Temp, receipt: Receipt, output: Tally) -> None:
        digest = hashlib.sha256()
        self._hunks.seek(0)
        rows: Iterable[bytes] = (encode_header(receipt), *self._hunks)
        for row in rows:
            digest.update(row)
            temp.file.write(row)
        changed = array("I", sorted({output.line_at(start) for start in self._starts}))
        temp.file.write(encode_last(output.crcs, changed, digest.hexdigest()))


def list_receipts(root: Path) -> list[Path]:
    """List the files of a root that are named like receipts, by name; links are passed over."""
    folder = root / TRANSCRIPTS
    with reported(StoreError, "read", folder):
        try:
            paths = sorted(path for path in folder.iterdir() if NAME.fullmatch(path.name))
        except (FileNotFoundError, NotADirectoryError):
            return []
        return [path for path in paths if not path.is_symlink()]


def read_receipts(roots: Iterable[Path]) -> list[Receipt]:
    """Read the receipts of some roots; damaged ones are left out, `soundness.verify` names them.

    Raises `StoreError` for one that the disk does not give: it may be needed.
    """
    receipts = []
    for path in (path for root in roots for path in list_receipts(root)):
        try:
            receipts.append(Receipt.open(path))
        except StoreError as error:
            if isinstance(error.__cause__, OSError) and path.is_file():
                raise
    return receipts


class Logged(NamedTuple):
    """A run as its receipt tells it; without one the receipt is damaged.

    `when_ns` is when the receipt was written last, in nanoseconds since 1970.
    """

    name: str
    when_ns: int
    receipt: Receipt | None


def read_log(root: Path) -> list[Logged]:
    """List the runs of a root, newest first; each receipt is compared with its hash."""
    runs = []
    for path in list_receipts(root):
        with suppress(FileNotFoundError):  # one that `store gc` has just removed
            runs.append(Logged(path.name, path.lstat().st_mtime_ns, _sound(path)))
    return sorted(runs, key=lambda run: run.when_ns, reverse=True)


def _sound(path: Path) -> Receipt | None:
    try:
        receipt = Receipt.open(path)
        receipt.read()
    except StoreError:
        return None
    return receipt


def runs_by_pack(root: Path) -> dict[str, str]:
    """Return for the packs of a root which receipt is of the run that made them, by their names."""
    runs = ((one.run.pack, one.name) for one in read_receipts([root]) if one.run)
    return {pack: name for pack, name in runs if pack}


def _former(path: Path) -> Receipt | None:
    """Return a receipt that is there already; None if there is none, or it is damaged."""
    try:
        return Receipt.open(path)
    except StoreError:
        return None
