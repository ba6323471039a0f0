"""`--no-store-secrets`: no credential is kept where it was not before."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from zstandard import ZstdCompressor

from ctxcompact import redaction
from tests.cli.command import call
from tests.cli.transcripts import call as asks
from tests.cli.transcripts import line, result, rounds

if TYPE_CHECKING:
    from pathlib import Path

HIDDEN = "hunter2x9z"
MICRO = ("--mode", "micro", "--keep-recent", "0", "--no-store-secrets")
MANUAL = ("--mode", "manual", "--no-store-secrets")


def told(*, in_results: bool = True) -> bytes:
    """Write a talk with a credential in a result (line 15), or in what a person says (line 13)."""
    there, here = (f"DB_PASSWORD={HIDDEN}\n", "") if in_results else ("", f" password={HIDDEN}")
    return rounds() + b"".join(
        [
            line("user", f"What is set?{here}"),
            line("assistant", [asks(9, "env")]),
            line("user", [result(9, there + "PATH=/usr/bin and so on; " * 60)]),
            line("assistant", "Enough."),
            line("user", "Thanks."),
            line("assistant", "Gladly."),
        ]
    )


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


@pytest.fixture
def given(here: Path) -> Path:
    path = here / "talk.jsonl"
    path.write_bytes(told())
    return path


@pytest.mark.parametrize("how", [MICRO, MANUAL, (*MICRO, "--dry-run")], ids=" ".join)
def test_a_store_elsewhere_gets_no_credential(
    given: Path, elsewhere: Path, how: tuple[str, ...]
) -> None:
    said = call("compact", given, *how, "-i", "--root", elsewhere)
    assert (said.code, said.out) == (1, b"")
    assert "line 15 (password)" in said.err
    assert f"in {elsewhere}" in said.err
    assert f"--root {given.parent}" in said.err
    assert HIDDEN not in said.err
    assert given.read_bytes() == told()
    assert files(elsewhere) == []
    assert files(given.parent) == [given]


def test_it_is_told_to_scripts(given: Path, elsewhere: Path) -> None:
    said = call("compact", given, *MICRO, "-i", "--root", elsewhere, "--json")
    error = said.json["error"]
    assert (said.code, error["code"], error["line"]) == (1, "credential", 15)
    assert HIDDEN not in said.text + said.err


def test_a_pipe_is_at_home_in_the_working_directory(here: Path, elsewhere: Path) -> None:
    said = call("compact", *MICRO, "--root", elsewhere, stdin=told())
    assert (said.code, said.out) == (1, b"")
    assert "standard input holds credentials" in said.err
    assert files(elsewhere) == []
    assert call("compact", *MICRO, stdin=told()).code == 0
    assert (here / ".offload").is_dir()


@pytest.mark.parametrize("root", [".", "deep"])
def test_a_store_inside_its_own_root_may_keep_it(given: Path, root: str) -> None:
    (given.parent / "deep").mkdir()
    said = call("compact", given, *MICRO, "-o", "out.jsonl", "--root", root)
    assert said.code == 0
    packs = (given.parent / root / ".offload").glob("pack-*.jsonl")
    assert any(HIDDEN.encode() in pack.read_bytes() for pack in packs)


def test_the_working_directory_is_elsewhere_for_a_transcript_of_another_folder(
    here: Path, elsewhere: Path
) -> None:
    given = elsewhere / "talk.jsonl"
    given.write_bytes(told())
    assert call("compact", given, *MICRO, "-o", "out.jsonl").code == 1
    assert files(here) == []
    assert call("compact", given, *MICRO, "-o", "out.jsonl", "--root", elsewhere).code == 0


def test_only_what_would_be_kept_is_looked_at(given: Path, elsewhere: Path) -> None:
    """Micro leaves what a person said alone; a full summary keeps a copy of all."""
    given.write_bytes(told(in_results=False))
    assert call("compact", given, *MICRO, "-o", "out.jsonl", "--root", elsewhere).code == 0
    said = call("compact", given, *MANUAL, "-o", "full.jsonl", "--root", elsewhere)
    assert said.code == 1
    assert "line 13 (password)" in said.err


def test_of_a_compressed_transcript_a_copy_of_all_is_kept(here: Path, elsewhere: Path) -> None:
    given = here / "talk.jsonl.zst"
    given.write_bytes(ZstdCompressor().compress(told(in_results=False)))
    said = call("compact", given, *MICRO, "-i", "--root", elsewhere)
    assert said.code == 1
    assert "line 13 (password)" in said.err
    assert files(elsewhere) == []


def test_where_nothing_is_done_nothing_is_refused(given: Path, elsewhere: Path) -> None:
    arguments = ("--no-store-secrets", "--max-tokens", "900000", "--root", elsewhere)
    said = call("compact", given, *arguments)
    assert (said.code, said.out) == (0, told())


def test_without_the_switch_it_is_kept(given: Path, elsewhere: Path) -> None:
    arguments = ("compact", given, *MICRO, "-o", "out.jsonl", "--root", elsewhere)
    assert call(*arguments, "--store-secrets").code == 0


@pytest.mark.parametrize("source", ["the environment", "a file"])
def test_it_may_be_asked_for_elsewhere(
    given: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    if source == "a file":
        (given.parent / "ctxcompact.toml").write_text("no-store-secrets = true\n")
    else:
        monkeypatch.setenv("CTXCOMPACT_NO_STORE_SECRETS", "1")
    arguments = ("compact", given, "--mode", "micro", "--keep-recent", "0", "--root", elsewhere)
    assert call(*arguments, "-o", "out.jsonl").code == 1
    assert call(*arguments, "-o", "out.jsonl", "--store-secrets").code == 0


def test_without_the_patterns_it_is_not_promised(
    given: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "detect_secrets.plugins.base", None)
    redaction._known.cache_clear()
    said = call("compact", given, *MICRO, "-o", "out.jsonl")
    redaction._known.cache_clear()
    assert said.code == 2
    assert "pip install 'ctxcompact[redact]'" in said.err
    assert files(given.parent) == [given]
