"""What the rest of a conversation still talks about, for a summarizer to go by.

The newest plan, and what people and the model say outside of what is summarized.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.blocks import PLAN_TOOLS
from ctxcompact.core.model import Block, Kind, Message, Origin
from ctxcompact.core.tasks import Called, Said

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from ctxcompact.core.tasks import Entry
    from ctxcompact.engine.spans import Entries

_NEWEST_ANSWERS = 3
_LONGEST_CHARS = 8000
_MOST_CHANGES = 50
_WRITTEN_WHOLE = frozenset("TodoWrite create_plan update_plan write_todos todo_write".split())
_READ_WHOLE = frozenset({"TaskList", "TodoRead", "view_subtasks"})
_FINISHED = frozenset({"abandoned", "cancelled", "completed", "deleted", "done"})


class Hints(NamedTuple):
    """The newest plan, "" if there is none, and texts written elsewhere: people's first."""

    plan: str = ""
    seed_words: tuple[str, ...] = ()


def hints(messages: Sequence[Message], taken: Container[int], entries: Entries) -> Hints:
    """Gather hints from a conversation whose messages `taken`, by index, are being summarized."""
    rest = [message for at, message in enumerate(messages) if at not in taken]
    people = (message for message in rest if message.is_human)
    answers = islice(filter(_is_answer, reversed(rest)), _NEWEST_ANSWERS)
    said = entries.of(map(_words_of, [*people, *answers]))
    words = (entry.text[:_LONGEST_CHARS] for entry in said if isinstance(entry, Said))
    return Hints(_plan(messages, entries), tuple(words))


def _is_answer(message: Message) -> bool:
    return message.origin is Origin.MODEL and not message.has_calls


def _words_of(message: Message) -> Message:
    return message._replace(blocks=tuple(b for b in message.blocks if b.kind is Kind.TEXT))


def _plan(messages: Sequence[Message], entries: Entries) -> str:
    """Write down what is open in the newest plan: when it was last told as a whole, and what came after that."""
    told: list[str] = []
    pairs = ((m, b) for m in reversed(messages) for b in reversed(m.blocks) if _tells_plan(b))
    for message, block in islice(pairs, _MOST_CHANGES):
        lines = [x for e in entries.of([message._replace(blocks=(block,))]) for x in _told(e)]
        told += reversed(lines)
        if lines and (block.kind is Kind.RESULT or block.tool in _WRITTEN_WHOLE):
            break
    return "\n".join(reversed(told))[:_LONGEST_CHARS]


def _tells_plan(block: Block) -> bool:
    if block.kind is Kind.RESULT:
        return block.tool in _READ_WHOLE
    return block.kind is Kind.CALL and block.tool in PLAN_TOOLS


def _told(entry: Entry) -> list[str]:
    """Return the lines of a plan: those of a result as they are, a line for each open item of arguments."""
    if isinstance(entry, Called):
        return list(_items(entry.arguments))
    return [entry.text.strip()] if entry.text.strip() else []


def _items(arguments: Any) -> Iterator[str]:
    """Yield a line for each object that is not finished: its texts and numbers."""
    waiting = [arguments]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += reversed(value)
        elif isinstance(value, str):
            yield value
        elif isinstance(value, dict) and _FINISHED.isdisjoint(map(str, value.values())):
            line = "; ".join(f"{k}: {v}" for k, v in value.items() if isinstance(v, str | int))
            if line:
                yield line
            waiting += reversed([v for v in value.values() if isinstance(v, dict | list)])
