from __future__ import annotations

import errno
import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact.stores.offloads import Offloads
from ctxcompact.stores.packs import NO_ROW, decode_row, is_id, load_index, open_inside
from tests.stores.runs import add, commit, id_of, keep, listing

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


def test_the_index_of_another_root_is_left_to_its_own_runs(pack: Path, tmp_path: Path) -> None:
    pack.with_suffix(".idx").unlink()
    here = tmp_path / "here"
    here.mkdir()
    before = listing(tmp_path / ".offload")
    staging = Offloads(here, [tmp_path]).stage()
    add(staging, ORIGINALS[0])
    add(staging, b"new")
    commit(here, staging)
    assert listing(tmp_path / ".offload") == before


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


ID = id_of(b"original")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(ID, True, id="an id"),
        pytest.param(ID.upper(), False, id="in capitals"),
        pytest.param(ID[1:], False, id="a digit short"),
        pytest.param(f"{ID}0", False, id="a digit too many"),
        pytest.param(f"{ID}\n", False, id="a newline after it"),
        *(pytest.param(value, False, id=repr(value)) for value in (None, 1, [ID], b"", "")),
    ],
)
def test_an_id_is_known_by_its_form(value: object, *, expected: bool) -> None:
    assert is_id(value) is expected


ROW = {"id": ID, "sha256": "0" * 64, "path": ["a", 0], "tool": "Bash", "format": "f", "line": 1}
WRONG: dict[str, list[Any]] = {
    "id": [None, 1, [], "x", ID.upper(), f"{ID}\n"],
    "sha256": [None, 1, {}],
    "path": [None, 1, [None], [True], [1.5], [[]], [{"a": 1}]],
    "tool": [None, 1, []],
    "format": [None, 1, []],
    "line": [None, "1", 1.5, True, []],
    "same": [None, 1, [], "x", ID],
}


@pytest.mark.parametrize(
    "row",
    [
        *(ROW | {key: value} for key, values in WRONG.items() for value in values),
        *({k: v for k, v in ROW.items() if k != key} for key in ROW),
        ROW | {"more": 1},
        [],
        1,
    ],
    ids=repr,
)
def test_a_row_that_is_none_of_ours_is_no_row(row: Any) -> None:
    written = json.dumps(row).encode()[:-1]
    assert decode_row(written + b',"data":1}\n') == NO_ROW
    if not isinstance(row, dict) or "same" not in row:
        assert decode_row(written + b"}\n") == NO_ROW


def test_a_row_is_taken_apart() -> None:
    written = json.dumps(ROW).encode()[:-1]
    head, data, same = decode_row(written + b',"data":[1],"data":2}\n')
    assert (head and head.id, head and head.path, data) == (ID, ("a", 0), b'[1],"data":2')
    assert same == written
    twin = json.dumps(ROW | {"same": ID}).encode()
    assert decode_row(twin + b"\n").data is None
    assert decode_row(twin) == NO_ROW


def free_descriptor() -> int:
    fd = os.open(os.devnull, os.O_RDONLY)
    os.close(fd)
    return fd


@pytest.mark.parametrize(
    ("make", "number"),
    [
        pytest.param(os.mkdir, errno.EINVAL, id="a folder"),
        pytest.param(os.mkfifo, errno.EINVAL, id="a pipe"),
        pytest.param(lambda path: path.symlink_to(__file__), errno.ELOOP, id="a link"),
        pytest.param(lambda _: None, errno.ENOENT, id="nothing"),
    ],
)
def test_only_files_are_opened_in_a_store(
    tmp_path: Path, make: Callable[[Path], None], number: int
) -> None:
    make(tmp_path / "pack")
    free = free_descriptor()
    with pytest.raises(OSError) as error:  # noqa: PT011 - its number tells
        open_inside(tmp_path / "pack")
    assert error.value.errno == number
    assert free_descriptor() == free
