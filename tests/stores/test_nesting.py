"""Originals behind originals: each comes once, and only those that are there."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from ctxcompact.core import tags
from ctxcompact.stores.nesting import marks, with_nested
from ctxcompact.stores.offloads import Offloads
from ctxcompact.stores.packs import SPAN
from tests.stores.runs import commit, id_of, keep

if TYPE_CHECKING:
    from pathlib import Path

UNKNOWN = "c0ffee00-0000-4000-8000-000000000000"


def record(*ids: str) -> bytes:
    return json.dumps({"content": "\n".join(tags.render(uuid) for uuid in ids)}).encode()


def behind(root: Path, *ids: str, recursive: bool = True) -> list[str]:
    offloads = Offloads(root)
    found = with_nested(map(offloads.find, ids), offloads, recursive=recursive)
    return [one.id for one in found]


def test_what_an_original_bears_marks_of_follows_it(tmp_path: Path) -> None:
    first, other = b'{"content": "first"}', b'{"content": "other"}'
    middle = record(id_of(first), id_of(other))
    outer = record(id_of(middle))
    a, b, c, d = keep(tmp_path, first, other, middle, outer)
    assert behind(tmp_path, d) == [d, c, a, b]
    assert behind(tmp_path, a, a, b) == [a, b]
    assert behind(tmp_path, b, d) == [b, d, c, a]


def stretch(root: Path, *parts: str) -> str:
    """Keep a stretch of records that are kept already."""
    staging = Offloads(root).stage()
    data = json.dumps(parts).encode()
    sha256 = hashlib.sha256(data).hexdigest()
    uuid = id_of(data)
    staging.add(uuid, data, sha256, path=(), tool="", format=SPAN, line=1)
    commit(root, staging)
    return uuid


def test_a_stretch_is_followed_by_what_its_lines_were_before(tmp_path: Path) -> None:
    result, words = b'{"content": "a long result"}', b'{"content": "long words"}'
    shown = [
        json.dumps({"content": f"a...\n{tags.render(id_of(x))}"}).encode() for x in (result, words)
    ]
    a, b, *lines = keep(tmp_path, result, words, *shown)
    inner = stretch(tmp_path, *lines)
    [summary] = keep(tmp_path, record(inner))
    outer = stretch(tmp_path, summary)
    assert behind(tmp_path, outer, recursive=False) == [outer, inner, a, b]


def test_what_is_quoted_in_a_stretch_does_not_lead_on(tmp_path: Path) -> None:
    [other] = keep(tmp_path, b'{"content": "other"}')
    [quote] = keep(
        tmp_path, json.dumps({"content": f"{tags.render(other)}\nsaid the file"}).encode()
    )
    outer = stretch(tmp_path, quote)
    assert behind(tmp_path, outer, recursive=False) == [outer]
    assert behind(tmp_path, outer) == [outer, other]


def test_one_message_comes_alone(tmp_path: Path) -> None:
    [first] = keep(tmp_path, b'{"content": "first"}')
    [second] = keep(tmp_path, record(first))
    assert behind(tmp_path, second, recursive=False) == [second]


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
