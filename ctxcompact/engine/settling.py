"""Settle: make the new text of each edit, refuse it unless it saves enough, keep the original, splice.

A record is read, spliced and proven once, whatever the number of edits in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING, Any, assert_never

from ctxcompact.core import laws, tags
from ctxcompact.core.blocks import text_of, with_text
from ctxcompact.core.edits import Amend, Content, Placeholder, Preview, Rewrite
from ctxcompact.core.identity import identify
from ctxcompact.core.lines import loads
from ctxcompact.core.model import Block, Kind
from ctxcompact.core.outline import trace
from ctxcompact.core.preview import cut
from ctxcompact.core.splice import splice, value_at
from ctxcompact.engine.draft import Change

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ctxcompact.core.model import Conversation
    from ctxcompact.core.settings import Settings
    from ctxcompact.core.splice import Path
    from ctxcompact.engine.draft import Draft
    from ctxcompact.engine.ports import Staging


@dataclass(slots=True)
class Settled:
    """What a plan came to: rows as they become, places of changed records, ids, edits refused as too small."""

    rows: list[tuple[int, int, Block]] = field(default_factory=list)
    changes: dict[int, int] = field(default_factory=dict)
    uuids: list[str] = field(default_factory=list)
    saved_tokens: int = 0
    too_small: int = 0


class Settler:
    """Settles plans against a draft, for one run."""

    def __init__(self, draft: Draft, settings: Settings, staging: Staging) -> None:
        self._draft = draft
        self._reading = draft.reading
        self._settings = settings
        self._staging = staging
        self._min_gain = max(settings.min_gain_tokens, 1)

    def settle(self, conversation: Conversation, edits: Sequence[Rewrite]) -> Settled:
        """Settle the edits of a plan; nothing of it counts until the draft accepts it."""
        settled = Settled()
        messages, outline = conversation.messages, trace(conversation.messages)
        allowed = (
            (messages[edit.message].blocks[edit.block], edit)
            for edit in edits
            if not laws.forbids(messages, outline, edit)
        )
        amends: list[Amend] = []
        for record, group in groupby(allowed, key=lambda pair: pair[0].record):
            amends += self._rewrite(_Record(self, record, settled), group, conversation, settled)
        self.amend(amends, settled)
        return settled

    def amend(self, amends: Sequence[Amend], settled: Settled) -> None:
        """Put values at addresses, and keep the records they were in."""
        for number, group in groupby(sorted(amends, key=_by_record), key=_by_record):
            record = _Record(self, number, settled)
            record.puts = {amend.path: amend.value for amend in group}
            record.write()

    def _rewrite(
        self,
        record: _Record,
        group: Iterable[tuple[Block, Rewrite]],
        conversation: Conversation,
        settled: Settled,
    ) -> list[Amend]:
        """Settle the edits of one record; return what they drag along in other records."""
        record.data = data = loads(record.current)
        amends: list[Amend] = []
        for block, edit in group:
            uuid = identify(record.digest, block.path)
            value = value_at(data, block.path)
            made = self._make(block, edit.content, value, uuid)
            if made is None:
                settled.too_small += 1
                continue
            text, row = made
            keep_media = isinstance(edit.content, Preview)
            record.puts[block.path] = with_text(value, text, keep_media=keep_media)
            if not self._settings.keep_twins:
                record.puts.update(self._reading.format.twins(data, block.path, text))
                amends += self._copies(conversation, block, text)
            settled.rows.append((edit.message, edit.block, row))
            settled.uuids.append(uuid)
            settled.saved_tokens += block.tokens - row.tokens
            record.keep(uuid, block.path, block.tool)
        record.write()
        return amends

    def _make(
        self, block: Block, content: Content, value: Any, uuid: str
    ) -> tuple[str, Block] | None:
        """Return the first spelling of the content that saves enough, and the row of the block then."""
        for text in _spellings(content, value, uuid):
            row = self._row(block, content, text, value)
            if block.tokens - row.tokens >= self._min_gain:
                return text, row
        return None

    def _row(self, block: Block, content: Content, text: str, value: Any) -> Block:
        """Return the row of a block that says `text` instead; a preview keeps the pictures."""
        gauge = self._reading.gauge
        framing = gauge.counter.result_tokens if block.kind is Kind.RESULT else 0
        tokens = gauge.count(text) + framing
        media = block.media and isinstance(content, Preview)
        if media:
            tokens += block.tokens - framing - gauge.count(text_of(value))
        kind, record, path, _, _, call_id, tool, _, fixed, _ = block
        tag = tags.closing(text)
        return Block(kind, record, path, len(text), tokens, call_id, tool, tag, fixed, media)

    def _copies(self, conversation: Conversation, block: Block, text: str) -> Iterator[Amend]:
        for record, path in conversation.copies.get(block.call_id, ()):
            change = self._draft.of(record)
            raw = change.raw if change else self._reading.record(record)
            value = value_at(loads(raw), path)
            yield Amend(record, path, with_text(value, text, keep_media=False))


class _Record:
    """One record under edit: read once, kept once, written once."""

    def __init__(self, settler: Settler, number: int, settled: Settled) -> None:
        self._draft = settler._draft
        self._staging = settler._staging
        self._number = number
        self._settled = settled
        self.puts: dict[Path, Any] = {}
        self.data: Any = None
        place = settled.changes.get(number)
        change = self._draft.of(number) if place is None else self._draft.at(place)
        self._original = self._draft.reading.record(number)
        self.current = change.raw if change else self._original
        self._uuid = change.uuid if change else ""
        self.digest = sha256(self._original).hexdigest()

    def keep(self, uuid: str, path: Path, tool: str) -> None:
        """Stage the original under an id."""
        reading = self._draft.reading
        self._uuid = self._uuid or uuid
        self._staging.add(
            uuid,
            self._original,
            self.digest,
            path=path,
            tool=tool,
            format=reading.format.name,
            line=reading.index.lines[self._number],
        )

    def write(self) -> None:
        """Splice the new values in, if there are any."""
        if not self.puts:
            return
        if not self._uuid:
            self.keep(identify(self.digest, ()), (), "")
        change = Change(splice(self.current, self.puts, before=self.data), self._uuid)
        self._settled.changes[self._number] = self._draft.put(change)


def _spellings(content: Content, value: Any, uuid: str) -> Iterator[str]:
    """Yield the texts that may take the place of a payload, the wanted one first."""
    match content:
        case Placeholder(text, tagged):
            if tagged:
                yield f"{text}\n{tags.render(uuid)}"
            yield text
        case Preview(chars):
            yield f"{cut(text_of(value), chars)}...\n{tags.render(uuid)}"
        case _:
            assert_never(content)


def _by_record(amend: Amend) -> int:
    return amend.record
