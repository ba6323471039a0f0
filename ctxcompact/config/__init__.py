"""What is asked of a run: flags, then environment, project file, user file, defaults.

The first of these that speaks wins, key by key. Every option is a key.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctxcompact.config.options import STANDARD, By, Options, Summarizer
from ctxcompact.config.sources import (
    Layer,
    find_project_file,
    find_user_file,
    is_there,
    of_environ,
    of_file,
    of_flags,
    of_project_file,
)
from ctxcompact.core.settings import Settings
from ctxcompact.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["STANDARD", "By", "Config", "Options", "Summarizer", "load"]

# Of each pair only one can hold; the word of the higher source counts.
_RIVALS = (("output", "in_place"), ("quiet", "verbose"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything asked of one run, and the configuration files that had a say in it."""

    settings: Settings
    options: Options
    files: tuple[Path, ...] = ()


def load(
    flags: Mapping[str, Any],
    *,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
    user_file: Path | None = None,
) -> Config:
    """Merge all sources. A flag that is None or an empty list was not given.

    `environ`, `folder` (the working directory) and `user_file` are those of the process unless
    given. Raises `UsageError` for an unknown key, for a value of a wrong type or out of range, and
    for what is not for a project to set, naming where it stands.
    """
    own, shared = user_file or find_user_file(), find_project_file(folder or _working_directory())
    layers = [of_file(own)] if own is not None and is_there(own) else []
    layers += [of_project_file(shared)] if shared is not None else []
    used = tuple(layer.path for layer in layers if layer.path is not None)
    layers += [of_environ(os.environ if environ is None else environ), of_flags(flags)]
    values, origins = _merge(layers)
    names = [one.name for one in fields(Settings)]
    try:
        settings = Settings(**{key: values.pop(key) for key in names if key in values})
        return Config(settings=settings, options=Options(**values), files=used)
    except UsageError as error:
        raise _placed(error, origins) from None


def _working_directory() -> Path:
    """Return it, or the top if it was removed: then there is no project."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path("/")


def _merge(layers: Iterable[Layer]) -> tuple[dict[str, Any], dict[str, Layer]]:
    """Return the values by key, and the layer each came from; later layers win."""
    values: dict[str, Any] = {}
    origins: dict[str, Layer] = {}
    for layer in layers:
        for first, second in _RIVALS:
            if layer.values.get(first) and layer.values.get(second):
                message = f"{layer.spell(first)} and {layer.spell(second)} exclude each other"
                raise layer.error(message, "leave one of them out")
            for one, other in ((first, second), (second, first)):
                if layer.values.get(one):
                    values.pop(other, None)
        values |= layer.values
        origins |= dict.fromkeys(layer.values, layer)
    return values, origins


def _placed(error: UsageError, origins: Mapping[str, Layer]) -> UsageError:
    """Speak of a value out of range as its source spells it; settings speak of flags."""
    option = error.message.split()[0]
    key = option.removeprefix("--").replace("-", "_")
    layer = origins.get(key)
    if layer is None:
        return error
    message = error.message.replace(option, layer.spell(key), 1)
    return layer.error(message, "give another value, or leave it out")
