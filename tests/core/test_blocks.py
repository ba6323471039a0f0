"""From payloads to blocks: sizes in code points, marks, fixed bytes, which call is answered."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.blocks import PLAN_TOOLS, Gauge
from ctxcompact.core.measure import MEDIA_TOKENS_MAX
from ctxcompact.core.model import Block, Kind
from ctxcompact.core.pairs import Pairs
from ctxcompact.core.payloads import dump, text_of, with_text
from tests.fakes import MARK, FakeCounter

GAUGE = Gauge(FakeCounter(message_tokens=1000, call_tokens=200, result_tokens=100))
PICTURE = {"type": "image", "source": {"type": "base64", "data": "aGk="}}
TEXT = {"type": "text", "text": "hello"}


@pytest.mark.parametrize(
    ("text", "chars", "tokens"),
    [
        pytest.param("hello", 5, 5, id="letters"),
        pytest.param("日本語", 3, 3, id="code points, not bytes"),
        pytest.param("\U0001f600", 1, 1, id="an emoji is one"),
        pytest.param("\ud83d", 1, 1, id="half a surrogate pair"),
        pytest.param("", 0, 0, id="nothing"),
        pytest.param(" \n\t", 0, 3, id="white space has no text and is paid for"),
        pytest.param("\u3000", 0, 1, id="the blank of CJK"),
        pytest.param(" " * 9000, 0, 9000, id="a long blank"),
        *(pytest.param("x" * n, n, n, id=f"{n} letters") for n in (8091, 8092, 8191, 8192)),
    ],
)
def test_sizes_are_code_points(text: str, chars: int, tokens: int) -> None:
    block = GAUGE.text(7, ("content",), text)
    assert (block.kind, block.record, block.path) == (Kind.TEXT, 7, ("content",))
    assert (block.chars, block.tokens, block.fixed) == (chars, tokens, False)
    result = GAUGE.result(7, ("content",), "c", "Read", text)
    assert (result.chars, result.tokens) == (chars, tokens + 100)


def test_a_block_knows_where_it_stands_and_what_it_is() -> None:
    place: tuple[int, tuple[str | int, ...]] = (7, ("content", 1))
    size = 8100
    assert [
        GAUGE.text(*place, "hello"),
        GAUGE.thinking(*place, "hm."),
        GAUGE.call(*place, "c", "Read", "x" * size),
        GAUGE.media(*place, PICTURE),
        GAUGE.opaque(*place, "odd"),
        GAUGE.result(*place, "c", "Read", "x" * size),
    ] == [
        Block(Kind.TEXT, *place, 5, 5),
        Block(Kind.THINKING, *place, 3, 3, fixed=True),
        Block(Kind.CALL, *place, size, 4 + size + 200, "c", "Read"),
        Block(Kind.MEDIA, *place, 0, MEDIA_TOKENS_MAX, fixed=True, media=True),
        Block(Kind.OPAQUE, *place, 0, 3, fixed=True),
        Block(Kind.RESULT, *place, size, size + 100, "c", "Read"),
    ]


@pytest.mark.parametrize(
    ("payload", "chars", "tokens", "fixed", "media"),
    [
        pytest.param([TEXT], 5, 5, False, False, id="one part"),
        pytest.param([TEXT, TEXT], 11, 11, False, False, id="two parts, joined by a newline"),
        pytest.param(["hello", TEXT], 11, 11, False, False, id="a part that is a plain string"),
        pytest.param([{"type": "text", "value": "hello"}], 5, 5, False, False, id="spelled value"),
        pytest.param([TEXT, PICTURE], 5, 5 + MEDIA_TOKENS_MAX, False, True, id="a picture"),
        pytest.param([PICTURE], 0, MEDIA_TOKENS_MAX, False, True, id="nothing but a picture"),
        pytest.param([], 0, 0, False, False, id="no parts"),
        pytest.param([{"type": "tool_reference"}], 28, 28, True, False, id="a part of a client"),
        pytest.param([TEXT, 7], 9, 9, True, False, id="a part that is no part"),
        pytest.param(
            [{"type": "text", "text": None}], 30, 30, True, False, id="a text that is none"
        ),
        pytest.param(None, 0, 0, True, False, id="null"),
        pytest.param({"a": 1}, 7, 7, True, False, id="an object"),
        pytest.param(True, 4, 4, True, False, id="a truth value"),
    ],
)
def test_the_payload_of_a_result_may_have_any_shape(
    payload: Any, chars: int, tokens: int, *, fixed: bool, media: bool
) -> None:
    block = GAUGE.result(0, (), "c", "Read", payload)
    assert (block.chars, block.tokens, block.fixed, block.media) == (
        chars,
        tokens + 100,
        fixed,
        media,
    )


def test_a_call_costs_its_name_and_arguments_once() -> None:
    block = GAUGE.call(0, (), "c", "Read", {"path": "a b"})
    assert block.tokens == 4 + len('{"path":"a b"}') + 200
    assert GAUGE.call(0, (), "c", "Read", '{"path": "a"}').tokens == 4 + 13 + 200


def test_what_is_thought_or_unknown_is_counted_and_fixed() -> None:
    assert GAUGE.thinking(0, (), "hm.")[3:5] == (3, 3)
    assert GAUGE.opaque(0, (), {"a": [1]}).tokens == 9
    assert GAUGE.thinking(0, (), "hm.").fixed
    assert GAUGE.opaque(0, (), "x").fixed


def test_a_picture_is_bounded_and_a_large_one_costs_by_its_data() -> None:
    large = {"type": "image", "source": {"type": "base64", "data": "x" * 200_000}}
    assert GAUGE.media(0, (), PICTURE).tokens == MEDIA_TOKENS_MAX
    assert GAUGE.media(0, (), large).tokens == 1000


def test_the_mark_at_the_end_of_a_text_is_noted() -> None:
    assert GAUGE.text(0, (), f"a\n{MARK}").tag in MARK
    assert GAUGE.result(0, (), "c", "t", [{"type": "text", "text": f"a\n{MARK}"}]).tag in MARK
    assert GAUGE.text(0, (), "a").tag == ""


@pytest.mark.parametrize(
    ("payload", "is_noted"),
    [
        pytest.param({"a": [f"x\n{MARK}"], "b": 1}, True, id="of a text deep in an object"),
        pytest.param([{"type": "text", "text": MARK}, TEXT], True, id="of a part before others"),
        pytest.param([TEXT, {"type": "odd", "x": MARK}], True, id="of a part that is unknown"),
        pytest.param({"a": f"{MARK} was there"}, False, id="not if words come after it"),
        pytest.param({"a": f"a\n{MARK[:-2]}"}, False, id="not if it is torn"),
    ],
)
def test_the_mark_at_the_end_of_any_text_in_a_payload_is_noted(
    payload: Any, *, is_noted: bool
) -> None:
    assert (GAUGE.result(0, (), "c", "t", payload).tag != "") is is_noted


@pytest.mark.parametrize(
    ("tool", "protected"),
    [
        *((tool, True) for tool in sorted(PLAN_TOOLS)),
        ("Read", False),
        ("", False),
        ("vault_get", True),
        ("Vault_get", False),
        ("my_vault_get", False),
        ("db", True),
    ],
)
def test_tools_are_protected_by_their_plans_and_by_globs(tool: str, protected: bool) -> None:  # noqa: FBT001
    gauge = Gauge(FakeCounter(), protect_tool=("vault_*", "d?"))
    assert gauge.result(0, (), "c", tool, "text").fixed is protected


@pytest.mark.parametrize(
    ("patterns", "text", "hit"),
    [
        pytest.param(["secret"], "a secret thing", True, id="anywhere"),
        pytest.param(["^secret"], "a secret thing", False, id="anchored"),
        pytest.param(["x", "thing$"], "a secret thing", True, id="any of several"),
        pytest.param(["(?i)SECRET"], "a secret thing", True, id="with a flag"),
        pytest.param(["x", "(?i)SECRET"], "a secret thing", True, id="with a flag of its own"),
        pytest.param(["(x)", r"(s)ee\1"], "a sees thing", True, id="with groups of its own"),
        pytest.param(["(?P<a>x)", "(?P<a>s)"], "a s", True, id="with names of its own"),
        pytest.param([], "a secret thing", False, id="none"),
    ],
)
def test_protected_words_are_noticed_in_texts_and_results(
    patterns: list[str],
    text: str,
    hit: bool,  # noqa: FBT001
) -> None:
    gauge = Gauge(FakeCounter(), protect=patterns)
    gauge.text(0, (), text)
    assert gauge.take_hit() is hit
    gauge.result(0, (), "c", "Read", [{"type": "text", "text": text}])
    assert gauge.take_hit() is hit
    assert not gauge.take_hit()


def test_a_result_answers_the_nearest_open_call_of_its_id() -> None:
    pairs = Pairs()
    pairs.call("1", "Read")
    pairs.call("1", "Bash")
    pairs.call("2", "Grep")
    assert [pairs.answer(x) for x in ("1", "2", "1", "1", "3")] == ["Bash", "Grep", "Read", "", ""]


def test_an_id_that_is_used_again_means_the_newer_call() -> None:
    pairs = Pairs()
    for tool in ("Read", "Bash"):
        pairs.call("1", tool)
        assert pairs.answer("1") == tool


@pytest.mark.parametrize(
    ("payload", "keep_media", "expected"),
    [
        pytest.param("old", False, "new", id="a string"),
        pytest.param(None, False, "new", id="null"),
        pytest.param([TEXT], False, [{"type": "text", "text": "new"}], id="a part"),
        pytest.param(
            [TEXT, TEXT], False, [{"type": "text", "text": "new"}], id="of two parts one is left"
        ),
        pytest.param(
            [PICTURE, {**TEXT, "cache": 1}],
            True,
            [{"type": "text", "text": "new", "cache": 1}, PICTURE],
            id="a picture that stays",
        ),
        pytest.param([PICTURE], False, [{"type": "text", "text": "new"}], id="one that goes"),
        pytest.param(
            [{"type": "input_image"}],
            False,
            [{"type": "input_text", "text": "new"}],
            id="one that goes, as OpenAI's Responses API spells it",
        ),
        pytest.param(
            [{"type": "text", "value": "old"}],
            False,
            [{"type": "text", "value": "new"}],
            id="value",
        ),
        pytest.param(["old"], False, [{"type": "text", "text": "new"}], id="plain strings"),
        pytest.param([], False, [{"type": "text", "text": "new"}], id="no parts"),
        pytest.param({"a": [1], "b": "x"}, False, {"output": "new"}, id="an object"),
    ],
)
def test_a_payload_keeps_its_shape(payload: Any, expected: Any, *, keep_media: bool) -> None:
    before = json.dumps(payload)
    made = with_text(payload, "new", keep_media=keep_media)
    assert made == expected
    assert json.dumps(payload) == before
    assert text_of(made) == ("new" if isinstance(made, str | list) else '{"output":"new"}')


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param({"a": [1, "b"]}, '{"a":[1,"b"]}', id="compact"),
        pytest.param("日", '"日"', id="not escaped"),
        pytest.param(2**70, str(2**70), id="a number too large for orjson"),
        pytest.param("\ud83d", '"\ud83d"', id="half a surrogate pair"),
    ],
)
def test_a_value_is_written_for_counting(value: Any, expected: str) -> None:
    assert dump(value) == expected


def test_what_is_nested_too_deep_counts_by_its_leaves() -> None:
    value: Any = ["leaf", {"key": 5}]
    for _ in range(100_000):
        value = [value]
    assert set(dump(value).split()) == {"leaf", "key", "5"}


_json = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=8,
)


@given(_json)
def test_any_json_at_all_makes_a_result(payload: Any) -> None:
    block = GAUGE.result(0, (), "c", "Read", payload)
    assert block.tokens >= 100
    assert block.fixed or text_of(with_text(payload, "new", keep_media=True)) == "new"
