"""What a transcript format must tell the rest of the house.

The formats themselves live in `formats`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.model import Conversation, Role
    from ctxcompact.core.splice import Path


class Reader(Protocol):
    """Turns records into conversations, one pass, made anew for each file.

    `feed` gets every JSON value of the file in order (whatever it is), with its number from 0 and
    its line from 1; it keeps rows, not texts. `finish` is called once.
    """

    def feed(self, record: int, line: int, data: Any) -> None: ...
    def finish(self) -> list[Conversation]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the provider refuses.

    `results_from` is the role whose messages carry results; `user_first` asks for a user message
    before any assistant's; `blank_text` says that a text of only white space is refused;
    `alternates` that the two sides, the assistant and all others, speak in turns;
    `calls_after_user` that a message with calls must not follow another one of the assistant's.
    `results_first` asks a user message for its results before its words.
    """

    results_from: Role
    user_first: bool = False
    blank_text: bool = False
    alternates: bool = False
    calls_after_user: bool = False
    results_first: bool = True


class Native(NamedTuple):
    """What a client's own record of a compaction is made from.

    It stands after `last`, whose dress it wears. `spoken` is a prompt from before it that is still
    to be answered and has to be said again, or None. Its last line takes over the id `own`, so that
    what hangs on that hangs on the record, and on what was there before once the record is gone
    again; `ids` are new ones.
    """

    summary: str
    last: Any
    spoken: Any
    by_hand: bool
    tokens: int
    own: str
    ids: tuple[str, str]


class Closing(NamedTuple):
    """What a client's own record of a compaction is made from that stands at the end of the file.

    It hangs on the entry with the id `parent`, wears the dress of the record `last`, and names the
    `first` entry that it keeps, by its id and its record; None keeps none. `prompts` are the system
    messages so far, `id` is a new one. Without ids `parent` is "".
    """

    summary: str
    last: dict[str, Any]
    parent: str
    first: tuple[str, int] | None
    prompts: Sequence[dict[str, Any]]
    tokens: int
    id: str


class Whole(NamedTuple):
    """A conversation as it becomes, for a record that holds all of it.

    `items` are what the format's records hold, in order; `last` is the last record of the file,
    `count` the one with the recorded size, as lowered, or None.
    """

    items: list[Any]
    last: Any
    count: Any


class History(NamedTuple):
    """How a client's own record of a compaction holds a whole conversation.

    `item_at` returns the address of the item that a block's address lies in, `records` makes what
    is to be added to the end of the file, `record_of` what an item is as a record of its own (a
    record stays what it is). `in_place` says that a file is compacted so in its place unless edits
    are asked for: its client keeps the places of lines.
    """

    item_at: Callable[[Path], Path]
    records: Callable[[Whole], list[dict[str, Any]]]
    record_of: Callable[[Any], Any]
    in_place: bool = False


def no_twins(data: Any, path: Path, text: str) -> list[tuple[Path, Any]]:
    """Tell that a record holds each payload once."""
    del data, path, text
    return []


def compose_plain(role: Role, text: str, first: Any, last: Any, model: str) -> dict[str, Any]:
    """Make a message of nothing but a role and a text."""
    del first, last, model
    return {"role": role.value, "content": text}


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One transcript format, as plain functions.

    `score` says from 0 to 1 how much a sample of records looks like it. `twins` lists what else has
    to change in a record (address, new value) when the payload at an address becomes `text`. A
    `session` is a client's own file: it ends with a newline, and keeps mode and time of change.
    `native` makes the records with which the client itself marks a compaction, where it has any,
    `closing` the one where that stands at the end and names what it keeps;
    with `history` such a record holds the whole conversation instead. `native_reader` reads
    a file to be compacted so: nothing has to stay only because of the record that it stands in.
    `compose` makes the record that stands for a folded stretch, in the dress of its first and last
    record; its text stands at `composed_path`. Where records hang on one another, `id_key` is the
    field with a record's own id, `parent_key` the one with its parent's. `composed_path` is empty
    where it depends on the dress. A format with `instead` is counted and never rewritten: that is
    what to do where a smaller transcript is wanted. `model` is whose models read it, where that is
    sure and a transcript names none.
    """

    name: str
    recognised_by: str
    score: Callable[[Sequence[Any]], float]
    reader: Callable[[Gauge], Reader]
    rules: Rules
    twins: Callable[[Any, Path, str], list[tuple[Path, Any]]] = no_twins
    compose: Callable[[Role, str, Any, Any, str], dict[str, Any]] = compose_plain
    composed_path: Path = ("content",)
    native: Callable[[Native], list[dict[str, Any]]] | None = None
    closing: Callable[[Closing], dict[str, Any]] | None = None
    history: History | None = None
    native_reader: Callable[[Gauge], Reader] | None = None
    id_key: str = ""
    parent_key: str = ""
    session: bool = False
    instead: str = ""
    model: str = ""

    @property
    def item_path(self) -> Path:
        """Where in a record of its own the message stands that stands in an array by itself."""
        return self.history.item_at(self.composed_path) if self.history else ()

    @property
    def is_read_to_move(self) -> bool:
        """Whether it reads a file that is to be compacted by a record of the client's own."""
        return self.reader is self.native_reader

    @property
    def is_writable(self) -> bool:
        """Whether its transcripts may be rewritten."""
        return not self.instead
