"""Put JSON values at addresses inside the raw bytes of one record; every other byte stays.

Two ways lead inside, and both end in the same bytes. `by_walk` is right for every record and needs
nothing else. `by_search` guesses where the values stand, proves the guess or declines, and is there
for speed. Choosing the values is not done here, nor is finding records in a line (`lines`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

import orjson

from ctxcompact.core.walk import Key, opens, value_end, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ctxcompact.core.lines import Json

Path: TypeAlias = tuple[Key, ...]
"""The address of a value in a record: keys of objects and indices of arrays, outermost first."""

_Span: TypeAlias = tuple[int, int]
_Wanted: TypeAlias = "dict[Key, _Wanted]"
_Found: TypeAlias = "dict[Key, _Found | _Span]"
_Place: TypeAlias = tuple[_Wanted, _Found]

_wide = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_ascii = json.JSONEncoder(separators=(",", ":")).encode


def splice(raw: bytes, puts: Mapping[Path, Json], *, before: Json = None) -> bytes:
    """Return the record with each value of `puts` in the place of the one at its path.

    `before` is what the record parses to, where the caller knows.
    `raw` is one JSON value, such as `lines.loads` reads; of a repeated key the last one counts. New
    values are written without spaces, and in ASCII if all of `raw` is ASCII. Raises LookupError for
    a path to no value; ValueError for a path inside another, for `raw` that is not JSON and for a
    value nested too deep to write; TypeError for a value that is not JSON.
    """
    found = by_search(raw, puts, before)
    return by_walk(raw, puts) if found is None else found


def value_at(data: Json, path: Path) -> Json:
    """Return the value at a path. Raises LookupError if there is none; -1 is not the last item."""
    value = data
    for key in path:
        if isinstance(value, list):
            if not isinstance(key, int) or not 0 <= key < len(value):
                raise _missing(path)
        elif not isinstance(value, dict) or key not in value:
            raise _missing(path)
        value = value[key]
    return value


def reshape(raw: bytes, path: Path, folds: Iterable[tuple[int, int, Sequence[Json]]]) -> bytes:
    """Return the record with stretches of the array at `path` replaced by other items, or by none.

    A fold is (start, stop, new items), in indices of the array; folds must not overlap, two without
    items must not touch, and something has to stay in the array. Raises as `splice` does.
    """
    ordered = sorted(folds, key=lambda fold: fold[0])
    text = raw.decode("utf-8", "surrogateescape")
    size = len(value_at(json.loads(text), path))
    ends = {at for start, stop, _ in ordered for at in (start - 1, start, stop - 1, stop)}
    found = _locate(text, _plan((*path, at) for at in sorted(ends) if 0 <= at < size))
    narrow = raw.isascii()
    parts: list[bytes] = []
    done = 0
    for start, stop, items in ordered:
        begin, end = _span(found, (*path, start))[0], _span(found, (*path, stop - 1))[1]
        if not items and stop < size:
            end = _span(found, (*path, stop))[0]
        elif not items:
            begin = _span(found, (*path, start - 1))[1]
        made = b",".join(_encode(item, narrow=narrow) for item in items)
        parts += _undecode(text[done:begin]), made
        done = end
    return b"".join((*parts, _undecode(text[done:])))


def slices(raw: bytes, paths: Sequence[Path]) -> list[bytes]:
    """Return the bytes of the values at some paths, which may repeat. Raises as `splice` does."""
    text = raw.decode("utf-8", "surrogateescape")
    found = _locate(text, _plan(dict.fromkeys(paths)))
    spans = [_span(found, path) for path in paths]
    return [_undecode(text[start:stop]) for start, stop in spans]


def by_search(raw: bytes, puts: Mapping[Path, Json], before: Json = None) -> bytes | None:
    """Splice strings for strings by looking for `"key":"old"`; None if it is not proven right.

    Why it is proven, for a record that orjson accepts:

    1. What is replaced is a whole string in the place of a value. The quote before the colon comes
       after the last letter of an identifier: so no backslash makes it part of a string, and no
       string begins there, where only white space or one of `[{,:` may stand. It ends a string;
       the colon makes that a key; and what follows is a complete string.
    2. To put one string in the place of another leaves structure and addresses as they are, so it
       changes the value at its own address alone, and none if a repeated key hides it.
    3. At each of the n addresses wanted, the new string differs from the old one (or we decline),
       and the result, parsed, has the new one. So the string there is among the n replaced: those
       are the n wanted ones and no others. Each is spelled as `by_walk` would.

    Every other byte is a copy, so nothing is to be compared there. Strings alone are compared, and
    those are equal only if they are the same: there is no 1 == True == 1.0, and no rounding.
    """
    narrow = raw.isascii()
    parts: list[bytes] = []
    done = 0
    try:
        before = orjson.loads(raw) if before is None else before
        for path, new in puts.items():
            old = value_at(before, path)
            if not (isinstance(old, str) and isinstance(new, str)) or old == new:
                return None
            spelled = _spell(old, narrow=narrow)
            start = _search(raw, done, path, spelled)
            if start < 0:
                return None
            parts += raw[done:start], _encode(new, narrow=narrow)
            done = start + len(spelled)
        made = b"".join((*parts, raw[done:]))
        after = orjson.loads(made)
    except (LookupError, orjson.JSONDecodeError, orjson.JSONEncodeError):
        return None  # whatever is wrong, the walk says it better
    return made if all(value_at(after, path) == new for path, new in puts.items()) else None


def by_walk(raw: bytes, puts: Mapping[Path, Json]) -> bytes:
    """Splice by finding all places in one walk over the record; raises as `splice` does."""
    text = raw.decode("utf-8", "surrogateescape")
    found = _locate(text, _plan(puts))
    narrow = raw.isascii()
    parts: list[bytes] = []
    done = 0
    for (start, stop), new in sorted(
        ((_span(found, path), new) for path, new in puts.items()), key=lambda put: put[0]
    ):
        parts += _undecode(text[done:start]), _encode(new, narrow=narrow)
        done = stop
    return b"".join((*parts, _undecode(text[done:])))


def _plan(paths: Iterable[Path]) -> _Wanted:
    """Arrange paths as a tree whose leaves are empty, below 0 for the record itself."""
    wanted: _Wanted = {}
    for path in paths:
        branch, is_new = wanted, False
        for key in (0, *path):
            is_new = key not in branch
            branch = branch.setdefault(key, {})
            if not (is_new or branch):
                break
        if not is_new:
            msg = f"a value is wanted at {path} and another one inside or around it"
            raise ValueError(msg)
    return wanted


def _locate(text: str, wanted: _Wanted) -> _Found:
    """Find the spans of all leaves. What a repeated key led to before is forgotten as a whole."""

    def visit(place: _Place, key: Key, at: int) -> _Place | int:
        wanted, found = place
        below = wanted.get(key)
        if below and opens(text, at):
            inside: _Found = {}
            found[key] = inside
            return below, inside
        end = value_end(text, at)
        if below is not None:
            found[key] = at, end
        return end

    found: _Found = {}
    walk(text, (wanted, found), visit)
    return found


def _span(found: _Found, path: Path) -> _Span:
    here: _Found | _Span = found
    for key in (0, *path):
        if not isinstance(here, dict) or key not in here:
            raise _missing(path)
        here = here[key]
    if isinstance(here, dict):
        raise _missing(path)
    return here


def _search(raw: bytes, start: int, path: Path, spelled: bytes) -> int:
    """Return where a spelled string stands as the value of the last key of a path, or -1."""
    key = path[-1] if path else 0
    if not isinstance(key, str) or not key.isidentifier():
        return -1
    label = f'"{key}":'.encode()
    at = raw.find(label, start)
    while at >= 0:
        value = at + len(label)
        value += raw.startswith(b" ", value)
        if raw.startswith(spelled, value):
            return value
        at = raw.find(label, value)
    return -1


def _spell(text: str, *, narrow: bool) -> bytes:
    """Guess how a string is spelled: as by JavaScript, or as by Python where all is ASCII."""
    return orjson.dumps(text) if text.isascii() or not narrow else _ascii(text).encode()


def _encode(value: Json, *, narrow: bool) -> bytes:
    try:
        return (_ascii if narrow else _wide)(value).encode()
    except UnicodeEncodeError:  # a lone surrogate
        return _ascii(value).encode()
    except RecursionError:
        msg = "the new value is nested too deep to write"
        raise ValueError(msg) from None


def _undecode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")  # the same bytes again, valid or not


def _missing(path: Path) -> LookupError:
    return LookupError(f"no value at {path}")
