"""Every JSON value of a line is found, and nothing that is not one goes unsaid."""

from __future__ import annotations

import json
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core import lines
from ctxcompact.core.lines import Json, Record, loads, parse_line
from ctxcompact.core.walk import DEPTH_MAX

BOM = b"\xef\xbb\xbf"
DEEP = 1000
UNREAD = "not parse as JSON"
TORN = b'{"role":"assistant","content":"Let me'

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(st.characters(categories=None))  # with surrogates
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
texts = st.builds(json.dumps, values, indent=st.none() | st.just(1))
containers = st.lists(scalars, max_size=2).map(json.dumps).map(str.encode)
FRAGMENTS = (
    b'{ } [ ] " , : \\ \0 \r \xff \xc3\xa9 1 - e5 NaN null {"a":1} [] "a" \xef\xbb\xbf \xe2\x80\xa8'
)
fragments = st.sampled_from([b" ", *FRAGMENTS.split(b" ")])


def same(left: Json, right: Json) -> bool:
    """Tell whether two parsed values are one: NaN is NaN, and 1 is neither 1.0 nor true."""
    return json.dumps(left) == json.dumps(right)


@pytest.mark.parametrize(
    ("raw", "start", "stop"),
    [
        pytest.param(b'{"a":1}', 0, 7, id="no newline"),
        pytest.param(b'{"a":1}\n', 0, 7, id="newline"),
        pytest.param(b'{"a":1}\r\n', 0, 7, id="carriage return and newline"),
        pytest.param(b' \t{"a":1}  \n', 2, 9, id="spaces on both sides"),
        pytest.param(b'{"a":1.0,"a":1}', 0, 15, id="the last of two equal keys counts"),
        pytest.param(BOM + b'{"a":1}', 3, 10, id="byte order mark"),
        pytest.param(b'{"a":1}\0\0\0\n', 0, 7, id="NULs after it"),
        pytest.param(b'\0\0{"a":1}\n', 2, 9, id="NULs before it"),
        pytest.param(b'{"a":1}' + TORN, 0, 7, id="a torn one after it"),
    ],
)
def test_a_record_is_found_with_its_span(raw: bytes, start: int, stop: int) -> None:
    records, _ = parse_line(raw, first=True)
    assert records == (Record(start, stop, {"a": 1}),)


@pytest.mark.parametrize(
    ("raw", "damage"),
    [
        pytest.param(b'{"a":1}\r\n', [], id="clean"),
        pytest.param(b"", [], id="empty"),
        pytest.param(b" \t\r\n", [], id="blank"),
        pytest.param(b"[NaN]", [], id="NaN"),
        pytest.param(rb'"\ud83d"', [], id="lone surrogate"),
        pytest.param("\x85".encode(), [f"unparsed_line 2 bytes do {UNREAD}"], id="NEL"),
        pytest.param(b"{", [f"unparsed_line 1 byte does {UNREAD}"], id="one byte"),
        pytest.param(BOM + b"[]", ["bom starts with a byte order mark"], id="byte order mark"),
        pytest.param(b"{}[] \n", ["two_records holds 2 JSON values"], id="two records"),
        pytest.param(b"[]" + b"\0" * 400, ["nul_bytes holds 400 NUL bytes"], id="NULs"),
        pytest.param(
            b'["\xff\xfe", "\xc3"]',
            ["invalid_utf8 holds 3 bytes that are not UTF-8"],
            id="bytes that are not UTF-8 in strings",
        ),
        pytest.param(
            b'{}\0{"a":"\xc3',
            ["nul_bytes holds 1 NUL byte", f"unparsed_line 7 bytes do {UNREAD}"],
            id="a character cut in half is not reported twice",
        ),
    ],
)
def test_damage_is_named_with_its_size(raw: bytes, damage: list[str]) -> None:
    assert [" ".join(found) for found in parse_line(raw, first=True)[1]] == damage


def test_a_torn_tail_is_told_from_a_line_that_does_not_parse() -> None:
    told = f"{len(TORN)} bytes do {UNREAD}"
    assert parse_line(TORN, last_torn=True) == ((), (("unparsed_line", f"cut off: {told}"),))
    assert parse_line(TORN + b"\r\n") == ((), (("unparsed_line", told),))


def test_a_last_line_that_only_lacks_its_newline_is_not_torn() -> None:
    assert parse_line(b"{}", last_torn=True) == ((Record(0, 2, {}),), ())


def test_a_byte_order_mark_is_skipped_on_the_first_line_only() -> None:
    assert parse_line(BOM + b"{}", first=True)[0] == (Record(3, 5, {}),)
    assert parse_line(BOM + b"{}")[0] == ()


def test_a_record_after_a_torn_one_is_found_if_nuls_part_them() -> None:
    records, damage = parse_line(TORN + b'\0\0{"a":1}')
    assert [record.data for record in records] == [{"a": 1}]
    assert [found.code for found in damage] == ["nul_bytes", "unparsed_line"]


@pytest.mark.parametrize(
    ("raw", "data"),
    [
        pytest.param(b"01", [], id="a number with a leading zero is not two"),
        pytest.param(b"12:30 started", [], id="a line of a log"),
        pytest.param(b'{"a":1} 01', [{"a": 1}], id="nor after an object"),
        pytest.param(b'1 {"a":1}x', [1, {"a": 1}], id="an object before something torn"),
        pytest.param(b'"content":"x"}', [], id="the second half of a record"),
        pytest.param(b"1 2", [1, 2], id="numbers with a space between"),
        pytest.param(b'{"a":1}2', [{"a": 1}, 2], id="a number after an object"),
        pytest.param(b'"a"{"b":1}', ["a", {"b": 1}], id="an object after a string"),
        pytest.param(b"{},{}", [{}], id="what follows a comma is not guessed at"),
    ],
)
def test_pieces_of_something_torn_are_no_records(raw: bytes, data: list[Json]) -> None:
    assert [record.data for record in parse_line(raw)[0]] == data


@given(
    st.lists(
        st.tuples(st.sampled_from([b"", b" ", b"\r", b"\0", b"\0\0 "]), containers),
        min_size=2,
        max_size=6,
    )
)
def test_glued_values_are_each_found_at_their_bytes(parts: list[tuple[bytes, bytes]]) -> None:
    raw = '"é" '.encode() + b"".join(gap + text for gap, text in parts)
    records, damage = parse_line(raw)
    assert [raw[record.start : record.stop] for record in records[1:]] == [
        text for _, text in parts
    ]
    assert all(
        same(found.data, loads(text[1])) for found, text in zip(records[1:], parts, strict=True)
    )
    assert ("two_records", f"holds {len(parts) + 1} JSON values") in damage


@given(st.lists(fragments, max_size=12).map(b"".join), st.booleans(), st.booleans())
def test_no_byte_goes_unread_and_unsaid(raw: bytes, first: bool, last_torn: bool) -> None:  # noqa: FBT001
    records, damage = parse_line(raw, first=first, last_torn=last_torn)
    rest, done = b"", 0
    for record in records:
        assert done <= record.start < record.stop <= len(raw)
        assert same(record.data, loads(raw[record.start : record.stop]))
        rest += raw[done : record.start]
        done = record.stop
    rest += raw[done:]
    if first and raw.startswith(BOM):
        rest = rest.removeprefix(BOM)
    told = {found.code for found in damage}
    assert ("nul_bytes" in told) == (b"\0" in raw)
    assert ("two_records" in told) == (len(records) > 1)
    unread = "unparsed_line"
    assert (unread in told) == bool(rest.strip(b"\0 \r"))
    assert told <= {"bom", "nul_bytes", "two_records", "invalid_utf8", unread}


@pytest.mark.parametrize(
    ("raw", "data"),
    [
        pytest.param(b"[NaN,1e400,-Infinity]", [float("nan"), inf, -inf], id="NaN and infinities"),
        pytest.param(rb'"\ud83d"', "\ud83d", id="lone surrogate"),
        pytest.param(rb'"\ud83d\ude00"', "\U0001f600", id="surrogate pair"),
        pytest.param(b'"\xff"', "\udcff", id="a byte that is not UTF-8"),
        pytest.param(b'"\xed\xa0\x80"', "\udced\udca0\udc80", id="a surrogate written as UTF-8"),
        pytest.param(b"[18446744073709551615]", [2**64 - 1], id="largest whole number kept"),
        pytest.param(b"[NaN,1" + b"0" * 639 + b"]", [float("nan"), 10**639], id="640 digits"),
        pytest.param(b"-" + b"9" * 5000, -inf, id="5,000 digits"),
        pytest.param(b'{"a":NaN,"a":1}', {"a": 1}, id="last of two equal keys"),
        pytest.param(b' \r\n"\xff"\t', "\udcff", id="spaces around what orjson refuses"),
    ],
)
def test_what_orjson_refuses_is_read(raw: bytes, data: Json) -> None:
    assert same(loads(raw), data)


@pytest.mark.parametrize("beside", ["1", r'"\ud83d"'], ids=["nothing else", "a lone surrogate"])
@pytest.mark.parametrize(
    ("digits", "number"),
    [
        ("18446744073709551615", 2**64 - 1),
        ("18446744073709551616", float(2**64)),
        ("18446744073709551617", float(2**64)),
        ("-9223372036854775808", -(2**63)),
        ("-9223372036854775809", -float(2**63)),
        ("12345678901234567890123456789", 12345678901234567890123456789.0),
    ],
)
def test_a_whole_number_reads_the_same_whatever_stands_beside_it(
    digits: str, number: float, beside: str
) -> None:
    (found, _) = loads(f"[{digits},{beside}]".encode())
    assert (type(found), found) == (type(number), number)


@pytest.mark.parametrize(
    "inner",
    [
        pytest.param(b"1", id="nothing else"),
        pytest.param(b"NaN", id="and NaN"),
        pytest.param(rb'{"\ud83d":["\ud83d",{},[],""]}', id="and lone surrogates"),
        pytest.param(b'{"[":"\xff","[":"{"}', id="and a byte that is not UTF-8"),
    ],
)
def test_deep_nesting_is_read(inner: bytes) -> None:
    data = loads(b'{"a":[' * (DEEP // 2) + inner + b", 2]}" * (DEEP // 2))
    for _ in range(DEEP // 2):
        assert list(data) == ["a"]
        assert data["a"][1] == 2
        data = data["a"][0]
    assert same(data, loads(inner))


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"{} {}", id="two values"),
        pytest.param(BOM + b"{}", id="byte order mark"),
        pytest.param('{"a":1}'.encode("utf-16"), id="UTF-16"),
        pytest.param(b"[1,]", id="trailing comma"),
        pytest.param(b'"a\tb"', id="tab inside a string"),
        pytest.param(b'"a\0b"', id="NUL inside a string"),
        pytest.param(b"[\xff]", id="a bad byte outside of strings"),
        pytest.param(b"[" * 1_000_000, id="a million arrays opened"),
        pytest.param(b'{"a":' * 100_000, id="a hundred thousand objects opened"),
        pytest.param(b"[" * 1025 + b"]" * 1025, id="one level too deep"),
        pytest.param(b"[" * 1025 + b"NaN" + b"]" * 1025, id="one level too deep, and NaN"),
        pytest.param(b"[" * 1000 + b"NaN" + b"]" * 1001, id="deep, and closed once too often"),
        pytest.param(b"[" * 1000 + b"NaN,nan" + b"]" * 1000, id="deep, and not JSON inside"),
    ],
)
def test_what_is_not_one_value_raises_value_error(raw: bytes) -> None:
    with pytest.raises(ValueError, match="char"):
        loads(raw)


def test_many_brackets_are_not_depth() -> None:
    flat = b"[NaN," + b"[]," * DEPTH_MAX + b'"' + b"[" * 2 * DEPTH_MAX + b'"]'
    assert len(loads(flat)) == DEPTH_MAX + 2
    assert len(loads(b'"\\ud83d' + b"[" * 2 * DEPTH_MAX + b'"')) == 2 * DEPTH_MAX + 1


@given(texts)
def test_loads_agrees_with_the_standard_library(text: str) -> None:
    assert same(loads(text.encode()), json.loads(text))


@given(texts)
def test_the_way_for_deep_nesting_agrees_with_the_standard_library(text: str) -> None:
    assert same(lines._parse_deep(text), json.loads(text))
