"""The store in memory keeps what the one on disk keeps, and forgets what was taken back."""

from __future__ import annotations

import json

import pytest

from ctxcompact.errors import IdNotFound
from ctxcompact.stores.memory import Memory, MemorySource, MemoryStaging

ONE, OTHER, SPAN_ID = (f"{n}f8fad5b-d9cb-869f-a165-70867728950e" for n in "123")


def add(staging: MemoryStaging, uuid: str, data: bytes, form: str = "anthropic") -> None:
    staging.add(uuid, data, "", path=("content",), tool="Bash", format=form, line=4)


def test_nothing_is_known_before_it_is_committed() -> None:
    memory = Memory()
    staging = memory.stage()
    add(staging, ONE, b'{"content":"a"}')
    assert not memory.known(ONE)
    staging.commit()
    assert memory.find(ONE).data == b'{"content":"a"}'
    assert memory.find(ONE).path == ("content",)


def test_what_was_added_after_a_mark_can_be_taken_back() -> None:
    memory = Memory()
    staging = memory.stage()
    add(staging, ONE, b"1")
    mark = staging.mark()
    add(staging, OTHER, b"2")
    staging.rewind(mark)
    staging.commit()
    assert memory.known(ONE)
    assert not memory.known(OTHER)


def test_an_id_keeps_the_bytes_it_was_first_given() -> None:
    memory = Memory()
    for data in (b"1", b"2"):
        staging = memory.stage()
        add(staging, ONE, data)
        staging.commit()
    assert memory.find(ONE).data == b"1"


def test_a_stretch_is_given_as_its_records_one_a_line() -> None:
    memory = Memory()
    staging = memory.stage()
    add(staging, ONE, b"1")
    add(staging, OTHER, b"2")
    add(staging, SPAN_ID, json.dumps([ONE, OTHER]).encode(), "span")
    staging.commit()
    assert memory.find(SPAN_ID).data == b"1\n2"


def test_an_archive_is_found_by_its_name_and_nothing_else_is() -> None:
    memory = Memory()
    memory.archives["transcript_0123456789abcdef"] = b"{}\n"
    assert memory.find("transcript_0123456789abcdef").data == b"{}\n"
    with pytest.raises(IdNotFound, match="no original"):
        memory.find(ONE)


def test_a_source_gives_its_lines_and_any_range() -> None:
    source = MemorySource(b"1\n\n2")
    assert list(source.lines()) == [b"1\n", b"\n", b"2"]
    assert source.read(1, 2) == b"\n\n"
    assert source.size == 4
