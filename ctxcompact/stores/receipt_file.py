"""A receipt says how to undo one run: JSONL, named by the hashes of the run's output and input.

    {"ctxcompact":1,"receipt":1,"format":…,"path":…,"mode":…,"input":{…},"output":{…},"previous":…,"run":…}
    [START,STOP,"ID"]
    {"lines":"…","changed":"…","sha256":"…"}

A row in the middle says that the output's bytes from START to STOP stand for the original kept
under ID; a list of ids means their originals joined by newlines (several records became one), ""
among them nothing (so `["ID",""]` is a line that is gone, with its newline), and an empty list that
the bytes were put in. Bytes outside these spans are those of the input. In the last row `lines` is
the CRC-32 of every output line with its newline, `changed` the numbers (from 1) of the lines in
which spans begin, both little-endian u32 in base64; they serve to name a line that was edited
later. `sha256` is of all bytes before that row. `also` in the first row lists further paths where
the same output was written, `previous` names the receipt whose output the input began with. `heirs`,
what to name in the place of lines that go with the run, and `run` (`core.journal`) may be missing.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple, Self
from zlib import crc32

from ctxcompact.core import journal
from ctxcompact.errors import IdNotFound, StoreError, UsageError
from ctxcompact.stores.faults import reported
from ctxcompact.stores.packs import open_inside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

ARCHIVED = re.compile(r"transcript_[0-9a-f]{16}")
"""What stands in the place of an id where the whole input is in an archive of that name."""

NAME = re.compile(r"receipt_[0-9a-f]{16}_[0-9a-f]{16}\.jsonl")

_VERSION = 1
_LISTED = "`ctxcompact store log` lists them"
_HEADER_BYTES = 1 << 20
_MISREAD = (ValueError, KeyError, TypeError, OverflowError, RecursionError)


class Content(NamedTuple):
    """What a file holds: `sha256` in hex; a last line without a newline counts."""

    bytes: int
    lines: int
    sha256: str


class Hunk(NamedTuple):
    """Output bytes from `start` to `stop` and the ids of the originals they stand for."""

    start: int
    stop: int
    ids: tuple[str, ...]


class Tally:
    """Counts a file as it is written, in pieces of any size: its hash, and a sum of each line."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._bytes = 0
        self._is_open = False
        self.crcs = array("I")
        self.starts = array("Q")

    def add(self, data: bytes) -> None:
        """Count the next piece."""
        self._digest.update(data)
        for row in BytesIO(data).readlines():
            if self._is_open:
                self.crcs[-1] = crc32(row, self.crcs[-1])
            else:
                self.crcs.append(crc32(row))
                self.starts.append(self._bytes)
            self._bytes += len(row)
            self._is_open = not row.endswith(b"\n")

    def content(self) -> Content:
        """Return what was counted so far."""
        return Content(self._bytes, len(self.crcs), self._digest.hexdigest())

    def line_at(self, offset: int) -> int:
        """Return the number (from 1) of the line that holds a byte."""
        return bisect_right(self.starts, offset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The first row of a receipt, and the file it stands in.

    `paths` are where the output was written, as given then; relative ones count from `path`'s root.
    """

    path: Path
    format: str
    paths: tuple[str, ...]
    mode: str
    input: Content
    output: Content
    previous: str | None
    heirs: Mapping[str, str] = field(default_factory=dict)
    run: journal.Journal | None = None

    @classmethod
    def open(cls, path: Path) -> Self:
        """Read the first row; raises `StoreError` if it is damaged."""
        with reported(StoreError, "read", path), open_inside(path) as file:
            row = file.readline(_HEADER_BYTES)
        try:
            fields = json.loads(row)
            if fields["receipt"] != _VERSION:
                raise _damaged(path)
            return cls(
                path=path,
                format=fields["format"],
                paths=(fields["path"], *fields.get("also", ())),
                mode=fields["mode"],
                input=_decode_content(fields["input"]),
                output=_decode_content(fields["output"]),
                previous=fields["previous"],
                heirs=dict(fields.get("heirs", ())),
                run=journal.decode(fields.get("run")),
            )
        except _MISREAD as error:
            raise _damaged(path) from error

    @property
    def name(self) -> str:
        """The name of the file, which tells receipts apart."""
        return self.path.name

    def read(self) -> Body:
        """Read the rest; raises `StoreError` if any byte of the file is not what was written."""
        with reported(StoreError, "read", self.path), open_inside(self.path) as file:
            written = file.read()
        start = written.rfind(b"\n", 0, -1) + 1
        try:
            last = json.loads(written[start:])
            if last["sha256"] != hashlib.sha256(written[:start]).hexdigest():
                raise _damaged(self.path)
            hunks = tuple(_decode_hunks(written[:start]))
            return Body(hunks, _decode_numbers(last["lines"]), _decode_numbers(last["changed"]))
        except _MISREAD as error:
            raise _damaged(self.path) from error


def called(text: str, receipts: Iterable[Receipt]) -> list[Receipt]:
    """Return the receipt that a name or path means, once or more.

    Raises `UsageError` for what is no such name, `IdNotFound` if no receipt has it.
    """
    name = text.rpartition("/")[2]
    if NAME.fullmatch(name) is None:
        message = f"--receipt {text!r:.60} is no name of a receipt"
        raise UsageError(message, hint=_LISTED)
    found = [one for one in receipts if one.name == name]
    if not found:
        message = f"no sound receipt here is called {name}"
        raise IdNotFound(message, hint=f"{_LISTED}; --root names another place to look in")
    return found


class Body(NamedTuple):
    """Everything after the first row."""

    hunks: tuple[Hunk, ...]
    crcs: array[int]
    changed: array[int]


def encode_header(receipt: Receipt) -> bytes:
    """Write the first row."""
    path, *also = receipt.paths
    fields = {
        "ctxcompact": 1,
        "receipt": _VERSION,
        "format": receipt.format,
        "path": path,
        **({"also": also} if also else {}),
        "mode": receipt.mode,
        "input": receipt.input._asdict(),
        "output": receipt.output._asdict(),
        "previous": receipt.previous,
        **({"heirs": dict(receipt.heirs)} if receipt.heirs else {}),
        **({"run": receipt.run.as_json()} if receipt.run else {}),
    }
    return _encode(fields)


def encode_hunk(hunk: Hunk) -> bytes:
    """Write a row of the middle."""
    start, stop, ids = hunk
    if len(ids) == 1:
        return b'[%d,%d,"%b"]\n' % (start, stop, ids[0].encode("ascii"))
    return _encode([start, stop, ids])


def encode_last(crcs: array[int], changed: array[int], sha256: str) -> bytes:
    """Write the last row."""
    rows = {"lines": _encode_numbers(crcs), "changed": _encode_numbers(changed), "sha256": sha256}
    return _encode(rows)


def _encode(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"


def _encode_numbers(numbers: array[int]) -> str:
    return base64.b64encode(_little_endian(numbers).tobytes()).decode("ascii")


def _decode_numbers(text: str) -> array[int]:
    numbers = array("I")
    numbers.frombytes(base64.b64decode(text, validate=True))
    return _little_endian(numbers)


def _little_endian(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers = array("I", numbers)
        numbers.byteswap()
    return numbers


def _decode_content(fields: dict[str, str | int]) -> Content:
    return Content(int(fields["bytes"]), int(fields["lines"]), str(fields["sha256"]))


def _decode_hunks(rows: bytes) -> Iterator[Hunk]:
    for row in rows.split(b"\n")[1:-1]:
        start, stop, ids = json.loads(row)
        yield Hunk(start, stop, (ids,) if isinstance(ids, str) else tuple(ids))


def _damaged(path: Path) -> StoreError:
    message = f"{path} is damaged"
    hint = "a backup of the folder may hold a sound copy; `ctxcompact reload` needs no receipt"
    return StoreError(message, hint=hint, path=str(path))
