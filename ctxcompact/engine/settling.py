"""Settle an edit.

Make the new text, refuse it unless it saves enough, keep the original, splice. Previews and
placeholders come first; the room they leave is shared by all summaries at once.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from ctxcompact.core import tags
from ctxcompact.core.apply import Folded, Rewrites, Sized
from ctxcompact.core.edits import Amend, Placeholder, Preview, Rewrite
from ctxcompact.core.facts import FactScore
from ctxcompact.core.identity import identify
from ctxcompact.core.lines import loads
from ctxcompact.core.model import Block, Kind
from ctxcompact.core.payloads import text_of, with_text
from ctxcompact.core.preview import cut
from ctxcompact.core.splice import value_at
from ctxcompact.engine.digests import payload
from ctxcompact.engine.gains import is_enough
from ctxcompact.engine.records import Records
from ctxcompact.engine.repeats import change_repeats, most_tokens, repeats_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ctxcompact.core.model import Conversation, Message
    from ctxcompact.core.settings import Settings
    from ctxcompact.core.splice import Path
    from ctxcompact.core.tasks import Spending
    from ctxcompact.engine.draft import Draft
    from ctxcompact.engine.ports import Staging
    from ctxcompact.engine.repeats import Repeats
    from ctxcompact.levels import Level

_SECRET_CHARS = 8192
"""How far behind the end of a preview a credential is looked for that begins in it."""
_FOLDED = "[folded into a summary]"

LevelEdit: TypeAlias = "tuple[Level, Rewrite]"


@dataclass(slots=True)
class Tally:
    """What the edits of one level came to; `lines` are those of the messages touched, one for each."""

    edits: int = 0
    saved_tokens: int = 0
    too_small: int = 0
    uuids: list[str] = field(default_factory=list)
    lines: array[int] = field(default_factory=lambda: array("I"))
    last: int = -1
    reasons: dict[str, None] = field(default_factory=dict)
    facts: FactScore | None = None
    spending: Spending | None = None

    def note(self, uuid: str, saved_tokens: int) -> None:
        """Count an edit that was made."""
        self.edits += 1
        self.saved_tokens += saved_tokens
        self.uuids.append(uuid)

    def touch(self, at: int, line: int) -> None:
        """Note a message that is changed or taken in; they come in order, one after each of its edits."""
        if at != self.last:
            self.last = at
            self.lines.append(line)

    def account(self, spending: Spending | None, facts: FactScore | None) -> None:
        """Add what a summary cost, and what it kept."""
        if spending is not None:
            self.spending = spending.plus(self.spending)
        if facts is not None:
            before = self.facts or FactScore(0, 0, 0, 0)
            self.facts = FactScore(*(a + b for a, b in zip(before, facts, strict=True)))


@dataclass(slots=True)
class Settled:
    """What a plan came to.

    Rows as they become, changed records, and a tally for each level by its number. `is_least` says
    that its summaries say as little as they may.
    """

    records: Records
    rewritten: Rewrites = field(default_factory=Rewrites)
    folded: list[Folded] = field(default_factory=list)
    tallies: dict[int | str, Tally] = field(default_factory=dict)
    is_least: bool = False

    def tally(self, level: Level) -> Tally:
        """Return the tally of a level."""
        return self.tallies.setdefault(level.number, Tally())

    @property
    def saved_tokens(self) -> int:
        """What all edits save."""
        return sum(tally.saved_tokens for tally in self.tallies.values())


class Settler:
    """Settles edits in place against a draft, for one run."""

    def __init__(self, draft: Draft, settings: Settings, staging: Staging) -> None:
        self._draft = draft
        self._reading = draft.reading
        self._settings = settings
        self._staging = staging
        self._min_gain = max(settings.min_gain_tokens, 1)

    def begin(self) -> Settled:
        """Return an empty settlement."""
        return Settled(Records(self._draft, self._staging))

    def rewrite(
        self,
        conversation: Conversation,
        edits: Iterable[LevelEdit],
        settled: Settled,
        summaries: dict[tuple[int, int], str] | None = None,
    ) -> None:
        """Settle edits in place; nothing of it counts until the draft accepts it.

        `summaries` has the texts of digests, by message and block.
        """
        messages = conversation.messages
        pairs = ((messages[edit.message].blocks[edit.block], level, edit) for level, edit in edits)
        repeats = {} if self._settings.keep_twins else repeats_in(conversation)
        amends: list[Amend] = []
        for record, group in groupby(pairs, key=lambda pair: pair[0].record):
            amends += self._record(record, group, conversation, settled, summaries or {}, repeats)
        self.amend(amends, settled)

    def amend(self, amends: Sequence[Amend], settled: Settled) -> None:
        """Put values at addresses, and keep the records they were in."""
        for number, group in groupby(sorted(amends, key=_by_record), key=_by_record):
            settled.records.open(number).put({amend.path: amend.value for amend in group})

    def _record(
        self,
        number: int,
        group: Iterable[tuple[Block, Level, Rewrite]],
        conversation: Conversation,
        settled: Settled,
        summaries: dict[tuple[int, int], str],
        repeats: Repeats,
    ) -> list[Amend]:
        """Settle the edits of one record; return what they drag along in other records."""
        record = settled.records.open(number)
        puts: dict[Path, Any] = {}
        amends: list[Amend] = []
        for block, level, edit in group:
            uuid = identify(record.digest, block.path)
            place = record.place(block.path)
            value = value_at(record.data, place)
            spellings = _spellings(edit, value, (uuid, block.tag), summaries, self._reading.mask)
            again = repeats.get(block.call_id, ())
            made = self._choose(block, edit, spellings, value, most_tokens(block, again))
            if made is None:
                settled.tally(level).too_small += 1
                continue
            text, sized = made
            puts[place] = with_text(value, text, keep_media=isinstance(edit.content, Preview))
            if not self._settings.keep_twins:
                puts.update(self._reading.format.twins(record.data, place, text))
                amends += self._copies(conversation, block, text)
            settled.rewritten.add(edit.message, edit.block, sized)
            settled.tally(level).note(uuid, block.tokens - sized.tokens)
            settled.tally(level).touch(edit.message, conversation.messages[edit.message].line)
            change_repeats(again, text, self._reading.gauge, settled, settled.tally(level))
            record.keep(uuid, block.path, block.tool)
        record.put(puts)
        return amends

    def _choose(
        self,
        block: Block,
        edit: Rewrite,
        spellings: Iterator[tuple[str, str]],
        value: Any,
        most: int,
    ) -> tuple[str, Sized] | None:
        """Return the first spelling of `most` tokens, and what it changes; a preview keeps pictures."""
        gauge = self._reading.gauge
        framing = gauge.counter.result_tokens if block.kind is Kind.RESULT else 0
        media = block.media and isinstance(edit.content, Preview)
        if media:
            framing = block.tokens - gauge.count(text_of(value))
        for text, tag in spellings:
            tokens = gauge.count(text) + framing
            saved = block.tokens - tokens
            if tokens <= most and is_enough(saved, self._min_gain, text, tag, gauge.count):
                return text, Sized(len(text), tokens, tag, media)
        return None

    def clear_copies(
        self, conversation: Conversation, folded: Iterable[Message], settled: Settled
    ) -> None:
        """Take the results of folded messages out of where the client repeats them for its screen.

        Words stay there: a screen shows what was said.
        """
        if self._settings.keep_twins or not conversation.copies:
            return
        results = (b for message in folded for b in message.blocks if b.kind is Kind.RESULT)
        amends = [amend for b in results for amend in self._copies(conversation, b, _FOLDED)]
        self.amend([x for x in amends if x.record not in settled.records.replaced], settled)

    def _copies(self, conversation: Conversation, block: Block, text: str) -> Iterator[Amend]:
        key = block.call_id if block.kind is Kind.RESULT else (block.record, block.path)
        for record, path in conversation.copies.get(key, ()):
            change = self._draft.of(record)
            raw = change.raw if change else self._reading.record(record)
            value = value_at(loads(raw), path)
            yield Amend(record, path, with_text(value, text, keep_media=False))


def _spellings(
    edit: Rewrite,
    value: Any,
    ids: tuple[str, str],
    summaries: dict[tuple[int, int], str],
    mask: Callable[[str], str],
) -> Iterator[tuple[str, str]]:
    """Yield the texts that may take the place of a payload, each with the id it is marked by.

    The wanted one comes first. `ids` are the new id, and the one of the mark that is there already,
    "" if none is: it stays, and the summary is written with it.
    """
    uuid, tag = ids
    content = edit.content
    if isinstance(content, Placeholder):
        if content.tagged:
            yield f"{content.text}\n{tags.render(uuid)}", uuid
        yield content.text, ""
    elif isinstance(content, Preview):
        start = mask(text_of(value)[: content.chars + _SECRET_CHARS])
        yield f"{cut(start, content.chars)}...\n{tags.render(uuid)}", uuid
    elif summary := summaries.get((edit.message, edit.block), ""):
        yield (summary, tag) if tag else (payload(summary, uuid), uuid)


def _by_record(amend: Amend) -> int:
    return amend.record
