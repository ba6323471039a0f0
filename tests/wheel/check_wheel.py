"""Try the built distributions as a stranger would: no test of pytest's, a program of its own.

    python check_wheel.py contents DIST     what the wheel and the source archive in DIST hold
    python check_wheel.py command SAMPLES   the command installed beside this Python, on samples

It imports nothing of the package, so that it can run where only the wheel is installed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

TARGET_TOKENS = "20000"
RANKS = {f"ctxcompact/counters/ranks/{name}.bin" for name in ("cl100k_base", "o200k_base")}
PROMPTS = {f"ctxcompact/summarizers/prompts/{name}.md" for name in ("frame", "full", "merge")}
IN_WHEEL = RANKS | PROMPTS | {"ctxcompact/__main__.py", "ctxcompact/py.typed"}
IN_SDIST = IN_WHEEL | {"LICENSE", "README.md", "pyproject.toml", "tests/conftest.py"}


class Finding(Exception):  # noqa: N818 - reads as what happened
    """Something a stranger would stumble over."""


def expect(fact: object, message: str) -> None:
    """Raise `Finding` unless `fact` holds."""
    if not fact:
        raise Finding(message)


def only(folder: Path, pattern: str) -> Path:
    """Return the one file of `folder` that fits `pattern`."""
    found = sorted(folder.glob(pattern))
    expect(len(found) == 1, f"{folder}: wanted one {pattern}, found {len(found)}")
    return found[0]


def check_contents(folder: Path) -> None:
    """Look for what must be in the archives, and in the wheel for what must not."""
    with zipfile.ZipFile(only(folder, "*.whl")) as wheel:
        names = set(wheel.namelist())
    strangers = [n for n in names if not n.startswith(("ctxcompact/", "ctxcompact-"))]
    expect(names >= IN_WHEEL, f"not in the wheel: {sorted(IN_WHEEL - names)}")
    expect(not strangers, f"in the wheel, and not the package: {strangers}")
    with tarfile.open(only(folder, "*.tar.gz")) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    expect(inside >= IN_SDIST, f"not in the source archive: {sorted(IN_SDIST - inside)}")
    samples = [name for name in inside if name.startswith("samples/") and name.endswith(".jsonl")]
    expect(samples, "no sample in the source archive")


class Stranger:
    """Calls the installed command in an empty folder, with an empty home."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = [str(Path(sys.executable).with_name("ctxcompact"))]
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8"}

    def call(self, *arguments: str, allowed: tuple[int, ...] = (0,)) -> bytes:
        """Return standard output; refuse any exit code that is not `allowed`."""
        run = subprocess.run(
            [*self.program, *arguments],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        said = run.stderr.decode(errors="replace")[-2000:]
        call = " ".join(arguments)
        expect(run.returncode in allowed, f"ctxcompact {call}: exit {run.returncode}\n{said}")
        expect("Traceback" not in said, f"ctxcompact {call}: a traceback\n{said}")
        return run.stdout


def check_about(stranger: Stranger) -> None:
    """Ask for the version and for help."""
    told = stranger.call("--version").decode()
    expect(version("ctxcompact") in told, f"--version says {told!r}")
    expect(b"compact" in stranger.call("--help"), "--help does not name `compact`")


def check_counters(stranger: Stranger) -> None:
    """Ask for exact counts, which need the rank tables of the wheel and no model of other tokens."""
    (stranger.folder / "plain.jsonl").write_bytes(b'{"role":"user","content":"Hello."}\n')
    for counter in ("o200k_base", "cl100k_base"):
        options = ("--dry-run", "--json", "--force", "--counter", counter, "-o", "unused.jsonl")
        report = json.loads(stranger.call("compact", "plain.jsonl", *options, allowed=(0, 3)))
        expect(report["counter"]["exact"], f"{counter} is not exact: {report['counter']}")


def check_way_back(stranger: Stranger, sample: Path) -> dict[str, Any]:
    """Compact, reload one original, restore; return the report of the compaction."""
    before = sample.read_bytes()
    expect(stranger.call("stats", sample.name), f"stats {sample.name} says nothing")
    options = ("--target", TARGET_TOKENS, "-o", "out.jsonl", "--report", "report.json")
    stranger.call("compact", sample.name, *options, allowed=(0, 3))
    report: dict[str, Any] = json.loads((stranger.folder / "report.json").read_bytes())
    for identifier in [i for step in report["steps"] for i in step.get("offloads", ())][:1]:
        original = stranger.call("reload", identifier)
        expect(original.rstrip(b"\r\n") in before, f"reload {identifier}: not what stood there")
    stranger.call("restore", "out.jsonl", "-o", "back.jsonl")
    expect((stranger.folder / "back.jsonl").read_bytes() == before, f"{sample.name}: not restored")
    expect(sample.read_bytes() == before, f"{sample.name}: the input was changed")
    return report


def check_command(folder: Path) -> None:
    """Try the whole command on every sample; one of them at least must shrink."""
    paths = sorted(folder.glob("*.jsonl"))
    expect(paths, f"no sample in {folder}")
    shrunk = 0
    for path in paths:
        with tempfile.TemporaryDirectory() as name:
            stranger = Stranger(Path(name))
            sample = stranger.folder / path.name
            sample.write_bytes(path.read_bytes())
            check_about(stranger)
            check_counters(stranger)
            report = check_way_back(stranger, sample)
        sizes = report["input"]["tokens"], report["output"]["tokens"]
        sys.stdout.write(f"{path.name}: {sizes[0]} -> {sizes[1]} tokens, restored byte for byte\n")
        shrunk += sizes[1] < sizes[0]
    expect(shrunk, "no sample became smaller")


def main(arguments: list[str]) -> int:
    """Run the check that `arguments` name; 0 if nothing was found."""
    match arguments:
        case ["contents", dist]:
            check, folder = check_contents, dist
        case ["command", samples]:
            check, folder = check_command, samples
        case _:
            sys.stderr.write(f"{__doc__}\n")
            return 2
    try:
        check(Path(folder).resolve())
    except Finding as found:
        sys.stderr.write(f"check_wheel: {found}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
