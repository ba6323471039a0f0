"""What a transcript is made of: blocks, messages, conversations.

The rows hold numbers, addresses and short strings, never the texts: the bytes stay in the file, and
a block's text is parsed again only where an edit needs it. `NamedTuple` because a hundred thousand
rows are made in one pass.
"""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ctxcompact.core.splice import Path

Place: TypeAlias = "tuple[int, Path]"
"""A record, and an address in it."""


class Role(Enum):
    """Who a message is from, as the provider sees it. A developer message counts as system."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Kind(Enum):
    """What a block holds."""

    TEXT = "text"
    THINKING = "thinking"
    CALL = "tool_call"
    RESULT = "tool_result"
    MEDIA = "media"
    OPAQUE = "opaque"


class Origin(Enum):
    """Where a message really comes from; its role alone does not say.

    A user message may be a person's prompt, a tool's results or words the client put in; an
    assistant message may be the model's, a client's own notice, or one of our summaries.
    """

    PERSON = "person"
    MODEL = "model"
    TOOL = "tool"
    CLIENT = "client"
    SUMMARY = "summary"


class Block(NamedTuple):
    """One piece of a message, and the address of its payload.

    `record` counts the JSON values of the file, `path` leads to the payload inside that record.
    `chars` are code points of text (0 if it is blank), `tokens` everything the model pays for,
    pictures included. `call_id` pairs calls and results; `tool` is the tool's name on both sides.
    `tag` is the id of the mark the text ends in, or "". A `fixed` block must keep its
    bytes; a fixed call keeps its whole unit.
    `media` says that pictures or documents are inside.
    """

    kind: Kind
    record: int
    path: Path
    chars: int
    tokens: int
    call_id: str = ""
    tool: str = ""
    tag: str = ""
    fixed: bool = False
    media: bool = False

    @property
    def is_repeat(self) -> bool:
        """Whether it is a result that the client sends once more: it changes with the first.

        It is opaque, and bears the id of the call.
        """
        return self.kind is Kind.OPAQUE and self.call_id != ""


class Message(NamedTuple):
    """One message as the model receives it.

    `line` is the number (from 1) of its first line, `framing` the tokens beside those of its
    blocks. A `protected` message is never selected: the person asked for that, or it carries marks
    that no store knows.
    """

    role: Role
    origin: Origin
    line: int
    blocks: tuple[Block, ...]
    framing: int
    protected: bool = False

    @property
    def tokens(self) -> int:
        """What the whole message costs."""
        tokens = self.framing
        for block in self.blocks:
            tokens += block.tokens
        return tokens

    @property
    def is_human(self) -> bool:
        """Whether a person speaks here: these words stay."""
        return self.origin is Origin.PERSON

    @property
    def has_calls(self) -> bool:
        """Whether it calls a tool."""
        return has_kind(self.blocks, Kind.CALL)

    @property
    def has_results(self) -> bool:
        """Whether it answers a call."""
        return has_kind(self.blocks, Kind.RESULT)


def has_kind(blocks: Sequence[Block], kind: Kind) -> bool:
    """Tell whether a block of this kind is among them."""
    for block in blocks:  # noqa: SIM110 - a generator costs three times this loop, and it runs for every message
        if block.kind is kind:
            return True
    return False


class Problem(NamedTuple):
    """Something a provider or client would stumble over, or bytes that could not be read."""

    line: int
    code: str
    message: str


class Recorded(NamedTuple):
    """The size of the context as the provider counted it, where the file says so."""

    line: int
    tokens: int


class Linked(Protocol):
    """A record that hangs on another one: its own id and its parent's, "" at a root."""

    @property
    def record(self) -> int: ...
    @property
    def uuid(self) -> str: ...
    @property
    def parent(self) -> str: ...


class Conversation(NamedTuple):
    """Messages that reach the model together, with one budget.

    `line` is set where every line of the file is a conversation of its own. `model` is the name of
    the newest model recorded, "" if there is none. `copies` tells where else in the file the payload
    of a result stands, by call id, or a text, by its own place; `counts` are the recorded sizes that
    the client reads when it starts again, `links` the records that hang on one another, in the order
    of the file. `arrays` are the addresses of the arrays in which some of the messages stand, by
    record; the others stand on records of their own. `older` tells by place what else goes when
    it goes: versions of the message there that it took the place of.
    """

    messages: list[Message]
    line: int | None = None
    model: str = ""
    recorded: Recorded | None = None
    copies: Mapping[str | Place, Sequence[Place]] = MappingProxyType({})
    counts: Sequence[tuple[int, Path, int]] = ()
    links: Sequence[Linked] = ()
    arrays: Mapping[int, Path] = MappingProxyType({})
    older: Mapping[Place, Sequence[Place]] = MappingProxyType({})

    @property
    def is_scattered(self) -> bool:
        """Whether a message may be more, or less, than the records that its blocks name."""
        return bool(self.arrays or self.older)

    @property
    def tokens(self) -> int:
        """What all messages cost."""
        tokens = 0
        for message in self.messages:
            tokens += message.framing
            for block in message.blocks:
                tokens += block.tokens
        return tokens
