"""Several transcripts in one command: one that cannot be read does not stop the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ctxcompact.cli import streams

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from ctxcompact.cli.talk import Talk

T = TypeVar("T")


def each(
    names: Sequence[str], talk: Talk, look: Callable[[Path | BinaryIO], T]
) -> list[T | dict[str, Any]]:
    """Return what `look` finds in each input; for one that fails, its path and error.

    Without names, standard input is looked at. The failure of a single input, and a mistake in what
    was asked, is raised.
    """
    from ctxcompact.cli import failures, places  # noqa: PLC0415 - `--help` needs none of these
    from ctxcompact.errors import UsageError  # noqa: PLC0415

    if len(names) <= 1:
        only = places.path_of(names[0]) if names else None
        return [look(streams.incoming(only))]
    found: list[T | dict[str, Any]] = []
    for name in names:
        try:
            found.append(look(streams.incoming(places.path_of(name))))
        except UsageError:
            raise
        except Exception as error:  # noqa: BLE001 - the others are to be looked at, whatever it was
            talk.complain(error)
            found.append({"path": name, "error": failures.as_json(failures.known(error))})
    return found
