"""OpenAI Responses: one item a line, as an agent keeps its input list. Items are read in `responses_items`.

Lines of no known kind are carried; so are the items before the newest compaction of the provider's
own, which stands for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.format import Format, Rules
from ctxcompact.core.model import Conversation, Role
from ctxcompact.formats.fields import list_at
from ctxcompact.formats.responses_items import (
    COMPACTIONS,
    KINDS,
    Item,
    ItemReader,
    is_own,
    kind_of,
    messages,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

RULES = Rules(results_from=Role.TOOL)
_TEXT: Path = ("content", 0, "text")
_PARTS = {Role.ASSISTANT: "output_text"}
# They point into a text, or list its tokens: both are wrong for another text.
_OF_TEXT = ("annotations", "logprobs")


def score(sample: Sequence[Any]) -> float:
    """Say how many records are items; none of them counts unless one is spelled as only here."""
    kinds = [kind_of(data) for data in sample]
    fitting = sum(kind in KINDS for kind in kinds)
    return fitting / len(sample) if any(map(is_own, sample)) else 0.0


class ItemsReader:
    """Reads one item a record."""

    def __init__(self, gauge: Gauge) -> None:
        self._items = ItemReader(gauge)
        self._framing = gauge.message_tokens
        self._found: list[Item] = []

    def feed(self, record: int, line: int, data: Any) -> None:
        """Take a record; anything but an item is none of ours."""
        item = self._items.read(record, line, (), data)
        if item is None:
            return
        if data.get("type") in COMPACTIONS:
            self._found.clear()
        self._found.append(item)

    def finish(self) -> list[Conversation]:
        """Return the one conversation of the file."""
        return [Conversation(messages(self._found, self._framing))]


def twins(data: Any, path: Path, text: str) -> list[tuple[Path, Any]]:
    """Empty what points into a text that changes."""
    del text
    if len(path) != len(_TEXT) or path[-1] != _TEXT[-1]:
        return []
    part = data["content"][path[1]]
    return [((*path[:-1], key), []) for key in _OF_TEXT if list_at(part, key)]


def compose(role: Role, text: str, first: Any, last: Any, model: str) -> dict[str, Any]:
    """Make a message item."""
    del first, last, model
    part = {"type": _PARTS.get(role, "input_text"), "text": text}
    return {"type": "message", "role": role.value, "content": [part]}


FORMAT = Format(
    name="openai-responses",
    recognised_by="items such as function_call and reasoning, or parts such as input_text",
    score=score,
    reader=ItemsReader,
    rules=RULES,
    twins=twins,
    compose=compose,
    composed_path=_TEXT,
)
