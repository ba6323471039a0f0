"""The bytes of a receipt: what the contract says, and nothing else is taken for one."""

from __future__ import annotations

import hashlib
import json
from array import array
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact.errors import StoreError
from ctxcompact.stores.receipt_file import Receipt, encode_last
from ctxcompact.stores.receipts import Content, ReceiptWriter, Tally
from tests.stores.runs import id_of

if TYPE_CHECKING:
    from pathlib import Path

ID = id_of(b"original")
HASH = "0" * 64
SIZE = {"bytes": 5, "lines": 1, "sha256": HASH}
HEADER = {
    "ctxcompact": 1,
    "receipt": 1,
    "format": "test",
    "path": "t.jsonl",
    "mode": "chain",
    "input": SIZE,
    "output": SIZE,
    "previous": None,
}
LAST = {"lines": "AQAAAAQDAgE=", "changed": "AgAAAA=="}


def put(folder: Path, header: Any, *spans: Any, **last: Any) -> Path:
    """Write a receipt whose hash is right."""
    path = folder / "receipt"
    rows = b"".join(json.dumps(row).encode() + b"\n" for row in (header, *spans))
    end = LAST | {"sha256": hashlib.sha256(rows).hexdigest()} | last
    path.write_bytes(rows + json.dumps(end).encode() + b"\n")
    return path


def test_a_receipt_is_spelled_as_the_contract_says(tmp_path: Path) -> None:
    output = Tally()
    output.add(b"one\ntwo")
    writer = ReceiptWriter(tmp_path)
    writer.hunk(0, 3, ID)
    path = writer.commit(
        format="test", path="é", mode="chain", input=Content(9, 2, HASH), output=output
    )
    header, hunk, last = path.read_bytes().splitlines()
    assert header.decode() == (
        '{"ctxcompact":1,"receipt":1,"format":"test","path":"\\u00e9","mode":"chain",'
        f'"input":{{"bytes":9,"lines":2,"sha256":"{HASH}"}},'
        f'"output":{{"bytes":7,"lines":2,"sha256":"{output.content().sha256}"}},"previous":null}}'
    )
    assert hunk.decode() == f'[0,3,"{ID}"]'
    assert list(json.loads(last)) == ["lines", "changed", "sha256"]


def test_numbers_are_little_endian_on_every_machine() -> None:
    numbers = encode_last(array("I", [1, 0x01020304]), array("I", [2]), HASH)
    assert json.loads(numbers) == LAST | {"sha256": HASH}


def test_a_receipt_that_is_put_together_by_hand_is_read(tmp_path: Path) -> None:
    body = Receipt.open(put(tmp_path, HEADER, [0, 3, ID], [3, 3, []])).read()
    assert body.hunks == ((0, 3, (ID,)), (3, 3, ()))
    assert (list(body.crcs), list(body.changed)) == ([1, 0x01020304], [2])


ODD: tuple[Any, ...] = (None, True, -1, 1.5, float("inf"), "x", [], [[]], {}, {"a": 1})
TEXTS = ("format", "path", "mode")


@pytest.mark.parametrize(
    "fields",
    [
        *({name: value} for name in TEXTS for value in ODD if not isinstance(value, str)),
        *({"previous": value} for value in ODD[1:] if not isinstance(value, str)),
        *({"also": value} for value in (None, 1, "x", [1], [None], {"a": 1})),
        *({"heirs": value} for value in (None, 1, [1], {"a": 1}, {"a": None})),
        *({"receipt": value} for value in (None, 2, "1")),
        *({name: value} for name in ("input", "output") for value in ODD),
        *({"output": SIZE | {name: value}} for name in ("bytes", "lines") for value in ODD),
        *({"output": SIZE | {"sha256": value}} for value in ODD if not isinstance(value, str)),
    ],
    ids=repr,
)
def test_a_first_row_that_is_none_of_ours_is_damaged(tmp_path: Path, fields: Any) -> None:
    with pytest.raises(StoreError, match="is damaged"):
        Receipt.open(put(tmp_path, HEADER | fields))


@pytest.mark.parametrize(
    "header",
    [
        *ODD,
        *({k: v for k, v in HEADER.items() if k != key} for key in HEADER if key != "ctxcompact"),
    ],
    ids=repr,
)
def test_another_first_row_is_damaged(tmp_path: Path, header: Any) -> None:
    with pytest.raises(StoreError, match="is damaged"):
        Receipt.open(put(tmp_path, header))


@pytest.mark.parametrize(
    "span",
    [
        *ODD,
        *([value, 3, ID] for value in ODD),
        *([0, value, ID] for value in ODD),
        *([0, 3, value] for value in ODD if value not in ("x", [], [[]])),
        *([0, 3, [value]] for value in ODD if value != "x"),
        [3, 0, ID],
    ],
    ids=repr,
)
def test_a_span_that_is_none_is_damage(tmp_path: Path, span: Any) -> None:
    receipt = Receipt.open(put(tmp_path, HEADER, span))
    with pytest.raises(StoreError, match="is damaged"):
        receipt.read()


@pytest.mark.parametrize("name", ["lines", "changed", "sha256"])
@pytest.mark.parametrize("value", [*ODD, "AQAA*AAA=", "AQA="], ids=repr)
def test_a_last_row_that_is_none_is_damage(tmp_path: Path, name: str, value: Any) -> None:
    receipt = Receipt.open(put(tmp_path, HEADER, **{name: value}))
    with pytest.raises(StoreError, match="is damaged"):
        receipt.read()
