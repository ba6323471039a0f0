"""The full summary of auto and manual.

Everything becomes two messages, and what is still open stays. The two are the source's own
(learn-claude-code): a user message with the summary and where the archive is, and the assistant's
acknowledgement. The newest human message, if it is unanswered, and the newest unit stand after them
as they are. Everything taken out is in the archive, a copy of the whole input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.chains import Chains
from ctxcompact.core.edits import Amend
from ctxcompact.core.identity import identify
from ctxcompact.core.lines import loads
from ctxcompact.core.model import Block, Conversation, Kind, Message, Origin, Role
from ctxcompact.core.outline import says_what_was
from ctxcompact.core.splice import slices, splice
from ctxcompact.core.tags import ACKNOWLEDGEMENT, FULL_SUMMARY_START
from ctxcompact.core.tasks import Said, Span, Style, Summary, Task
from ctxcompact.engine.folding import dump_record, place_of
from ctxcompact.engine.hints import hints
from ctxcompact.engine.scattered import write_scattered
from ctxcompact.engine.words import verbatim

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.core.settings import Settings
    from ctxcompact.core.tasks import Entry, Summarizer
    from ctxcompact.engine.cutting import Cut
    from ctxcompact.engine.reading import Reading
    from ctxcompact.engine.settling import Settled
    from ctxcompact.engine.spans import Entries

_LARGEST_SHARE = 5
_LEAST_TOKENS = 200
_JOIN_TOKENS = 8  # what joining texts may cost


class Full:
    """Makes the full summary of one conversation."""

    def __init__(
        self, reading: Reading, settings: Settings, entries: Entries, archive: str
    ) -> None:
        self._reading = reading
        self._model = ""
        self._settings = settings
        self._entries = entries
        self._archive = archive

    def summarize(
        self, conversation: Conversation, plan: Cut, summarizer: Summarizer, focus: str
    ) -> tuple[Summary, Span]:
        """Return the text of the summary message with what it cost, or a reason why there is none; and the span."""
        messages = conversation.messages
        taken = [messages[at] for at in plan.taken]
        tokens = sum(message.tokens for message in taken)
        entries = self._entries.of(taken)
        budget = self._budget(conversation, plan)
        words = self._words(messages, plan, budget)
        count = self._reading.gauge.count
        fixed = count(words) + count(self._head()) + count(ACKNOWLEDGEMENT)
        framing = 2 * self._reading.gauge.message_tokens + _JOIN_TOKENS
        room = max(budget - fixed - framing, _LEAST_TOKENS)
        span = Span(Style.FULL, _without_words(entries, words), tokens)
        gone = {at for at in plan.taken if not messages[at].is_human}
        task = Task((span,), room, focus, *hints(messages, gone, self._entries))
        summary: Summary = summarizer.summarize(task, count)[0]
        if not summary.text:
            return summary._replace(reason=summary.reason or "no summary"), span
        return summary._replace(text=f"{self._head()}\n\n{summary.text}{words}"), span

    def _head(self) -> str:
        return f"{FULL_SUMMARY_START}{self._archive}]"

    def _budget(self, conversation: Conversation, plan: Cut) -> int:
        """Return a fifth of the input, and no more than the target leaves beside what stays."""
        tokens = conversation.tokens
        rest = sum(conversation.messages[at].tokens for at in plan.kept)
        left = self._settings.target_tokens - rest - self._settings.overhead_tokens
        return max(min(tokens // _LARGEST_SHARE, left), _LEAST_TOKENS)

    def _words(self, messages: Sequence[Message], plan: Cut, budget: int) -> str:
        """Return what people said, word for word.

        First and newest always, the rest while it fits.
        """
        spoken = [
            "\n".join(
                e.text for e in self._entries.of([_only_words(messages[at])]) if isinstance(e, Said)
            )
            for at in plan.taken
            if messages[at].is_human or says_what_was(messages[at])
        ]
        newest_stays = plan.human >= 0
        return verbatim(spoken, budget // 2, self._reading.gauge.count, newest_stays=newest_stays)

    def rows(self, conversation: Conversation, plan: Cut, text: str) -> list[Message]:
        """Return the messages as they become."""
        first = conversation.messages[plan.taken[0]]
        pair = [
            row(self._reading, Role.USER, text, first),
            row(self._reading, Role.ASSISTANT, ACKNOWLEDGEMENT, first),
        ]
        stop = plan.human if plan.human >= 0 else len(conversation.messages)
        ahead = [conversation.messages[at] for at in plan.kept if at < stop]
        behind = [conversation.messages[at] for at in plan.kept if at >= stop]
        rows = [*ahead, *pair, *behind]
        # What is sent beside the messages of a line counts with the first of them.
        rows[0] = rows[0]._replace(framing=conversation.messages[0].framing)
        return rows

    def write(
        self, conversation: Conversation, plan: Cut, text: str, settled: Settled
    ) -> list[Amend]:
        """Change the records; return what has to be hung anew."""
        if conversation.line is not None:
            self._write_items(conversation, plan, text, settled)
            return []
        form = self._reading.format
        if conversation.is_scattered or (form.id_key and not form.parent_key):
            write_scattered(form, conversation, plan, text, settled.records)
            return []
        return self._write_records(conversation, plan, text, settled)

    def _write_items(
        self, conversation: Conversation, plan: Cut, text: str, settled: Settled
    ) -> None:
        messages, compose = conversation.messages, self._reading.format.compose
        record = settled.records.open(messages[plan.taken[0]].blocks[0].record)
        array = place_of(messages[plan.taken[0]])[0]
        ends = [(*array, place_of(messages[at])[1]) for at in (plan.taken[0], plan.taken[-1])]
        first, last = map(loads, slices(record.original, ends))
        pair = [
            compose(Role.USER, text, first, last, ""),
            compose(Role.ASSISTANT, ACKNOWLEDGEMENT, first, last, ""),
        ]
        folds: list[tuple[int, int, Sequence[Any]]] = []
        for start, stop in _stretches([place_of(messages[at])[1] for at in plan.taken]):
            folds.append((start, stop, pair))
            pair = []
        record.fold_items(array, folds)

    def _write_records(
        self, conversation: Conversation, plan: Cut, text: str, settled: Settled
    ) -> list[Amend]:
        chains = Chains(conversation.links)
        self._model = conversation.model
        records = settled.records
        before = records_of(conversation, plan.before)
        after = records_of(conversation, plan.after)
        gone: list[int] = []
        if after:
            gone += chains.remove(after)
        if before:
            gap = chains.fold(before)
            gone += gap.gone
            first, holder = records.open(before[0]), records.open(gap.last)
            holder.replace(self._pair(text, first, holder, chains.parent(gap.last)))
            skip = gap.last
        else:
            skip = self._before_human(conversation, plan, text, settled, chains)
        for number in gone:
            records.open(number).replace(b"")
        key = self._reading.format.parent_key
        return [Amend(at, (key,), up or None) for at, up in chains.moved() if at != skip]

    def _pair(self, text: str, first: Any, last: Any, parent: str) -> bytes:
        """Write the two messages as two lines; the second one has the place of the last record."""
        form = self._reading.format
        user = form.compose(Role.USER, text, first.data, first.data, "")
        answer = form.compose(Role.ASSISTANT, ACKNOWLEDGEMENT, first.data, last.data, self._model)
        if form.id_key:
            user[form.id_key] = identify(last.digest, (form.id_key,))
            user[form.parent_key] = parent or None
            answer[form.parent_key] = user[form.id_key]
        return b"\n".join(dump_record(x, last.current) for x in (user, answer))

    def _before_human(
        self, conversation: Conversation, plan: Cut, text: str, settled: Settled, chains: Chains
    ) -> int:
        """Put the two messages right before the human message that stays.

        Nothing else is before it.
        """
        form = self._reading.format
        record = settled.records.open(conversation.messages[plan.human].blocks[0].record)
        pair = self._pair(text, record, record, chains.parent(record.number))
        stays = record.current
        if form.id_key:
            user, _, answer = pair.partition(b"\n")
            own = identify(record.digest, (form.id_key, "answer"))
            pair = user + b"\n" + splice(answer, {(form.id_key,): own})
            stays = splice(stays, {(form.parent_key,): own})
        record.replace(pair + b"\n" + stays)
        return record.number


def row(reading: Reading, role: Role, text: str, near: Message) -> Message:
    """Return the row of a text of ours near a message."""
    gauge, path = reading.gauge, reading.format.composed_path
    block = Block(Kind.TEXT, near.blocks[0].record, path, len(text), gauge.count(text), fixed=True)
    return Message(role, Origin.SUMMARY, near.line, (block,), gauge.message_tokens)


def records_of(conversation: Conversation, indices: Sequence[int]) -> list[int]:
    """Return the records that some messages stand in, in order."""
    return sorted({b.record for at in indices for b in conversation.messages[at].blocks})


def _stretches(indices: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield runs of consecutive numbers as (start, stop)."""
    start = previous = None
    for at in sorted(indices):
        if start is None:
            start = at
        elif previous is not None and at != previous + 1:
            yield start, previous + 1
            start = at
        previous = at
    if start is not None and previous is not None:
        yield start, previous + 1


def _only_words(message: Message) -> Message:
    return message._replace(blocks=tuple(b for b in message.blocks if b.kind is Kind.TEXT))


def _without_words(entries: tuple[Entry, ...], words: str) -> tuple[Entry, ...]:
    """Leave out what stands word for word beside the summary already."""
    return tuple(
        entry
        for entry in entries
        if not (isinstance(entry, Said) and entry.speaker == "user" and entry.text in words)
    )
