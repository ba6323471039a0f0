"""Packs of originals: how a row is written and read, and the index which finds one.

A pack is JSONL, one row an id:

    {"id":"…","sha256":"…","path":["message","content",0],"tool":"Bash","format":"…","line":12,"data":BYTES}

`data` comes last and is the original record's own bytes, whatever they are but a newline: they
stand between the first `,"data":` (which no other part of a row can contain) and the closing brace.
A second id on the same record has `"same":"FIRST ID"` and no data. A pack is named by the SHA-256
of its heads (all of a row before `,"data":`, or the whole row without data; each holds the hash of
its data), so that the same originals make the same pack.

The index beside it is a cache: 32 bytes a row (id, offset and length of the row, little-endian),
sorted, then 32 bytes which are the SHA-256 of those rows and the pack's name and size. Without a
good one the pack is scanned.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
import struct
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from ctxcompact.stores.folders import make_temp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = re.compile(r"pack-[0-9a-f]{16}\.jsonl")
ROW_BYTES = 32

_ROW = struct.Struct("<16sQQ")
_SIZE = struct.Struct("<Q")
_MARK = b',"data":'
_END = b"}\n"
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_READ_ONLY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_BUFFER_BYTES = 1 << 20


class Head(NamedTuple):
    """What a row says about its original.

    `path` is the address of the block inside the record, `line` the line (from 1) of the transcript
    it was taken from, `sha256` the hash of the record; `same` is the id that holds its bytes, or
    "".
    """

    id: str
    sha256: str
    path: tuple[str | int, ...]
    tool: str
    format: str
    line: int
    same: str = ""


class Place(NamedTuple):
    """Where a row stands."""

    pack: Path
    offset: int
    length: int


class Row(NamedTuple):
    """A row taken apart: its head, also as written, and its data unless another row holds that."""

    head: Head | None
    data: bytes | None
    written: bytes


NO_ROW = Row(None, None, b"")


def to_key(id: str) -> bytes:  # noqa: A002 - the word of the whole room
    """Return the 16 bytes of an id."""
    return bytes.fromhex(id.replace("-", ""))


def encode_head(head: Head) -> bytes:
    """Write the part of a row that comes before the data, without its closing brace."""
    fields = head._asdict()
    if not head.same:
        del fields["same"]
    return json.dumps(fields, separators=(",", ":"))[:-1].encode("ascii")


def encode_row(head: bytes, data: bytes | None) -> tuple[bytes, ...]:
    """Return the pieces of a whole row; None is for a row that shares the data of another."""
    return (head, _END) if data is None else (head, _MARK, data, _END)


def decode_row(row: bytes) -> Row:
    """Take a row apart; one that is torn, damaged or none of ours gives `NO_ROW`."""
    if not row.endswith(_END):
        return NO_ROW
    mark = row.find(_MARK)
    written = row[: len(row) - len(_END) if mark < 0 else mark]
    head = _decode_head(written)
    if head is None or (mark < 0) != bool(head.same):
        return NO_ROW
    return Row(head, None if mark < 0 else row[mark + len(_MARK) : -len(_END)], written)


def _decode_head(written: bytes) -> Head | None:
    try:
        fields = json.loads(written + b"}")
        head = Head(**{**fields, "path": tuple(fields["path"])})
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    texts = (head.id, head.sha256, head.tool, head.format, head.same)
    if not all(isinstance(text, str) for text in texts) or not isinstance(head.line, int):
        return None
    if not _ID.fullmatch(head.id) or not _ID.fullmatch(head.same or head.id):
        return None
    return head


def open_inside(path: Path) -> BinaryIO:
    """Open a file of a store for reading; a link, a pipe or a folder raises `OSError`."""
    fd = os.open(path, _READ_ONLY)
    if stat.S_ISREG(os.fstat(fd).st_mode):
        return os.fdopen(fd, "rb", _BUFFER_BYTES)
    os.close(fd)
    raise OSError(errno.EINVAL, "it is not a regular file")


def read_row(place: Place) -> bytes:
    """Return the bytes of one row, as many of them as are there."""
    with open_inside(place.pack) as file:
        return os.pread(file.fileno(), place.length, place.offset)


def scan(pack: Path) -> Iterator[tuple[Place, bytes]]:
    """Yield every line of a pack and its place."""
    offset = 0
    with open_inside(pack) as file:
        for row in file:
            yield Place(pack, offset, len(row)), row
            offset += len(row)


def index_row(id: str, offset: int, length: int) -> bytes:  # noqa: A002
    """Return one row of an index."""
    return _ROW.pack(to_key(id), offset, length)


def unpack_rows(rows: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield (key, offset, length) of each row of an index."""
    return _ROW.iter_unpack(rows)


def load_index(pack: Path) -> tuple[bytes, bool]:
    """Return the sorted rows of a pack, and whether they stood in a good index beside it.

    Raises `OSError` if the pack cannot be read.
    """
    state = pack.stat(follow_symlinks=False)
    with suppress(OSError), open_inside(_index_path(pack)) as file:
        written = file.read()
        rows = written[:-ROW_BYTES]
        if len(written) % ROW_BYTES == 0 and written == _sealed(rows, pack.name, state.st_size):
            return rows, True
    return _rebuild(pack), False


def save_index(pack: Path, rows: bytes) -> None:
    """Write the index of a pack; the disk may refuse, as a pack is whole without."""
    with suppress(OSError), make_temp(pack.parent) as temp:
        temp.file.write(_sealed(rows, pack.name, pack.stat().st_size))
        temp.place(_index_path(pack))


def remove_pack(pack: Path) -> None:
    """Remove a pack and its index; what is not there is no error."""
    for path in (_index_path(pack), pack):
        path.unlink(missing_ok=True)


def sort_rows(rows: bytes | bytearray) -> bytes:
    """Sort the rows of an index by id."""
    return b"".join(sorted(rows[at : at + ROW_BYTES] for at in range(0, len(rows), ROW_BYTES)))


def _rebuild(pack: Path) -> bytes:
    rows = bytearray()
    for place, row in scan(pack):
        if head := decode_row(row).head:
            rows += index_row(head.id, place.offset, place.length)
    return sort_rows(rows)


def _index_path(pack: Path) -> Path:
    return pack.with_suffix(".idx")


def _sealed(rows: bytes, pack_name: str, pack_bytes: int) -> bytes:
    about = pack_name.encode("ascii") + _SIZE.pack(pack_bytes)
    return rows + hashlib.sha256(rows + about).digest()
