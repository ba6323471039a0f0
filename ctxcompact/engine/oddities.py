"""What is odd about a transcript: files that are none, and things that work but surprise."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ctxcompact.core.lines import loads
from ctxcompact.core.model import Conversation, Kind, Problem
from ctxcompact.errors import InputError, UnknownFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.engine.ports import Source

_SHOWN_BYTES = 40
_WHOLE_JSON_BYTES = 64 << 20


def refuse_whole_json(source: Source, held: list[tuple[int, int, Any]]) -> None:
    """Raise a clear error if the file is one JSON value instead of JSONL.

    Pretty-printed, or an array.
    """
    whole = held[0][2] if len(held) == 1 else None
    if whole is None and 0 < source.size <= _WHOLE_JSON_BYTES:
        try:
            whole = loads(source.read(0, source.size))
        except ValueError:
            return
    if not isinstance(whole, list | dict) or not whole:
        return
    if isinstance(whole, dict) and len(held) == 1:
        return  # a single record on a line is JSONL, of a kind that is not known
    what = f"a JSON array of {len(whole)} values" if isinstance(whole, list) else "one JSON object"
    step = "jq -c '.[]'" if isinstance(whole, list) else "jq -c ."
    message = f"the file is {what}, not JSONL: one value a line"
    hint = f"write one value a line first: {step} {json.dumps(source.name)} > transcript.jsonl"
    raise InputError(message, hint=hint, path=source.name, line=1)


def without_records(source: Source, lines: int) -> UnknownFormat:
    """Say what was seen where no line is JSON."""
    if not source.size:
        return UnknownFormat("the file is empty", hint="give a transcript", path=source.name)
    begin = source.read(0, min(source.size, _SHOWN_BYTES)).decode("utf-8", "replace")
    message = f"none of {lines} lines holds JSON; the file begins with {begin!r}"
    return UnknownFormat(
        message, hint="a transcript is JSONL: one JSON object a line", path=source.name
    )


def reused_ids(conversation: Conversation) -> Iterator[Problem]:
    """Warn of calls whose id an earlier call has: results go to the nearest open one."""
    seen: set[str] = set()
    for message in conversation.messages:
        for block in message.blocks:
            if block.kind is Kind.CALL and block.call_id:
                if block.call_id in seen:
                    text = f"the call id {block.call_id[:60]!r} is used again"
                    yield Problem(message.line, "reused_id", text)
                seen.add(block.call_id)
