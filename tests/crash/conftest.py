"""Jobs to disturb, in a folder of their own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.crash.jobs import IN_PLACE, MODES, TO_A_FILE, Job, make

if TYPE_CHECKING:
    from pathlib import Path

JOBS = [
    pytest.param((mode, output), id=f"{mode} {'in place' if output == IN_PLACE else 'to a file'}")
    for mode in (*MODES, "restore")
    for output in (IN_PLACE, TO_A_FILE)
]


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("CTXCOMPACT_")]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session", params=JOBS)
def job(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Job:
    mode, output = request.param
    folder: Path = tmp_path_factory.mktemp("job")
    return make(folder, mode, output, is_store_new=output == IN_PLACE)
