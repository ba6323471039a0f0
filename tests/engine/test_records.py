"""A record whose items are folded twice: addresses of the input lead to what is left of them."""

from __future__ import annotations

import io
import json
from typing import Any

from ctxcompact.core.settings import Settings
from ctxcompact.core.splice import value_at
from ctxcompact.core.tasks import Said
from ctxcompact.engine.draft import Draft
from ctxcompact.engine.reading import read
from ctxcompact.engine.records import Records
from ctxcompact.engine.spans import Entries
from tests.fakes import MemorySource, MemoryStaging, ports

WORDS = ["go", "one", "two", "three", "four", "five", "six", "seven"]
LIST = ("messages",)


def made(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def conversation() -> Draft:
    messages = [{"role": "user", "content": WORDS[0]}, *map(made, WORDS[1:])]
    source = MemorySource(json.dumps({"messages": messages, "tag": 1}).encode() + b"\n")
    return Draft(read(source, Settings(), ports("openai-conversations")), io.BytesIO())


def fold(draft: Draft, *folds: tuple[int, int, list[Any]]) -> None:
    records = Records(draft, MemoryStaging())
    records.open(0).fold_items(LIST, folds)
    draft.accept(records.changes, records.replaced, records.folds)


def words(draft: Draft) -> list[str]:
    change = draft.of(0)
    assert change is not None
    return [message["content"] for message in json.loads(change.raw)["messages"]]


def test_a_later_fold_finds_its_items_where_they_went() -> None:
    draft = conversation()
    fold(draft, (5, 7, [made("B")]), (1, 4, [made("A")]))
    assert words(draft) == ["go", "A", "four", "B", "seven"]
    fold(draft, (4, 5, [made("C"), made("D")]), (7, 8, []))
    assert words(draft) == ["go", "A", "C", "D", "B"]
    assert draft.is_reshaped


def test_a_value_is_put_where_its_item_went() -> None:
    draft = conversation()
    fold(draft, (1, 4, [made("A")]))
    record = Records(draft, MemoryStaging()).open(0)
    place = record.place((*LIST, 6, "content"))
    assert value_at(record.data, place) == "six"


def test_what_a_pass_folded_counts_only_once_it_is_accepted() -> None:
    draft = conversation()
    records = Records(draft, MemoryStaging())
    records.open(0).fold_items(LIST, [(1, 4, [made("A")])])
    assert records.open(0).place((*LIST, 6)) == (*LIST, 4)
    assert Records(draft, MemoryStaging()).open(0).place((*LIST, 6)) == (*LIST, 6)
    assert not draft.is_reshaped


def test_a_summarizer_is_told_what_the_input_said_there() -> None:
    draft = conversation()
    messages = draft.reading.conversations[0].messages
    fold(draft, (1, 4, [made("A")]))
    (entry,) = Entries(draft, ports().find).of([messages[6]])
    assert entry == Said("assistant", "six")
