"""Ways to damage a transcript: in its bytes, its lines, its JSON, and in what its records mean."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

_UUID = "0f8fad5b-d9cb-869f-a165-70867728950e"
_TAG = f'<context_offload uuid="{_UUID}"/>'
_ODD_BYTES = (
    b"\0",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\r\n",
    b"\xff",
    b"\xc3",
    b'"',
    b"\\",
    b"{",
    b"]",
    b",",
    b"1e999",
    b"NaN",
    b"\\ud800",
    b"\xe2\x80\xa8",
    b"[" * 300,
)
_ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2**70,
    1e300,
    "",
    " \n ",
    [],
    {},
    [[]],
    [None],
    [{}],
    {"type": "text"},
    [{"type": "text", "text": 7}],
    {"": {"": ""}},
    "x" * 9000,
    "字" * 3000,
    "👩‍👩‍👧" * 80,
    f"as it was\n{_TAG}",
    f"[Previous: used Bash]\n{_TAG}",
    "[Previous: used Bash]",
    f"[Record of earlier work in this conversation; not new speech]\nwords\n{_TAG}",
    "[Conversation compressed. Transcript: .transcripts/transcript_0123456789abcdef.jsonl]",
    "<context_offload uuid=",
    "../../etc/passwd",
    "\x1b[31mred\x1b]0;title\x07",
    "<|endoftext|>",
    "assistant",
    "tool_result",
)

Mutation: TypeAlias = "Callable[[bytes, Random], bytes]"


def mutate(data: bytes, random: Random) -> bytes:
    """Apply one to four mutations."""
    for _ in range(random.choice((1, 1, 2, 3, 4))):
        data = random.choice(_MUTATIONS)(data, random)
    return data


def _put_bytes(data: bytes, random: Random) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.choice(_ODD_BYTES) + data[at + random.choice((0, 0, 1)) :]


def _flip_byte(data: bytes, random: Random) -> bytes:
    if not data:
        return data
    at = random.randrange(len(data))
    return data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]


def _cut(data: bytes, random: Random) -> bytes:
    start = random.randint(0, len(data))
    length = min(int(random.expovariate(1 / 300)), len(data))
    return data[:start] + data[start + length :]


def _end_early(data: bytes, random: Random) -> bytes:
    return data[: random.randint(0, len(data))]


def _move_lines(data: bytes, random: Random) -> bytes:
    """Drop, double, swap or glue lines."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    a, b = random.randrange(len(lines)), random.randrange(len(lines))
    what = random.choice(("drop", "double", "swap", "move", "glue", "blank", "last"))
    if what == "drop":
        del lines[a]
    elif what == "double":
        lines.insert(b, lines[a])
    elif what == "swap":
        lines[a], lines[b] = lines[b], lines[a]
    elif what == "move":
        lines.insert(b, lines.pop(a))
    elif what == "glue":
        lines[a] = lines[a].rstrip(b"\r\n")
    elif what == "blank":
        lines.insert(a, random.choice((b"\n", b"  \n", b"null\n", b"[]\n", b"7\n")))
    else:
        lines[-1] = lines[-1].rstrip(b"\r\n")
    return b"".join(lines)


def _change_value(data: bytes, random: Random) -> bytes:
    """Put an odd value, or one from elsewhere in the record, in the place of another; or drop it."""

    def change(record: Any) -> Any:
        places = list(_places(record))
        if not places:
            return record
        box, key = random.choice(places)
        what = random.random()
        if what < 0.6:
            box[key] = random.choice(_ODD_VALUES)
        elif what < 0.8:
            other, at = random.choice(places)
            box[key] = json.loads(json.dumps(other[at]))
        else:
            del box[key]
        return record

    return _in_line(data, random, change)


def _change_key(data: bytes, random: Random) -> bytes:
    def change(record: Any) -> Any:
        boxes = [box for box, _ in _places(record) if isinstance(box, dict) and box]
        if boxes:
            box = random.choice(boxes)
            key = random.choice(list(box))
            box[random.choice(("x", "type", "content", "id", key + "s"))] = box.pop(key)
        return record

    return _in_line(data, random, change)


def _share_id(data: bytes, random: Random) -> bytes:
    """Give a value of one line to a field of the same name in another: ids that meet or part."""
    lines = data.splitlines(keepends=True)
    parsed = {
        at: record for at in range(len(lines)) if isinstance(record := _load(lines[at]), dict)
    }
    strings = [
        (at, box, key)
        for at, record in parsed.items()
        for box, key in _places(record)
        if isinstance(key, str) and _is_idlike(key) and isinstance(box[key], str)
    ]
    if not strings:
        return data
    at, box, key = random.choice(strings)
    same = [(other[name]) for _, other, name in strings if name == key]
    box[key] = random.choice(same)
    lines[at] = json.dumps(parsed[at]).encode() + b"\n"
    return b"".join(lines)


def _is_idlike(key: str) -> bool:
    return key.lower().endswith(("id", "uuid", "role", "type", "name"))


def _in_line(data: bytes, random: Random, change: Callable[[Any], Any]) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    at = random.randrange(len(lines))
    record = _load(lines[at])
    if isinstance(record, dict | list):
        ascii_only = random.random() < 0.5
        text = json.dumps(change(record), ensure_ascii=ascii_only)
        lines[at] = text.encode("utf-8", "surrogatepass") + b"\n"
    return b"".join(lines)


def _load(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _places(value: Any) -> list[tuple[Any, Any]]:
    """List every member and item inside a value, as its box and its key."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        box = waiting.pop()
        keys = box if isinstance(box, dict) else range(len(box)) if isinstance(box, list) else ()
        found += [(box, key) for key in keys]
        waiting += [box[key] for key in keys]
    return found


_MUTATIONS: tuple[Mutation, ...] = (
    _put_bytes,
    _flip_byte,
    _cut,
    _end_early,
    _move_lines,
    _move_lines,
    _change_value,
    _change_value,
    _change_value,
    _change_key,
    _share_id,
    _share_id,
)
