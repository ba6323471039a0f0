"""Summaries for all spans of a plan at once, and the text that carries one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.core import tags
from ctxcompact.core.edits import Fold, Rewrite
from ctxcompact.core.facts import cue, facts, score
from ctxcompact.core.settings import Until
from ctxcompact.core.tasks import Called, Span, Style, Summary, Task
from ctxcompact.engine.hints import hints

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ctxcompact.core.facts import FactScore
    from ctxcompact.core.model import Conversation
    from ctxcompact.core.settings import Settings
    from ctxcompact.core.tasks import Summarizer
    from ctxcompact.engine.spans import Entries

_ANY_UUID = "00000000-0000-8000-8000-000000000000"
_JOIN_TOKENS = 8  # the message's framing, and what joining texts may cost
_LEAST_SHARE = 10


def summarize(
    edits: Sequence[Rewrite | Fold],
    conversation: Conversation,
    entries: Entries,
    summarizer: Summarizer,
    settings: Settings,
    room: int | None,
    count: Callable[[str], int],
) -> list[tuple[Summary, Span]]:
    """Ask for all summaries of a plan at once; one a edit, in order.

    `room` is what they may cost together with the lines that carry them; None, and the ratios of
    the settings hold. Where there is hardly any room each may have a tenth of its span: the target
    is missed then, and that is said.
    """
    spans = [_span(edit, conversation, entries) for edit in edits]
    lines = sum(count(carrier("", span, _ANY_UUID)) + _JOIN_TOKENS for span in spans)
    most = sum(span.tokens for span in spans) - lines
    if room is None or settings.until is Until.FIRST:
        budget = sum(int(span.tokens * _ratio(span, settings)) for span in spans)
    else:
        budget = max(room - lines, most // _LEAST_SHARE)
    found = hints(conversation.messages, _taken(edits), entries)
    task = Task(tuple(spans), max(min(budget, most), 0), settings.focus, *found)
    return list(zip(summarizer.summarize(task, count), spans, strict=True))


def _taken(edits: Sequence[Rewrite | Fold]) -> set[int]:
    """Return the messages that some edits take, by index."""
    taken: set[int] = set()
    for edit in edits:
        if isinstance(edit, Rewrite):
            taken.add(edit.message)
        else:
            taken.update(range(edit.start, edit.stop))
    return taken


def cost(edits: Sequence[Rewrite | Fold], conversation: Conversation) -> int:
    """Return what the spans of some edits cost now."""
    tokens = 0
    for edit in edits:
        if isinstance(edit, Rewrite):
            tokens += conversation.messages[edit.message].blocks[edit.block].tokens
        else:
            tokens += sum(m.tokens for m in conversation.messages[edit.start : edit.stop])
    return tokens


def carrier(summary: str, span: Span, uuid: str) -> str:
    """Write the text of a message that stands for a span.

    Label, summary, what one would look for, mark.
    """
    said = cue(span.entries)
    last = f"Originals of: {said} {tags.render(uuid)}" if said else tags.render(uuid)
    return f"{tags.SUMMARY_LABEL}\n{summary}\n{last}"


def payload(summary: str, uuid: str) -> str:
    """Write the text that stands for one payload."""
    return f"{summary}\n{tags.render(uuid)}"


def scored(summary: Summary, span: Span) -> FactScore | None:
    """Say how many facts of a span its summary keeps; the others stand behind its mark."""
    if not summary.text:
        return None
    wanted = facts(span.entries)
    return score(wanted, [summary.text, span.question, cue(span.entries)], reachable=True)


def _span(edit: Rewrite | Fold, conversation: Conversation, entries: Entries) -> Span:
    messages = conversation.messages
    style: Style = edit.content.style  # type: ignore[union-attr]  # only digests come here
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
