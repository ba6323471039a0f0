"""The README: its commands run, its examples and tables are true."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact import counters
from ctxcompact.cli import options
from ctxcompact.cli.exits import Exit
from ctxcompact.config import load
from ctxcompact.core.settings import Mode
from ctxcompact.levels import LEVELS
from tests.cli.command import ROOT, call, environment

if TYPE_CHECKING:
    from pathlib import Path

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = (
    "compact",
    "reload",
    "restore",
    "stats",
    "check",
    "search",
    "store list",
    "store log",
    "store show",
    "store verify",
    "store gc",
    "formats",
)
INSTALLS = re.compile(r"python3? -m (venv|pip)\b")
OPTION = re.compile(r"--[a-z][a-z-]+(?=[^a-z-])")
ELLIPSIS = "…"
COUNTERS = {
    "o200k_base": [0],
    "cl100k_base": [0],
    "claude": [counters.choose("claude", f"claude-opus-{of}").error_pct for of in ("4-5", "4-7")],
    "gemini": [counters.choose("gemini").error_pct],
    "chars4": [counters.choose("chars4").error_pct],
    "agentscope": [counters.choose("agentscope").error_pct],
}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def section(title: str) -> str:
    """Return what stands below a heading, up to the next one of its size or larger."""
    pattern = rf"^#+ {re.escape(title)}\n(.*?)(?=^#{{1,3}} |\Z)"
    found = re.search(pattern, README, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def rows(title: str) -> list[list[str]]:
    """Return the cells of all rows of the tables in a section, heads and rulers left out."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    tables = [
        line
        for line, below in zip(lines, [*lines[1:], ""], strict=True)
        if not line.startswith(("|---", "|--:")) and not below.startswith(("|---", "|--:"))
    ]
    return [[cell.strip() for cell in line.strip("|").split(" |")] for line in tables]


class Reader:
    """Somebody who types what the README says, in a folder with the samples."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT / "samples", folder / "samples", ignore=shutil.ignore_patterns("*.py"))
        tools = folder / "bin"
        tools.mkdir()
        for name, arguments in (("python", ""), ("ctxcompact", "-m ctxcompact")):
            program = tools / name
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
            program.chmod(0o755)
        path = os.pathsep.join([str(tools), os.environ["PATH"]])
        self.environment = environment(PATH=path, HOME=str(folder / "home"))

    def types(self, script: str) -> str:
        """Run a script in one shell that stops at the first error; return standard output."""
        run = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],  # noqa: S607 - the reader's own shell
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, f"{script}\n{run.stderr}"
        return run.stdout


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    for name in [name for name in os.environ if name.startswith("CTXCOMPACT_")]:
        monkeypatch.delenv(name)
    return Reader(tmp_path)


def test_the_first_block_runs_the_main_job(reader: Reader) -> None:
    lines = blocks("sh")[0].splitlines()
    installs = [line for line in lines if INSTALLS.match(line)]
    said = reader.types("\n".join(line for line in lines if line not in installs))
    assert len(installs) == 2
    assert "of the tokens saved" in said
    assert said.endswith("the same bytes\n")


def test_the_first_block_installs_extras_that_exist() -> None:
    named = re.findall(r"'\.\[(.*?)\]'", blocks("sh")[0])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert named
    assert set(named[0].split(",")) == set(project["optional-dependencies"])


def test_the_second_block_passes_the_tests() -> None:
    assert blocks("sh")[1:] == ["python -m pytest\n"]


def test_commands_print_what_the_readme_shows(reader: Reader) -> None:
    shown = "".join(blocks("console"))
    commands = re.findall(r"^\$ (.*)\n", shown, re.MULTILINE)
    assert len(commands) >= 2
    assert "".join(f"$ {line}\n{reader.types(line)}" for line in commands) == shown


def test_excerpts_stand_in_what_is_written(reader: Reader) -> None:
    sample = "samples/claude-code-session.jsonl"
    written = reader.types(
        f"ctxcompact compact {sample} --levels 2,3 --target 80000 -q;"
        f"ctxcompact compact {sample} --mode micro -q"
    )
    excerpts = [line for block in blocks("text") for line in block.splitlines()]
    assert len(excerpts) >= 2
    assert [line for line in excerpts if line not in written] == []


def test_the_report_is_the_one_of_the_command_above_it(reader: Reader) -> None:
    title = "The report as JSON"
    command = re.findall(r"^`(ctxcompact compact .*?)`", section(title), re.MULTILINE)[0]
    shown, found = json.loads(blocks("json")[0]), json.loads(reader.types(command))
    assert list(shown) == list(found)
    assert _shortened(found, shown) == shown


def _shortened(found: Any, shown: Any) -> Any:
    """Cut texts where the README cuts them."""
    if isinstance(found, dict) and isinstance(shown, dict):
        return {key: _shortened(value, shown.get(key)) for key, value in found.items()}
    if isinstance(found, str) and isinstance(shown, str) and shown.endswith(ELLIPSIS):
        return found[: len(shown) - 1] + ELLIPSIS
    return found


def test_the_library_example_runs(reader: Reader) -> None:
    (reader.folder / "example.py").write_text(blocks("python")[0], encoding="utf-8")
    assert reader.types("python example.py").startswith("ok ")
    reader.types("cmp back.jsonl samples/claude-code-session.jsonl")


LOOP = """
answers = iter(range(9))
def done(messages):
    return next(answers) > 3
def model(messages, tools, system):
    return {"role": "assistant", "content": f"{len(messages)} messages, {len(tools)} tools"}
"""


def test_the_loop_of_an_agent_runs(reader: Reader) -> None:
    shown = "print(session.messages()[-1]['content'])"
    (reader.folder / "loop.py").write_text(f"{LOOP}\n{blocks('python')[1]}\n{shown}\n")
    assert reader.types("python loop.py") == "4 messages, 2 tools\n"


def test_the_configuration_example_is_one(tmp_path: Path) -> None:
    (tmp_path / "ctxcompact.toml").write_text(blocks("toml")[0], encoding="utf-8")
    config = load({}, environ={}, folder=tmp_path, user_file=tmp_path / "none")
    assert config.files == (tmp_path / "ctxcompact.toml",)


def _options(command: str) -> set[str]:
    """Return the options of a command; one that takes another back is not one of its own."""
    said = set(OPTION.findall(call(*command.split(), "--help").text)) - {"--help"}
    return {name for name in said if name.replace("--no-", "--") not in said - {name}}


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_and_all_its_options_are_told(command: str) -> None:
    told = section("compact") + section("The others") + section("Commands")
    short = {"--output": "`-o`", "--in-place": "`-i`", "--quiet": "`-q`", "--verbose": "`-v`"}
    missing = [name for name in _options(command) if f"{name}" not in told]
    assert re.search(rf"`(ctxcompact )?{command}\b", told)
    assert [name for name in missing if short.get(name, name) not in told] == []


def test_no_option_is_told_that_is_none() -> None:
    known = {"--help", "--version"}.union(*map(_options, COMMANDS))
    told = set(OPTION.findall(section("compact") + section("The others")))
    assert {name for name in told - known if name.replace("--", "--no-") not in known} == set()


def test_the_defaults_told_are_those_of_the_help() -> None:
    help_of = {
        "--" + one.name.replace("_", "-"): str(one.annotation.__metadata__[0].help)
        for one in options.COMPACT
    }
    told = []
    for names, defaults, _ in rows("compact"):
        found = [name for name in OPTION.findall(names.replace("`", " ")) if name in help_of]
        wanted = [re.search(r"\[default: (.*)\]", help_of[name]) for name in found]
        told += [(names, defaults, ", ".join(one[1] for one in wanted if one))]
    assert len(told) >= 20
    assert [row for row in told if row[1] not in {row[2], "on"}] == []


def test_the_formats_told_are_those_that_are_read() -> None:
    found = call("formats", "--json").json["formats"]
    assert rows("Formats") == [
        [f"`{one['name']}`", _yes(one["read"]), _yes(one["write"]), one["recognised_by"]]
        for one in found
    ]


def _yes(is_so: object) -> str:
    return "yes" if is_so else "no"


def test_the_exit_codes_told_are_all() -> None:
    assert [int(code) for code, _ in rows("Streams and exit codes")] == sorted(Exit)


def test_the_counters_told_and_their_errors_are_right() -> None:
    told = {name.strip("`"): _percents(error) for name, _, error in rows("Counting")}
    assert told == COUNTERS
    assert set(told) == set(counters.NAMES) - {"auto"}


def _percents(told: str) -> list[float]:
    return [float(one) for one in re.findall(r"± (\d+) %", told)] or [0]


def test_the_levels_told_are_all() -> None:
    told = [row[0] for row in rows("Levels and layers") if re.match(r"\d `", row[0])]
    assert told == [f"{level.number} `{level.name}`" for level in LEVELS]


def test_the_modes_told_are_all() -> None:
    told = {row[0].strip("`") for row in rows("Levels and layers") if row[0].startswith("`")}
    assert told == set(Mode) - {Mode.CHAIN}


def test_what_is_told_to_be_missing_is_missing() -> None:
    told = section("What is not in this version yet")
    here = {
        "sampled": "sampled" in counters.NAMES,
    }
    assert {name: name not in told for name in here} == here


def test_all_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)(.*?)\)", README)
    titles = re.findall(r"^#+ (.*)", README, re.MULTILINE)
    anchors = {"#" + re.sub(r"[^a-z0-9 -]", "", one.lower()).replace(" ", "-") for one in titles}
    missing = [one for one in links if one not in anchors and not (ROOT / one).is_file()]
    assert links
    assert missing == []
