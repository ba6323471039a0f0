"""The tools by which an agent looks back into its session, and asks for room.

Their descriptions for each API, a paragraph for the system prompt, and what a call of them gives.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ctxcompact.core.excerpts import Part
from ctxcompact.core.tags import RELOAD_TOOL
from ctxcompact.engine.layers import COMPACT_TOOL
from ctxcompact.errors import CtxCompactError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ctxcompact.session import Session

DIALECTS = ("anthropic", "openai-chat", "openai-responses", "mcp")
"""The ways in which APIs want tools described."""

PROMPT = """\
Parts of this conversation may have been moved out to save room. In their place stands a preview or \
a summary that ends in a mark, <context_offload uuid="..."/>. Nothing behind a mark is lost: call \
context_offload with its uuid to read the original before you rely on a detail that is not there, \
and ask for a part of it (query, first and last, head, tail) where it may be long. Marks are put \
in by the system: do not write any yourself, and do not mention them. When a large piece of work is \
finished, or room becomes scarce, call compact and say in focus what has to be kept."""
"""What a model has to know of marks and tools."""

_MOST_TOKENS = 4000
_HINT = "call again as the tool's schema says"
_COUNT = {"type": "integer", "minimum": 1}
_RELOAD = """\
Read the original of a part of this conversation that was moved out, by the uuid of its mark: all of \
it, or the lines asked for; line numbers count from 1."""
_TOOLS: tuple[tuple[str, str, dict[str, Any], list[str]], ...] = (
    (
        RELOAD_TOOL,
        _RELOAD,
        {
            "uuid": {"type": "string", "description": "The uuid of a context_offload mark."},
            "query": {"type": "string", "description": "Only lines around those with this text."},
            "first": {**_COUNT, "description": "Only lines from this number on."},
            "last": {**_COUNT, "description": "Only lines up to this number."},
            "head": {**_COUNT, "description": "Only so many lines from the beginning."},
            "tail": {**_COUNT, "description": "Only so many lines from the end."},
            "max_tokens": {
                **_COUNT,
                "description": f"At most so much; {_MOST_TOKENS} if not said.",
            },
        },
        ["uuid"],
    ),
    (
        COMPACT_TOOL,
        "Sum up the conversation so far to make room. The originals are kept.",
        {"focus": {"type": "string", "description": "What the summary has to keep."}},
        [],
    ),
)


def definitions(dialect: str) -> list[dict[str, Any]]:
    """Return the descriptions of the tools as one of `DIALECTS` wants them. Raises `UsageError`."""
    if dialect not in DIALECTS:
        hint = f"one of {', '.join(DIALECTS)}"
        raise UsageError(f"no API is called {dialect!r}", hint=hint)
    return [_described(dialect, *tool) for tool in _TOOLS]


def _described(
    dialect: str, name: str, description: str, properties: dict[str, Any], required: list[str]
) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": required}
    told = {"name": name, "description": description}
    if dialect == "anthropic":
        return {**told, "input_schema": schema}
    if dialect == "mcp":
        return {**told, "inputSchema": schema}
    function = {**told, "parameters": schema}
    if dialect == "openai-chat":
        return {"type": "function", "function": function}
    return {"type": "function", **function, "strict": False}


def call(session: Session, name: str, arguments: Mapping[str, Any] | str) -> str:
    """Do what a model asks for, and return the result to give it.

    `arguments` are an object, or its JSON as OpenAI gives it. What a model does wrong (no such id,
    no JSON) is told to it as the result. Raises `UsageError` for a tool that is none of ours.
    """
    if name not in (RELOAD_TOOL, COMPACT_TOOL):
        raise UsageError(f"{name!r} is no tool of ctxcompact", hint="call your own tools yourself")
    try:
        given = _object(arguments)
        if name == COMPACT_TOOL:
            session.request_compaction(_text(given, "focus"))
            return "The conversation will be summed up before your next turn."
        most = _number(given, "max_tokens") or _MOST_TOKENS
        return session.reload_text(_text(given, "uuid"), _part(given), most)
    except CtxCompactError as error:
        return f"error: {error}" + (f" ({error.hint})" if error.hint else "")


def _object(arguments: Mapping[str, Any] | str) -> Mapping[str, Any]:
    try:
        given = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
    except ValueError as error:
        raise UsageError(f"the arguments are no JSON: {error}", hint=_HINT) from error
    if not isinstance(given, dict):
        raise UsageError("the arguments are no object", hint=_HINT)
    return given


def _part(given: Mapping[str, Any]) -> Part:
    numbers = {name: _number(given, name) for name in ("first", "last", "head", "tail")}
    return Part(_text(given, "query"), **numbers)


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise UsageError(f"{name} is no text", hint=_HINT)
    return value or ""


def _number(given: Mapping[str, Any], name: str) -> int | None:
    value = given.get(name)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
        return value
    raise UsageError(f"{name} is no number above 0", hint=_HINT)
