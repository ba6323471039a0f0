"""The events of a Codex rollout, which make its screen: what they repeat of the conversation.

No event reaches the model. Results and words stand in them a second time, and a third; sizes of the
context are told, which the client reads at its next start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.formats.fields import dict_at, list_at, text_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.splice import Path

SIZES = ("input_tokens", "cached_input_tokens", "cache_write_input_tokens", "total_tokens")
"""The sizes of the newest prompt; what the answer cost is told beside them."""

_EVENT: Path = ("payload",)
_ITEM: Path = ("payload", "item")
_USAGE: Path = ("payload", "info", "last_token_usage")
_STREAMS = ("stdout", "stderr", "aggregated_output", "formatted_output")
_HOLDERS = ("result", "content_items", "agent_statuses", "statuses", "status")
_SAID_KEYS = frozenset({"text", "completed"})
_LONG_CHARS = 200
_WORDS = {
    "user_message": "message",
    "agent_message": "message",
    "task_complete": "last_agent_message",
}
_SPOKEN_ITEMS = frozenset({"UserMessage", "AgentMessage"})


class Repeated(NamedTuple):
    """Where an event repeats something: the result of a call, or else a text."""

    call_id: str
    text: str
    path: Path


def repeated(event: dict[str, Any]) -> Iterator[Repeated]:
    """Yield what an event repeats. Whether a text is anybody's words is for the caller to find out."""
    kind, item = text_at(event, "type"), dict_at(event, "item")
    if kind == "item_completed" and text_at(item, "type") in _SPOKEN_ITEMS:
        yield from _parts(item)
    elif kind == "item_completed":
        yield from _results(text_at(item, "id"), _ITEM, item)
    elif kind in _WORDS:
        yield from _words(event, _WORDS[kind])
    else:
        yield from _results(text_at(event, "call_id"), _EVENT, event)


def _words(event: dict[str, Any], key: str) -> Iterator[Repeated]:
    """Yield the text of an event, unless something points into it."""
    if text_at(event, key) and not event.get("text_elements"):
        yield Repeated("", text_at(event, key), (*_EVENT, key))


def _parts(item: dict[str, Any]) -> Iterator[Repeated]:
    for n, part in enumerate(list_at(item, "content")):
        if isinstance(part, dict):
            for _, text, path in _words(part, "text"):
                yield Repeated("", text, (*_ITEM, "content", n, path[-1]))


def _results(call_id: str, path: Path, holder: dict[str, Any]) -> Iterator[Repeated]:
    if not call_id:
        return
    for key in _STREAMS:
        if text_at(holder, key):
            yield Repeated(call_id, "", (*path, key))
    for key in _HOLDERS:
        if isinstance(holder.get(key), dict | list):
            for place in _leaves((*path, key), holder[key]):
                yield Repeated(call_id, "", place)


def _leaves(path: Path, value: Any) -> Iterator[Path]:
    """Yield where texts stand inside a value; short ones under other keys steer the screen."""
    stack = [(path, value)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, dict):
            stack.extend(((*path, key), item) for key, item in value.items())
        elif isinstance(value, list):
            stack.extend(((*path, n), item) for n, item in enumerate(value))
        elif isinstance(value, str) and len(value) > (path[-1] not in _SAID_KEYS) * _LONG_CHARS:
            yield path


def sizes(event: dict[str, Any]) -> list[tuple[Path, int]]:
    """Return the sizes of the context that a count tells, by their addresses; none if it tells none."""
    usage = dict_at(dict_at(event, "info"), "last_token_usage")
    return [
        ((*_USAGE, key), usage[key])
        for key in SIZES
        if isinstance(usage.get(key), int) and usage[key] > 0
    ]
