"""Which stream gets what, and what happens when one is closed, full, or a person's."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.command import PROGRAM, call, environment, shell, spawn
from tests.cli.transcripts import rounds

if TYPE_CHECKING:
    from collections.abc import Iterator

SHRINK = ("--force", "--target", "1", "--last-keep", "0")


def test_a_transcript_on_standard_output_is_alone_there(talk: Path) -> None:
    said = call("compact", talk, *SHRINK)
    assert [json.loads(line)["role"] for line in said.out.splitlines()][:2] == ["user", "assistant"]
    assert "saved" in said.err


def test_with_an_output_file_the_report_is_on_standard_output(talk: Path) -> None:
    said = call("compact", talk, *SHRINK, "-o", "out.jsonl")
    assert "saved" in said.text
    assert said.err == ""


def test_in_place_the_report_is_on_standard_output(talk: Path) -> None:
    said = call("compact", "-i", talk, *SHRINK)
    assert "saved" in said.text
    assert said.err == ""


def test_json_goes_where_the_report_would(talk: Path) -> None:
    aside = call("compact", talk, *SHRINK, "--json")
    assert json.loads(aside.err)["command"] == "compact"
    beside = call("compact", talk, *SHRINK, "--json", "-o", "out.jsonl")
    assert beside.json["command"] == "compact"
    assert beside.err == ""


def test_an_output_named_dash_is_standard_output(talk: Path) -> None:
    said = call("compact", talk, *SHRINK, "-o", "-", "--json")
    assert json.loads(said.err)["output"]["path"] == "-"
    assert said.out.startswith(b'{"role"')


def test_a_pipe_needs_no_argument() -> None:
    said = call("compact", *SHRINK, stdin=rounds())
    assert said.out.startswith(b'{"role"')
    assert "standard input -> standard output" in said.err


def test_quiet_prints_the_transcript_alone(talk: Path) -> None:
    assert call("compact", talk, "-q").err == ""
    assert call("compact", talk, "-q", "-o", "out.jsonl").out == b""


@pytest.fixture
def terminal() -> Iterator[int]:
    """Give the inner end of a terminal."""
    outer, inner = pty.openpty()
    yield inner
    os.close(inner)
    os.close(outer)


@pytest.mark.parametrize("command", ["compact", "stats", "check", "restore"])
def test_a_person_who_pipes_nothing_in_is_told_so(terminal: int, command: str) -> None:
    run = subprocess.run(
        [*PROGRAM, command],
        stdin=terminal,
        capture_output=True,
        env=environment(),
        check=False,
        timeout=60,
    )
    assert run.returncode == 2
    assert b"no transcript" in run.stderr
    assert b"hint: name a file" in run.stderr


@pytest.mark.parametrize(
    ("redirection", "said"),
    [
        pytest.param("<&-", "standard input is closed", id="standard input"),
        pytest.param("< talk.jsonl >&-", "standard output: it is closed", id="standard output"),
    ],
)
@pytest.mark.usefixtures("talk")
def test_a_closed_stream_is_an_error(redirection: str, said: str) -> None:
    run = shell(f"compact {redirection}")
    assert run.returncode == 1
    assert said in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")
@pytest.mark.parametrize(
    "command", ["compact talk.jsonl", "compact talk.jsonl -o x --json", "stats talk.jsonl"]
)
@pytest.mark.usefixtures("talk")
def test_a_full_disk_behind_standard_output_is_an_error(command: str) -> None:
    run = shell(f"{command} > /dev/full")
    assert run.returncode == 1
    assert "error: cannot write to standard output: No space left" in run.stderr
    assert "Exception" not in run.stderr


def test_a_reader_who_leaves_ends_the_command_quietly(here: Path) -> None:
    (here / "talk.jsonl").write_bytes(rounds(100))
    command = [*PROGRAM, "compact", "talk.jsonl", "-q"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment()) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (141, b"")


def test_an_interrupt_ends_the_command_without_a_traceback(here: Path) -> None:
    fifo = here / "talk.jsonl"
    os.mkfifo(fifo)
    command = [*PROGRAM, "compact", str(fifo), "-o", "out.jsonl"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment()) as process:
        assert process.stderr is not None
        with fifo.open("wb") as writer:  # it is opened as soon as the command reads it
            writer.write(rounds())
            writer.flush()
            process.send_signal(signal.SIGINT)
            said = process.stderr.read()
    assert process.returncode == 130
    assert said == b"error: interrupted; nothing was written\n"
    assert not (here / "out.jsonl").exists()


def test_a_reader_who_takes_nothing_more_does_not_hold_up_the_end(here: Path) -> None:
    (here / "talk.jsonl").write_bytes(rounds(100))
    command = [*PROGRAM, "compact", "talk.jsonl", "-q"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment()) as process:
        assert process.stdout is not None
        process.stdout.read(1)  # the pipe is full now, and stays so
        process.send_signal(signal.SIGTERM)
        assert process.stderr is not None
        said = process.stderr.read()
    assert process.returncode == 143
    assert said == b"error: terminated; what was sent on is a part of the output\n"


def test_what_is_to_be_ignored_stays_ignored(here: Path) -> None:
    """As under nohup: the terminal goes, the command goes on."""
    (here / "talk.jsonl").write_bytes(rounds())
    fifo = here / "fifo"
    os.mkfifo(fifo)
    command = ["/bin/sh", "-c", 'trap "" HUP; exec "$@"', "sh", *PROGRAM, "compact", "fifo", "-q"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment()) as process:
        with fifo.open("wb") as writer:
            process.send_signal(signal.SIGHUP)
            writer.write(rounds())
        assert process.stdout is not None
        assert process.stdout.read() == rounds()
    assert process.returncode == 0


@pytest.mark.parametrize(
    "command", ["stats talk.jsonl", "store list", "check talk.jsonl", "formats", "compact --help"]
)
def test_a_reader_who_left_before_is_no_fault(talk: Path, command: str) -> None:
    call("compact", talk, *SHRINK, "-o", "out.jsonl")
    run = shell(f"{command} 2>err | true; cat err")
    assert run.stdout == ""


def test_a_locale_without_our_letters_does_no_harm(here: Path) -> None:
    path = here / "gespräch.jsonl"
    path.write_bytes(rounds(tool="прочитать", said="日本"))
    more = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    said = spawn("stats", path, **more)
    assert said.code == 0
    assert b"gespr" in said.out
    assert said.out.isascii()


def test_reload_text_is_utf_8_whatever_the_locale(here: Path) -> None:
    (here / "talk.jsonl").write_bytes(rounds(said="日本"))
    call("compact", "-i", "talk.jsonl", *SHRINK)
    uuid = call("store", "list", "--json").json["originals"][0]["id"]
    more = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert spawn("reload", "--text", uuid, **more).text.startswith("entry 0")
