"""Originals behind originals: each comes once, and only those that are there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ctxcompact.core import tags
from ctxcompact.stores.nesting import marks, with_nested
from ctxcompact.stores.offloads import Offloads
from tests.stores.runs import id_of, keep

if TYPE_CHECKING:
    from pathlib import Path

UNKNOWN = "c0ffee00-0000-4000-8000-000000000000"


def record(*ids: str) -> bytes:
    return json.dumps({"content": "\n".join(tags.render(uuid) for uuid in ids)}).encode()


def behind(root: Path, *ids: str) -> list[str]:
    offloads = Offloads(root)
    return [one.id for one in with_nested(map(offloads.find, ids), offloads)]


def test_what_an_original_bears_marks_of_follows_it(tmp_path: Path) -> None:
    first, other = b'{"content": "first"}', b'{"content": "other"}'
    middle = record(id_of(first), id_of(other))
    outer = record(id_of(middle))
    a, b, c, d = keep(tmp_path, first, other, middle, outer)
    assert behind(tmp_path, d) == [d, c, a, b]
    assert behind(tmp_path, b, d) == [b, d, c, a]


def test_no_original_comes_twice(tmp_path: Path) -> None:
    first = b'{"content": "first"}'
    middle = record(id_of(first), id_of(first).upper())
    a, b = keep(tmp_path, first, middle)
    assert behind(tmp_path, b, a, b) == [b, a]


def test_a_mark_that_no_store_knows_is_text(tmp_path: Path) -> None:
    [forged] = keep(tmp_path, record(UNKNOWN))
    assert behind(tmp_path, forged) == [forged]


def test_marks_are_found_however_their_quotes_are_written() -> None:
    assert marks(record(UNKNOWN)) == [UNKNOWN]
    assert marks(b"\xff" + tags.render(UNKNOWN).encode()) == [UNKNOWN]
