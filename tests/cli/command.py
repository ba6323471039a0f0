"""Calling the command in this process, or as a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import shlex
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = (sys.executable, "-m", "ctxcompact")


class Said(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def call(*arguments: str | Path, stdin: bytes = b"") -> Said:
    """Run a command line in this process."""
    out, err = TextIOWrapper(BytesIO(), "utf-8"), TextIOWrapper(BytesIO(), "utf-8")
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        _typed(stdin),
    ):
        code = main([str(argument) for argument in arguments])
    return Said(code, _held(out), _held(err).decode())


@contextlib.contextmanager
def _typed(data: bytes) -> Iterator[None]:
    before, sys.stdin = sys.stdin, TextIOWrapper(BytesIO(data))
    try:
        yield
    finally:
        sys.stdin = before


def _held(stream: TextIOWrapper) -> bytes:
    stream.flush()
    stream.seek(0)
    return bytes(stream.buffer.read())


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a process of its own."""
    return os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"} | more


def spawn(*arguments: str | Path, **more: str) -> Said:
    """Run a command line as a process of its own."""
    run = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(**more),
        check=False,
        timeout=60,
    )
    return Said(run.returncode, run.stdout, run.stderr.decode())


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a command line of the shell that begins with our command."""
    return subprocess.run(
        ["/bin/sh", "-c", f"{shlex.join(PROGRAM)} {line}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
        timeout=60,
    )


def on_a_terminal(*arguments: str, **more: str) -> str:
    """Run a command with a terminal of 80 columns (or COLUMNS) as its standard output."""
    outer, inner = pty.openpty()
    said = b""
    env = environment(**{"COLUMNS": "80", "TERM": "xterm"} | more)
    with subprocess.Popen([*PROGRAM, *arguments], stdout=inner, env=env):
        os.close(inner)
        while part := _read(outer):
            said += part
    os.close(outer)
    return said.decode()


def _read(outer: int) -> bytes:
    try:
        return os.read(outer, 65536)
    except OSError:  # the other end is closed
        return b""
