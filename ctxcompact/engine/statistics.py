"""Where the tokens go: sums over a transcript as read, and what each level would save."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.outline import rounds
from ctxcompact.engine.draft import Draft
from ctxcompact.engine.intents import Edits, plain
from ctxcompact.engine.planning import intend
from ctxcompact.engine.settling import Settler
from ctxcompact.engine.whole import only_counted
from ctxcompact.levels import LEVELS, MICRO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.events import FileFacts
    from ctxcompact.core.measure import Counter as TokenCounter
    from ctxcompact.core.model import Message, Problem, Recorded
    from ctxcompact.core.settings import Settings
    from ctxcompact.engine.ports import Ports
    from ctxcompact.engine.reading import Reading


class Large(NamedTuple):
    """One large block: its line, the number of its message (from 1), what it is, what it costs."""

    line: int
    message: int
    kind: str
    tool: str
    tokens: int


class Round(NamedTuple):
    """One round: the line it starts on, its messages, its tokens."""

    line: int
    messages: int
    tokens: int


class Saving(NamedTuple):
    """What a level by itself would do now."""

    level: int | str
    name: str
    edits: int
    tokens_saved: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """The sums of one file. `by_role`, `by_kind` and `by_tool` map names to tokens, largest first.

    `only_counted` says what more there is to know of a transcript that is not to be rewritten.
    `by_kind` has a row "framing" for what is paid beside the blocks; `by_tool` holds calls and
    results together. `recorded` is the provider's own count, where the file tells one.
    """

    facts: FileFacts
    format: str
    only_counted: str
    counter: TokenCounter
    model: str
    conversations: int
    recorded: Recorded | None
    by_role: dict[str, int]
    by_kind: dict[str, int]
    by_tool: dict[str, int]
    by_round: tuple[Round, ...]
    largest: tuple[Large, ...]
    plan: tuple[Saving, ...]
    problems: tuple[Problem, ...]


def statistics(reading: Reading, facts: FileFacts, *, top: int) -> Statistics:
    """Sum a transcript up, with its `top` largest blocks."""
    by_role: Counter[str] = Counter()
    by_kind: Counter[str] = Counter()
    by_tool: Counter[str] = Counter()
    for message in _messages(reading):
        by_role[message.role.value] += message.tokens
        by_kind["framing"] += message.framing
        for block in message.blocks:
            by_kind["repeated_result" if block.is_repeat else block.kind.value] += block.tokens
            if block.call_id or block.tool:
                by_tool[block.tool or "unknown"] += block.tokens
    return Statistics(
        facts=facts,
        format=reading.format.name,
        only_counted=only_counted(reading),
        counter=reading.gauge.counter,
        model=next((c.model for c in reversed(reading.conversations) if c.model), ""),
        conversations=len(reading.conversations),
        recorded=next((c.recorded for c in reading.conversations if c.recorded), None),
        by_role=dict(by_role.most_common()),
        by_kind=dict(by_kind.most_common()),
        by_tool=dict(by_tool.most_common()),
        by_round=tuple(_rounds(reading)),
        largest=tuple(nlargest(top, _large(reading), key=lambda row: (row.tokens, -row.line))),
        plan=(),
        problems=tuple(reading.problems()),
    )


def savings(reading: Reading, settings: Settings, ports: Ports) -> tuple[Saving, ...]:
    """Say what levels would save, each tried by itself on the transcript as it is.

    Levels that need a summarizer are left out: what they save is what the budget asks of them.
    """
    settler = Settler(Draft(reading, ports.scratch), settings, ports.staging)
    rules = reading.format.rules
    found = []
    for level in (MICRO, *LEVELS):
        if level.summarizes:
            continue
        settled = settler.begin()
        for conversation in reading.conversations:
            intents = intend(conversation, (level,), settings, rules, None)
            settler.rewrite(conversation, plain(Edits(intents).outer()), settled)
        tally = settled.tally(level)
        found.append(Saving(level.number, level.name, tally.edits, tally.saved_tokens))
    return tuple(found)


def _messages(reading: Reading) -> Iterator[Message]:
    for conversation in reading.conversations:
        yield from conversation.messages


def _rounds(reading: Reading) -> Iterator[Round]:
    for conversation in reading.conversations:
        for start, stop in rounds(conversation.messages):
            messages = conversation.messages[start:stop]
            tokens = sum(message.tokens for message in messages)
            yield Round(messages[0].line, len(messages), tokens)


def _large(reading: Reading) -> Iterator[Large]:
    for number, message in enumerate(_messages(reading), 1):
        for block in message.blocks:
            line = reading.index.lines[block.record]
            yield Large(line, number, block.kind.value, block.tool, block.tokens)
