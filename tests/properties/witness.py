"""What changed between two files, found out by the standard library and a parser of our own.

Nothing of the package is used here, so that a fault in it cannot hide itself.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = re.compile(r"[ \t\r\n]*")
_WORD = re.compile(r"-?[0-9][0-9.eE+-]*|true|false|null|NaN|-?Infinity")
_TAG = re.compile(r'<context_offload uuid="([0-9a-f-]{36})"/>\Z')
BESIDE = frozenset({"api-request-blob", "event_msg"})
_SHOWN = ("toolUseResult", "/details/", "/artifact", "resultDisplay")
_PLACEHOLDER = re.compile(r"\[Previous: used [^\n]*\]")


@dataclass
class Node:
    """A JSON value: where it stands in the text, and what is in it by key, repeats included."""

    start: int
    stop: int
    value: Any = None
    members: list[tuple[Any, Node]] = field(default_factory=list)

    def get(self, key: Any) -> Any:
        """Return the plain value of the last member of this key."""
        found = [node.value for name, node in self.members if name == key]
        return found[-1] if found else None


class Change(NamedTuple):
    """A value that is not what it was: its line (from 1), its address, before and after.

    `record` is the bytes of the record that held it before.
    """

    line: int
    path: str
    before: Any
    after: Any
    record: bytes

    @property
    def uuid(self) -> str:
        """The id of the mark that the new text ends in, or ""."""
        found = _TAG.search(text_in(self.after))
        return found[1] if found else ""

    @property
    def is_copy(self) -> bool:
        """Whether the client keeps it beside the conversation: for its screen, or in a journal."""
        is_shown = any(key in self.path for key in _SHOWN)
        is_again = self.path.startswith("/content/") and "functionResponse" in self.path
        return is_shown or is_again or _kind(self.record) in BESIDE

    @property
    def is_placeholder(self) -> bool:
        """Whether the new text is what micro leaves without a mark."""
        return _PLACEHOLDER.fullmatch(text_in(self.after)) is not None


def _kind(record: bytes) -> Any:
    return parse(record.decode("utf-8", "surrogateescape")).get("type")


def text_in(value: Any) -> str:
    """Join the texts of a payload by newlines; an object says what is its `output`."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return text_in(value.get("output"))
    parts = value if isinstance(value, list) else []
    return "\n".join(part["text"] for part in parts if isinstance(part, dict) and "text" in part)


def parse(text: str, at: int = 0) -> Node:
    """Parse the value at a place; ValueError for what is none."""
    at = _skip(text, at)
    opening = text[at : at + 1]
    if opening == '"':
        value, stop = scanstring(text, at + 1, False)  # noqa: FBT003 - its only spelling
        return Node(at, stop, value)
    if opening in {"{", "["}:
        return _container(text, at, opening == "{")
    word = _WORD.match(text, at)
    if word is None:
        raise ValueError(at)
    return Node(at, word.end(), word[0])


def _container(text: str, at: int, is_object: bool) -> Node:  # noqa: FBT001
    node = Node(at, at, {} if is_object else [])
    close = "}" if is_object else "]"
    at = _skip(text, at + 1)
    while text[at : at + 1] != close:
        if node.members:
            at = _skip(text, _expect(text, at, ","))
        key: Any = len(node.members)
        if is_object:
            label = parse(text, at)
            key, at = label.value, _expect(text, _skip(text, label.stop), ":")
        item = parse(text, at)
        node.members.append((key, item))
        at = _skip(text, item.stop)
    node.stop = at + 1
    values = [(key, item.value) for key, item in node.members]
    node.value = dict(values) if is_object else [value for _, value in values]
    return node


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _expect(text: str, at: int, mark: str) -> int:
    if text[at : at + 1] != mark:
        raise ValueError(at)
    return at + 1


def records(line: bytes) -> list[tuple[bytes, Node, str]]:
    """Return the JSON values of a line, one after the other, until something else stands there."""
    text = line.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    at, found = _skip(text, 0), []
    while at < len(text):
        try:
            node = parse(text, at)
        except ValueError:
            break
        piece = text[at : node.stop]
        found.append((piece.encode("utf-8", "surrogateescape"), parse(piece), piece))
        at = _skip(text, node.stop)
    return found


def compare(before: bytes, after: bytes) -> list[Change]:
    """List the values that changed; all other bytes of both files have to be the same."""
    old_lines, new_lines = lines_of(before), lines_of(after)
    assert len(old_lines) == len(new_lines), "lines came or went"
    found: list[Change] = []
    for number, (old, new) in enumerate(zip(old_lines, new_lines, strict=True), 1):
        if old != new:
            found += _compare_line(number, old, new)
    return found


def lines_of(data: bytes) -> list[bytes]:
    rows = data.split(b"\n")
    return rows if rows[-1] else rows[:-1]


def _compare_line(number: int, old: bytes, new: bytes) -> Iterator[Change]:
    before, after = records(old), records(new)
    assert len(before) == len(after), f"line {number}: records came or went"
    rest_before, rest_after = old, new
    for (raw, node, text), (new_raw, new_node, new_text) in zip(before, after, strict=True):
        pairs = list(_differences("", node, new_node, text, new_text))
        here = f"line {number}: bytes changed beside the values"
        assert _outside(text, [x.start for _, x, _ in pairs], [x.stop for _, x, _ in pairs]) == (
            _outside(new_text, [x.start for _, _, x in pairs], [x.stop for _, _, x in pairs])
        ), here
        rest_before = rest_before.replace(raw, b"", 1)
        rest_after = rest_after.replace(new_raw, b"", 1)
        for path, one, other in pairs:
            yield Change(number, path, one.value, other.value, raw)
    assert rest_before == rest_after, f"line {number}: bytes changed beside the records"


def _outside(text: str, starts: list[int], stops: list[int]) -> list[str]:
    return [text[a:b] for a, b in zip([0, *stops], [*starts, len(text)], strict=True)]


def _differences(
    path: str, old: Node, new: Node, text: str, new_text: str, *, whole: bool = False
) -> Iterator[tuple[str, Node, Node]]:
    """Yield the outermost values that differ; the payload of a result is one value."""
    if text[old.start : old.stop] == new_text[new.start : new.stop]:
        return
    keys = [key for key, _ in old.members]
    if whole or not keys or keys != [key for key, _ in new.members]:
        yield path, old, new
        return
    kinds = {old.get(key) for key in ("type", "role", "from")}
    is_result = not kinds.isdisjoint(_RESULTS) or path.endswith("/functionResponse/response")
    for (key, one), (_, other) in zip(old.members, new.members, strict=True):
        payload = is_result and key in {"content", "output", "value"}
        yield from _differences(f"{path}/{key}", one, other, text, new_text, whole=payload)


_RESULTS = ("tool_result", "tool", "toolResult", "function_call_output", "observation")


def pretty(change: Change) -> str:
    """Show a change in a failing test."""
    return json.dumps([change.line, change.path, change.before, change.after])[:2000]
