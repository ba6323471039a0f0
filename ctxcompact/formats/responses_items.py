"""Items of OpenAI's Responses API: what one of them is, and which of them make one message.

An item is a message, a piece of reasoning, a call or an output. Read here wherever it stands: bare
on a line (`openai_responses`), or wrapped by a client. Calls and outputs are in `responses_calls`.
Kinds after the SDK's own list of input items.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.model import Block, Kind, Message, Origin, Role
from ctxcompact.core.payloads import is_media, part_text
from ctxcompact.formats import responses_calls
from ctxcompact.formats.content import below, origin_of
from ctxcompact.formats.fields import list_at, text_at
from ctxcompact.formats.responses_calls import CALLS, HOSTED, OUTPUTS, Calls

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

ROLES = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
}
_PARTS = frozenset({"input_text", "output_text", "input_image", "input_file"})
COMPACTIONS = frozenset({"compaction", "compaction_summary", "context_compaction"})
UNSENT = frozenset({"ghost_snapshot"})
_WORDS = frozenset({"message", "agent_message"})
# What changes what follows is said by nobody; it stays where it is.
_SETTINGS = frozenset(
    {"additional_tools", "configuration_update", "compaction_trigger", "mcp_list_tools"}
)
KINDS = CALLS.keys() | OUTPUTS.keys() | HOSTED | COMPACTIONS | _SETTINGS | _WORDS | {"reasoning"}
SUMMARY_START = "Another language model started to solve this problem and produced a summary"
"""How Codex begins the summary of a compaction, which it says as the user."""

# How Codex begins what it says as the user: its surroundings, rules, skills, events, summaries.
_CLIENT_STARTS = (
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<skill>",
    "<user_shell_command>",
    "<turn_aborted>",
    "<subagent_notification>",
    SUMMARY_START,
)
_FREE = CALLS.keys() | OUTPUTS.keys() | HOSTED | {"reasoning", "message"}
_SPEAKERS = {
    **dict.fromkeys(OUTPUTS, (Role.TOOL, Origin.TOOL)),
    **dict.fromkeys(_SETTINGS, (Role.SYSTEM, Origin.CLIENT)),
    **dict.fromkeys(COMPACTIONS, (Role.USER, Origin.CLIENT)),
    "agent_message": (Role.USER, Origin.CLIENT),
}


class Item(NamedTuple):
    """One item as read: nearly a message, but what the model says may go on in the next item."""

    role: Role
    origin: Origin
    line: int
    blocks: tuple[Block, ...]
    protected: bool = False


def kind_of(data: Any) -> str:
    """Return the kind of an item, "" if it is none; messages may come without one."""
    if not isinstance(data, dict):
        return ""
    kind = text_at(data, "type") if "type" in data else "message"
    if kind == "message" and ("content" not in data or text_at(data, "role") not in ROLES):
        return ""
    return kind


def is_own(data: Any) -> bool:
    """Tell whether this is an item that no other API has: a kind of its own, or such parts."""
    kind = kind_of(data)
    if kind != "message":
        return kind in KINDS
    parts = (part for part in list_at(data, "content") if isinstance(part, dict))
    return any(text_at(part, "type") in _PARTS for part in parts)


class ItemReader:
    """Reads the items of one conversation, in order."""

    def __init__(self, gauge: Gauge) -> None:
        self._gauge = gauge
        self._calls = Calls()

    def read(self, record: int, line: int, path: Path, data: Any) -> Item | None:
        """Read the item at `path` of a record; None if this is no item that reaches the model.

        What nobody can tell (an unknown kind, an output whose call is elsewhere) is protected.
        """
        kind = kind_of(data)
        if not kind or kind in UNSENT:
            return None
        blocks = tuple(self._blocks(kind, record, path, data)) or _nothing(record, path)
        role, origin = _SPEAKERS.get(kind, (Role.ASSISTANT, Origin.MODEL))
        stays = kind not in _FREE
        if kind == "message":
            role = ROLES[data["role"]]
            origin = _origin_of(role, blocks, data["content"])
        elif kind in OUTPUTS:
            stays = not blocks[0].tool
        return Item(role, origin, line, blocks, self._gauge.take_hit() or stays)

    def _blocks(self, kind: str, record: int, path: Path, data: dict[str, Any]) -> Iterable[Block]:
        gauge = self._gauge
        if kind in _WORDS:
            return _content(gauge, record, below(path, "content"), data.get("content"))
        if kind in CALLS:
            return (responses_calls.call(gauge, self._calls, record, path, data),)
        if kind in OUTPUTS:
            return responses_calls.output(gauge, self._calls, record, path, data)
        if kind in HOSTED:
            return responses_calls.hosted(gauge, record, path, data)
        return (_carried(gauge, kind, record, path, data),)


def messages(items: Iterable[Item], framing: int) -> list[Message]:
    """Return items as messages: what the model puts out in a row is one.

    So reasoning stays with the item it led to, which the API insists on, and calls made together
    have their outputs after them.
    """
    groups: list[list[Item]] = []
    for item in items:
        if groups and item.origin is groups[-1][0].origin is Origin.MODEL:
            groups[-1].append(item)
        else:
            groups.append([item])
    return [_message(group, framing) for group in groups]


def _message(group: list[Item], framing: int) -> Message:
    role, origin, line, blocks, protected = group[0]
    if len(group) > 1:
        blocks = tuple([block for item in group for block in item.blocks])
        protected = any(item.protected for item in group)
    return Message(role, origin, line, blocks, framing, protected)


def _origin_of(role: Role, blocks: tuple[Block, ...], content: Any) -> Origin:
    """Say where a message comes from; what Codex puts into the user's mouth is not the user's."""
    if role is Role.USER:
        texts = [part_text(part) for part in (content if isinstance(content, list) else [content])]
        if texts and all(text is not None and text.startswith(_CLIENT_STARTS) for text in texts):
            return Origin.CLIENT
    return origin_of(role, blocks, content)


def _content(gauge: Gauge, record: int, path: Path, content: Any) -> Iterator[Block]:
    if isinstance(content, str):
        yield gauge.text(record, path, content)
    elif isinstance(content, list):
        for n, part in enumerate(content):
            yield _part(gauge, record, below(path, n), part)
    elif content is not None:
        yield gauge.opaque(record, path, content)


def _part(gauge: Gauge, record: int, path: Path, part: Any) -> Block:
    if isinstance(part, str):
        return gauge.text(record, path, part)
    if (text := part_text(part)) is not None:
        return gauge.text(record, below(path, "text" if "text" in part else "value"), text)
    if is_media(part):
        return gauge.media(record, path, part)
    kind = text_at(part, "type") if isinstance(part, dict) else ""
    if kind == "refusal":
        return gauge.text(record, below(path, kind), text_at(part, kind), fixed=True)
    if kind == "encrypted_content":
        return _sealed(record, path, part)
    return gauge.opaque(record, path, part)


def _carried(gauge: Gauge, kind: str, record: int, path: Path, data: dict[str, Any]) -> Block:
    if kind == "reasoning":
        return _reasoning(gauge, record, path, data)
    if kind in COMPACTIONS:
        return _sealed(record, path, data)
    return gauge.opaque(record, path, data)


def _reasoning(gauge: Gauge, record: int, path: Path, data: dict[str, Any]) -> Block:
    """Count the reasoning once: by its words, by what is sealed, or by its summary."""
    words = _joined(data, "content")
    summary = _joined(data, "summary")
    sealed = 0 if words else len(text_at(data, "encrypted_content"))
    tokens = _sealed_tokens(sealed) if sealed else gauge.count(words or summary)
    return Block(Kind.THINKING, record, path, len(words or summary), tokens, fixed=True)


def _joined(data: dict[str, Any], key: str) -> str:
    parts = (part for part in list_at(data, key) if isinstance(part, dict))
    return "\n".join(filter(None, (text_at(part, "text") for part in parts)))


def _sealed(record: int, path: Path, data: dict[str, Any]) -> Block:
    """Make the block of what only the provider can read."""
    tokens = _sealed_tokens(len(text_at(data, "encrypted_content")))
    return Block(Kind.OPAQUE, record, path, 0, tokens, fixed=True)


def _sealed_tokens(chars: int) -> int:
    """Estimate what is sealed as Codex does: base64 with 650 bytes of its own, 4 bytes a token."""
    return max(chars * 3 // 4 - 650, 0) // 4


def _nothing(record: int, path: Path) -> tuple[Block]:
    """Make the block of an item that says nothing, so that its record goes with its message."""
    return (Block(Kind.OPAQUE, record, path, 0, 0, fixed=True),)
