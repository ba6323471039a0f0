"""Credentials on their way into a store that does not lie inside the transcript's own root.

That root is the working directory if the transcript lies there or is a stream, else the folder of the
transcript: where it is, its credentials are anyway. What is kept are originals and copies of the
whole input; a receipt holds nothing of either. What a credential looks like is for others.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.counts import counted
from ctxcompact.errors import CredentialFound, StoreError
from ctxcompact.stores.faults import reported
from ctxcompact.stores.folders import is_inside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ctxcompact.stores.source import Source
    from ctxcompact.stores.staging import DryStaging, Staging

_TOLD = 5


class Found(NamedTuple):
    """A line of the input, and the kinds of the credentials in it."""

    line: int
    kinds: tuple[str, ...]


class Screening:
    """Takes originals for a staging, and withholds from it those that hold a credential.

    `kinds` names the kinds of the credentials in a record.
    """

    def __init__(
        self, staging: Staging | DryStaging, kinds: Callable[[bytes], Sequence[str]]
    ) -> None:
        self._staging = staging
        self._kinds = kinds
        self._found: list[Found] = []

    def add(
        self,
        id: str,  # noqa: A002 - the word of the whole room
        data: bytes,
        sha256: str,
        *,
        path: tuple[str | int, ...],
        tool: str,
        format: str,  # noqa: A002
        line: int,
    ) -> None:
        """Hand an original on, or remember what is in it."""
        if kinds := tuple(self._kinds(data)):
            self._found.append(Found(line, kinds))
        else:
            self._staging.add(id, data, sha256, path=path, tool=tool, format=format, line=line)

    def mark(self) -> tuple[int, Any]:
        """Return the present point, for `rewind`."""
        return len(self._found), self._staging.mark()

    def rewind(self, mark: tuple[int, Any]) -> None:
        """Forget all that came since the mark was taken."""
        del self._found[mark[0] :]
        self._staging.rewind(mark[1])

    def refuse(self, source: Source, root: Path, *, whole: bool) -> None:
        """Raise `CredentialFound` if anything was withheld, or is in a `whole` input to be kept."""
        found = self._found
        if whole:
            lines = enumerate(source.lines(), 1)
            found = [Found(number, tuple(self._kinds(raw))) for number, raw in lines]
        by_line: dict[int, dict[str, None]] = {}
        for line, kinds in sorted(found):
            if kinds:
                by_line.setdefault(line, {}).update(dict.fromkeys(kinds))
        if by_line:
            raise _refusal(source.name, root, by_line)


def own_root(name: str) -> Path:
    """Return the root that a transcript has by itself; "-" is a stream."""
    with reported(StoreError, "look at", "the working directory"):
        here = Path.cwd()
    path = here / name
    return here if name == "-" or is_inside(path, here) else path.resolve().parent


def _refusal(name: str, root: Path, by_line: dict[int, dict[str, None]]) -> CredentialFound:
    told = [f"line {line} ({', '.join(kinds)})" for line, kinds in by_line.items()]
    more = f" and {counted(len(told) - _TOLD, 'more line')}" if len(told) > _TOLD else ""
    what = "standard input" if name == "-" else name
    message = (
        f"{what} holds credentials that would be kept outside of its own root, in {root.resolve()}: "
        f"{', '.join(told[:_TOLD])}{more}"
    )
    hint = f"keep them at home with --root {own_root(name)}, or allow it with --store-secrets"
    return CredentialFound(message, hint=hint, path=name, line=min(by_line))
