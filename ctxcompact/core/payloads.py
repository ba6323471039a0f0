"""The shapes of payloads that message formats share: a string, a list of parts, an object.

What a part (`{"type": "text", "text": …}`) says, what a picture costs, and the same shape saying something else.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import orjson

from ctxcompact.core.measure import media_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

_MEDIA_PARTS = frozenset(
    "image image_url input_image document file input_file input_audio audio video data".split()
)
_TEXT_PARTS = frozenset("text input_text output_text".split())
# Base64 of some length, bare or in a URL: a picture, a signature.
_is_data = re.compile(r"(?:data:[^\s,]*,)?[A-Za-z0-9+/_-]{2000,}=*").fullmatch
# Where OpenAI's Responses API has these, its text parts are "input_text" too.
_INPUT_PARTS = frozenset("input_image input_file".split())


def part_text(part: Any) -> str | None:
    """Return the text of a text part, or None.

    It is spelled "text", or "value" as fine-tuning files do.
    """
    if isinstance(part, str):
        return part
    if isinstance(part, dict) and _kind(part) in _TEXT_PARTS:
        text = part.get("text", part.get("value"))
        return text if isinstance(text, str) else None
    return None


def text_of(payload: Any) -> str:
    """Return the text of a payload: its parts joined by newlines, an object as JSON."""
    if isinstance(payload, str):
        return payload
    if isinstance(payload, dict):
        return dump(payload)
    if not isinstance(payload, list):
        return ""
    return "\n".join(text for text in map(part_text, payload) if text is not None)


def strings(value: Any) -> Iterator[str]:
    """Yield the texts in a value, in order, to look through them: its strings and numbers.

    The names of fields are left out (a key that is no identifier is a text), so is base64.
    """
    stack = [value]
    while stack:
        top = stack.pop()
        if isinstance(top, str):
            if not _is_data(top):
                yield top
        elif isinstance(top, dict):
            stack += reversed(list(_inside(top)))
        elif isinstance(top, list):
            stack += reversed(top)
        elif isinstance(top, int | float) and not isinstance(top, bool):
            yield str(top)


def _inside(value: dict[str, Any]) -> Iterator[Any]:
    is_text = part_text(value) is not None
    for key, inside in value.items():
        if not key.isidentifier():
            yield key
        if not (is_text and key == "type"):
            yield inside


def with_text(payload: Any, text: str, *, keep_media: bool) -> Any:
    """Return a payload of the same shape that says `text`.

    A string stays a string, a list keeps its first text part's own fields (and its media, if
    asked), an object says it as its `output`, as Gemini asks of tools.
    """
    if isinstance(payload, dict):
        return {"output": text}
    if not isinstance(payload, list):
        return text
    first = next((part for part in payload if isinstance(part, dict) and _has_text(part)), None)
    is_input = any(isinstance(part, dict) and _kind(part) in _INPUT_PARTS for part in payload)
    said: Any = {"type": "input_text" if is_input else "text", "text": text}
    if first is not None:
        said = {**first, "text" if "text" in first else "value": text}
    return [said, *(part for part in payload if keep_media and is_media(part))]


def _has_text(part: dict[str, Any]) -> bool:
    return part_text(part) is not None


def is_media(part: Any) -> bool:
    """Tell whether a part is a picture, a document or sound."""
    return isinstance(part, dict) and _kind(part) in _MEDIA_PARTS


def _kind(part: dict[str, Any]) -> str:
    kind = part.get("type")
    return kind if isinstance(kind, str) else ""


def part_media_tokens(part: dict[str, Any]) -> int:
    """Estimate the tokens of a picture or document by the size of its data."""
    return media_tokens(_data_chars(part), document=_kind(part) in {"document", "file"})


def _data_chars(part: Any) -> int:
    """Find the longest string inside a part: its base64 text, wherever the provider puts it."""
    longest, stack = 0, [part]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            longest = max(longest, len(value))
        elif isinstance(value, dict):
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)
    return longest if longest > _URL_CHARS_MAX else 0


_URL_CHARS_MAX = 2000


def dump(value: Any) -> str:
    """Write a value as compact JSON text, for counting only.

    What is nested too deep counts by its leaves.
    """
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # lone surrogates, large numbers, or more than 254 levels
        pass
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return " ".join(_leaves(value))


def _leaves(value: Any) -> Iterator[str]:
    stack = [value]
    while stack:
        top = stack.pop()
        if isinstance(top, dict):
            stack += [*top.values(), *top]
        elif isinstance(top, list):
            stack += top
        else:
            yield str(top)
