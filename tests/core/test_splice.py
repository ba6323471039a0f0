"""A spliced record holds the new values, and every byte outside of the old ones."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from ctxcompact.core.lines import Json, loads
from ctxcompact.core.splice import Path, by_search, by_walk, reshape, slices, splice, value_at

if TYPE_CHECKING:
    from collections.abc import Callable

DEEP = 1000
TEXT: Path = ("content",)


@pytest.mark.parametrize(
    ("start", "stop"),
    [
        pytest.param(b'{"p":', rb',"q":"p","\u0071":"p"}', id="the string stands as a key"),
        pytest.param(b'{"p":', b',"r":{"p":"q"}}', id="the pair stands deeper"),
        pytest.param(b'{"p":"q","p":', b"}", id="the pair is hidden by a repeated key"),
        pytest.param(b'{"p":', rb',"x\"p":"q"}', id="the pair is the end of another key"),
        pytest.param(b'{"p":', rb',"x":"\"p\":\"q\""}', id="the pair stands inside a string"),
        pytest.param(b'{"p":', b',"x":["p","q"]}', id="the key stands as a string"),
    ],
)
def test_a_lookalike_elsewhere_is_not_replaced(start: bytes, stop: bytes) -> None:
    raw = start + rb'"\u0071"' + stop
    assert by_search(raw, {("p",): "p"}) is None
    assert splice(raw, {("p",): "p"}) == start + b'"p"' + stop


@pytest.mark.parametrize(
    ("raw", "puts"),
    [
        pytest.param(b'["a"]', {(0,): "b"}, id="an item of an array"),
        pytest.param(b'"a"', {(): "b"}, id="the record itself"),
        pytest.param(b'{"":"a"}', {("",): "b"}, id="an empty key"),
        pytest.param(b'{"a b":"a"}', {("a b",): "b"}, id="a key that is not a name"),
        pytest.param(b'{"a":1}', {("a",): "b"}, id="a number replaced"),
        pytest.param(b'{"a":"1"}', {("a",): 1}, id="a number put in"),
        pytest.param(b'{"a":"\\u0071","b":{"a":"q"}}', {("a",): "q"}, id="nothing new"),
        pytest.param(b'{"b":"x","a":"y"}', {("a",): "1", ("b",): "2"}, id="not in order"),
        pytest.param(b'{"a":"x","b":NaN}', {("a",): "y"}, id="what orjson refuses"),
        pytest.param(b'{"a":"x"}', {("a",): "\ud83d"}, id="what orjson would refuse"),
        pytest.param(b'{"a":"x"}', {("b",): "y"}, id="no such address"),
    ],
)
def test_looking_for_a_string_declines(raw: bytes, puts: dict[Path, Json]) -> None:
    assert by_search(raw, puts) is None


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(b'{"content":', id="as JavaScript writes"),
        pytest.param(b'{"content": ', id="as Python writes"),
        pytest.param('{"é":1,"content":'.encode(), id="beside what is not ASCII"),
        pytest.param(b'{"n":1e5,"content":', id="beside an odd number"),
        pytest.param(b'{"n":36893488147419103233,"content":', id="beside a large number"),
        pytest.param(b'{"content":"first","content":', id="after the same key"),
        pytest.param(b'{"out":"old","content":', id="after a twin with another key"),
        pytest.param(rb'{"x":"\"content\":\"old\"","content":', id="after a string that says it"),
    ],
)
@pytest.mark.parametrize("stop", [b"}", b',"next":{"content":"other"}}'])
def test_looking_for_a_string_finds_it_in_ordinary_lines(start: bytes, stop: bytes) -> None:
    assert by_search(start + b'"old"' + stop, {TEXT: "new"}) == start + b'"new"' + stop


@pytest.mark.parametrize(
    "old",
    [
        pytest.param(rb'"d\u00e9j\u00e0\n"', id="as Python writes"),
        pytest.param('"déjà\\n"'.encode(), id="as JavaScript writes"),
    ],
)
def test_looking_for_a_string_knows_how_it_is_spelled(old: bytes) -> None:
    assert by_search(b'{"content":' + old + b"}", {TEXT: "new"}) == b'{"content":"new"}'


@pytest.mark.parametrize(
    ("raw", "put", "made"),
    [
        pytest.param(rb'{"content":"a\/b"}', "é", rb'{"content":"\u00e9"}', id="ASCII stays ASCII"),
        pytest.param(
            '{"é":1,"content":"a"}'.encode(),
            "中",
            '{"é":1,"content":"中"}'.encode(),
            id="UTF-8 stays",
        ),
        pytest.param(
            '{"é":1,"content":"a"}'.encode(),
            "中\ud83d",
            '{"é":1,"content":"\\u4e2d\\ud83d"}'.encode(),
            id="a lone surrogate is escaped, and its value with it",
        ),
        pytest.param(
            b'{"x":"\xff","content":"a"}',
            "\udcff",
            b'{"x":"\xff","content":"\\udcff"}',
            id="a bad byte is kept and none is made",
        ),
        pytest.param(
            b'{"content":[1, 2]}', {"a": [1, None]}, b'{"content":{"a":[1,null]}}', id="compact"
        ),
        pytest.param(b'{"content":1}', True, b'{"content":true}', id="1 becomes true"),
        pytest.param(b'{"content":true}', 1, b'{"content":1}', id="true becomes 1"),
        pytest.param(b'{"content":1}', 1.0, b'{"content":1.0}', id="1 becomes 1.0"),
        pytest.param(b'{"content":"1"}', 1, b'{"content":1}', id="a string becomes a number"),
        pytest.param(
            rb'{"content":"\u0061"}', "a", b'{"content":"a"}', id="the same, spelled anew"
        ),
        pytest.param(
            b'{"content":18446744073709551617}',
            2**64 + 5,
            b'{"content":18446744073709551621}',
            id="past 64 bits",
        ),
        pytest.param(b'{"content":NaN}', None, b'{"content":null}', id="NaN itself"),
        pytest.param(
            b'{"content":""}', "\x7f\n", b'{"content":"\\u007f\\n"}', id="an empty string"
        ),
    ],
)
def test_new_values_are_spelled_as_their_record_is(raw: bytes, put: Json, made: bytes) -> None:
    assert splice(raw, {TEXT: put}) == by_walk(raw, {TEXT: put}) == made


@pytest.mark.parametrize(
    ("start", "stop"),
    [
        pytest.param(b'{"a":0.1000,"b":1E+2,"c":-0,"content":', b',"d":1e400}', id="odd numbers"),
        pytest.param(b'{"a":1e5,"b":36893488147419103233,"content":', b"}", id="large numbers"),
        pytest.param(b'{"n":-' + b"9" * 5000 + b',"content":', b"}", id="5,000 digits"),
        pytest.param(b'{"a":NaN,"content":', b',"b":-Infinity}', id="NaN and infinity"),
        pytest.param(rb'{"x":"\u4E2D \/","content":', b"}", id="escapes"),
        pytest.param(rb'{"x":"\ud83d","content":', rb',"\udc00":1}', id="lone surrogates"),
        pytest.param(b'{"x":"\xff","content":', b',"\xe2\x82":1}', id="bytes that are not UTF-8"),
        pytest.param(b'{"content":"old","content":', b',"a":1,"a":1}', id="repeated keys"),
        pytest.param(rb'{"content":"old","\u0063ontent":', b"}", id="keys that mean the same"),
        pytest.param(b'\t{ "content"\r\n:\n', b' , "a" : [ ] }\r', id="white space"),
    ],
)
def test_everything_around_the_value_stays(start: bytes, stop: bytes) -> None:
    made = start + b'"new"' + stop
    assert splice(start + b'"old"' + stop, {TEXT: "new"}) == made
    assert by_walk(start + b'"old"' + stop, {TEXT: "new"}) == made


@pytest.mark.parametrize(
    "beside",
    [pytest.param(b"1", id="plain"), pytest.param(b"NaN", id="beside what orjson refuses")],
)
def test_a_value_a_thousand_deep_is_replaced(beside: bytes) -> None:
    before, after = b'{"n":' + beside + b',"a":[', b"]}"
    half = DEEP // 2 - 1
    path: Path = ("a", 0) * half
    raw = before * half + b'"old"' + after * half
    assert splice(raw, {path: "new"}) == raw.replace(b"old", b"new")


def test_deep_values_beside_the_wanted_one_are_passed_over() -> None:
    deep = b"[" * DEEP + rb'"]\"["' + b"]" * DEEP
    raw = b'{"a":%b,"content":"old","b":%b}' % (deep, deep)
    assert by_walk(raw, {TEXT: "new"}) == raw.replace(b"old", b"new")


@pytest.mark.parametrize("way", [by_search, by_walk])
def test_many_values_are_replaced_in_one_go(way: Callable[..., bytes | None]) -> None:
    raw = json.dumps([{"content": f"old {n}", "type": "text"} for n in range(100)]).encode()
    puts: dict[Path, Json] = {(n, "content"): f"new {n}" for n in range(100)}
    assert way(raw, puts) == raw.replace(b"old", b"new")


def test_equal_values_are_told_apart_by_their_order() -> None:
    raw = b'[{"content":"old"},{"content":"old"},{"content":"old"}]'
    made = b'[{"content":"old"},{"content":"b"},{"content":"c"}]'
    assert splice(raw, {(2, "content"): "c", (1, "content"): "b"}) == made
    puts: dict[Path, Json] = {(0, "content"): "a", (1, "content"): "b"}
    assert by_search(raw, puts) == b'[{"content":"a"},{"content":"b"},{"content":"old"}]'


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(("b",), id="no such key"),
        pytest.param(("a", 2), id="past the last item"),
        pytest.param(("a", -1), id="counted from the end"),
        pytest.param(("a", "0"), id="a key into an array"),
        pytest.param((0,), id="an index into an object"),
        pytest.param(("s", 0), id="into a string"),
        pytest.param(("a", 0, "x"), id="into a number"),
        pytest.param(("d", "x"), id="hidden by a repeated key"),
        pytest.param(("d", "x", "y"), id="inside what a repeated key hides"),
    ],
)
def test_an_address_without_a_value_is_named(path: Path) -> None:
    raw = b'{"a":[1,2],"s":"text","d":{"x":{"y":"text"}},"d":{}}'
    for found in (splice, by_walk):
        with pytest.raises(LookupError, match=re.escape(f"no value at {path}")):
            found(raw, {path: "new"})
    with pytest.raises(LookupError, match=re.escape(f"no value at {path}")):
        value_at(loads(raw), path)


@pytest.mark.parametrize(
    "paths",
    [
        pytest.param([(), ("a",)], id="the whole and a part"),
        pytest.param([("a",), ("a", "b")], id="around, then inside"),
        pytest.param([("a", "b", 0), ("a",)], id="inside, then around"),
    ],
)
def test_values_inside_one_another_are_refused(paths: list[Path]) -> None:
    with pytest.raises(ValueError, match="inside or around"):
        splice(b'{"a":{"b":["old"]}}', dict.fromkeys(paths, "new"))


@pytest.mark.parametrize(
    "raw", [b"", b'{"content":"old"', b'{"content":"old"} 2', b'\xef\xbb\xbf""']
)
def test_bytes_that_are_not_one_value_are_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match="char"):
        splice(raw, {TEXT: "new"})


def test_a_value_that_is_not_json_is_refused() -> None:
    with pytest.raises(TypeError):
        splice(b'{"content":"old"}', {TEXT: object()})


def test_a_value_too_deep_to_write_is_refused() -> None:
    value: Json = 1
    for _ in range(100_000):
        value = [value]
    with pytest.raises(ValueError, match="too deep"):
        splice(b'{"content":"old"}', {TEXT: value})


def test_no_puts_change_nothing() -> None:
    raw = b' {"a" : NaN} '
    assert splice(raw, {}) == raw


def test_values_are_cut_out_as_they_are_spelled_and_as_often_as_asked() -> None:
    raw = b'{"a": [1e5, {"b" :  "\\u0041"}]}'
    assert slices(raw, [("a", 0), ("a", 1), ("a", 0)]) == [b"1e5", b'{"b" :  "\\u0041"}', b"1e5"]
    with pytest.raises(LookupError):
        slices(raw, [("a", 2)])


@pytest.mark.parametrize(
    ("start", "spelled"),
    [
        pytest.param(b'{"a": [', b'"\\u00e9"', id="in ASCII"),
        pytest.param('{"é":1,"a": ['.encode(), '"é"'.encode(), id="in UTF-8"),
        pytest.param(b'{"\xff":1,"a": [', '"é"'.encode(), id="beside a bad byte"),
    ],
)
def test_stretches_may_be_named_in_any_order(start: bytes, spelled: bytes) -> None:
    raw = start + b"1, 2 ,3,\t4 , 5, 6 ]}"
    folds = [(4, 6, ()), (0, 1, ("é", None)), (2, 3, ())]
    assert reshape(raw, ("a",), folds) == start + spelled + b",null, 2 ,4 ]}"
