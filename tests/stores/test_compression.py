"""Zstandard: what is compressed, what is inside, and what is said of torn and damaged files."""

from __future__ import annotations

import sys
import tempfile
from typing import TYPE_CHECKING

import pytest
from zstandard import ZstdCompressor, ZstdDecompressor

from ctxcompact.errors import InputError, UsageError
from ctxcompact.stores.compression import compressing, decompress, is_compressed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

DATA = b"".join(b"line %d\n" % n for n in range(20_000))
PACKED = ZstdCompressor().compress(DATA)


@pytest.fixture
def file() -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as made:
        yield made


def inside(file: IO[bytes], data: bytes) -> bytes:
    file.write(data)
    file.flush()
    pieces: list[bytes] = []
    decompress(file, pieces.append, "a.jsonl.zst")
    return b"".join(pieces)


@pytest.mark.parametrize(
    ("packed", "expected"),
    [
        pytest.param(PACKED, DATA, id="one frame"),
        pytest.param(PACKED + PACKED, DATA + DATA, id="two frames"),
        pytest.param(ZstdCompressor().compress(b""), b"", id="nothing inside"),
        pytest.param(b"\x50\x2a\x4d\x18\x04\x00\x00\x00note" + PACKED, DATA, id="a frame to skip"),
    ],
)
def test_what_is_inside(file: IO[bytes], packed: bytes, expected: bytes) -> None:
    is_same = inside(file, packed) == expected
    assert is_same


@pytest.mark.parametrize(
    ("packed", "said"),
    [
        pytest.param(PACKED[:-3], "ends in the middle", id="torn"),
        pytest.param(PACKED + PACKED[:9], "ends in the middle", id="torn in the second frame"),
        pytest.param(PACKED + b"note", "and damaged", id="something after it"),
        pytest.param(PACKED[:20] + b"\xff" * 20 + PACKED[40:], "and damaged", id="damaged"),
    ],
)
def test_torn_and_damaged_bytes_are_refused(file: IO[bytes], packed: bytes, said: str) -> None:
    with pytest.raises(InputError) as refused:
        inside(file, packed)
    assert said in refused.value.message
    assert refused.value.path == "a.jsonl.zst"


def test_what_is_written_compressed_is_read_the_same(file: IO[bytes]) -> None:
    with compressing(file, "a") as write:
        for at in range(0, len(DATA), 1000):
            write(DATA[at : at + 1000])
    file.flush()
    assert is_compressed(file)
    file.seek(0)
    packed = file.read()
    assert len(packed) < len(DATA) // 4
    is_same = ZstdDecompressor().decompressobj().decompress(packed) == DATA
    assert is_same


@pytest.mark.parametrize("data", [b"", b"\x28\xb5", b'{"type":"session_meta"}\n'])
def test_what_is_not_compressed(file: IO[bytes], data: bytes) -> None:
    file.write(data)
    file.flush()
    assert not is_compressed(file)


def test_without_the_library_it_says_what_to_install(
    file: IO[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(UsageError) as refused:
        inside(file, PACKED)
    assert "a.jsonl.zst is compressed" in refused.value.message
    assert refused.value.hint == "pip install 'ctxcompact[zst]'"
