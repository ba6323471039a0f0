"""The help, and what is loaded to show it."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact.cli import options
from ctxcompact.config import Options
from ctxcompact.config.keys import KEYS
from ctxcompact.core.settings import MAX_TOKENS, Settings
from tests.cli.command import ROOT, call, environment

if TYPE_CHECKING:
    from inspect import Parameter

COMMANDS = (
    "compact",
    "reload",
    "search",
    "restore",
    "stats",
    "check",
    "diff",
    "formats",
    "store list",
    "store log",
    "store show",
    "store verify",
    "store gc",
)
CONTRACT = {
    "compact": """output in-place mode format write keep-usage keep-twins root dry-run json report
        quiet verbose target overhead-tokens floor-tokens until max-tokens token-ratio target-ratio
        msg-threshold force levels last-keep large-payload-chars preview-chars
        min-consecutive-tool-messages min-compression-tokens current-round-ratio min-gain-tokens
        summary-ratio redact no-store-secrets keep-recent micro-min-chars micro-tag no-micro-tag threshold focus
        protect-tool protect model api-base summarizer on-failure timeout-s retries max-llm-calls
        max-input-tokens counter""",
    "reload": "root text recursive json",
    "search": "regex ignore-case limit root json",
    "restore": "output in-place root",
    "stats": "json by top counter format plan",
    "check": "max-tokens max-messages json",
    "diff": "root json format counter",
    "formats": "json",
    "store list": "root json",
    "store log": "root json",
    "store show": "root json",
    "store verify": "root json",
    "store gc": "older-than dry-run root json",
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_each_command_has_a_help_with_two_examples(command: str, option: str) -> None:
    said = call(*command.split(), option)
    assert said.code == 0
    assert (
        len(re.findall(rf"^ +(?:cat .*\| )?ctxcompact {command}\b", said.text, re.MULTILINE)) == 2
    )
    assert max(map(len, said.text.splitlines())) <= 80


@pytest.mark.parametrize("command", COMMANDS)
def test_the_contract_is_kept(command: str) -> None:
    said = call(*command.split(), "--help").text
    missing = [name for name in CONTRACT[command].split() if f"--{name}" not in said]
    assert missing == []


def test_the_help_of_the_program_names_all_commands() -> None:
    said = call("--help").text
    assert all(command.split()[0] in said for command in COMMANDS)
    assert "..." not in said.replace("[ARGS]...", "")


def test_without_a_command_the_help_is_shown_as_an_error() -> None:
    said = call()
    assert (said.code, said.out) == (2, b"")
    assert "Usage: ctxcompact" in said.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["compct"], "Did you mean 'compact'?", id="a command"),
        pytest.param(["store", "lst"], "Did you mean 'list'?", id="a command of the store"),
        pytest.param(["compact", "--keep-recnt", "3"], "--keep-recent", id="an option"),
        pytest.param(["compact", "--keep-recent", "x"], "'--keep-recent'", id="a value"),
        pytest.param(["compact", "a", "b"], "unexpected extra argument", id="one too many"),
        pytest.param(["stats", "--\x1b[31m"], "\\x1b[31m", id="an escape"),
        pytest.param(["store"], "missing command", id="half a command"),
    ],
)
def test_a_slip_is_explained(arguments: list[str], said: str) -> None:
    answer = call(*arguments)
    assert (answer.code, answer.out) == (2, b"")
    assert answer.err.startswith("error: ")
    assert said in answer.err
    assert "hint: " in answer.err
    assert "\x1b" not in answer.err


def test_a_slip_with_json_is_explained_in_json() -> None:
    said = call("stats", "--jsn", "--json")
    assert (said.code, said.json["command"], said.json["error"]["code"]) == (2, "stats", "usage")


def test_the_version_is_told() -> None:
    said = call("--version")
    assert re.fullmatch(r"ctxcompact \d\S+\n", said.text)


def _documented() -> list[tuple[str, str]]:
    tables = (*options.COMPACT, *options.STATS, *options.CHECK)
    found = {one.name: re.findall(r"\[default: (.*)\]", _help(one)) for one in tables}
    return [(name, told[0]) for name, told in found.items() if told]


def _help(parameter: Parameter) -> str:
    said: str = parameter.annotation.__metadata__[0].help
    return said


@pytest.mark.parametrize(("name", "told"), _documented())
def test_the_defaults_in_the_help_are_the_defaults(name: str, told: str) -> None:
    defaults: dict[str, Any] = {
        one.name: one.default for one in (*fields(Settings), *fields(Options))
    }
    defaults |= {"max_tokens": MAX_TOKENS, "levels": "1,2,3,4,5,6"}
    defaults |= {"root": "the working directory", "micro_tag": "micro-tag"}
    assert told == str(defaults[name])


def test_every_option_is_a_key() -> None:
    tables = (
        *(options.COMPACT, options.STATS, options.CHECK),
        *(options.RELOAD, options.SEARCH, options.RESTORE),
    )
    arguments = {"source", "sources", "ids", "wanted"}
    assert {one.name for table in tables for one in table} - arguments <= set(KEYS)


@pytest.mark.parametrize("arguments", [["--help"], ["compact", "--help"], ["compct"], []])
def test_to_explain_itself_it_loads_typer_alone(arguments: list[str]) -> None:
    program = (
        "import sys; from ctxcompact.cli import main; main(sys.argv[1:]);"
        "print(*sorted(name.partition('.')[0] for name in sys.modules), file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
        cwd=ROOT,
        timeout=60,
    )
    loaded = set(run.stderr.splitlines()[-1].split())
    assert "typer" in loaded
    assert loaded.isdisjoint({"rich", "orjson", "tiktoken", "litellm", "platformdirs", "tomllib"})
