"""Transcripts compressed by Zstandard, as Codex keeps its older ones: `.jsonl.zst`.

What is inside is read, and written, a window at a time. The library is an extra: Python brings its
own from 3.14 on only.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any

from ctxcompact.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SUFFIX = ".zst"

_MAGIC = b"\x28\xb5\x2f\xfd"
_LEVEL = 3  # the library's own default, and Codex's
_WINDOW_BYTES = 1 << 12
"""So little at a time, for it may become thirty thousand times as much."""


def is_compressed(file: IO[bytes]) -> bool:
    """Tell whether a file is compressed by Zstandard, whatever its name."""
    return os.pread(file.fileno(), len(_MAGIC), 0) == _MAGIC


def decompress(file: IO[bytes], write: Callable[[bytes], object], name: str) -> None:
    """Hand to `write` what is inside a compressed file, all its frames.

    Raises `InputError` if it is torn or damaged, `UsageError` without the library.
    """
    zstd = _library(name)
    try:
        for data in _inside(file, zstd):
            write(data)
    except zstd.ZstdError as error:
        message = f"{name} is compressed, and damaged: {error}"
        raise InputError(message, hint="`zstd --test` tells more", path=name) from error
    except EOFError as error:
        message = f"{name} is compressed, and ends in the middle"
        raise InputError(
            message, hint="copy the file again from where it came", path=name
        ) from error


def _inside(file: IO[bytes], zstd: Any) -> Iterator[bytes]:
    unpacker, at = None, 0
    while window := os.pread(file.fileno(), _WINDOW_BYTES, at):
        at += len(window)
        while window:
            unpacker = unpacker or zstd.ZstdDecompressor().decompressobj()
            yield unpacker.decompress(window)
            window = unpacker.unused_data if unpacker.eof else b""
            unpacker = None if unpacker.eof else unpacker
    if unpacker is not None:
        raise EOFError


@contextmanager
def compressing(file: Any, name: str) -> Iterator[Callable[[bytes], object]]:
    """Give what takes bytes and writes them compressed to `file`, until the body is through.

    Raises `UsageError` without the library.
    """
    packer = _library(name).ZstdCompressor(level=_LEVEL, write_checksum=True)
    with packer.stream_writer(file, closefd=False) as stream:
        yield stream.write


def _library(name: str) -> Any:
    try:
        return import_module("zstandard")
    except ModuleNotFoundError as error:
        message = f"{name} is compressed by Zstandard, and the library for that is not installed"
        raise UsageError(message, hint="pip install 'ctxcompact[zst]'") from error
