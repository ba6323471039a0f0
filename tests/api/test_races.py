"""Somebody writes to the transcript while we work, or works on it too."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact import api
from ctxcompact.errors import InputChanged
from ctxcompact.stores.receipts import ReceiptWriter
from ctxcompact.stores.source import Source
from ctxcompact.stores.staging import Staging
from tests.api.files import MICRO, TRANSCRIPT, check_sound, jsonl, listing, put, restored, rows

if TYPE_CHECKING:
    from collections.abc import Callable

REPOSITORY = Path(__file__).resolve().parents[2]
MORE = b'{"role": "user", "content": "One more thing."}\n'
LINE = TRANSCRIPT.split(b"\n")[2]


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(MORE)


def replace(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(TRANSCRIPT)
    other.replace(path)


def cut(path: Path) -> None:
    os.truncate(path, len(TRANSCRIPT) // 2)


def overwrite(path: Path) -> None:
    """Change one letter of a line that the run changes too."""
    with path.open("r+b") as file:
        file.seek(TRANSCRIPT.index(LINE) + LINE.index(b"what"))
        file.write(b"W")


def overwrite_elsewhere(path: Path) -> None:
    """Change one letter of a line that the run only copies."""
    with path.open("r+b") as file:
        file.seek(TRANSCRIPT.index(b"That is all"))
        file.write(b"X")


def remove(path: Path) -> None:
    path.unlink()


CHANGES = [append, replace, cut, overwrite, overwrite_elsewhere, remove]
MOMENTS = [
    pytest.param((Staging, "add"), id="when the first original is staged"),
    pytest.param((Source, "check_unchanged"), id="when the source is looked at again"),
    pytest.param((Staging, "commit"), id="when the originals are kept"),
    pytest.param((ReceiptWriter, "commit"), id="when the receipt is kept"),
]


def once(real: Callable[..., Any], action: Callable[[], object]) -> Callable[..., Any]:
    """Do something before the first call."""
    done: list[bool] = []

    def call(*args: Any, **kwargs: Any) -> Any:
        if not done:
            done.append(True)
            action()
        return real(*args, **kwargs)

    return call


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("output", [None, "out.jsonl"], ids=["in place", "to another file"])
def test_a_transcript_changed_meanwhile_is_left_to_the_other_writer(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    moment: tuple[Any, str],
    change: Callable[[Path], None],
    output: str | None,
) -> None:
    holder, name = moment
    path = put(tmp_path / "root")
    os.utime(path, ns=(1, 1))
    seen: list[dict[str, bytes]] = []

    def act() -> None:
        change(path)
        seen.append({x.name: x.read_bytes() for x in path.parent.glob("*.jsonl")})

    monkeypatch.setattr(holder, name, once(getattr(holder, name), act))
    target = None if output is None else path.parent / output
    with pytest.raises(InputChanged):
        api.compact(path, target, MICRO, root=path.parent)
    assert listing(path.parent) == seen[0]


def test_a_stream_that_was_spooled_cannot_change(tmp_path: Path) -> None:
    path = put(tmp_path / "root")
    with path.open("rb") as stream:
        report = api.compact(stream, path.parent / "out.jsonl", MICRO, root=path.parent)
    append(path)
    assert report.status == "ok"
    assert restored(path.parent / "out.jsonl") == TRANSCRIPT


def test_an_in_place_restore_does_not_overwrite_what_came_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path / "root")
    api.compact(path, None, MICRO, root=path.parent)
    compacted = path.read_bytes()
    check = once(Source.check_unchanged, lambda: append(path))
    monkeypatch.setattr(Source, "check_unchanged", check)
    with pytest.raises(InputChanged):
        api.restore(path, None, root=path.parent)
    assert path.read_bytes() == compacted + MORE


def test_two_runs_on_two_transcripts_share_a_root(tmp_path: Path) -> None:
    inputs = {f"{n}.jsonl": jsonl(rows(4, f"t{n}")) for n in range(8)}
    paths = [put(tmp_path / "root", data, name) for name, data in inputs.items()]
    with ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(lambda x: api.compact(x, None, MICRO, root=x.parent), paths))
    assert [report.status for report in reports] == ["ok"] * len(paths)
    check_sound(tmp_path / "root")
    for path in paths:
        assert restored(path) == inputs[path.name]


def test_many_runs_on_one_transcript_change_it_once(tmp_path: Path) -> None:
    """The others see it changed, or find nothing left to do."""
    path = put(tmp_path / "root")

    def run(_: int) -> str:
        try:
            return api.compact(path, None, MICRO, root=path.parent).status
        except InputChanged:
            return "changed"

    with ThreadPoolExecutor(4) as pool:
        statuses = list(pool.map(run, range(8)))
    assert statuses.count("ok") == 1
    assert set(statuses) <= {"ok", "changed", "unchanged"}
    check_sound(path.parent)
    assert restored(path) == TRANSCRIPT


def test_processes_that_run_at_once_keep_one_sound_store(tmp_path: Path) -> None:
    root = tmp_path / "root"
    inputs = {f"{n}.jsonl": jsonl(rows(6, f"p{n // 2}")) for n in range(4)}
    script = (
        "import sys; from pathlib import Path; from ctxcompact import api;"
        "from tests.api.files import MICRO;"
        "path = Path(sys.argv[1]); api.compact(path, None, MICRO, root=path.parent)"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", script, str(put(root, data, name))], cwd=REPOSITORY)
        for name, data in inputs.items()
    ]
    assert [run.wait() for run in runs] == [0] * len(runs)
    check_sound(root)
    for name, data in inputs.items():
        assert (root / name).read_bytes() != data
        assert restored(root / name) == data
