from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from ctxcompact.stores.offloads import Offloads
from ctxcompact.stores.packs import NO_ROW, decode_row, load_index
from tests.stores.runs import id_of, keep, listing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ORIGINALS = [b'{"n":%d}' % number for number in range(50)]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    keep(tmp_path, *ORIGINALS)
    [pack] = (tmp_path / ".offload").glob("pack-*.jsonl")
    return pack


def reverse_rows(index: bytes) -> bytes:
    rows = [index[at : at + 32] for at in range(0, len(index), 32)]
    return b"".join(reversed(rows[:-1])) + rows[-1]


def test_any_json_tool_can_read_a_pack_of_json_records(pack: Path) -> None:
    rows = [json.loads(line) for line in pack.read_bytes().splitlines()]
    assert [row["data"] for row in rows] == [json.loads(data) for data in ORIGINALS]
    assert list(rows[0]) == ["id", "sha256", "path", "tool", "format", "line", "data"]
    assert rows[0]["id"] == id_of(ORIGINALS[0])


def test_an_index_has_32_bytes_a_row_sorted_by_id(pack: Path) -> None:
    rows, stood = load_index(pack)
    assert stood
    assert pack.with_suffix(".idx").read_bytes()[:-32] == rows
    keys = [rows[at : at + 16].hex() for at in range(0, len(rows), 32)]
    assert keys == sorted(id_of(data).replace("-", "") for data in ORIGINALS)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda index: index[:-32], id="a row short"),
        pytest.param(lambda index: index[:-7], id="cut inside a row"),
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda index: b"\0" * len(index), id="zeros"),
        pytest.param(lambda _: b"garbage" * 99, id="garbage"),
        pytest.param(reverse_rows, id="in another order"),
        pytest.param(lambda index: index[:16] + b"\1" + index[17:], id="another offset"),
        pytest.param(lambda index: index[32:], id="without the first row"),
    ],
)
def test_a_bad_index_is_built_again(
    pack: Path, tmp_path: Path, spoil: Callable[[bytes], bytes]
) -> None:
    index = pack.with_suffix(".idx")
    before = index.read_bytes()
    index.write_bytes(spoil(before))
    offloads = Offloads(tmp_path)
    assert [offloads.find(id_of(data)).data for data in ORIGINALS] == ORIGINALS
    assert load_index(pack) == (before[:-32], False)
    keep(tmp_path, b"what another run stores")
    assert index.read_bytes() == before


def test_a_missing_index_is_built_again(pack: Path, tmp_path: Path) -> None:
    index = pack.with_suffix(".idx")
    before = index.read_bytes()
    index.unlink()
    assert load_index(pack) == (before[:-32], False)
    keep(tmp_path, b"what another run stores")
    assert index.read_bytes() == before


def test_the_index_of_another_pack_is_not_believed(pack: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    keep(other, *(data.replace(b"n", b"m") for data in ORIGINALS))
    [wrong] = (other / ".offload").glob("*.idx")
    shutil.copy(wrong, pack.with_suffix(".idx"))
    offloads = Offloads(tmp_path)
    assert [offloads.find(id_of(data)).data for data in ORIGINALS] == ORIGINALS


def test_a_pack_and_its_index_are_all_that_a_run_leaves(pack: Path, tmp_path: Path) -> None:
    names = {pack.name, pack.with_suffix(".idx").name, ".gitignore", "lock"}
    assert set(listing(tmp_path / ".offload")) == names


@pytest.mark.parametrize("key", ["null", "true", "1.5", "[]", '{"a":1}'])
def test_a_row_whose_path_cannot_be_followed_is_none_of_ours(pack: Path, key: str) -> None:
    row = pack.read_bytes().splitlines(keepends=True)[0]
    assert decode_row(row).head is not None
    assert decode_row(row.replace(b'"content",0]', b'"content",%s]' % key.encode())) == NO_ROW
