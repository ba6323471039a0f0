"""Appended lines that name one which is gone."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from ctxcompact.stores.heirs import copy_appended
from ctxcompact.stores.receipt_file import Receipt
from ctxcompact.stores.source import Source
from ctxcompact.stores.tally import Content

OUTPUT = b'{"id":"old"}\n{"id":"mark","parentId":"old"}\n'
RECEIPT = Receipt(
    path=Path("receipt"),
    format="t",
    paths=("-",),
    mode="manual",
    input=Content(0, 0, ""),
    output=Content(len(OUTPUT), 2, ""),
    previous=None,
    heirs={"mark": "old"},
)


def copied(appended: bytes, receipt: Receipt = RECEIPT) -> tuple[bytes, set[int]]:
    """Copy what stands behind the output."""
    taken: list[bytes] = []
    with Source.spool(io.BytesIO(OUTPUT + appended)) as source:
        changed = copy_appended(source, receipt, taken.append)
    return b"".join(taken), changed


@pytest.mark.parametrize(
    ("line", "after"),
    [
        pytest.param(
            b'{"n":1e5, "parentId": "mark"}\r\n', b'{"n":1e5, "parentId": "old"}\r\n', id="parent"
        ),
        pytest.param(
            b'{"kept":"mark","parentId":"mark"}', b'{"kept":"old","parentId":"old"}', id="others"
        ),
        pytest.param(b'{"a":"mark"}{"b":"mark"}\n', b'{"a":"old"}{"b":"old"}\n', id="two records"),
        pytest.param(b'{"a":"mark"}{"b":"ma\n', b'{"a":"old"}{"b":"ma\n', id="a torn one after it"),
        pytest.param(b'{"a":"m\\u0061rk"}', b'{"a":"old"}', id="escaped"),
    ],
)
def test_a_name_is_spliced_and_every_other_byte_stays(line: bytes, after: bytes) -> None:
    assert copied(line) == (after, {0})


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(
            b'{"text":"a mark","mark":1,"in":{"parentId":"mark"},"l":["mark"]}\n', id="text"
        ),
        pytest.param(b'["mark"]\n"mark"\nmark\n', id="no object"),
        pytest.param(b'{"parentId":"mark"\n', id="torn"),
        pytest.param(b"\xff\0mark\n\n", id="no JSON"),
    ],
)
def test_what_is_no_name_stays(line: bytes) -> None:
    assert copied(line) == (line, set())


def test_lines_that_change_are_counted_from_the_end() -> None:
    name, other = b'{"parentId":"mark"}\n', b"{}\n"
    assert copied(name + other + name)[1] == {0, 2}


def test_without_heirs_all_stays() -> None:
    line = b'{"parentId":"mark"}\n'
    assert copied(line, replace(RECEIPT, heirs={})) == (line, set())
