from __future__ import annotations

import hashlib
import io
import os
from typing import TYPE_CHECKING

import pytest
from zstandard import ZstdCompressor

from ctxcompact.errors import InputChanged
from ctxcompact.stores.archive import (
    archive,
    archive_compressed,
    archive_path,
    find_compressed,
    unarchive,
)
from ctxcompact.stores.source import Source
from tests.stores.runs import listing

if TYPE_CHECKING:
    from pathlib import Path

DATA = b'\xef\xbb\xbf{"a":1e5}\r\n\x00torn' * 1000


def test_an_archive_is_a_byte_copy_named_by_its_hash(tmp_path: Path) -> None:
    with Source.spool(io.BytesIO(DATA)) as source:
        path = archive(tmp_path, source)
        assert path == archive_path(tmp_path, source)
    assert path.read_bytes() == DATA
    assert path.name == f"transcript_{hashlib.sha256(DATA).hexdigest()[:16]}.jsonl"
    assert path.parent == tmp_path / ".transcripts"


def test_the_same_content_is_not_written_twice(tmp_path: Path) -> None:
    with Source.spool(io.BytesIO(DATA)) as source:
        first = archive(tmp_path, source).stat()
        assert archive(tmp_path, source).stat() == first


def test_a_damaged_archive_is_written_anew(tmp_path: Path) -> None:
    with Source.spool(io.BytesIO(DATA)) as source:
        archive(tmp_path, source).write_bytes(b"x" * len(DATA))
        assert archive(tmp_path, source).read_bytes() == DATA


def test_a_source_that_changed_is_not_archived(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(DATA)
    with Source.open(str(path)) as source:
        list(source.lines())
        path.write_bytes(DATA.replace(b"1e5", b"1e6"))
        with pytest.raises(InputChanged):
            archive(tmp_path, source)
    assert set(listing(tmp_path)) == {"t.jsonl"}
    assert not (tmp_path / ".transcripts").exists()


def test_an_archive_may_be_taken_back(tmp_path: Path) -> None:
    with Source.spool(io.BytesIO(DATA)) as source:
        path = archive(tmp_path, source)
        for _ in range(2):
            unarchive(path)
    assert not list(tmp_path.iterdir())


def test_a_compressed_file_is_kept_once_and_anew_where_its_copy_is_damaged(tmp_path: Path) -> None:
    packed = ZstdCompressor().compress(DATA)
    with Source.spool(io.BytesIO(packed)) as source:
        path = archive_compressed(tmp_path, source)
        first = path.stat()
        assert archive_compressed(tmp_path, source).stat() == first
        path.write_bytes(packed[:-1])
        assert archive_compressed(tmp_path, source).read_bytes() == packed


def test_of_several_compressed_files_with_one_content_the_last_one_kept_is_found(
    tmp_path: Path,
) -> None:
    for age_s, level in [(3, 1), (1, 9), (2, 19)]:
        packed = ZstdCompressor(level=level).compress(DATA)
        with Source.spool(io.BytesIO(packed)) as source:
            os.utime(archive_compressed(tmp_path, source), (10**9 - age_s, 10**9 - age_s))
    with Source.spool(io.BytesIO(ZstdCompressor().compress(b"other"))) as other:
        archive_compressed(tmp_path, other)
    with Source.spool(io.BytesIO(DATA)) as source:
        found = find_compressed([tmp_path / "none", tmp_path], source)
    assert found is not None
    pieces: list[bytes] = []
    with found:
        found.copy_compressed_to(pieces.append)
    assert b"".join(pieces) == ZstdCompressor(level=9).compress(DATA)
