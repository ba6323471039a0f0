"""Summaries for all spans of a plan at once, and the text that carries one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ctxcompact.core import tags
from ctxcompact.core.edits import Fold, Rewrite
from ctxcompact.core.facts import cue, facts, score
from ctxcompact.core.settings import Until
from ctxcompact.core.tasks import Called, Said, Span, Style, Summary, Task
from ctxcompact.engine.gains import ANY_ID
from ctxcompact.engine.hints import hints
from ctxcompact.levels import EARLIER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ctxcompact.core.facts import FactScore
    from ctxcompact.core.model import Conversation, Message
    from ctxcompact.core.settings import Settings
    from ctxcompact.core.tasks import Entry, Summarizer
    from ctxcompact.engine.spans import Entries
    from ctxcompact.levels import Level

_JOIN_TOKENS = 8  # the message's framing, and what joining texts may cost
_FEW_TOKENS = 40
_FEW_OF_CHARS = 200  # a fiftieth, at four characters a token

Pair: TypeAlias = "tuple[Level, Rewrite | Fold]"


class Told(NamedTuple):
    """The summary for an edit, and what it was made from. None: it was not asked for, for it would win nothing."""

    summary: Summary | None
    span: Span


class Asked(NamedTuple):
    """Summaries for all edits of a plan, in order; `is_least` if there was no room for more than a little in each."""

    told: list[Told]
    is_least: bool


class _Wanted(NamedTuple):
    """A span to be summarized: what the line that carries it costs, and the least it may say, in tokens."""

    span: Span
    line: int
    least: int

    @property
    def most(self) -> int:
        """What it may say before it is larger than what it stands for."""
        return self.span.tokens - self.line


def summarize(
    pairs: Sequence[Pair],
    conversation: Conversation,
    entries: Entries,
    summarizer: Summarizer,
    settings: Settings,
    room: int | None,
    count: Callable[[str], int],
) -> Asked:
    """Ask for all summaries of a plan at once; one for each level and edit, in order.

    `room` is what they may cost together with the lines that carry them; None, and the ratios of
    the settings hold. Where there is hardly any room each may say a little all the same: the target
    is missed then, and that is said.
    """
    spans = [_span(level, edit, conversation, entries) for level, edit in pairs]
    wanted = {at: _want(span, count) for at, span in enumerate(spans)}
    gain = max(settings.min_gain_tokens, 1)
    for at, (level, edit) in enumerate(pairs):
        if level is EARLIER and not _can_give(wanted[at], edit, gain, conversation, entries):
            room = room - spans[at].tokens if room is not None else None
            del wanted[at]
    if not wanted:
        return Asked([Told(None, span) for span in spans], is_least=False)
    slack = gain if all(pairs[at][0] is EARLIER for at in wanted) else 0
    asked, is_least = _fit(list(wanted.values()), room, slack, settings)
    known = hints(conversation.messages, _taken(edit for _, edit in pairs), entries)
    task = Task(asked.spans, asked.budget_tokens, settings.focus, *known)
    found = dict(zip(wanted, summarizer.summarize(task, count), strict=True))
    return Asked([Told(found.get(at), span) for at, span in enumerate(spans)], is_least=is_least)


def _want(span: Span, count: Callable[[str], int]) -> _Wanted:
    line = count(carrier("", span, ANY_ID)) + _JOIN_TOKENS
    chars = sum(
        len(str(entry.arguments) if isinstance(entry, Called) else entry.text)
        for entry in span.entries
    )
    return _Wanted(span, line, max(_FEW_TOKENS, chars // _FEW_OF_CHARS))


def _can_give(
    wanted: _Wanted,
    edit: Rewrite | Fold,
    gain: int,
    conversation: Conversation,
    entries: Entries,
) -> bool:
    """Tell whether an earlier summary is longer than it has to be, and its originals are at hand."""
    if not isinstance(edit, Rewrite) or wanted.most - wanted.least < gain:
        return False
    return entries.has(conversation.messages[edit.message].blocks[edit.block].tag)


def _fit(
    wanted: Sequence[_Wanted], room: int | None, slack: int, settings: Settings
) -> tuple[Task, bool]:
    """Share out the room; tell whether it is no more than the least.

    With `slack` each text gives so much more that it is an edit worth making.
    """
    spans = tuple(one.span for one in wanted)
    most = max(sum(one.most for one in wanted), 0)
    if room is None or settings.until is Until.FIRST:
        budget = sum(int(span.tokens * _ratio(span, settings)) for span in spans)
        return Task(spans, min(budget, most)), False
    budget = room - sum(one.line for one in wanted) - slack * (len(wanted) - 1)
    budget = min(budget, most - slack * len(wanted))
    least = sum(one.least for one in wanted)
    if budget > least:
        return Task(spans, budget), False
    capped = (one.span._replace(tokens=min(one.span.tokens, one.least)) for one in wanted)
    return Task(tuple(capped), min(least, most)), True


def _taken(edits: Iterable[Rewrite | Fold]) -> set[int]:
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

    Label, summary (if any), what one would look for, mark.
    """
    said = cue(span.entries)
    last = f"Originals of: {said} {tags.render(uuid)}" if said else tags.render(uuid)
    return "\n".join(filter(None, (tags.SUMMARY_LABEL, summary, last)))


def payload(summary: str, uuid: str) -> str:
    """Write the text that stands for one payload."""
    return f"{summary}\n{tags.render(uuid)}"


def scored(summary: Summary, span: Span) -> FactScore | None:
    """Say how many facts of a span its summary keeps; the others stand behind its mark."""
    if not summary.text:
        return None
    wanted = facts(span.entries)
    return score(wanted, [summary.text, span.question, cue(span.entries)], reachable=True)


def restated(text: str, span: Span, uuid: str) -> str:
    """Write the text of an earlier summary anew, under the mark it has."""
    return payload(text, uuid) if span.style is Style.PAYLOAD else carrier(text, span, uuid)


def _span(level: Level, edit: Rewrite | Fold, conversation: Conversation, entries: Entries) -> Span:
    messages = conversation.messages
    style: Style = edit.content.style  # type: ignore[union-attr]  # only digests come here
    if isinstance(edit, Rewrite):
        message = messages[edit.message]
        block = message.blocks[edit.block]
        start, tokens = edit.message, block.tokens
        inside = entries.of([message._replace(blocks=(block,))])
    else:
        start, tokens = edit.start, cost([edit], conversation)
        inside = entries.of(messages[edit.start : edit.stop])
    if level is EARLIER and style is Style.ROUND and not _ends_said(inside):
        style = Style.TOOL_RUN
    question = _question(messages[:start], entries) if style is Style.ROUND else ""
    return Span(style, inside, tokens, question)


def _ends_said(entries: Sequence[Entry]) -> bool:
    """Tell whether a stretch ends with an answer, as a round does."""
    return bool(entries) and isinstance(entries[-1], Said)


def _question(before: Sequence[Message], entries: Entries) -> str:
    """Return what a person asked last."""
    asked = next((message for message in reversed(before) if message.is_human), None)
    said = entries.of([asked]) if asked else ()
    return "\n".join(entry.text for entry in said if not isinstance(entry, Called))


def _ratio(span: Span, settings: Settings) -> float:
    is_current = span.style is Style.CURRENT_ROUND
    return settings.current_round_ratio if is_current else settings.summary_ratio
