"""Plan the levels in order, each on the conversation as it would become.

That is before anything is settled. A summary counts as one line and a mark here, so that the levels
asked for are those that are needed; what its text may then cost is decided for all summaries
together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, assert_never

from ctxcompact.core import laws
from ctxcompact.core.apply import Folded, Rewritten, View, apply
from ctxcompact.core.edits import Digest, Fold, Placeholder, Preview, Rewrite
from ctxcompact.core.model import Block, Kind, Message, Origin
from ctxcompact.core.outline import trace
from ctxcompact.core.settings import Until
from ctxcompact.core.units import PLANNED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ctxcompact.core.format import Rules
    from ctxcompact.core.model import Conversation, Problem
    from ctxcompact.core.settings import Settings
    from ctxcompact.levels import Level

DIGEST_LINE_TOKENS = 90
_MARK_TOKENS = 40
_PREVIEW_CHARS_A_TOKEN = 3


class Intent(NamedTuple):
    """What a level is to do, in indices of the given conversation.

    `problem` says why it is not done.
    """

    level: Level
    edits: tuple[Rewrite | Fold, ...]
    problem: Problem | None = None


class Intents(NamedTuple):
    """What all levels are to do, in order, and the numbers of those that were tried at all."""

    made: list[Intent]
    tried: set[int | str]


class Goal(NamedTuple):
    """When planning may stop: at so many tokens and, unless None, below so many messages."""

    tokens: int
    messages: int | None


def intend(
    conversation: Conversation,
    levels: Sequence[Level],
    settings: Settings,
    rules: Rules,
    goal: Goal | None,
) -> Intents:
    """Plan levels until the goal is met, or all have nothing more to do.

    Without a goal every level once. With the stop rule of the source, the first level that finds
    something is the only one.
    """
    # Without a goal each level is planned on what is there: nothing has to be thought ahead for in-place edits.
    is_last = goal is None and len(levels) == 1
    planner = _Planner(conversation, settings, rules, is_last=is_last)
    intents = Intents([], set())
    while True:
        found_any = False
        for level in levels:
            if goal and planner.meets(goal, level):
                continue
            intents.tried.add(level.number)
            intent = planner.plan(level)
            if intent is None:
                continue
            intents.made.append(intent)
            found_any = found_any or intent.problem is None
            if settings.until is Until.FIRST and intent.problem is None:
                return intents
        if not found_any or goal is None:
            return intents


class _Planner:
    """Keeps the conversation as it would become."""

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
        self._tokens = 0 if is_last else conversation.tokens + settings.overhead_tokens

    def meets(self, goal: Goal, level: Level) -> bool:
        """Tell whether nothing is left to do for this level."""
        if self._tokens > goal.tokens:
            return False
        too_many = goal.messages is not None and len(self._view.messages) >= goal.messages
        return not (too_many and level.folds)

    def plan(self, level: Level) -> Intent | None:
        """Plan a level on the view, and take its edits over unless they would add a problem."""
        seen = self._given._replace(messages=self._view.messages)
        plan = level.plan(seen, self._settings)
        outline = trace(seen.messages)
        edits = [
            fitted
            for edit in (plan.edits if plan else ())
            if not laws.forbids(seen.messages, outline, edit)
            and (fitted := self._fitted(seen.messages, edit))
        ]
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
        self._tokens = seen._replace(messages=view.messages).tokens + self._settings.overhead_tokens
        return Intent(level, given)

    def _fitted(self, messages: Sequence[Message], edit: Rewrite | Fold) -> Rewrite | Fold | None:
        return laws.fitting(messages, edit, self._rules) if isinstance(edit, Fold) else edit

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
        row = block._replace(tokens=min(tokens, block.tokens), tag=PLANNED, media=False)
        return Rewritten(edit.message, edit.block, row)

    def _folded(self, edit: Fold) -> Folded:
        last = self._view.messages[edit.stop - 1]
        block = Block(Kind.TEXT, last.blocks[-1].record, (), 1, DIGEST_LINE_TOKENS, tag=PLANNED)
        line = self._view.messages[edit.start].line
        message = Message(edit.role, Origin.SUMMARY, line, (block,), last.framing)
        return Folded(edit.start, edit.stop, message)


class Edits:
    """The edits of a plan, each with its level.

    Parted into those that are to be made, and those in a fold that is to be made, which makes them
    needless. They are told anew each time: there may be a hundred thousand.
    """

    def __init__(self, intents: Intents) -> None:
        self._made = [intent for intent in intents.made if intent.problem is None]
        folds = [edit for intent in self._made for edit in intent.edits if isinstance(edit, Fold)]
        self._cover = _Cover(folds) if folds else None

    def outer(self) -> Iterator[tuple[Level, Rewrite | Fold]]:
        """Yield what is to be made."""
        holds = self._cover.holds if self._cover else _holds_nothing
        return (pair for pair in self._all() if not holds(pair[1]))

    def inner(self) -> Iterator[tuple[Level, Rewrite | Fold]]:
        """Yield what lies in a fold."""
        cover = self._cover
        return (pair for pair in self._all() if cover.holds(pair[1])) if cover else iter(())

    def _all(self) -> Iterator[tuple[Level, Rewrite | Fold]]:
        return ((intent.level, edit) for intent in self._made for edit in intent.edits)


def plain(
    edits: Iterable[tuple[Level, Rewrite | Fold]],
) -> Iterator[tuple[Level, Rewrite]]:
    """Pick the edits that need no summary."""
    for level, edit in edits:
        if isinstance(edit, Rewrite) and not needs_summary(edit):
            yield level, edit


def needs_summary(edit: Rewrite | Fold) -> bool:
    """Tell whether an edit waits for a text that is still to be written."""
    return isinstance(edit, Fold) or isinstance(edit.content, Digest)


def _holds_nothing(edit: Rewrite | Fold) -> bool:
    del edit
    return False


class _Cover:
    """Which messages lie in a fold: by the widest fold over each."""

    def __init__(self, folds: Sequence[Fold]) -> None:
        self._over: dict[int, Fold] = {}
        for fold in sorted(folds, key=lambda f: f.stop - f.start):
            for at in range(fold.start, fold.stop):
                self._over[at] = fold

    def holds(self, edit: Rewrite | Fold) -> bool:
        at = edit.message if isinstance(edit, Rewrite) else edit.start
        over = self._over.get(at)
        return over is not None and over is not edit
