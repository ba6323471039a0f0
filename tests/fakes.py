"""What several rooms build their tests with: rows written by hand, and ports that live in memory.

One character costs one token and nothing else costs any, so that a test can say exact numbers.
"""

from __future__ import annotations

import hashlib
import io
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from ctxcompact.core import tags
from ctxcompact.core.edits import Plan, Rewrite
from ctxcompact.core.model import Block, Conversation, Kind, Message, Origin, Role
from ctxcompact.engine.ports import Kept, Ports
from ctxcompact.errors import IdNotFound
from ctxcompact.formats import detect, named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ctxcompact.core.format import Format

MARK = tags.render("0f8fad5b-d9cb-869f-a165-70867728950e")


@dataclass(frozen=True)
class FakeCounter:
    """One token a character; framing costs nothing unless a test says so."""

    name: str = "fake"
    exact: bool = True
    error_pct: float = 0.0
    message_tokens: int = 0
    call_tokens: int = 0
    result_tokens: int = 0

    def count(self, text: str) -> int:
        return len(text)


def text_block(text: str, **fields: Any) -> Block:
    """Make a text block as a format would; it stands at a place of no meaning."""
    return _block(Kind.TEXT, text, **fields)


def _block(kind: Kind, text: str, **fields: Any) -> Block:
    row = Block(kind, 0, (), len(text), len(text), tag=tags.closing(text))
    return row._replace(**fields)


def _message(role: Role, origin: Origin, *blocks: Block, **fields: Any) -> Message:
    return Message(role, origin, 0, blocks, 0)._replace(**fields)


def system(text: str = "Be kind.", **fields: Any) -> Message:
    return _message(Role.SYSTEM, Origin.CLIENT, text_block(text), **fields)


def user(text: str = "Go on.", *more: Block, **fields: Any) -> Message:
    """Make a person's message; results that come with it stand first."""
    return _message(Role.USER, Origin.PERSON, *more, text_block(text), **fields)


def call(call_id: str = "c1", tool: str = "Read", text: str = "", **fields: Any) -> Message:
    """Make a message of the model that calls a tool, and says `text` before if any is given."""
    row = Block(Kind.CALL, 0, (), 2, 2, call_id, tool, fixed=True)
    said = (text_block(text),) if text else ()
    return _message(Role.ASSISTANT, Origin.MODEL, *said, row, **fields)


def calls(*call_ids: str, tool: str = "Read") -> Message:
    """Make a message of the model with parallel calls."""
    rows = (Block(Kind.CALL, 0, (), 2, 2, x, tool, fixed=True) for x in call_ids)
    return _message(Role.ASSISTANT, Origin.MODEL, *rows)


def result_block(text: str, call_id: str = "c1", tool: str = "Read", **fields: Any) -> Block:
    return _block(Kind.RESULT, text, call_id=call_id, tool=tool, **fields)


def result(text: str = "ok", call_id: str = "c1", tool: str = "Read", **fields: Any) -> Message:
    return results(result_block(text, call_id, tool), **fields)


def results(*rows: Block, **fields: Any) -> Message:
    """Make one message with several results."""
    return _message(Role.USER, Origin.TOOL, *rows, **fields)


def answer(text: str = "Done.", **fields: Any) -> Message:
    return _message(Role.ASSISTANT, Origin.MODEL, text_block(text), **fields)


def talk(*messages: Message) -> Conversation:
    """Put messages into a conversation, one a line."""
    return Conversation([row._replace(line=n) for n, row in enumerate(messages, 1)])


def rewritten(plan: Plan | None) -> set[tuple[int, int]]:
    """Return which blocks a plan rewrites, as (message, block)."""
    edits = plan.edits if plan else ()
    return {(edit.message, edit.block) for edit in edits if isinstance(edit, Rewrite)}


@dataclass
class MemorySource:
    """A transcript in memory. `edit` changes it behind the reader's back."""

    data: bytes
    name: str = "talk.jsonl"
    checks: int = 0

    @property
    def size(self) -> int:
        return len(self.data)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    def lines(self) -> Iterator[bytes]:
        return iter(io.BytesIO(self.data).readlines())

    def read(self, offset: int, length: int) -> bytes:
        return self.data[offset : offset + length]

    def check_unchanged(self) -> None:
        self.checks += 1


@dataclass
class MemoryStaging:
    """Originals in memory, as (id, bytes), and the addresses they were taken from."""

    kept: list[tuple[str, bytes]] = field(default_factory=list)
    paths: list[tuple[str | int, ...]] = field(default_factory=list)

    def add(self, uuid: str, data: bytes, sha256: str, **about: Any) -> None:
        assert hashlib.sha256(data).hexdigest() == sha256
        self.kept.append((uuid, data))
        self.paths.append(about["path"])

    def mark(self) -> int:
        return len(self.kept)

    def rewind(self, mark: int) -> None:
        del self.kept[mark:], self.paths[mark:]


@contextmanager
def spooled(fill: Callable[[Callable[[bytes], object]], None]) -> Iterator[MemorySource]:
    """Give what a function hands to a sink as a source."""
    file = io.BytesIO()
    fill(file.write)
    yield MemorySource(file.getvalue())


def ports(
    form: Format | str = "",
    *,
    counter: Any = None,
    staging: Any = None,
    is_known: Callable[[str], bool] = bool,
) -> Ports:
    """Wire the engine to memory. Without a format it is told by the records; all ids are known."""
    given = named(form) if isinstance(form, str) and form else form
    return Ports(
        detect=partial(_detect, given or None),
        counter=lambda _: counter or FakeCounter(),
        is_known=is_known,
        find=_find_none,
        staging=staging or MemoryStaging(),
        scratch=io.BytesIO(),
        spool=spooled,
    )


def _find_none(uuid: str) -> Kept:
    raise IdNotFound(f"no original is kept under {uuid}")


def _detect(given: Any, sample: Sequence[Any]) -> Format:
    return given or detect(sample).format
