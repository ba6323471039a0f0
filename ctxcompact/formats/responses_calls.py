"""Calls and outputs among the items of OpenAI's Responses API, and what the provider ran itself.

Most pair by `call_id`. A hosted tool's item holds call and result at once. Outputs that are no plain
text (a screenshot, loaded tools, a program's own result) keep their bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.model import Block, Kind
from ctxcompact.core.pairs import Pairs
from ctxcompact.core.payloads import part_media_tokens
from ctxcompact.formats.content import below
from ctxcompact.formats.fields import list_at, text_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

# By kind: what the tool is called where the item has no name, and where the arguments stand.
CALLS = {
    "function_call": ("function", "arguments"),
    "custom_tool_call": ("custom", "input"),
    "local_shell_call": ("local_shell", "action"),
    "shell_call": ("shell", "action"),
    "apply_patch_call": ("apply_patch", "operation"),
    "computer_call": ("computer", "action"),
    "tool_search_call": ("tool_search", "arguments"),
    "program": ("program", "code"),
    "mcp_approval_request": ("mcp", "arguments"),
}
# By kind: the tool that is meant where no id says so, and where the payload stands.
OUTPUTS = {
    "function_call_output": ("function", "output"),
    "custom_tool_call_output": ("custom", "output"),
    "local_shell_call_output": ("local_shell", "output"),
    "shell_call_output": ("shell", "output"),
    "apply_patch_call_output": ("apply_patch", "output"),
    "computer_call_output": ("computer", "output"),
    "tool_search_output": ("tool_search", "tools"),
    "program_output": ("program", "result"),
    "mcp_approval_response": ("mcp", "approve"),
}
HOSTED = frozenset(
    """
    mcp_call code_interpreter_call web_search_call file_search_call image_generation_call
    """.split()
)
_KEPT = frozenset({"tool_search_output", "program_output", "mcp_approval_response"})
# Clients have written these as an object around the payload.
_WRAPPED = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output"})
_INNER = ("content", "output", "text")
_OTHER_IDS = {"local_shell_call_output": "id", "mcp_approval_response": "approval_request_id"}
_STREAMS = ("stdout", "stderr")


class Calls:
    """Which call an output answers.

    By `call_id`; a tool the provider searches for itself has none, and goes by its kind.
    """

    def __init__(self) -> None:
        self._pairs = Pairs()

    def call(self, kind: str, data: dict[str, Any]) -> tuple[str, str]:
        """Note a call; return the id it goes by, and its tool."""
        usual = CALLS[kind][0]
        own = text_at(data, "id") if kind == "mcp_approval_request" else ""
        call_id = own or text_at(data, "call_id") or usual
        return call_id, self._pairs.call(call_id, text_at(data, "name") or usual)

    def answer(self, kind: str, data: dict[str, Any]) -> tuple[str, str]:
        """Return the id of the call answered and its tool, "" if no such call is open."""
        other = text_at(data, _OTHER_IDS.get(kind, ""))
        return self._pairs.pair(text_at(data, "call_id") or other or OUTPUTS[kind][0])


def call(gauge: Gauge, calls: Calls, record: int, path: Path, data: dict[str, Any]) -> Block:
    """Read a call that waits for its output."""
    kind = data["type"]
    call_id, tool = calls.call(kind, data)
    arguments = data.get(CALLS[kind][1]) or data.get("actions") or ""
    return gauge.call(record, path, call_id, tool, arguments)


def output(
    gauge: Gauge, calls: Calls, record: int, path: Path, data: dict[str, Any]
) -> tuple[Block, ...]:
    """Read the output of a call."""
    kind = data["type"]
    call_id, tool = calls.answer(kind, data)
    key = OUTPUTS[kind][1]
    payload, place = data.get(key), below(path, key)
    if isinstance(payload, list) and kind == "shell_call_output" and (found := _longest(payload)):
        n, stream = found
        text = payload[n][stream]
        block = gauge.result(record, below(place, n, stream), call_id, tool, text)
        return block, gauge.opaque(record, place, _without(payload, n, stream))
    if isinstance(payload, dict) and kind in _WRAPPED and (inner := _inner(payload)):
        block = gauge.result(record, below(place, inner), call_id, tool, payload[inner])
        rest = {key: value for key, value in payload.items() if key != inner}
        return block, gauge.opaque(record, place, rest)
    if kind == "computer_call_output" and isinstance(payload, dict):
        tokens = part_media_tokens(payload) + gauge.counter.result_tokens
        shot = Block(Kind.RESULT, record, place, 0, tokens, call_id, tool, fixed=True, media=True)
        return (shot,)
    block = gauge.result(record, place, call_id, tool, payload)
    return (block._replace(fixed=True) if kind in _KEPT else block,)


def hosted(gauge: Gauge, record: int, path: Path, data: dict[str, Any]) -> Iterator[Block]:
    """Read an item of a tool that the provider runs, with its result where that is in it."""
    kind = data["type"]
    call_id, tool = text_at(data, "id"), text_at(data, "name") or kind.removesuffix("_call")
    if kind == "mcp_call" and text_at(data, "output"):
        yield gauge.call(record, path, call_id, tool, data.get("arguments") or "")
        yield gauge.result(record, below(path, "output"), call_id, tool, data["output"])
    elif kind == "code_interpreter_call" and list_at(data, "outputs"):
        yield gauge.call(record, path, call_id, tool, data.get("code") or "")
        block = gauge.result(record, below(path, "outputs"), call_id, tool, data["outputs"])
        yield block._replace(fixed=True)
    elif kind == "image_generation_call" and text_at(data, "result"):
        yield gauge.media(record, path, data)
    else:
        yield gauge.opaque(record, path, data)


def _inner(payload: dict[str, Any]) -> str:
    """Return the key under which an object that is an output holds the payload, "" if it does not."""
    return next((key for key in _INNER if isinstance(payload.get(key), str | list)), "")


def _longest(payload: list[Any]) -> tuple[int, str] | None:
    """Find the longest text that commands wrote: it may be edited, the others keep their bytes."""
    sizes = [
        (len(text_at(chunk, stream)), n, stream)
        for n, chunk in enumerate(payload)
        if isinstance(chunk, dict)
        for stream in _STREAMS
        if text_at(chunk, stream)
    ]
    return max(sizes)[1:] if sizes else None


def _without(payload: list[Any], n: int, stream: str) -> list[Any]:
    rest = {key: value for key, value in payload[n].items() if key != stream}
    return [*payload[:n], rest, *payload[n + 1 :]]
