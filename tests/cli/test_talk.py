"""How errors are said, and which exit code each means."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ctxcompact import errors
from ctxcompact.cli.talk import Talk, perform

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ctxcompact.cli.exits import Exit
    from ctxcompact.config import Config


class Panic(BaseException):
    """What a tokenizer written in another language may raise."""


def raising(error: BaseException) -> Callable[[Config, Talk], Exit]:
    def work(config: Config, talk: Talk) -> Exit:
        del config, talk
        raise error

    return work


def unknown_tags() -> errors.RestoreError:
    error = errors.RestoreError("marks that no store knows")
    error.code = "unknown_tags"
    return error


@pytest.mark.parametrize(
    ("error", "code"),
    [
        pytest.param(errors.CtxCompactError("x"), 1, id="any of ours"),
        pytest.param(errors.UsageError("x"), 2, id="usage"),
        pytest.param(errors.InputError("x"), 1, id="input"),
        pytest.param(errors.UnknownFormat("x"), 1, id="unknown format"),
        pytest.param(errors.InputChanged("x"), 5, id="input changed"),
        pytest.param(errors.OutputError("x"), 1, id="output"),
        pytest.param(errors.StoreError("x"), 1, id="store"),
        pytest.param(errors.IdNotFound("x"), 4, id="id not found"),
        pytest.param(errors.OriginalDamaged("x"), 1, id="original damaged"),
        pytest.param(errors.RestoreError("x"), 1, id="restore"),
        pytest.param(unknown_tags(), 4, id="marks no store knows"),
        pytest.param(ValueError("x"), 1, id="unexpected"),
        pytest.param(MemoryError(), 1, id="memory"),
        pytest.param(RecursionError("x"), 1, id="recursion"),
        pytest.param(PermissionError(13, "Permission denied", "f"), 1, id="system"),
        pytest.param(Panic("x"), 1, id="panic"),
        pytest.param(KeyboardInterrupt(), 130, id="interrupt"),
        pytest.param(BrokenPipeError(), 141, id="broken pipe"),
    ],
)
@pytest.mark.usefixtures("kept_stdout")
def test_each_error_has_its_exit_code(error: BaseException, code: int) -> None:
    assert perform("stats", {}, raising(error)) == code


@pytest.fixture
def kept_stdout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the descriptor of the test run: a broken pipe would let go of it."""
    monkeypatch.setattr("sys.stdout", None)


def test_an_error_says_where_what_and_what_next(capfd: pytest.CaptureFixture[str]) -> None:
    error = errors.InputError("two values", hint="part them", path="s.jsonl", line=7)
    perform("stats", {}, raising(error))
    assert capfd.readouterr().err == "error: s.jsonl:7: two values\n  hint: part them\n"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        pytest.param(
            errors.InputError("cannot read s.jsonl: gone", path="s.jsonl"),
            "error: cannot read s.jsonl: gone\n",
            id="the path is in the message",
        ),
        pytest.param(
            errors.RestoreError("s.jsonl: line 3 was edited", path="s.jsonl", line=3),
            "error: s.jsonl: line 3 was edited\n",
            id="path and line are in the message",
        ),
        pytest.param(
            errors.InputError("cut off", path="-", line=3),
            "error: standard input:3: cut off\n",
            id="standard input",
        ),
        pytest.param(errors.StoreError("full", path="."), "error: full\n", id="here"),
        pytest.param(errors.InputError("odd", line=3), "error: line 3: odd\n", id="no path"),
        pytest.param(
            errors.InputError("\x1b[31mred\u202e\n", path="a\x07b"),
            "error: a\\x07b: \\x1b[31mred\\u202e\\n\n",
            id="nothing is printed raw",
        ),
        pytest.param(
            PermissionError(13, "Permission denied", "f"),
            "error: f: Permission denied\n  hint: set CTXCOMPACT_DEBUG=1 for the traceback\n",
            id="of the system",
        ),
        pytest.param(
            ZeroDivisionError("by zero"),
            "error: unexpected ZeroDivisionError: by zero\n"
            "  hint: this is a fault of ctxcompact; set CTXCOMPACT_DEBUG=1 for the traceback\n",
            id="unexpected",
        ),
        pytest.param(
            MemoryError(),
            "error: out of memory\n  hint: close other programs, or add memory\n",
            id="memory",
        ),
    ],
)
def test_words_for_an_error(
    capfd: pytest.CaptureFixture[str], error: BaseException, said: str
) -> None:
    perform("stats", {}, raising(error))
    assert capfd.readouterr().err == said


def test_an_error_as_json_has_these_keys(capfd: pytest.CaptureFixture[str]) -> None:
    error = errors.InputError("two values", hint="part them", path="s.jsonl", line=7)
    perform("check", {"json": True}, raising(error))
    printed = capfd.readouterr()
    assert json.loads(printed.out) == {
        "ctxcompact": 1,
        "command": "check",
        "status": "failed",
        "error": {
            "code": "input",
            "message": "two values",
            "hint": "part them",
            "path": "s.jsonl",
            "line": 7,
        },
    }
    assert printed.err.startswith("error: ")


def test_json_on_standard_error_is_alone_there(capfd: pytest.CaptureFixture[str]) -> None:
    perform("compact", {"json": True}, raising(errors.InputError("x")), transcript=True)
    printed = capfd.readouterr()
    assert printed.out == ""
    assert json.loads(printed.err)["error"]["code"] == "input"


def test_json_asked_for_in_the_environment_counts(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXCOMPACT_JSON", "1")
    perform("stats", {}, raising(errors.InputError("x")))
    assert json.loads(capfd.readouterr().out)["status"] == "failed"


def test_debugging_shows_the_traceback(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXCOMPACT_DEBUG", "1")
    perform("stats", {}, raising(ValueError("\x1b[31m")))
    said = capfd.readouterr().err
    assert "Traceback" in said
    assert "in work" in said
    assert "\x1b" not in said


def test_a_failure_is_also_in_the_report_file(here: Path) -> None:
    flags = {"report": "report.json"}
    perform("compact", flags, raising(errors.InputError("x")), transcript=True)
    report = json.loads((here / "report.json").read_bytes())
    assert (report["command"], report["error"]["message"]) == ("compact", "x")


def test_a_report_never_overwrites_the_input(here: Path) -> None:
    path = here / "talk.jsonl"
    path.write_bytes(b"words\n")
    flags = {"report": "./talk.jsonl"}
    code = perform("compact", flags, raising(ValueError()), transcript=True, source="talk.jsonl")
    assert (code, path.read_bytes()) == (2, b"words\n")
