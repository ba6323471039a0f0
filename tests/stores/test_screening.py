"""What is withheld from a store, and said to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ctxcompact.errors import CredentialFound
from ctxcompact.stores.offloads import Offloads
from ctxcompact.stores.screening import Screening, own_root
from ctxcompact.stores.source import Source
from tests.stores.runs import add, commit, id_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def kinds(record: bytes) -> list[str]:
    return [word.decode() for word in record.split() if word in {b"key", b"token"}]


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Source]:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"one\ntwo key\nthree\nfour token key\n")
    with Source.open(str(path)) as opened:
        yield opened


def test_what_holds_none_goes_on_and_the_rest_never_touches_the_disk(
    tmp_path: Path, source: Source
) -> None:
    staging = Offloads(tmp_path).stage()
    screen = Screening(staging, kinds)
    add(screen, b"two key", line=2)
    assert not (tmp_path / ".offload").exists()
    add(screen, b"three", line=3)
    with pytest.raises(CredentialFound, match=r"line 2 \(key\)$") as raised:
        screen.refuse(source, tmp_path, whole=False)
    assert (raised.value.line, raised.value.path) == (2, source.name)
    assert commit(tmp_path, staging)
    assert Offloads(tmp_path).known(id_of(b"three"))
    assert not Offloads(tmp_path).known(id_of(b"two key"))


def test_what_was_taken_back_counts_no_more(tmp_path: Path, source: Source) -> None:
    staging = Offloads(tmp_path).stage()
    screen = Screening(staging, kinds)
    add(screen, b"three", line=3)
    mark = screen.mark()
    add(screen, b"two key", line=2)
    add(screen, b"four", line=4)
    screen.rewind(mark)
    screen.refuse(source, tmp_path, whole=False)
    commit(tmp_path, staging)
    kept = [Offloads(tmp_path).known(id_of(data)) for data in (b"three", b"four")]
    assert kept == [True, False]


def test_of_a_whole_input_each_line_is_looked_at(tmp_path: Path, source: Source) -> None:
    screen = Screening(Offloads(tmp_path).stage(), kinds)
    with pytest.raises(CredentialFound, match=r"line 2 \(key\), line 4 \(token, key\)$"):
        screen.refuse(source, tmp_path, whole=True)


def test_many_lines_are_told_in_short_and_in_order(tmp_path: Path, source: Source) -> None:
    screen = Screening(Offloads(tmp_path).stage(), kinds)
    for line in (9, 2, 7, 5, 3, 8, 2):
        add(screen, b"a key", line=line)
    with pytest.raises(CredentialFound, match=r"line 2 \(key\).*, line 8 \(key\) and 1 more line$"):
        screen.refuse(source, tmp_path, whole=False)


def test_the_own_root_is_the_working_directory_or_the_folder_of_the_transcript(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    (here / "deep").mkdir(parents=True)
    there.mkdir()
    (here / "link.jsonl").symlink_to(there / "t.jsonl")
    monkeypatch.chdir(here)
    found = {
        name: own_root(name)
        for name in ("-", "t.jsonl", "deep/t.jsonl", "../there/t.jsonl", "link.jsonl")
    }
    assert found == {
        "-": here,
        "t.jsonl": here,
        "deep/t.jsonl": here,
        "../there/t.jsonl": there,
        "link.jsonl": there,
    }
