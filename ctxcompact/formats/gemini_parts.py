"""Parts of a Gemini content: text and thoughts, calls and their responses, pictures and files.

Read here wherever a content stands. Keys come in both spellings, as the API has them and as its
Python library dumps them. A part with a thought signature keeps its bytes: the API wants the
signature back as it was, beside what was signed.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from ctxcompact.core.measure import media_tokens
from ctxcompact.core.model import Block, Kind, Role
from ctxcompact.core.payloads import is_media, part_text
from ctxcompact.formats.content import below, sealed_tokens
from ctxcompact.formats.fields import dict_at, list_at, text_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

ROLES = {"user": Role.USER, "model": Role.ASSISTANT, "function": Role.USER}
_CALL = ("functionCall", "function_call")
_RESPONSE = ("functionResponse", "function_response")
_DATA = ("inlineData", "inline_data", "fileData", "file_data")
_SIGNATURE = ("thoughtSignature", "thought_signature")
_TYPE = ("mimeType", "mime_type")


class Calls:
    """Which call a response answers: the one of its id, else the first open one of its name."""

    def __init__(self) -> None:
        self._open: dict[str, str] = {}
        self._named: dict[str, deque[str]] = {}
        self._count = 0

    def turn(self) -> None:
        """Note that the model begins anew: earlier calls wait no longer."""
        self._open.clear()
        self._named.clear()

    def call(self, call_id: str, tool: str) -> str:
        """Note a call; return the id it goes by, made of its name and number if it has none."""
        self._count += 1
        call_id = call_id or f"{tool}#{self._count}"
        self._open[call_id] = tool
        self._named.setdefault(tool, deque()).append(call_id)
        return call_id

    def answer(self, call_id: str, tool: str) -> tuple[str, str]:
        """Return the id of the call answered and its tool; as told where no such call is open."""
        if call_id in self._open:
            return call_id, self._open.pop(call_id)
        named = self._named.get(tool, deque())
        while named:
            if (first := named.popleft()) in self._open:
                return first, self._open.pop(first)
        return call_id or tool, tool


def read_parts(
    gauge: Gauge, calls: Calls, record: int, path: Path, parts: Any
) -> tuple[Block, ...]:
    """Read the parts that stand at `path` of a record."""
    if not isinstance(parts, list):
        return () if parts is None else (gauge.opaque(record, path, parts),)
    return tuple(
        [
            block
            for n, part in enumerate(parts)
            for block in _part(gauge, calls, record, below(path, n), part)
        ]
    )


def _part(gauge: Gauge, calls: Calls, record: int, path: Path, part: Any) -> Iterator[Block]:
    if not isinstance(part, dict):
        yield gauge.opaque(record, path, part)
    elif key := _key(part, _CALL):
        block = _call(gauge, calls, record, below(path, key), part[key])
        yield block._replace(tokens=block.tokens + _sealed(part))
    elif key := _key(part, _RESPONSE):
        yield from _response(gauge, calls, record, below(path, key), part[key])
    elif key := _key(part, _DATA):
        yield _media(record, below(path, key), part[key])
    elif isinstance(part.get("text"), str):
        yield _text(gauge, record, path, part)
    else:
        yield gauge.opaque(record, path, part)


def _text(gauge: Gauge, record: int, path: Path, part: dict[str, Any]) -> Block:
    text, sealed = part["text"], _sealed(part)
    if part.get("thought") is True:
        block = gauge.thinking(record, path, text)
    else:
        block = gauge.text(record, below(path, "text"), text, fixed=sealed > 0)
    return block._replace(tokens=block.tokens + sealed) if sealed else block


def _call(gauge: Gauge, calls: Calls, record: int, path: Path, body: dict[str, Any]) -> Block:
    tool = text_at(body, "name")
    call_id = calls.call(text_at(body, "id"), tool)
    return gauge.call(record, path, call_id, tool, body.get("args") or "")


def _response(
    gauge: Gauge, calls: Calls, record: int, path: Path, body: dict[str, Any]
) -> Iterator[Block]:
    """Read a response, what is beside its text, and the pictures beside its object."""
    call_id, tool = calls.answer(text_at(body, "id"), text_at(body, "name"))
    steps, payload = payload_of(body.get("response"))
    block = gauge.result(record, below(path, "response", *steps), call_id, tool, payload)
    free = isinstance(payload, dict) and not gauge.is_protected_tool(tool) and not block.tag
    yield block._replace(fixed=False) if free else block
    for beside in _beside(gauge, record, path, body, steps):
        yield beside._replace(tool=tool or "unknown")


def _beside(
    gauge: Gauge, record: int, path: Path, body: dict[str, Any], steps: Path
) -> Iterator[Block]:
    said = dict_at(body, "response")
    if rest := {key: said[key] for key in said if steps and key not in steps}:
        yield gauge.opaque(record, below(path, "response"), rest)
    for n, part in enumerate(list_at(body, "parts")):
        place = below(path, "parts", n)
        key = _key(part, _DATA) if isinstance(part, dict) else ""
        yield _media(record, place, part[key]) if key else gauge.opaque(record, place, part)


def payload_of(response: Any) -> tuple[Path, Any]:
    """Return what a response says and where: its one text or list of parts, or the whole object.

    Numbers, truths and what is empty may stand beside that.
    """
    if isinstance(response, dict):
        told = [key for key, value in response.items() if value and isinstance(value, _TELLING)]
        key, *others = told or response or ("",)
        value = response.get(key)
        if not others and (isinstance(value, str) or _is_list(value)):
            return (key,), value
    return (), response


_TELLING = (str, list, dict)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_plain, value))


def _is_plain(part: Any) -> bool:
    return part_text(part) is not None or is_media(part)


def _media(record: int, path: Path, data: dict[str, Any]) -> Block:
    document = "pdf" in text_at(data, _key_of(data, _TYPE))
    tokens = media_tokens(len(text_at(data, "data")), document=document)
    return Block(Kind.MEDIA, record, path, 0, tokens, fixed=True, media=True)


def _sealed(part: dict[str, Any]) -> int:
    return sealed_tokens(len(text_at(part, _key_of(part, _SIGNATURE))))


def _key(part: dict[str, Any], names: tuple[str, ...]) -> str:
    """Return the name under which an object stands in a part, "" if none does."""
    return next((name for name in names if isinstance(part.get(name), dict)), "")


def _key_of(data: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((name for name in names if name in data), "")
