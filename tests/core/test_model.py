"""Sums and questions about rows."""

from __future__ import annotations

from ctxcompact.core.model import Conversation, Kind, Origin, Role, has_kind
from tests.fakes import answer, call, result, system, talk, text_block, user


def test_a_message_costs_its_blocks_and_its_framing() -> None:
    message = user("12345", text_block("67"))._replace(framing=100)
    assert message.tokens == 107


def test_a_conversation_costs_its_messages() -> None:
    conversation = talk(user("12345")._replace(framing=100), answer("67"))
    assert conversation.tokens == 107
    assert Conversation([]).tokens == 0


def test_a_message_tells_who_speaks_and_what_is_in_it() -> None:
    assert [row.is_human for row in (user(), answer(), result(), system())] == [
        True,
        False,
        False,
        False,
    ]
    assert [row.has_calls for row in (call(), result(), answer())] == [True, False, False]
    assert [row.has_results for row in (call(), result(), answer())] == [False, True, False]


def test_words_that_a_client_put_into_a_user_message_are_no_persons() -> None:
    assert not user()._replace(origin=Origin.CLIENT).is_human


def test_kinds_are_looked_for_in_all_blocks() -> None:
    assert has_kind(call(text="Wait.").blocks, Kind.CALL)
    assert not has_kind((), Kind.CALL)


def test_a_developer_counts_as_system() -> None:
    assert {role.value for role in Role} == {"system", "user", "assistant", "tool"}
