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
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO, NamedTuple
from uuid import UUID

from ctxcompact.stores.folders import make_temp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = re.compile(r"pack-[0-9a-f]{16}\.jsonl")
ROW_BYTES = 32

SPAN = "span"
"""The format of a row that stands for a stretch of records: its data is the list of their ids."""

_ROW = struct.Struct("<16sQQ")
_SIZE = struct.Struct("<Q")
_MARK = b',"data":'
_END = b"}\n"
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_KEYS = (str, int)
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


def is_id(text: object) -> bool:
    """Tell whether a value is an id in its canonical form."""
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def to_key(id: str) -> bytes:  # noqa: A002 - the word of the whole room
    """Return the 16 bytes of an id."""
    return bytes.fromhex(id.replace("-", ""))


def to_id(key: bytes) -> str:
    """Return the id with these 16 bytes."""
    return str(UUID(bytes=key))


def encode_head(head: Head) -> bytes:
    """Write the part of a row that comes before the data, without its closing brace."""
    id_, sha256, path, tool, format_, line, same = head
    about = _encode_about(path, tool, format_)
    more = f',"same":"{same}"' if same else ""
    return f'{{"id":"{id_}","sha256":"{sha256}",{about},"line":{line}{more}'.encode("ascii")


@lru_cache(maxsize=1024)  # few addresses and tools, thousands of rows
def _encode_about(path: tuple[str | int, ...], tool: str, format_: str) -> str:
    fields = {"path": path, "tool": tool, "format": format_}
    return json.dumps(fields, separators=(",", ":"))[1:-1]


def encode_row(head: bytes, data: bytes | None) -> tuple[bytes, ...]:
    """Return the pieces of a whole row; None is for a row that shares the data of another."""
    return (head, _END) if data is None else (head + _MARK, data, _END)


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
        fields = json.loads(written.decode("ascii") + "}")
        head = Head(**{**fields, "path": tuple(fields["path"])})
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return head if _is_well_formed(head) else None


def _is_well_formed(head: Head) -> bool:
    id_, sha256, path, tool, format_, line, same = head
    return (
        type(id_) is type(sha256) is type(tool) is type(format_) is type(same) is str
        and type(line) is int
        and all(type(key) in _KEYS for key in path)
        and _ID.fullmatch(id_) is not None
        and (not same or _ID.fullmatch(same) is not None)
    )


def open_inside(path: Path) -> BinaryIO:
    """Open a file of a store for reading; a link, a pipe or a folder raises `OSError`."""
    return os.fdopen(_open_regular(path), "rb", _BUFFER_BYTES)


def _open_regular(path: Path) -> int:
    fd = os.open(path, _READ_ONLY)
    if stat.S_ISREG(os.fstat(fd).st_mode):
        return fd
    os.close(fd)
    raise OSError(errno.EINVAL, "it is not a regular file")


def read_row(place: Place) -> bytes:
    """Return the bytes of one row, as many of them as are there."""
    fd = _open_regular(place.pack)
    try:
        return os.pread(fd, place.length, place.offset)
    finally:
        os.close(fd)


def scan(pack: Path) -> Iterator[tuple[Place, bytes]]:
    """Yield every line of a pack and its place."""
    offset = 0
    with open_inside(pack) as file:
        for row in file:
            yield Place(pack, offset, len(row)), row
            offset += len(row)


def index_row(key: bytes, offset: int, length: int) -> bytes:
    """Return one row of an index."""
    return _ROW.pack(key, offset, length)


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
        rows, seal = written[:-ROW_BYTES], written[-ROW_BYTES:]
        if len(written) % ROW_BYTES == 0 and seal == _seal(rows, pack.name, state.st_size):
            return rows, True
    return _rebuild(pack), False


def save_index(pack: Path, rows: bytes) -> None:
    """Write the index of a pack; the disk may refuse, as a pack is whole without."""
    with suppress(OSError), make_temp(pack.parent) as temp:
        temp.file.write(rows)
        temp.file.write(_seal(rows, pack.name, pack.stat().st_size))
        temp.place(_index_path(pack), is_cache=True)


def remove_pack(pack: Path) -> None:
    """Remove a pack and its index; what is not there is no error."""
    for path in (_index_path(pack), pack):
        path.unlink(missing_ok=True)


def sort_rows(rows: bytes) -> bytes:
    """Sort the rows of an index by id."""
    return b"".join(sorted(rows[at : at + ROW_BYTES] for at in range(0, len(rows), ROW_BYTES)))


def _rebuild(pack: Path) -> bytes:
    rows = bytearray()
    for place, row in scan(pack):
        if head := decode_row(row).head:
            rows += index_row(to_key(head.id), place.offset, place.length)
    return sort_rows(bytes(rows))


def _index_path(pack: Path) -> Path:
    return pack.with_suffix(".idx")


def _seal(rows: bytes, pack_name: str, pack_bytes: int) -> bytes:
    digest = hashlib.sha256(rows)
    digest.update(pack_name.encode("ascii") + _SIZE.pack(pack_bytes))
    return digest.digest()
