"""Each test gets a working directory and a home of its own, and no settings from outside."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.cli.transcripts import rounds

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("CTXCOMPACT_")]:
        monkeypatch.delenv(name)
    for name in ("NO_COLOR", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def talk(here: Path) -> Path:
    """Return a transcript with three large results, two of them in the past."""
    path = here / "talk.jsonl"
    path.write_bytes(rounds())
    return path
