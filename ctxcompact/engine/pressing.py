"""Plan on where the levels, as they are set, leave hardly any room for what summaries are to say.

Earlier summaries give some of their room, and the sizes that spare small and recent parts give way:
little by little, only those that nobody set to a size of their own, and only if that leads there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.edits import Preview, Rewrite
from ctxcompact.core.settings import LEVELS as EVERY
from ctxcompact.core.settings import Settings
from ctxcompact.engine.digests import cost
from ctxcompact.engine.foresight import DIGEST_LINE_TOKENS
from ctxcompact.engine.intents import Edits, needs_summary, plain
from ctxcompact.levels import EARLIER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.core.edits import Fold
    from ctxcompact.core.model import Conversation
    from ctxcompact.engine.foresight import Foresight
    from ctxcompact.engine.intents import Intent, Intents
    from ctxcompact.levels import Level

_LEAST_SHARE = 10  # a tenth of what is summarized for the first time
_LEAST_SHARE_AGAIN = 2  # half of what is a summary already
_DEEP = 0.4
_DIVISORS = (4, 16, 64)
_GUARDS = ("min_compression_tokens", "min_consecutive_tool_messages", "last_keep")


def press(
    conversation: Conversation,
    levels: Sequence[Level],
    settings: Settings,
    foresight: Foresight,
    target_tokens: int,
    intents: Intents,
) -> None:
    """Add to a plan what the target asks for beyond it."""
    if any(level.summarizes for level in levels):
        _Press(conversation, settings, foresight, target_tokens, intents).run(levels)


class _Digested(NamedTuple):
    """What the spans of a plan cost now: those that are no summaries yet, and those that are."""

    fresh: int
    earlier: int

    @property
    def wanted(self) -> int:
        """The room their summaries ought to have, else more has to be summarized than is planned."""
        return self.fresh // _LEAST_SHARE + self.earlier // _LEAST_SHARE_AGAIN


class _Press:
    """One plan under pressure."""

    def __init__(
        self,
        conversation: Conversation,
        settings: Settings,
        foresight: Foresight,
        target_tokens: int,
        intents: Intents,
    ) -> None:
        self._conversation = conversation
        self._settings = settings
        self._foresight = foresight
        self._target = target_tokens
        self._intents = intents

    def run(self, levels: Sequence[Level]) -> None:
        again = self._take_again()
        if {level.number for level in levels} == set(EVERY):
            self._ease_all(levels)
        if again and not self._digested().fresh:
            made = self._intents.made
            made[made.index(again)] = self._largest(again)

    @property
    def _spare(self) -> int:
        """The room for what summaries say, beside the lines that carry them."""
        return self._target - self._foresight.tokens

    def _take_again(self) -> Intent | None:
        """Plan new texts for earlier summaries, unless the others have room for a good one."""
        if self._spare >= int(self._digested().fresh * self._settings.summary_ratio):
            return None
        again = self._foresight.plan(EARLIER)
        if again:
            self._intents.made.append(again)
        return again

    def _ease_all(self, levels: Sequence[Level]) -> None:
        """Lower the guards step by step; not at all if even that leads less than halfway to the target."""
        made, tried, before = len(self._intents.made), set(self._intents.tried), self._foresight
        self._foresight = before.copy()
        is_deep = self._target < _DEEP * self._conversation.tokens
        summarizes = self._digested().fresh > 0
        for easier in _eased(self._settings):
            for level in levels:
                self._ease(level, easier, instead_of_previews=is_deep and summarizes)
        if before.tokens - self._foresight.tokens < self._foresight.tokens - self._target:
            self._foresight = before
            self._intents.eased.clear()
            self._intents.tried.intersection_update(tried)
            del self._intents.made[made:]

    def _ease(self, level: Level, easier: Settings, *, instead_of_previews: bool) -> None:
        """Plan a level once more, with lower guards, if that is needed.

        Where the target is a small part of what is there, and previews alone do not lead to it, a
        preview says too little: then its stretch is summarized with the others.
        """
        around = None
        if self._spare >= self._digested().wanted:
            around = self._previewed() if instead_of_previews else set()
        intent = None if around == set() else self._foresight.plan(level, easier, around)
        if intent:
            self._intents.made.append(intent)
            self._intents.tried.add(level.number)
            self._intents.eased.update(
                name for name in _GUARDS if getattr(self._settings, name) != getattr(easier, name)
            )

    def _digested(self) -> _Digested:
        outer = [pair for pair in self._outer() if needs_summary(pair[1])]
        fresh = [edit for level, edit in outer if level is not EARLIER]
        earlier = [edit for level, edit in outer if level is EARLIER]
        return _Digested(cost(fresh, self._conversation), cost(earlier, self._conversation))

    def _previewed(self) -> set[int]:
        """Return the messages of which no more than a beginning would be left."""
        return {
            edit.message for _, edit in plain(self._outer()) if isinstance(edit.content, Preview)
        }

    def _outer(self) -> Iterator[tuple[Level, Rewrite | Fold]]:
        return Edits(self._intents).outer()

    def _largest(self, again: Intent) -> Intent:
        """Leave only so many earlier summaries in a plan that each can give what makes an edit worth it."""
        messages = self._conversation.messages
        sizes = {
            edit: messages[edit.message].blocks[edit.block].tokens
            for edit in again.edits
            if isinstance(edit, Rewrite)
        }
        over = sum(sizes.values()) - len(sizes) * DIGEST_LINE_TOKENS - self._spare
        most = max(1, over // (2 * max(self._settings.min_gain_tokens, 1)))
        chosen = set(sorted(sizes, key=lambda edit: -sizes[edit])[:most])
        return again._replace(edits=tuple(edit for edit in again.edits if edit in chosen))


def held_guards(settings: Settings) -> list[str]:
    """Return the guards that do not give way, for somebody set them to a size of their own."""
    usual = Settings()
    return [name for name in _GUARDS if getattr(settings, name) != getattr(usual, name)]


def _eased(settings: Settings) -> Iterator[Settings]:
    """Yield the settings with lower and lower guards."""
    usual = Settings()
    names = set(_GUARDS) - set(held_guards(settings))
    for divisor in _DIVISORS if names else ():
        yield replace(settings, **{name: getattr(usual, name) // divisor for name in names})
