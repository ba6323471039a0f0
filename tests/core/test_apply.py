"""Edits become rows: in place, and as folds."""

from __future__ import annotations

from ctxcompact.core.apply import Folded, Rewrites, Sized, apply, rewrite
from ctxcompact.core.model import Kind
from tests.fakes import MARK, answer, call, calls, result, result_block, results, talk, user

UUID = "0f8fad5b-d9cb-869f-a165-70867728950e"


def test_a_row_keeps_all_but_what_its_text_says() -> None:
    messages = talk(user("go"), call(), result("x" * 50), answer("done")).messages
    rewrites = Rewrites()
    rewrites.add(2, 0, Sized(chars=7, tokens=5, tag=UUID, media=False))
    (made,) = rewrites.rows(messages)
    before = messages[2].blocks[0]
    assert (made.message, made.block) == (2, 0)
    assert made.row == before._replace(chars=7, tokens=5, tag=UUID)
    assert made.row.kind is Kind.RESULT


def test_rows_come_in_the_order_of_the_edits_and_as_often_as_asked() -> None:
    parts = [result_block("a" * 40, "a"), result_block("b" * 40, "b")]
    messages = [user("go"), calls("a", "b"), results(*parts), answer("done")]
    rewrites = Rewrites()
    for position in (1, 0):
        rewrites.add(2, position, Sized(position, position, "", media=False))
    assert len(rewrites) == 2
    assert [made.block for made in rewrites.rows(messages)] == [1, 0]
    rewrite(messages, rewrites.rows(messages))
    assert [block.tokens for block in messages[2].blocks] == [0, 1]
    assert [made.block for made in rewrites.rows(messages)] == [1, 0]


def test_the_given_conversation_stays_as_it_is() -> None:
    messages = [user("go"), call(), result("x" * 50), answer("done"), user("more")]
    given = list(messages)
    rewrites = Rewrites()
    rewrites.add(3, 0, Sized(1, 1, "", media=False))
    view = apply(messages, rewrites.rows(messages), [Folded(1, 3, answer(MARK))])
    assert messages == given
    assert view.messages == [
        user("go"),
        answer(MARK),
        answer("done")._replace(blocks=(answer("done").blocks[0]._replace(chars=1, tokens=1),)),
        user("more"),
    ]
    assert list(view.starts) == [0, 1, 3, 4, 5]
