"""Settle a whole plan: in place first, then all summaries at once in the room that is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.edits import Fold
from ctxcompact.engine.digests import cost, restated, scored, summarize
from ctxcompact.engine.folding import Folder, Summarized
from ctxcompact.engine.intents import Edits, needs_summary, plain
from ctxcompact.engine.settling import Settler
from ctxcompact.engine.spans import Entries
from ctxcompact.levels import EARLIER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ctxcompact.core.edits import Rewrite
    from ctxcompact.core.model import Conversation
    from ctxcompact.core.settings import Settings
    from ctxcompact.core.tasks import Summarizer
    from ctxcompact.engine.digests import Pair, Told
    from ctxcompact.engine.draft import Draft
    from ctxcompact.engine.intents import Intents
    from ctxcompact.engine.ports import Ports
    from ctxcompact.engine.settling import Settled
    from ctxcompact.levels import Level

_MOST_TRIES = 3


class Wish(NamedTuple):
    """What is to come of it: so many tokens from `tokens_now`, unless None, with summaries by `summarizer`, if any."""

    tokens: int | None
    tokens_now: int
    summarizer: Summarizer | None


class Settlement:
    """Settles plans for one run, against one draft."""

    def __init__(self, draft: Draft, settings: Settings, ports: Ports) -> None:
        self._draft = draft
        self._settings = settings
        self._staging = ports.staging
        self._settler = Settler(draft, settings, ports.staging)
        self._folder = Folder(draft.reading, max(settings.min_gain_tokens, 1))
        self._entries = Entries(draft, ports.find)

    def of(self, conversation: Conversation, intents: Intents, wish: Wish) -> Settled:
        """Settle what is to be done; nothing of it counts until it is taken over.

        An edit that would not save enough is not made, and what it was to save is then missing: a
        summarizer that costs nothing is asked once more, for less.
        """
        mark = self._staging.mark()
        settled = self._once(conversation, intents, wish)
        for _ in range(1, _MOST_TRIES):
            missing = _missing(settled, wish)
            if missing <= 0 or not settled.folded or settled.is_least:
                break
            self._staging.rewind(mark)
            wish = wish._replace(tokens=(wish.tokens or 0) - missing)
            settled = self._once(conversation, intents, wish)
        return settled

    def _once(self, conversation: Conversation, intents: Intents, wish: Wish) -> Settled:
        settled = self._settler.begin()
        edits = Edits(intents)
        self._settler.rewrite(conversation, plain(edits.outer()), settled)
        digests = [pair for pair in edits.outer() if needs_summary(pair[1])]
        if not digests or wish.summarizer is None:
            return settled
        room = None
        if wish.tokens is not None:
            now = cost([edit for _, edit in digests], conversation)
            room = wish.tokens - (wish.tokens_now - settled.saved_tokens - now)
        count = self._draft.reading.gauge.count
        asked = summarize(
            digests, conversation, self._entries, wish.summarizer, self._settings, room, count
        )
        settled.is_least = asked.is_least
        terse = asked.is_least and not wish.summarizer.uses_model
        told = zip(digests, asked.told, strict=True)
        folds = self._put(conversation, told, settled, terse=terse)
        chosen = self._folder.choose(conversation, folds, settled)
        covered = {at for fold in settled.folded for at in range(fold.start, fold.stop)}
        inner = [pair for pair in plain(edits.inner()) if pair[1].message not in covered]
        self._settler.rewrite(conversation, inner, settled)
        moved = self._folder.write(conversation, chosen, settled)
        self._settler.amend(moved, settled)
        for made in chosen:
            gone = conversation.messages[made.fold.edit.start : made.fold.edit.stop]
            self._settler.clear_copies(conversation, gone, settled)
        return settled

    def _put(
        self,
        conversation: Conversation,
        found: Iterable[tuple[Pair, Told]],
        settled: Settled,
        *,
        terse: bool,
    ) -> list[Summarized]:
        """Put summaries in place of single blocks; return those of folds, which are chosen among.

        `terse`: where the room is too small for any summary, a fold says what one would look for there.
        """
        folds: list[Summarized] = []
        rewrites: list[tuple[Level, Rewrite]] = []
        texts: dict[tuple[int, int], str] = {}
        for (level, edit), (summary, span) in found:
            if summary is None:
                continue
            tally = settled.tally(level)
            if summary.reason:
                tally.reasons[summary.reason] = None
            tally.account(summary.spending, scored(summary, span))
            text = summary.text
            if not text and not (terse and isinstance(edit, Fold)):
                continue
            if isinstance(edit, Fold):
                folds.append(Summarized(level, edit, text, span))
                continue
            if level is EARLIER:
                tag = conversation.messages[edit.message].blocks[edit.block].tag
                text = restated(text, span, tag)
            rewrites.append((level, edit))
            texts[edit.message, edit.block] = text
        self._settler.rewrite(conversation, rewrites, settled, texts)
        return folds


def _missing(settled: Settled, wish: Wish) -> int:
    """Return how many tokens too many there would be, 0 where asking again is no use."""
    if wish.tokens is None or wish.summarizer is None or wish.summarizer.uses_model:
        return 0
    return wish.tokens_now - settled.saved_tokens - wish.tokens
