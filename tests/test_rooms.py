"""What is loaded when, and what is never called: what import-linter cannot see.

Who may import whom stands in the contracts of pyproject.toml; this file starts real processes.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "ctxcompact").rglob("*.py"))
RANDOM_IDS = frozenset({"uuid1", "uuid4"})


def imported_by(*arguments: str) -> set[str]:
    """Run Python on `arguments` and return the top names of all that it imported."""
    run = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    rows = (line.rpartition("|") for line in run.stderr.splitlines() if line.startswith("import "))
    return {name.strip().partition(".")[0] for _, _, name in rows}


def random_ids(source: str) -> Iterator[str]:
    """Yield each name in `source` that makes an id from chance or from the clock."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(attr=name) | ast.Name(id=name) | ast.alias(name=name):
                if name in RANDOM_IDS:
                    yield name


def test_importing_the_package_loads_no_heavy_dependency() -> None:
    imported = imported_by("-c", "import ctxcompact")
    assert "ctxcompact" in imported
    assert imported.isdisjoint({"typer", "rich", "orjson", "tiktoken", "litellm", "platformdirs"})


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_asking_the_command_about_itself_loads_typer_alone(option: str) -> None:
    imported = imported_by("-m", "ctxcompact", option)
    assert "typer" in imported
    assert imported.isdisjoint({"rich", "orjson", "tiktoken", "litellm"})


@pytest.mark.parametrize("path", SOURCES, ids=[str(path.relative_to(ROOT)) for path in SOURCES])
def test_ids_come_from_content_never_from_chance(path: Path) -> None:
    assert list(random_ids(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("import uuid\nuuid.uuid4()", id="as an attribute"),
        pytest.param("from uuid import uuid4 as fresh", id="under another name"),
        pytest.param("make = uuid1", id="as a bare name"),
    ],
)
def test_a_random_id_would_be_noticed(source: str) -> None:
    assert list(random_ids(source)) != []
