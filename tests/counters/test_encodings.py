from __future__ import annotations

import base64
import gc
import hashlib
import importlib
import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.counters.build_ranks import expected_sha256
from ctxcompact.counters.encodings import (
    PATTERNS,
    count_tokens,
    load_encoding,
    read_table,
    unpack,
)
from ctxcompact.errors import CtxCompactError

if TYPE_CHECKING:
    from collections.abc import Callable

SPECIAL_LOOKING = (
    "The parser must treat <|endoftext|>, <|im_start|>user<|im_end|>, <|fim_prefix|> and </s> "
    "as plain words."
)
CHANCE = random.Random(7)  # noqa: S311 - texts, not secrets


@pytest.mark.parametrize(
    ("text", "cl100k", "o200k"),
    [
        pytest.param("", 0, 0, id="nothing"),
        pytest.param("tiktoken is great!", 6, 6, id="the cookbook's sentence"),
        pytest.param("antidisestablishmentarianism", 6, 6, id="the cookbook's long word"),
        pytest.param("お誕生日おめでとう", 9, 8, id="the cookbook's Japanese"),
        pytest.param(SPECIAL_LOOKING, 36, 38, id="special tokens quoted as text"),
    ],
)
def test_known_texts_have_their_known_counts(text: str, cl100k: int, o200k: int) -> None:
    assert count_tokens("cl100k_base", text) == cl100k
    assert count_tokens("o200k_base", text) == o200k


@pytest.mark.parametrize("name", PATTERNS)
def test_the_shipped_table_is_the_file_that_tiktoken_would_download(name: str) -> None:
    lines = (
        base64.b64encode(token) + b" %d\n" % rank
        for token, rank in unpack(read_table(name)).items()
    )
    assert hashlib.sha256(b"".join(lines)).hexdigest() == expected_sha256(name)


@pytest.mark.parametrize("name", PATTERNS)
def test_the_word_pattern_is_the_one_that_tiktoken_has(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_download(*_: Any, **__: Any) -> dict[bytes, int]:
        return {}

    published = importlib.import_module("tiktoken_ext.openai_public")
    monkeypatch.setattr(published, "load_tiktoken_bpe", no_download)
    assert published.ENCODING_CONSTRUCTORS[name]()["pat_str"] == PATTERNS[name]


@given(st.text())
def test_a_short_clean_text_counts_as_the_encoding_says(text: str) -> None:
    for name in PATTERNS:
        assert count_tokens(name, text) == len(load_encoding(name).encode_ordinary(text))


@given(st.text(st.characters(exclude_categories=[])))
def test_surrogates_count_as_what_a_model_would_be_sent(text: str) -> None:
    sent = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    for name in PATTERNS:
        assert count_tokens(name, text) == count_tokens(name, sent)


def repeat(unit: str, length: int) -> str:
    return (unit * length)[:length]


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: repeat(" ", 1_010_000), id="blanks"),
        pytest.param(lambda: "x" + repeat("\t", 1_010_000) + "x", id="tabs between letters"),
        pytest.param(lambda: repeat("a", 410_000), id="one letter"),
        pytest.param(lambda: repeat("A", 410_000) + "1", id="one capital"),
        pytest.param(lambda: repeat("=", 410_000), id="one sign"),
        pytest.param(lambda: repeat("7", 410_000), id="one digit"),
        pytest.param(lambda: repeat("\u0301", 300_000), id="combining marks"),
        pytest.param(lambda: repeat("👨\u200d👩\u200d👧", 300_000), id="joined emoji"),
        pytest.param(lambda: repeat("\ud83d", 410_000), id="lone surrogates"),
        pytest.param(lambda: repeat("a'", 300_000), id="apostrophes"),
        pytest.param(lambda: CHANCE.randbytes(300_000).hex(), id="hex in one line"),
        pytest.param(
            lambda: base64.b64encode(CHANCE.randbytes(300_000)).decode(), id="base64 in one line"
        ),
        pytest.param(
            lambda: "".join(CHANCE.choices("abcdefghijklmnopqrstuvwxyz", k=300_000)),
            id="random letters",
        ),
        pytest.param(
            lambda: "".join(map(chr, CHANCE.choices(range(0x4E00, 0x9FA5), k=200_000))),
            id="random Chinese",
        ),
        pytest.param(
            lambda: "".join(CHANCE.choices("!@#$%^&*()_+-=[]{};:,./<>?", k=300_000)),
            id="random signs",
        ),
    ],
)
def test_no_hostile_text_stops_the_count(make: Callable[[], str]) -> None:
    text = make()
    for name in PATTERNS:
        assert 0 < count_tokens(name, text) <= 3 * len(text)


@pytest.mark.parametrize("enabled", [True, False], ids=["on", "off"])
def test_loading_leaves_the_garbage_collector_as_it_was(*, enabled: bool) -> None:
    load_encoding.cache_clear()
    was_enabled = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        load_encoding("cl100k_base")
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()


def test_an_encoding_is_built_once() -> None:
    assert load_encoding("cl100k_base") is load_encoding("cl100k_base")


def test_a_missing_table_says_to_install_again() -> None:
    with pytest.raises(CtxCompactError, match="p50k_base is not where") as caught:
        read_table("p50k_base")
    assert caught.value.hint == "Install ctxcompact again."


def test_a_table_cut_short_is_refused() -> None:
    with pytest.raises(CtxCompactError, match="damaged"):
        unpack(read_table("cl100k_base")[:-1])
