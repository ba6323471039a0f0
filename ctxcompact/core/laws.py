"""What must hold in a conversation, and whether an edit would break it.

Bad input neither stops us nor gets worse: what counts is which problems are new.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from ctxcompact.core.edits import Fold, Rewrite
from ctxcompact.core.model import Block, Kind, Message, Origin, Problem, Role
from ctxcompact.core.outline import Outline, is_movable, is_seen
from ctxcompact.core.units import stays, units

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ctxcompact.core.format import Rules


def problems(messages: Sequence[Message], rules: Rules) -> list[Problem]:
    """List what the provider would refuse, by line.

    Calls without a result are no problem while they may still be answered: at the end.
    """
    return sorted([*_pairing(messages, rules), *_order(messages, rules)])


def added(before: Iterable[Problem], after: Iterable[Problem]) -> list[Problem]:
    """Return the problems that were not there before, counting repeats."""
    rest = Counter((problem.line, problem.code) for problem in before)
    new = []
    for problem in after:
        rest[problem.line, problem.code] -= 1
        if rest[problem.line, problem.code] < 0:
            new.append(problem)
    return new


def is_harmless(before: Block, after: Block) -> bool:
    """Tell whether one block may take the place of another without adding a problem, wherever it stands.

    Problems come from kinds, ids, order and blank texts: what has the same kind and id, and is not blank, adds none.
    """
    same = before.kind is after.kind and before.call_id == after.call_id
    return same and before.tool == after.tool and after.chars > 0


def forbids(messages: Sequence[Message], outline: Outline, edit: Rewrite | Fold) -> str:
    """Say why an edit must not be made, "" if it may: the last word, whatever a planner thinks."""
    if isinstance(edit, Fold):
        return _forbids_fold(messages, outline, edit)
    message = messages[edit.message]
    block = message.blocks[edit.block]
    if message.role is Role.SYSTEM or message.protected:
        return "a protected message"
    if not is_movable(block):
        return "a block that keeps its bytes"
    if block.kind is Kind.RESULT and not is_seen(messages, outline, edit.message, edit.block):
        return "a result the model has not read"
    if block.kind is Kind.TEXT and outline.keeps_words(edit.message):
        return "the first or the newest human message"
    return ""


def fitting(messages: Sequence[Message], fold: Fold, rules: Rules) -> Fold | None:
    """Return a fold with the role that its neighbors leave to it; None if they leave none."""
    if not (rules.alternates or rules.calls_after_user):
        return fold
    before = _spoken(messages[at] for at in range(fold.start - 1, -1, -1))
    after = _spoken(messages[at] for at in range(fold.stop, len(messages)))
    role = fold.role
    if rules.alternates:
        role = Role.ASSISTANT if before and before.role is not Role.ASSISTANT else Role.USER
        if after and (after.role is Role.ASSISTANT) is (role is Role.ASSISTANT):
            return None
    elif after and after.has_calls:
        role = Role.USER
    return fold._replace(role=role)


def _spoken(messages: Iterable[Message]) -> Message | None:
    """Return the first message that is said by either side."""
    return next((message for message in messages if message.role is not Role.SYSTEM), None)


def _forbids_fold(messages: Sequence[Message], outline: Outline, edit: Fold) -> str:
    """Say what forbids a fold: it takes whole, closed units before the model's newest message."""
    if edit.stop > max(outline.newest_reply, 0):
        return "the model's newest message, or what it has not read"
    if any(map(stays, messages[edit.start : edit.stop])):
        return "a message that has to stay"
    inside = units(messages, edit.start, edit.stop)
    if not all(unit.closed for unit in inside):
        return "a call without its result"
    return ""


def _pairing(messages: Sequence[Message], rules: Rules) -> Iterator[Problem]:
    """Match results with the nearest open call of their id; calls close when others speak."""
    open_calls: list[tuple[str, int, str]] = []
    before = Role.SYSTEM
    for message in messages:
        if open_calls and _closes(message, before, rules):
            yield from map(_unanswered, open_calls)
            open_calls = []
        before = message.role
        for block in message.blocks:
            kind = block.kind
            if kind is Kind.CALL:
                open_calls.append((block.call_id, message.line, block.tool))
            elif kind is Kind.RESULT:
                if open_calls and open_calls[-1][0] == block.call_id:
                    open_calls.pop()
                else:
                    yield from _answer(open_calls, block, message.line)


def _closes(message: Message, before: Role, rules: Rules) -> bool:
    """Tell whether calls still open when this message comes stay without a result.

    An assistant's turn may be written as several messages, and what a client puts in between counts
    for nothing.
    """
    if message.origin is Origin.CLIENT or (message.role is before is Role.ASSISTANT):
        return False
    return not (message.role is rules.results_from and message.has_results)


def _answer(open_calls: list[tuple[str, int, str]], block: Block, line: int) -> Iterator[Problem]:
    for at in range(len(open_calls) - 1, -1, -1):
        if open_calls[at][0] == block.call_id:
            del open_calls[at]
            return
    yield Problem(line, "orphan_result", f"a result for {block.call_id!r}, which no call asks for")


def _unanswered(call: tuple[str, int, str]) -> Problem:
    call_id, line, tool = call
    return Problem(line, "unanswered_call", f"the call {call_id!r} of {tool} has no result")


def _order(messages: Sequence[Message], rules: Rules) -> Iterator[Problem]:
    first = _spoken(messages)
    if rules.alternates or rules.calls_after_user:
        yield from _turns(messages, rules)
    if rules.user_first and first is not None and first.role is Role.ASSISTANT:
        yield Problem(first.line, "first_not_user", "the first message is not the user's")
    for message in messages:
        blocks = message.blocks
        if (
            len(blocks) == 1 and blocks[0].chars
        ):  # most messages, and nothing can be wrong with them
            continue
        yield from _contents(message, rules)


def _turns(messages: Sequence[Message], rules: Rules) -> Iterator[Problem]:
    spoken = [message for message in messages if message.role is not Role.SYSTEM]
    for before, message in pairwise(spoken):
        is_model = message.role is Role.ASSISTANT
        if is_model is not (before.role is Role.ASSISTANT):
            continue
        if rules.alternates:
            text = f"two messages of the {'assistant' if is_model else 'user'} in a row"
            yield Problem(message.line, "turns_do_not_alternate", text)
        elif is_model and message.has_calls:
            text = "a call after another message of the assistant"
            yield Problem(message.line, "call_after_assistant", text)


def _contents(message: Message, rules: Rules) -> Iterator[Problem]:
    text_seen = text_first = blank = False
    for block in message.blocks:
        if block.kind is Kind.TEXT:
            text_seen = True
            blank = blank or not block.chars
        elif block.kind is Kind.RESULT and text_seen:
            text_first = True
    if text_first and rules.results_first and message.role is Role.USER:
        text = "text stands before a result in the same message"
        yield Problem(message.line, "text_before_result", text)
    if not message.blocks or (blank and rules.blank_text):
        yield Problem(message.line, "empty_content", "a message or text without content")
