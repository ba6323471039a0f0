"""A store that a disk has damaged: found by hash, named, and never given out for sound."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.command import call
from tests.cli.transcripts import rounds

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MICRO = ("--mode", "micro", "--keep-recent", "0", "--counter", "chars4")
TRIES = 5


@pytest.fixture
def originals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Compact a transcript; return the originals by their ids."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "talk.jsonl").write_bytes(rounds(chars=300))
    assert call("compact", "-i", "talk.jsonl", *MICRO).code == 0
    rows = call("store", "list", "--json").json["originals"]
    found = {row["id"]: call("reload", row["id"]).out for row in rows}
    assert len(found) == 3
    return found


def flip(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0x21]) + data[at + 1 :]


def cut(data: bytes, at: int) -> bytes:
    return data[:at]


def some(seed: int, places: range) -> list[int]:
    return Random(seed).sample(places, TRIES)  # the same places on every run


def findings() -> list[dict[str, Any]]:
    said = call("store", "verify", "--json")
    assert said.code == (1 if said.json["findings"] else 0)
    return list(said.json["findings"])


@pytest.mark.parametrize("spoil", [flip, cut], ids=["a flipped byte", "a torn tail"])
def test_damage_in_a_pack_is_found_and_named(
    tmp_path: Path, originals: dict[str, bytes], spoil: Callable[[bytes, int], bytes]
) -> None:
    [pack] = tmp_path.glob(".offload/pack-*.jsonl")
    [index] = tmp_path.glob(".offload/pack-*.idx")
    data, rows = pack.read_bytes(), index.read_bytes()
    before = (tmp_path / "talk.jsonl").read_bytes()
    for at in some(1, range(1, len(data))):
        pack.write_bytes(spoil(data, at))
        index.write_bytes(rows)
        assert any(one["path"].endswith(pack.name) for one in findings())
        for uuid, original in originals.items():
            said = call("reload", uuid)
            assert said.out in {b"", original}
            assert (said.code == 0) == (said.out == original)
        assert call("restore", "-i", "talk.jsonl").code in {0, 1, 4}
        assert (tmp_path / "talk.jsonl").read_bytes() in {before, rounds(chars=300)}
        (tmp_path / "talk.jsonl").write_bytes(before)


def test_a_damaged_index_changes_nothing(tmp_path: Path, originals: dict[str, bytes]) -> None:
    [index] = tmp_path.glob(".offload/pack-*.idx")
    data = index.read_bytes()
    for at in some(2, range(len(data))):
        for spoil in (flip, cut):
            index.write_bytes(spoil(data, at))
            assert {uuid: call("reload", uuid).out for uuid in originals} == originals
            assert findings() == []
    (tmp_path / "more.jsonl").write_bytes(rounds(tool="another"))
    assert call("compact", "-i", "more.jsonl", *MICRO).code == 0
    assert index.read_bytes() == data  # a run that writes mends it


def test_a_flipped_byte_in_a_receipt_or_an_archive_is_found_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "talk.jsonl").write_bytes(rounds(chars=300))
    assert call("compact", "-i", "talk.jsonl", "--mode", "manual").code == 0
    before = (tmp_path / "talk.jsonl").read_bytes()
    for path in tmp_path.glob(".transcripts/*_*"):
        data = path.read_bytes()
        for at in some(3, range(len(data))):
            path.write_bytes(flip(data, at))
            assert any(one["path"].endswith(path.name) for one in findings())
            assert call("restore", "-i", "talk.jsonl").code == 1
            assert (tmp_path / "talk.jsonl").read_bytes() == before
        path.write_bytes(data)
    assert json.loads(call("restore", "-i", "talk.jsonl", "--json").out)["runs"] == 1
