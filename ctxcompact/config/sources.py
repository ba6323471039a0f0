"""Where values come from: flags, the environment, a file. Each source becomes one layer.

Finding the files is here too; which layer wins is not. A file of a project comes with the project,
and may have been written by anybody: what could do harm to whoever only works in it is for the
user's own file, the environment and the command line.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctxcompact.config.keys import KEYS
from ctxcompact.config.options import STANDARD, Summarizer
from ctxcompact.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PREFIX = "CTXCOMPACT_"

_OWN_FILE = "ctxcompact.toml"
_SHARED_FILE = "pyproject.toml"
_TABLE = "ctxcompact"
# What whoever writes a file of a project could do by a key, whatever its value, and by some values.
_SENDS = "have transcripts sent away"
_UNGUARDS = "switch off what you asked for"
_HARMFUL_KEYS = {"model": _SENDS, "api_base": _SENDS}
_HARMFUL_VALUES = {
    ("summarizer", Summarizer.LLM): _SENDS,
    ("redact", False): _UNGUARDS,
    ("no_store_secrets", False): _UNGUARDS,
}
_WRITES = "have files written outside of it"

# Of the same prefix, but no options: tracebacks, and where the tests find more transcripts.
_NOT_OPTIONS = frozenset({"debug", "shared"})


@dataclass(slots=True)
class Layer:
    """One source: how it spells a key, the file it is and what stands there, and its values by key."""

    spell: Callable[[str], str]
    path: Path | None = None
    text: str = ""
    values: dict[str, Any] = field(default_factory=dict)

    def add(self, key: str, value: object, convert: Callable[[Any], Any]) -> None:
        """Take over a value; a relative path in a file counts from the file's folder.

        Raises `UsageError` naming the key and what was wanted.
        """
        try:
            taken = convert(value)
        except (TypeError, ValueError):
            message = f"{self.spell(key)} must be {KEYS[key].wanted}, not {value!r:.60}"
            raise self.error(message, "give another value, or leave it out") from None
        if isinstance(taken, Path) and self.path is not None and taken != STANDARD:
            taken = self.path.parent / taken
        self.values[key] = taken

    def error(self, message: str, hint: str, line: int | None = None) -> UsageError:
        """Make an error that says which file it is about."""
        path = None if self.path is None else str(self.path)
        return UsageError(message, hint=hint, path=path, line=line)


def of_flags(flags: Mapping[str, Any]) -> Layer:
    """Read what stood on the command line. None or an empty list: not given."""
    layer = Layer(lambda key: "--" + key.replace("_", "-"))
    for key, value in flags.items():
        if value is not None and value != []:
            kind = KEYS[key]
            layer.add(key, value, kind.of_text if isinstance(value, str) else kind.of_toml)
    return layer


def of_environ(environ: Mapping[str, str]) -> Layer:
    """Read the variables that begin with our prefix; an empty one counts as not set.

    Raises `UsageError` for one that is no option.
    """
    layer = Layer(lambda key: PREFIX + key.upper())
    for name, text in environ.items():
        key = name.removeprefix(PREFIX).lower()
        if not name.startswith(PREFIX) or not text or key in _NOT_OPTIONS:
            continue
        if key not in KEYS:
            raise layer.error(f"{name} is no option of ctxcompact", _suggest(key, layer))
        layer.add(key, text, KEYS[key].of_text)
    return layer


def of_project_file(path: Path) -> Layer:
    """Read a file that came with a project.

    Raises `UsageError` as `of_file` does, and for what is not for such a file to set.
    """
    layer = of_file(path)
    for key, value in layer.values.items():
        if harm := _harm(key, value, path.parent):
            option, variable = key.replace("_", "-"), PREFIX + key.upper()
            own = find_user_file() or "a file of your own"
            message = f"{key} is not for a project to set: whoever writes its files could {harm}"
            hint = f"take it out there; where you want it, use --{option}, {variable} or {own}"
            raise layer.error(message, hint, _line_of(key, layer.text))
    return layer


def _harm(key: str, value: object, folder: Path) -> str:
    """Say what a value in a file of this folder could be used for, "" for nothing."""
    if isinstance(value, Path) and value != STANDARD:
        is_inside = Path(os.path.realpath(value)).is_relative_to(os.path.realpath(folder))
        return "" if is_inside else _WRITES
    if isinstance(value, str | bool) and (key, value) in _HARMFUL_VALUES:
        return _HARMFUL_VALUES[key, value]
    return _HARMFUL_KEYS.get(key, "")


def _line_of(key: str, text: str) -> int | None:
    """Return the line (from 1) where a key is set; TOML has more ways to spell it than are seen."""
    start = max(text.find(f"[tool.{_TABLE}]"), 0)
    name = key.replace("_", "[-_]")
    found = re.compile(rf"^[^#\n=]*\b{name}\b[\"']?\s*=", re.MULTILINE).search(text, start)
    return text.count("\n", 0, found.end()) + 1 if found else None


def of_file(path: Path) -> Layer:
    """Read a file, or our table in pyproject.toml. Dashes in keys count as underscores.

    Raises `UsageError` for a file that is not TOML, and for a key that is no option.
    """
    layer = Layer(lambda key: key, path)
    for name, value in _table(layer, path).items():
        key = name.replace("-", "_")
        if key not in KEYS:
            raise layer.error(f"unknown key {name!r:.60}", _suggest(key, layer))
        if key in layer.values:
            raise layer.error(f"{key} is set twice", "keep one of the two spellings")
        layer.add(key, value, KEYS[key].of_toml)
    return layer


def _table(layer: Layer, path: Path) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - most runs have no configuration file

    try:
        layer.text = path.read_text(encoding="utf-8")
        data = tomllib.loads(layer.text)
    except OSError as error:
        raise layer.error(f"cannot be read: {error.strerror}", "check its permissions") from None
    except ValueError as error:
        raise layer.error(f"is not TOML: {error}", "correct it, or move it away") from None
    if path.name != _SHARED_FILE:
        return data
    table = data.get("tool", {}).get(_TABLE, {})
    if not isinstance(table, dict):
        raise layer.error(f"tool.{_TABLE} must be a table", f"write [tool.{_TABLE}] above its keys")
    return table


def is_there(path: Path) -> bool:
    """Tell whether a file is at a path; where we may not look, there is none."""
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file raises where we may not look


def find_project_file(folder: Path) -> Path | None:
    """Find the nearest file with settings of ours, from a folder up."""
    for place in (folder, *folder.parents):
        if is_there(place / _OWN_FILE):
            return place / _OWN_FILE
        if _mentions_us(place / _SHARED_FILE):
            return place / _SHARED_FILE
    return None


def _mentions_us(path: Path) -> bool:
    """Tell whether a pyproject.toml has a table of ours. One that cannot be read has none."""
    try:
        return f"[tool.{_TABLE}]".encode() in path.read_bytes().replace(b" ", b"")
    except OSError:
        return False


def find_user_file() -> Path | None:
    """Return where the user's own file would be; without a home there is no such place."""
    from platformdirs import user_config_path  # noqa: PLC0415 - `--help` needs no folders

    path = user_config_path("ctxcompact", appauthor=False) / "config.toml"
    return path if path.is_absolute() else None


def _suggest(key: str, layer: Layer) -> str:
    import difflib  # noqa: PLC0415 - only a slip of the fingers pays for it

    close = difflib.get_close_matches(key, KEYS, n=1)
    if close:
        return f"did you mean {layer.spell(close[0])}?"
    return "every option of `ctxcompact compact --help` is a key"
