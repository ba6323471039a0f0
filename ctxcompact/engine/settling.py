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
    from collections.abc import Iterator, Sequence

    from ctxcompact.core.model import Conversation
    from ctxcompact.core.settings import Settings
    from ctxcompact.core.splice import Path
    from ctxcompact.engine.draft import Draft
    from ctxcompact.engine.ports import Staging


@dataclass(slots=True)
class Settled:
    """What a plan came to: rows as they become, changed records, ids, and how many edits were refused."""

    rows: list[tuple[int, int, Block]] = field(default_factory=list)
    changes: dict[int, Change] = field(default_factory=dict)
    uuids: list[str] = field(default_factory=list)
    saved_tokens: int = 0
    too_small: int = 0


class Settler:
    """Settles plans against a draft, for one run."""

    def __init__(self, draft: Draft, settings: Settings, staging: Staging) -> None:
        self._draft = draft
        self._settings = settings
        self._staging = staging

    def settle(self, conversation: Conversation, edits: Sequence[Rewrite]) -> Settled:
        """Settle the edits of a plan; nothing of it counts until it is taken over into the draft."""
        settled = Settled()
        outline = trace(conversation.messages)
        allowed = (
            (conversation.messages[edit.message].blocks[edit.block], edit)
            for edit in edits
            if not laws.forbids(conversation.messages, outline, edit)
        )
        amends: list[Amend] = []
        for record, group in groupby(allowed, key=lambda pair: pair[0].record):
            amends += self._rewrite(record, list(group), conversation, settled)
        self.amend(amends, settled)
        return settled

    def amend(self, amends: Sequence[Amend], settled: Settled) -> None:
        """Put values at addresses, and keep the records they were in."""
        for record, group in groupby(sorted(amends, key=_by_record), key=_by_record):
            puts = {amend.path: amend.value for amend in group}
            self._change(record, puts, settled)

    def _rewrite(
        self,
        record: int,
        group: list[tuple[Block, Rewrite]],
        conversation: Conversation,
        settled: Settled,
    ) -> list[Amend]:
        """Settle the edits of one record; return what they drag along in other records."""
        original = self._draft.reading.record(record)
        digest = sha256(original).hexdigest()
        data = loads(self._draft.current(record))
        puts: dict[Path, Any] = {}
        amends: list[Amend] = []
        for block, edit in group:
            uuid = identify(digest, block.path)
            value = value_at(data, block.path)
            made = self._make(block, edit.content, value, uuid)
            if made is None:
                settled.too_small += 1
                continue
            text, row = made
            keep_media = isinstance(edit.content, Preview)
            puts[block.path] = with_text(value, text, keep_media=keep_media)
            if not self._settings.keep_twins:
                puts.update(self._draft.reading.format.twins(data, block.path, text))
                amends += self._copies(conversation, block, text)
            settled.rows.append((edit.message, edit.block, row))
            settled.uuids.append(uuid)
            settled.saved_tokens += block.tokens - row.tokens
            self._keep(record, original, digest, block.path, uuid, block.tool)
        if puts:
            self._change(record, puts, settled, digest=digest)
        return amends

    def _make(
        self, block: Block, content: Content, value: Any, uuid: str
    ) -> tuple[str, Block] | None:
        """Return the first spelling of the content that saves enough, and the row of the block then."""
        for text in _spellings(content, value, uuid):
            row = self._row(block, content, text, value)
            if block.tokens - row.tokens >= max(self._settings.min_gain_tokens, 1):
                return text, row
        return None

    def _row(self, block: Block, content: Content, text: str, value: Any) -> Block:
        """Return the row of a block that says `text` instead; a preview keeps the pictures."""
        gauge = self._draft.reading.gauge
        framing = gauge.counter.result_tokens if block.kind is Kind.RESULT else 0
        tokens = gauge.count(text) + framing
        media = block.media and isinstance(content, Preview)
        if media:
            tokens += block.tokens - framing - gauge.count(text_of(value))
        return block._replace(
            chars=len(text), tokens=tokens, tag=tags.closing(text), media=media
        )

    def _copies(self, conversation: Conversation, block: Block, text: str) -> Iterator[Amend]:
        for record, path in conversation.copies.get(block.call_id, ()):
            value = value_at(loads(self._draft.current(record)), path)
            yield Amend(record, path, with_text(value, text, keep_media=False))

    def _change(
        self, record: int, puts: dict[Path, Any], settled: Settled, *, digest: str = ""
    ) -> None:
        earlier = settled.changes.get(record) or self._draft.changes.get(record)
        raw = earlier.raw if earlier else self._draft.reading.record(record)
        uuid = earlier.uuid if earlier else self._handle(record, digest, settled)
        settled.changes[record] = Change(splice(raw, puts), uuid)

    def _handle(self, record: int, digest: str, settled: Settled) -> str:
        """Return the id by which the receipt finds the original of a record."""
        if digest:
            return settled.uuids[-1]
        original = self._draft.reading.record(record)
        digest = sha256(original).hexdigest()
        uuid = identify(digest, ())
        self._keep(record, original, digest, (), uuid, "")
        return uuid

    def _keep(
        self, record: int, original: bytes, digest: str, path: Path, uuid: str, tool: str
    ) -> None:
        reading = self._draft.reading
        line = reading.index.lines[record]
        self._staging.add(
            uuid, original, digest, path=path, tool=tool, format=reading.format.name, line=line
        )


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
