"""A conversation as it would become: levels are planned on it one after the other, before anything is settled.

A summary counts as one line and a mark here, so that the levels asked for are those that are
needed; what its text may then cost is decided for all summaries together.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, assert_never

from ctxcompact.core import laws
from ctxcompact.core.apply import Folded, Rewritten, View, apply
from ctxcompact.core.edits import Digest, Fold, Placeholder, Preview, Rewrite
from ctxcompact.core.model import Block, Kind, Message, Origin
from ctxcompact.core.outline import trace
from ctxcompact.core.units import PLANNED
from ctxcompact.engine.intents import Intent
from ctxcompact.levels import EARLIER

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from ctxcompact.core.edits import Plan
    from ctxcompact.core.format import Rules
    from ctxcompact.core.model import Conversation
    from ctxcompact.core.settings import Settings
    from ctxcompact.levels import Level

DIGEST_LINE_TOKENS = 90
_MARK_TOKENS = 40
_PREVIEW_CHARS_A_TOKEN = 3


class Foresight:
    """Keeps the conversation as it would become.

    With `is_last` nothing is planned after the next level, and less has to be known.
    """

    def __init__(
        self, conversation: Conversation, settings: Settings, rules: Rules, *, is_last: bool
    ) -> None:
        self._is_last = is_last
        self._given = conversation
        self._settings = settings
        self._rules = rules
        messages = list(conversation.messages)
        self._view = View(messages, range(len(messages) + 1))
        self._problems = [] if is_last else laws.problems(messages, rules)
        self.tokens = 0 if is_last else conversation.tokens + settings.overhead_tokens

    def copy(self) -> Foresight:
        """Return another one of the same conversation, to plan on by itself."""
        return copy(self)

    @property
    def messages(self) -> int:
        """How many messages there would be."""
        return len(self._view.messages)

    def plan(
        self, level: Level, eased: Settings | None = None, around: Container[int] | None = None
    ) -> Intent | None:
        """Plan a level on the view, and take its edits over unless they would add a problem.

        With `eased` settings people's words keep to the given ones. With `around` only folds count
        that take in one of these messages of the given conversation.
        """
        seen = self._given._replace(messages=self._view.messages)
        plan = level.plan(seen, eased or self._settings)
        edits = self._allowed(level, plan)
        if eased:
            edits = [edit for edit in edits if not self._is_spoken(edit)]
        if around is not None:
            edits = [edit for edit in edits if self._takes_in(edit, around)]
        if not edits:
            return None
        if self._is_last and not any(isinstance(edit, Fold) for edit in edits):
            return Intent(level, tuple(edits))
        view = apply(
            seen.messages,
            [self._rewritten(edit) for edit in edits if isinstance(edit, Rewrite)],
            [self._folded(edit) for edit in edits if isinstance(edit, Fold)],
        )
        given = tuple(map(self._to_given, edits))
        problems = laws.problems(view.messages, self._rules)
        if new := laws.added(self._problems, problems):
            return Intent(level, given, new[0])
        before = self._view.starts
        self._view = View(view.messages, [before[start] for start in view.starts])
        self._problems = problems
        self.tokens = seen._replace(messages=view.messages).tokens + self._settings.overhead_tokens
        return Intent(level, given)

    def _allowed(self, level: Level, plan: Plan | None) -> list[Rewrite | Fold]:
        """Return the edits of a plan that nothing forbids. What has a mark is left to one planner alone."""
        messages = self._view.messages
        if plan is None or level is EARLIER:
            return list(plan.edits) if plan else []
        outline = trace(messages)
        return [
            fitted
            for edit in plan.edits
            if not laws.forbids(messages, outline, edit)
            and (fitted := self._fitted(messages, edit))
        ]

    def _fitted(self, messages: Sequence[Message], edit: Rewrite | Fold) -> Rewrite | Fold | None:
        return laws.fitting(messages, edit, self._rules) if isinstance(edit, Fold) else edit

    def _is_spoken(self, edit: Rewrite | Fold) -> bool:
        """Tell whether a block is a person's words, of no more than the size that may stay."""
        if isinstance(edit, Fold):
            return False
        message = self._view.messages[edit.message]
        block = message.blocks[edit.block]
        is_short = block.chars <= self._settings.large_payload_chars
        return message.is_human and block.kind is Kind.TEXT and is_short

    def _takes_in(self, edit: Rewrite | Fold, messages: Container[int]) -> bool:
        if isinstance(edit, Rewrite):
            return False
        starts = self._view.starts
        return any(at in messages for at in range(starts[edit.start], starts[edit.stop]))

    def _to_given(self, edit: Rewrite | Fold) -> Rewrite | Fold:
        starts = self._view.starts
        if isinstance(edit, Rewrite):
            return edit._replace(message=starts[edit.message])
        return edit._replace(start=starts[edit.start], stop=starts[edit.stop])

    def _rewritten(self, edit: Rewrite) -> Rewritten:
        block = self._view.messages[edit.message].blocks[edit.block]
        match edit.content:
            case Placeholder():
                tokens = _MARK_TOKENS
            case Preview(chars):
                tokens = _MARK_TOKENS + chars // _PREVIEW_CHARS_A_TOKEN
            case Digest():
                tokens = DIGEST_LINE_TOKENS
            case _:
                assert_never(edit.content)
        tag = block.tag or PLANNED
        row = block._replace(tokens=min(tokens, block.tokens), tag=tag, media=False)
        return Rewritten(edit.message, edit.block, row)

    def _folded(self, edit: Fold) -> Folded:
        last = self._view.messages[edit.stop - 1]
        block = Block(Kind.TEXT, last.blocks[-1].record, (), 1, DIGEST_LINE_TOKENS, tag=PLANNED)
        line = self._view.messages[edit.start].line
        message = Message(edit.role, Origin.SUMMARY, line, (block,), last.framing)
        return Folded(edit.start, edit.stop, message)
