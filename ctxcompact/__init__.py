"""Make a recorded agent conversation fit a token budget, and keep a way back.

The names below are loaded at first use; importing the package loads nothing else. What they do is
said in `ctxcompact.api` and `ctxcompact.kept`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctxcompact.api import check, compact, restore, stats
    from ctxcompact.core.events import Event, Report, Size
    from ctxcompact.core.settings import Settings
    from ctxcompact.errors import (
        CredentialFound,
        CtxCompactError,
        IdNotFound,
        InputChanged,
        InputError,
        OriginalDamaged,
        OutputError,
        ReadOnlyFormat,
        RestoreError,
        StoreError,
        SummarizerError,
        UnknownFormat,
        UsageError,
    )
    from ctxcompact.kept import reload, search
    from ctxcompact.session import Session

    __version__: str

__all__ = [
    "CredentialFound",
    "CtxCompactError",
    "Event",
    "IdNotFound",
    "InputChanged",
    "InputError",
    "OriginalDamaged",
    "OutputError",
    "ReadOnlyFormat",
    "Report",
    "RestoreError",
    "Session",
    "Settings",
    "Size",
    "StoreError",
    "SummarizerError",
    "UnknownFormat",
    "UsageError",
    "__version__",
    "check",
    "compact",
    "reload",
    "restore",
    "search",
    "stats",
]

_HOMES = {
    **dict.fromkeys(("Event", "Report", "Size"), "ctxcompact.core.events"),
    "Session": "ctxcompact.session",
    "Settings": "ctxcompact.core.settings",
    **dict.fromkeys(("check", "compact", "restore", "stats"), "ctxcompact.api"),
    **dict.fromkeys(("reload", "search"), "ctxcompact.kept"),
}


def __getattr__(name: str) -> Any:
    """Load a public name at first use."""
    if name not in __all__:
        message = f"module 'ctxcompact' has no attribute {name!r}"
        raise AttributeError(message)
    if name == "__version__":
        value: Any = _version()
    else:
        from importlib import import_module  # noqa: PLC0415 - the point of this function

        value = getattr(import_module(_HOMES.get(name, "ctxcompact.errors")), name)
    globals()[name] = value
    return value


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - it takes a while

    try:
        return version("ctxcompact")
    except PackageNotFoundError:
        return "0+not.installed"


def __dir__() -> list[str]:
    return __all__
