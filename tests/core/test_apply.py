"""Edits become rows: in place, and as folds."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcompact.core.apply import Folded, Rewrites, Sized, apply, rewrite
from ctxcompact.core.model import Block, Kind, Message, Origin, Role
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


numbers = st.integers(0, 9)
rows = st.builds(
    Block,
    *(st.sampled_from(Kind), numbers, st.tuples(numbers), numbers, numbers),
    *(st.text(max_size=1), st.text(max_size=1), st.text(max_size=1), st.booleans(), st.booleans()),
)
talks = st.lists(
    st.builds(
        Message,
        *(st.sampled_from(Role), st.sampled_from(Origin), numbers),
        *(st.lists(rows, min_size=1, max_size=3).map(tuple), numbers, st.booleans()),
    ),
    max_size=8,
)
sizes = st.builds(Sized, numbers, numbers, st.text(max_size=1), st.booleans())


@settings(max_examples=50)
@given(talks, st.data())
def test_what_no_edit_names_stays_and_each_message_knows_what_it_stands_for(
    messages: list[Message], data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(messages)), max_size=6)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    folded = [Folded(start, stop, answer(f"{start}")) for start, stop in pairs]
    inside = {at for start, stop, _ in folded for at in range(start, stop)}
    rewrites, changed = Rewrites(), list(messages)
    for at, (role, origin, line, blocks, framing, protected) in enumerate(messages):
        if at not in inside and data.draw(st.booleans()):
            position = data.draw(st.integers(0, len(blocks) - 1))
            new = data.draw(sizes)
            rewrites.add(at, position, new)
            row = blocks[position]._replace(**new._asdict())
            blocks = (*blocks[:position], row, *blocks[position + 1 :])  # noqa: PLW2901
        changed[at] = Message(role, origin, line, blocks, framing, protected)
    view = apply(messages, rewrites.rows(messages), data.draw(st.permutations(folded)))
    starts = [at for at in range(len(messages) + 1) if at not in inside]
    starts += [fold.start for fold in folded]
    made = {fold.start: fold.message for fold in folded}
    assert list(view.starts) == sorted(starts)
    assert view.messages == [made.get(at) or changed[at] for at in view.starts[:-1]]
