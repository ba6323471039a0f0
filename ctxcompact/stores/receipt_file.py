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
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from ctxcompact.core import journal
from ctxcompact.errors import IdNotFound, StoreError, UsageError
from ctxcompact.stores.faults import reported
from ctxcompact.stores.packs import open_inside
from ctxcompact.stores.tally import Content

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

ARCHIVED = re.compile(r"transcript_[0-9a-f]{16}")
"""What stands in the place of an id where the whole input is in an archive of that name."""

NAME = re.compile(r"receipt_[0-9a-f]{16}_[0-9a-f]{16}\.jsonl")

_VERSION = 1
_T = TypeVar("_T")
_LISTED = "`ctxcompact store log` lists them"
_HEADER_BYTES = 1 << 20
_MISREAD = (ValueError, KeyError, TypeError, OverflowError, RecursionError)


class Hunk(NamedTuple):
    """Output bytes from `start` to `stop` and the ids of the originals they stand for."""

    start: int
    stop: int
    ids: tuple[str, ...]


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
                format=_only(str, fields["format"]),
                paths=_texts([fields["path"], *_only(list, fields.get("also", []))]),
                mode=_only(str, fields["mode"]),
                input=_decode_content(fields["input"]),
                output=_decode_content(fields["output"]),
                previous=None if fields["previous"] is None else _only(str, fields["previous"]),
                heirs=_decode_heirs(_only(dict, fields.get("heirs", {}))),
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


def _decode_content(fields: dict[str, Any]) -> Content:
    size, lines = _only(int, fields["bytes"]), _only(int, fields["lines"])
    if min(size, lines) < 0:
        raise ValueError
    return Content(size, lines, _only(str, fields["sha256"]))


def _decode_heirs(fields: dict[str, Any]) -> dict[str, str]:
    return dict(zip(fields, _texts(fields.values()), strict=True))


def _decode_hunks(rows: bytes) -> Iterator[Hunk]:
    done = 0
    for row in rows.split(b"\n")[1:-1]:
        start, stop, ids = json.loads(row)
        if not done <= _only(int, start) <= _only(int, stop):
            raise ValueError
        yield Hunk(start, stop, (ids,) if isinstance(ids, str) else _texts(_only(list, ids)))
        done = stop


def _only(kind: type[_T], value: object) -> _T:
    """Return a value of one type; raises TypeError for any other, and a truth value is no number."""
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError
    return value


def _texts(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(_only(str, value) for value in values)


def _damaged(path: Path) -> StoreError:
    message = f"{path} is damaged"
    hint = "a backup of the folder may hold a sound copy; `ctxcompact reload` needs no receipt"
    return StoreError(message, hint=hint, path=str(path))
