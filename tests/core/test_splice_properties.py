"""Splicing against an independent oracle: JSON whose spans are known from the writing of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ctxcompact.core.splice import Path, by_search, by_walk, reshape, slices, splice, value_at

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ctxcompact.core.lines import Json
    from ctxcompact.core.walk import Key


class Written(NamedTuple):
    """JSON as someone may write it, and the span of each value, known from the writing of it."""

    raw: bytes
    spans: dict[Path, tuple[int, int]]


def joined(parts: Iterable[bytes | tuple[Key, Written]]) -> Written:
    """Write parts one after another; of values with the same key only the last has an address."""
    raw = b""
    inside: dict[Key, dict[Path, tuple[int, int]]] = {}
    for part in parts:
        if isinstance(part, bytes):
            raw += part
        else:
            key, value = part
            inside[key] = {
                path: (start + len(raw), stop + len(raw))
                for path, (start, stop) in value.spans.items()
            }
            raw += value.raw
    spans = {(key, *path): span for key, found in inside.items() for path, span in found.items()}
    return Written(raw, spans | {(): (0, len(raw))})


def token(raw: bytes) -> Written:
    return Written(raw, {(): (0, len(raw))})


def meaning(raw: bytes) -> Json:
    """Parse with the standard library, and in its most faithful way."""
    return json.loads(raw.decode("utf-8", "surrogateescape"))


LETTERS = r"a 0 { } [ ] , : \\ \" \n \/ \u0041 \u00e9 \u4E2D \ud83d\ude00 \ud83d \udcff \u0000"
letters = st.sampled_from(
    [b" ", b"\xff", b"\xed\xa0\x80", b"\xc3", b"\x7f"]
    + [
        letter.encode()
        for letter in (*LETTERS.split(), "é", "中", "😀", "\u2028", '\\"content\\":\\"a')
    ]
)
strings = st.lists(letters, max_size=4).map(lambda found: b'"' + b"".join(found) + b'"')
NUMBERS = "0 -0 -0.0 1.0 1e5 1E+2 0.1000 -5e-324 1e400 18446744073709551616 NaN Infinity -Infinity"
words = st.sampled_from([b"true", b"false", b"null", b"9" * 50, *NUMBERS.encode().split()])
KEYS = r'"content" "content" "a" "a" "\u0061" "é" "\u00e9" "\udcff" "" "0"'
keys = st.sampled_from([b'"\xff"', b'"a b"', *KEYS.encode().split()]) | strings
spaces = st.sampled_from([b"", b"", b"", b" ", b"\t", b"\r\n", b"\n  "])


@st.composite
def arrays(draw: st.DrawFn, values: st.SearchStrategy[Written]) -> Written:
    parts: list[bytes | tuple[Key, Written]] = [b"["]
    for index, value in enumerate(draw(st.lists(values, max_size=3))):
        parts += [b"," if index else b"", draw(spaces), (index, value), draw(spaces)]
    return joined([*parts, draw(spaces) if len(parts) == 1 else b"", b"]"])


@st.composite
def objects(
    draw: st.DrawFn, values: st.SearchStrategy[Written], keys: st.SearchStrategy[bytes] = keys
) -> Written:
    parts: list[bytes | tuple[Key, Written]] = [b"{", draw(spaces)]
    for index, (key, value) in enumerate(draw(st.lists(st.tuples(keys, values), max_size=4))):
        parts += [b"," if index else b"", draw(spaces), key, draw(spaces), b":", draw(spaces)]
        parts += [(meaning(key), value), draw(spaces)]
    return joined([*parts, b"}"])


records = st.recursive(
    (words | strings).map(token), lambda inner: arrays(inner) | objects(inner), max_leaves=8
)
plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
torn_text = st.sampled_from(["", "\ud83d", "é\udcff", "a" * 99, "\x00\x7f\u2028"])
new_values = st.recursive(
    plain | torn_text,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)


def spelled(value: Json, raw: bytes) -> bytes:
    """Spell a new value by the rule: in ASCII where all is ASCII or where UTF-8 cannot say it."""
    try:
        text = json.dumps(value, ensure_ascii=raw.isascii(), separators=(",", ":"))
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def replaced(record: Written, puts: dict[Path, Json]) -> bytes:
    """Splice by the spans known from the writing."""
    raw = record.raw
    for path in sorted(puts, key=lambda path: record.spans[path], reverse=True):
        start, stop = record.spans[path]
        raw = raw[:start] + spelled(puts[path], record.raw) + raw[stop:]
    return raw


def apart(paths: Iterable[Path]) -> list[Path]:
    """Drop each path that is inside or around an earlier one."""
    found: list[Path] = []
    for path in paths:
        if not any(path[: len(other)] == other[: len(path)] for other in found):
            found.append(path)
    return found


@given(records, st.data())
def test_only_the_wanted_bytes_change(record: Written, data: st.DataObject) -> None:
    addresses = st.sampled_from(sorted(record.spans, key=repr))
    paths = apart(data.draw(st.lists(addresses, min_size=1, max_size=4)))
    puts = {path: data.draw(new_values) for path in paths}
    made = splice(record.raw, puts)
    assert made == replaced(record, puts)
    assert by_walk(record.raw, puts) == made
    assert by_search(record.raw, puts) in {None, made}
    after = meaning(made)
    for path, value in puts.items():
        assert json.dumps(value_at(after, path)) == json.dumps(value)


@given(records)
def test_every_value_is_cut_out_as_it_was_written(record: Written) -> None:
    for path, (start, stop) in record.spans.items():
        assert slices(record.raw, [path, path]) == [record.raw[start:stop]] * 2


def folded(record: Written, path: Path, folds: list[tuple[int, int, list[Json]]]) -> bytes:
    """Fold from the last to the first, by the spans known from the writing."""
    raw = record.raw
    size = sum(len(at) == len(path) + 1 and at[: len(path)] == path for at in record.spans)
    for start, stop, items in sorted(folds, key=lambda fold: fold[0], reverse=True):
        begin, end = record.spans[*path, start][0], record.spans[*path, stop - 1][1]
        if not items and stop < size:
            end = record.spans[*path, stop][0]
        elif not items:
            begin = record.spans[*path, start - 1][1]
        raw = raw[:begin] + b",".join(spelled(item, record.raw) for item in items) + raw[end:]
    return raw


@settings(max_examples=50)
@given(arrays(records), st.sampled_from([b"1", b'"\xff"', '"é"'.encode()]), st.data())
def test_stretches_of_an_array_become_others(
    array: Written, beside: bytes, data: st.DataObject
) -> None:
    record = joined([b'{"b":', beside, b',"a": ', ("a", array), b"}"])
    size = sum(len(path) == 1 for path in array.spans)
    assume(size > 1)
    folds: list[tuple[int, int, list[Json]]] = []
    at = 0
    while at < size:
        stop = data.draw(st.integers(at + 1, size))
        items = data.draw(st.none() | st.lists(new_values, max_size=2))
        if items or (items == [] and not (folds and folds[-1][1:] == (at, []))):
            folds.append((at, stop, items))
        at = stop
    kept = size - sum(stop - start for start, stop, _ in folds)
    assume(kept or any(items for _, _, items in folds))
    made = reshape(record.raw, ("a",), data.draw(st.permutations(folds)))
    after, value = meaning(made), meaning(record.raw)
    for start, stop, items in reversed(folds):
        value["a"][start:stop] = items
    assert json.dumps(after) == json.dumps(value)
    assert made == folded(record, ("a",), folds)


FEW = r'"a" "a" "b" "\u0061" "c" "d" "e" "content" "\/" "/" "," ":1," "}" '
few = st.sampled_from(FEW.encode().split())
lookalikes = objects(
    st.recursive(few.map(token), lambda inner: arrays(inner) | objects(inner, few), max_leaves=6),
    few,
)


@given(lookalikes, st.data())
def test_looking_for_a_string_is_never_fooled(record: Written, data: st.DataObject) -> None:
    texts = sorted(
        (span, path)
        for path, span in record.spans.items()
        if record.raw.startswith(b'"', span[0]) and isinstance(path[-1], str)
    )
    assume(texts)
    chosen = data.draw(st.sets(st.sampled_from(texts), min_size=1, max_size=3))
    news = st.sampled_from(["a", "b", "content", "/", ",", ":1,", " , ", ":2,", "new"])
    puts: dict[Path, Json] = {path: data.draw(news) for _, path in sorted(chosen)}
    assert by_search(record.raw, puts) in {None, replaced(record, puts)}
