"""Compressed transcripts: the output is compressed like the input, and restored to its very bytes."""

from __future__ import annotations

import io
import json
import sys
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from zstandard import ZstdCompressor, ZstdDecompressor

from ctxcompact import api, kept
from ctxcompact.core.settings import Mode, Settings, Write
from ctxcompact.errors import CtxCompactError, UsageError
from tests.stores.runs import disk_full, interrupt_calls, listing

if TYPE_CHECKING:
    from pathlib import Path

MICRO = Settings(mode=Mode.MICRO, counter="chars4", keep_recent=1, write=Write.EDIT)
FULL = Settings(mode=Mode.MANUAL, counter="chars4", write=Write.EDIT)
LONG = "a line of a log, and one more of it\n" * 40


def rollout() -> bytes:
    rows: list[Any] = [("session_meta", {"id": "s"}), said("user", "input_text", "look")]
    for n in range(4):
        call = {"type": "function_call", "call_id": f"c{n}", "name": "sh", "arguments": "{}"}
        output = {"type": "function_call_output", "call_id": f"c{n}", "output": f"{n} {LONG}"}
        rows += [("response_item", call), ("response_item", output)]
    rows += [said("assistant", "output_text", "done")]
    records = ({"timestamp": "t", "type": kind, "payload": payload} for kind, payload in rows)
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def said(role: str, kind: str, text: str) -> Any:
    part = {"type": kind, "text": text}
    return "response_item", {"type": "message", "role": role, "content": [part]}


DATA = rollout()
PACKED = ZstdCompressor(level=19).compress(DATA)  # no level that we write with


def inside(data: bytes) -> bytes:
    return ZstdDecompressor().decompressobj().decompress(data)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "rollout.jsonl.zst"
    path.write_bytes(PACKED)
    path.chmod(0o600)
    return path


@pytest.mark.parametrize("settings", [MICRO, FULL], ids=["micro", "full"])
def test_in_its_place_it_stays_compressed_and_comes_back_byte_for_byte(
    settings: Settings, source: Path, tmp_path: Path
) -> None:
    before = source.stat()
    report = api.compact(source, None, settings, root=tmp_path)
    after = source.stat()
    assert report.status == "ok"
    assert inside(source.read_bytes()).count(b"[Previous: used sh]") == (
        3 if settings is MICRO else 0
    )
    assert report.output.bytes == len(inside(source.read_bytes())) < report.input.bytes == len(DATA)
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    assert api.restore(source, None, root=tmp_path).runs == 1
    assert source.read_bytes() == PACKED
    assert kept.check(tmp_path) == []


def test_a_stream_is_compressed_as_the_input_is(tmp_path: Path) -> None:
    made, back = io.BytesIO(), io.BytesIO()
    api.compact(io.BytesIO(PACKED), made, MICRO, root=tmp_path)
    assert b"[Previous: used sh]" in inside(made.getvalue())
    api.restore(io.BytesIO(made.getvalue()), back, root=tmp_path)
    assert back.getvalue() == PACKED


@pytest.mark.parametrize(
    ("given", "name", "is_packed"),
    [
        pytest.param(PACKED, "out.jsonl", False, id="out of the compressed"),
        pytest.param(DATA, "out.jsonl.zst", True, id="into the compressed"),
    ],
)
def test_another_file_is_compressed_by_its_name(
    given: bytes, name: str, tmp_path: Path, *, is_packed: bool
) -> None:
    source, made, back = tmp_path / "in", tmp_path / name, tmp_path / f"back-{name}"
    source.write_bytes(given)
    api.compact(source, made, MICRO, root=tmp_path)
    assert made.read_bytes().startswith(b"{") is not is_packed
    api.restore(made, back, root=tmp_path)
    restored = back.read_bytes()
    assert (inside(restored) if is_packed else restored) == DATA


def test_what_does_not_change_is_copied_as_it_is(source: Path, tmp_path: Path) -> None:
    made = io.BytesIO()
    report = api.compact(source, made, Settings(counter="chars4"), root=tmp_path)
    assert (report.status, made.getvalue()) == ("unchanged", PACKED)
    back = io.BytesIO()
    api.restore(source, back, root=tmp_path)
    assert back.getvalue() == PACKED
    assert not (tmp_path / ".transcripts").exists()


def test_with_lines_appended_since_it_is_compressed_anew(source: Path, tmp_path: Path) -> None:
    api.compact(source, None, MICRO, root=tmp_path)
    source.write_bytes(source.read_bytes() + ZstdCompressor().compress(b'{"more":1}\n'))
    api.restore(source, None, root=tmp_path)
    assert inside(source.read_bytes()) == DATA + b'{"more":1}\n'


def test_where_the_copy_is_gone_or_damaged_what_is_inside_comes_back(
    source: Path, tmp_path: Path
) -> None:
    api.compact(source, None, MICRO, root=tmp_path)
    (copy,) = (tmp_path / ".transcripts").glob("compressed_*.zst")
    copy.write_bytes(PACKED[:-1])
    assert [found.code for found in kept.check(tmp_path)] == ["damaged_archive"]
    api.restore(source, None, root=tmp_path)
    assert source.read_bytes() != PACKED
    assert inside(source.read_bytes()) == DATA


def test_a_full_disk_at_any_time_leaves_no_trace(tmp_path: Path) -> None:
    failed = 0
    for number in count(1):
        root = tmp_path / str(number)
        root.mkdir()
        (root / "a.jsonl.zst").write_bytes(PACKED)
        with pytest.MonkeyPatch.context() as patch:
            calls = interrupt_calls(patch, number, disk_full)
            try:
                api.compact(root / "a.jsonl.zst", None, MICRO, root=root)
            except CtxCompactError:
                failed += 1
                assert listing(root) == {"a.jsonl.zst": PACKED}
        if calls() < number:
            break
    assert failed > 20


def test_without_the_library_nothing_is_done(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(UsageError, match="library"):
        api.compact(source, None, MICRO, root=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [source.name]


def test_it_is_looked_at_like_any_other(source: Path, tmp_path: Path) -> None:
    assert api.stats(source, MICRO, root=tmp_path).format == "codex"
    api.compact(source, None, MICRO, root=tmp_path)
    assert len(api.diff(None, source, MICRO, root=tmp_path).changes) == 3


def test_the_copy_is_collected_with_what_it_belongs_to(source: Path, tmp_path: Path) -> None:
    api.compact(source, None, MICRO, root=tmp_path)
    assert kept.collect(tmp_path).gone == ()
    api.restore(source, None, root=tmp_path)
    assert source.read_bytes() == PACKED
    gone = kept.collect(tmp_path).gone
    assert sorted(one.kind for one in gone) == ["archive", "pack", "receipt"]
    assert list(tmp_path.rglob("compressed_*")) == []
