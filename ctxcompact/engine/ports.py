"""What the engine needs from outside, as protocols.

`stores` and `counters` keep these contracts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from ctxcompact.core.format import Format
    from ctxcompact.core.measure import Counter
    from ctxcompact.core.splice import Path
    from ctxcompact.core.tasks import Summarizer


class Source(Protocol):
    """The bytes of the input, read in windows.

    `lines` yields every line with its newline, once, and makes `sha256` known; `read` gives a range
    again, or raises `InputChanged`.
    """

    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def sha256(self) -> str: ...
    def lines(self) -> Iterator[bytes]: ...
    def read(self, offset: int, length: int) -> bytes: ...
    def check_unchanged(self) -> None: ...


class Staging(Protocol):
    """Takes originals, for one run; nothing counts before `commit`, which is the caller's to call.

    `mark` and `rewind` throw away what a level added; adding a known id again stores nothing.
    """

    def add(
        self,
        uuid: str,
        data: bytes,
        sha256: str,
        *,
        path: Path,
        tool: str,
        format: str,  # noqa: A002 - the word of the stores
        line: int,
    ) -> None: ...
    def mark(self) -> Any: ...
    def rewind(self, mark: Any) -> None: ...


class Kept(Protocol):
    """An original in the store: its bytes, and the address of the block its id stands for.

    An empty address is all of it. The original of a folded stretch is its records, one a line.
    """

    @property
    def data(self) -> bytes: ...
    @property
    def path(self) -> Path: ...


class Content(Protocol):
    """What a file holds, as counted while it was written."""

    @property
    def bytes(self) -> int: ...
    @property
    def lines(self) -> int: ...
    @property
    def sha256(self) -> str: ...


def as_it_is(text: str) -> str:
    """Hide nothing."""
    return text


class Ports(NamedTuple):
    """Everything a run is wired to.

    `detect` names the format of a sample of records, `counter` chooses a counter for a model's
    name, `is_known` says whether an id is in the store, `find` gives its original. `scratch` holds
    changed records for the time of the run.
    `spool` gives what a function hands to a sink as a source of its own. `no_summaries` says why
    there is no summarizer. `mask` hides credentials in a text.
    """

    detect: Callable[[Sequence[Any]], Format]
    counter: Callable[[str], Counter]
    is_known: Callable[[str], bool]
    find: Callable[[str], Kept]
    staging: Staging
    scratch: BinaryIO
    spool: Callable[[Callable[[Callable[[bytes], object]], None]], AbstractContextManager[Source]]
    summarizer: Summarizer | None = None
    no_summaries: str = "no summarizer"
    mask: Callable[[str], str] = as_it_is
