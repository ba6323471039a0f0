"""What a provider would refuse, and what no edit may do."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.edits import Digest, Fold, Placeholder, Rewrite
from ctxcompact.core.format import Rules
from ctxcompact.core.laws import added, fitting, forbids, is_harmless, problems
from ctxcompact.core.model import Kind, Message, Origin, Problem, Role
from ctxcompact.core.outline import trace
from ctxcompact.core.tasks import Style
from tests.fakes import (
    MARK,
    answer,
    call,
    calls,
    result,
    result_block,
    results,
    system,
    talk,
    text_block,
    user,
)

if TYPE_CHECKING:
    from ctxcompact.core.model import Block

STRICT = Rules(results_from=Role.USER, user_first=True, blank_text=True)
LAX = Rules(results_from=Role.TOOL)
REMINDER = user("<system-reminder>")._replace(origin=Origin.CLIENT)


def tool(text: str = "ok", call_id: str = "c1") -> Message:
    return result(text, call_id)._replace(role=Role.TOOL)


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([system(), user(), answer()], [], id="a plain talk"),
        pytest.param([user(), call(), result(), answer()], [], id="a call and its result"),
        pytest.param([user(), call()], [], id="a pending call"),
        pytest.param(
            [user(), calls("a", "b"), result("x", "b")], [], id="one of two answered so far"
        ),
        pytest.param(
            [user(), calls("a", "b"), result("x", "b"), result("y", "a"), answer()],
            [],
            id="answered in two messages, the other way round",
        ),
        pytest.param([user(), call(), answer()], [], id="a turn written as two messages"),
        pytest.param(
            [user(), call(), user()], [(2, "unanswered_call")], id="a person speaks instead"
        ),
        pytest.param(
            [user(), call(), call(), result(), user()],
            [(2, "unanswered_call")],
            id="a result is for the nearest call of its id",
        ),
        pytest.param(
            [user(), calls("a", "b"), result("x", "b"), user()],
            [(2, "unanswered_call")],
            id="one of two is never answered",
        ),
        pytest.param([user(), result()], [(2, "orphan_result")], id="nobody asked"),
        pytest.param(
            [user(), call(), result(), result()], [(4, "orphan_result")], id="answered twice"
        ),
        pytest.param(
            [user(), call(), user(), result()],
            [(2, "unanswered_call"), (4, "orphan_result")],
            id="answered too late",
        ),
        pytest.param(
            [user(), call(), REMINDER, result(), answer()], [], id="a client puts words in between"
        ),
        pytest.param(
            [user(), call("c"), result("x", "c"), call("c"), result("y", "c"), answer()],
            [],
            id="an id that is used again",
        ),
        pytest.param([answer(), user()], [(1, "first_not_user")], id="the model speaks first"),
        pytest.param([system(), answer()], [(2, "first_not_user")], id="after the system message"),
        pytest.param(
            [user(), call(), user("Stop!", result_block("ok"))], [], id="words after a result"
        ),
        pytest.param(
            [user(), call(), results(text_block("Hm."), result_block("ok"))],
            [(3, "text_before_result")],
            id="words before a result",
        ),
        pytest.param([user(""), answer()], [(1, "empty_content")], id="a text without words"),
        pytest.param([user(), results()], [(2, "empty_content")], id="a message without blocks"),
    ],
)
def test_what_a_provider_refuses_is_named_by_line(
    messages: list[Message], expected: list[tuple[int, str]]
) -> None:
    found = problems(talk(*messages).messages, STRICT)
    assert [(problem.line, problem.code) for problem in found] == expected
    assert all(problem.message for problem in found)


some_ids = st.lists(st.sampled_from("abcd"), min_size=1, max_size=5)


@given(some_ids, some_ids)
def test_each_result_answers_one_call_in_whatever_order_they_come(
    asked: list[str], answered: list[str]
) -> None:
    rows = [result_block("ok", call_id) for call_id in answered]
    messages = [user(), calls(*asked, tool="Grep"), results(*rows), user()]
    found = Counter(
        problem.message for problem in problems(messages, Rules(results_from=Role.USER))
    )
    open_calls, orphans = Counter(asked) - Counter(answered), Counter(answered) - Counter(asked)
    expected: Counter[str] = Counter()
    for call_id, count in open_calls.items():
        expected[f"the call {call_id!r} of Grep has no result"] = count
    for call_id, count in orphans.items():
        expected[f"a result for {call_id!r}, which no call asks for"] = count
    assert found == expected


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param([answer(), user("")], [], id="the model may be first, a text may be blank"),
        pytest.param([user(), call(), tool(), answer()], [], id="results of role tool"),
        pytest.param([user(), call(), tool(), tool()], ["orphan_result"], id="answered twice"),
    ],
)
def test_another_provider_has_other_rules(messages: list[Message], expected: list[str]) -> None:
    assert [problem.code for problem in problems(talk(*messages).messages, LAX)] == expected


ALTERNATING = Rules(results_from=Role.TOOL, alternates=True)
CALLS_FIRST = Rules(results_from=Role.USER, calls_after_user=True)


@pytest.mark.parametrize(
    ("rules", "messages", "expected"),
    [
        pytest.param(
            ALTERNATING,
            [system(), user(), call(), tool(), answer(), system(), user()],
            [],
            id="turns, with system messages between",
        ),
        pytest.param(
            ALTERNATING,
            [user(), user(), answer(), call(), tool()],
            [(2, "turns_do_not_alternate"), (4, "turns_do_not_alternate")],
            id="two of either side",
        ),
        pytest.param(
            CALLS_FIRST,
            [user(), user(), answer(), answer(), call(), result()],
            [(5, "call_after_assistant")],
            id="a call after an answer",
        ),
    ],
)
def test_turns_are_kept_where_a_provider_asks_for_them(
    rules: Rules, messages: list[Message], expected: list[tuple[int, str]]
) -> None:
    found = problems(talk(*messages).messages, rules)
    assert [(problem.line, problem.code) for problem in found] == expected
    assert all(problem.message for problem in found)


@pytest.mark.parametrize(
    ("rules", "messages", "start", "stop", "role"),
    [
        pytest.param(LAX, [user(), answer(), call()], 1, 2, Role.ASSISTANT, id="as was planned"),
        pytest.param(
            ALTERNATING,
            [user(), call(), tool(), answer(), user()],
            1,
            4,
            Role.ASSISTANT,
            id="a round",
        ),
        pytest.param(
            ALTERNATING,
            [answer(), tool(), call(), tool(), system(), answer()],
            1,
            4,
            Role.USER,
            id="between answers",
        ),
        pytest.param(
            ALTERNATING,
            [answer(), user(), system(), call(), tool(), user()],
            3,
            5,
            Role.ASSISTANT,
            id="after a system message",
        ),
        pytest.param(
            ALTERNATING, [user(), call(), tool(), answer()], 1, 3, None, id="no turn is left"
        ),
        pytest.param(ALTERNATING, [call(), tool()], 0, 2, Role.USER, id="all there is"),
        pytest.param(
            CALLS_FIRST, [user(), answer(), user()], 1, 2, Role.ASSISTANT, id="before a person"
        ),
        pytest.param(CALLS_FIRST, [answer(), call()], 0, 1, Role.USER, id="before a call"),
    ],
)
def test_a_fold_speaks_as_its_neighbors_allow(
    rules: Rules, messages: list[Message], start: int, stop: int, role: Role | None
) -> None:
    found = fitting(messages, Fold(start, stop, Role.ASSISTANT, Digest(Style.ROUND)), rules)
    assert (found.role if found else None) is role


def test_only_new_problems_are_added_ones_and_repeats_count() -> None:
    one, two = Problem(1, "a", "said so"), Problem(2, "a", "said so")
    again = one._replace(message="in other words")
    assert added([one], [again, two]) == [two]
    assert added([one], [one, one]) == [one]
    assert added([one, two], []) == []


TALK = [
    system(),
    user(),
    call(text="I look."),
    results(result_block("ok"), result_block("plan", fixed=True), result_block(MARK)),
    answer("Seen.", protected=True),
    user("And?"),
    call("d"),
    user("Here.", result_block("new", "d")),
]


@pytest.mark.parametrize(
    ("at", "block", "reason"),
    [
        pytest.param(0, 0, "a protected message", id="the system message"),
        pytest.param(1, 0, "the first or the newest human message", id="the first human message"),
        pytest.param(2, 0, "", id="a text of the model"),
        pytest.param(2, 1, "a block that keeps its bytes", id="a call"),
        pytest.param(3, 0, "", id="a result that was read"),
        pytest.param(3, 1, "a block that keeps its bytes", id="a fixed result"),
        pytest.param(3, 2, "a block that keeps its bytes", id="one of our marks"),
        pytest.param(4, 0, "a protected message", id="a protected message"),
        pytest.param(5, 0, "", id="a human message in between"),
        pytest.param(7, 0, "a result the model has not read", id="a result it has not read"),
        pytest.param(7, 1, "the first or the newest human message", id="the newest human words"),
    ],
)
def test_an_edit_is_forbidden_where_it_would_break_a_promise(
    at: int, block: int, reason: str
) -> None:
    messages = talk(*TALK).messages
    edit = Rewrite(at, block, Placeholder("gone"))
    assert forbids(messages, trace(messages), edit) == reason


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        pytest.param(text_block("So."), "", id="the model speaks on"),
        pytest.param(result_block("more"), "a result the model has not read", id="it does not"),
    ],
)
def test_a_result_in_the_newest_message_was_read_if_the_model_speaks_after_it(
    last: Block, reason: str
) -> None:
    made = Message(Role.ASSISTANT, Origin.MODEL, 2, (*call().blocks, result_block("ok"), last), 0)
    messages = [user(), made]
    assert forbids(messages, trace(messages), Rewrite(1, 1, Placeholder("gone"))) == reason


def loose(call_id: str) -> Message:
    """Make a call that may be folded."""
    return call(call_id)._replace(blocks=(call(call_id).blocks[0]._replace(fixed=False),))


LONG_TALK = [
    REMINDER,
    user(),
    loose("c1"),
    result(),
    answer("Seen."),
    loose("d"),
    loose("e"),
    result("new", "e"),
    call("plan"),
    result("ok", "plan"),
    answer(),
    REMINDER,
]


@pytest.mark.parametrize(
    ("start", "stop", "reason"),
    [
        pytest.param(0, 1, "", id="what a client put in"),
        pytest.param(2, 4, "", id="a call with its result"),
        pytest.param(2, 5, "", id="up to a call that is never answered"),
        pytest.param(6, 8, "", id="up to a plan"),
        pytest.param(6, 11, "the model's newest message, or what it has not read", id="that, too"),
        pytest.param(11, 12, "the model's newest message, or what it has not read", id="after it"),
        pytest.param(1, 4, "a message that has to stay", id="the words of a person"),
        pytest.param(8, 10, "a message that has to stay", id="a plan"),
        pytest.param(2, 3, "a call without its result", id="a call alone"),
        pytest.param(4, 6, "a call without its result", id="a call that is never answered"),
    ],
)
def test_a_fold_is_forbidden_where_it_would_break_a_promise(
    start: int, stop: int, reason: str
) -> None:
    edit = Fold(start, stop, Role.USER, Digest(Style.ROUND))
    assert forbids(LONG_TALK, trace(LONG_TALK), edit) == reason


def test_a_fold_may_reach_up_to_the_newest_message_of_the_model() -> None:
    messages = LONG_TALK[:9]
    assert trace(messages).newest_reply == 8
    assert forbids(messages, trace(messages), Fold(6, 8, Role.USER, Digest(Style.ROUND))) == ""


def test_without_a_message_of_the_model_there_is_nothing_to_fold() -> None:
    messages = [REMINDER, user()]
    assert forbids(messages, trace(messages), Fold(0, 1, Role.USER, Digest(Style.ROUND)))


@pytest.mark.parametrize(
    ("fields", "harmless"),
    [
        pytest.param({"chars": 1, "tokens": 9, "tag": MARK}, True, id="another text"),
        pytest.param({"chars": 0}, False, id="no text"),
        pytest.param({"kind": Kind.TEXT}, False, id="another kind"),
        pytest.param({"call_id": "c2"}, False, id="the answer to another call"),
        pytest.param({"tool": "Write"}, False, id="the answer of another tool"),
    ],
)
def test_a_block_takes_the_place_of_its_like_without_harm(
    fields: dict[str, Any], *, harmless: bool
) -> None:
    block = result_block("ok")
    assert is_harmless(block, block._replace(**fields)) is harmless
