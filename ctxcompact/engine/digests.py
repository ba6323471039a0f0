"""Summaries for all spans of a plan at once, and the text that carries one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core import tags
from ctxcompact.core.edits import Fold, Rewrite
from ctxcompact.core.settings import Until
from ctxcompact.core.tasks import Called, Entry, Got, Span, Style, Summary, Task
from ctxcompact.engine.planning import DIGEST_LINE_TOKENS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ctxcompact.core.model import Conversation
    from ctxcompact.core.settings import Settings
    from ctxcompact.core.tasks import Summarizer
    from ctxcompact.engine.spans import Entries

_CUE_CHARS = 160
_ARGUMENT_CHARS = 48


class Room(NamedTuple):
    """What all summaries of a plan may cost together: `tokens`, or None for the ratio of the settings."""

    tokens: int | None


def summarize(
    edits: Sequence[Rewrite | Fold],
    conversation: Conversation,
    entries: Entries,
    summarizer: Summarizer,
    settings: Settings,
    room: Room,
    count: Callable[[str], int],
) -> list[tuple[Summary, Span]]:
    """Ask for all summaries of a plan at once; one a edit, in order."""
    spans = [_span(edit, conversation, entries) for edit in edits]
    budget = room.tokens
    if budget is None or settings.until is Until.FIRST:
        budget = sum(int(span.tokens * _ratio(span, settings)) for span in spans)
    ceiling = sum(max(span.tokens - DIGEST_LINE_TOKENS, 0) for span in spans)
    task = Task(tuple(spans), max(min(budget, ceiling), 0), focus=settings.focus)
    return list(zip(summarizer.summarize(task, count), spans, strict=True))


def overhead(edits: Sequence[Rewrite | Fold], conversation: Conversation) -> int:
    """Return what the spans of some edits cost now, less the lines that will carry their summaries."""
    tokens = 0
    for edit in edits:
        if isinstance(edit, Rewrite):
            tokens += conversation.messages[edit.message].blocks[edit.block].tokens
        else:
            tokens += sum(m.tokens for m in conversation.messages[edit.start : edit.stop])
        tokens -= DIGEST_LINE_TOKENS
    return tokens


def carrier(summary: str, span: Span, uuid: str) -> str:
    """Write the text of a message that stands for a span: label, summary, what one would look for, mark."""
    said = cue(span.entries)
    last = f"{said} {tags.render(uuid)}" if said else tags.render(uuid)
    return f"{tags.SUMMARY_LABEL}\n{summary}\n{last}"


def payload(summary: str, uuid: str) -> str:
    """Write the text that stands for one payload."""
    return f"{summary}\n{tags.render(uuid)}"


def cue(entries: Sequence[Entry]) -> str:
    """Name what one would look for behind a mark: tools and their main arguments, each once, in one line."""
    found: dict[str, None] = {}
    for entry in entries:
        if isinstance(entry, Called):
            found[f"{entry.tool} {_main_argument(entry.arguments)}".strip()] = None
        elif isinstance(entry, Got) and not found:
            found[entry.tool] = None
    line = ""
    for name in found:
        if len(line) + len(name) > _CUE_CHARS:
            line += ", …"
            break
        line = f"{line}, {name}" if line else name
    return f"Originals of: {line}" if line else ""


def _main_argument(arguments: object) -> str:
    values = arguments.values() if isinstance(arguments, dict) else [arguments]
    first = next((value for value in values if isinstance(value, str) and value.strip()), "")
    words = " ".join(str(first).split())
    return words if len(words) <= _ARGUMENT_CHARS else words[: _ARGUMENT_CHARS - 1] + "…"


def _span(edit: Rewrite | Fold, conversation: Conversation, entries: Entries) -> Span:
    messages = conversation.messages
    style: Style = edit.content.style  # type: ignore[union-attr] - only digests come here
    if isinstance(edit, Rewrite):
        message = messages[edit.message]
        block = message.blocks[edit.block]
        only = message._replace(blocks=(block,))
        return Span(style, entries.of([only]), block.tokens)
    inside = messages[edit.start : edit.stop]
    question = ""
    if style is Style.ROUND:
        asked = next((m for m in reversed(messages[: edit.start]) if m.is_human), None)
        said = entries.of([asked]) if asked else ()
        question = "\n".join(entry.text for entry in said if not isinstance(entry, Called))
    tokens = sum(message.tokens for message in inside)
    return Span(style, entries.of(inside), tokens, question)


def _ratio(span: Span, settings: Settings) -> float:
    is_current = span.style is Style.CURRENT_ROUND
    return settings.current_round_ratio if is_current else settings.summary_ratio
