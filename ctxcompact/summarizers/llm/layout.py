"""How a window is shared between rules, data and answer. Sizes are tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.counts import counted
from ctxcompact.summarizers.llm import requests
from ctxcompact.summarizers.llm.chunks import clip
from ctxcompact.summarizers.llm.wording import fill, read

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ctxcompact.summarizers.llm.provider import Limits
    from ctxcompact.summarizers.llm.records import Record
    from ctxcompact.summarizers.llm.requests import Request

# Counts are made with a tokenizer that need not be the model's own.
_USED_OF_WINDOW = 0.85
_USED_AGAIN = 0.95
# A model hits a size only roughly: less is asked for than is allowed.
_ASKED_OF_LIMIT = 0.8
# A model that reasons spends most of its output on that.
_ANSWER_SPARE_TOKENS = 2000
_ANSWER_OF_WINDOW = 4
_MORE_ROOM = 4
_CONTEXT_OF_ROOM = 8
_CONTEXT_TOKENS_MIN = 64
_ROOM_TOKENS_MIN = 256
_FRAMING_TOKENS = 16
_ASCII_PER_TOKEN = 4
_OTHERS_PER_TOKEN = 1.25


class TooSmall(Exception):  # noqa: N818 - reads as what happened
    """The window has no room for data; `needed_tokens` would do."""

    def __init__(self, needed_tokens: int) -> None:
        super().__init__(f"needed: {counted(needed_tokens, 'token')}")
        self.needed_tokens = needed_tokens


class Layout(NamedTuple):
    """Room for the records of one request, and for its answer.

    `asked` is the size to name in it. `context` are the records that go into every request, cut to
    fit.
    """

    asked: int
    answer_room: int
    room: int
    context: tuple[Record, ...]


def lay_out(
    prompt: str,
    context: Sequence[Record],
    limit_tokens: int,
    limits: Limits,
    count: Callable[[str], int],
) -> Layout:
    """Share a window for a text of at most `limit_tokens`. Raises `TooSmall`."""
    asked = max(1, int(min(limit_tokens, limits.output_tokens) * _ASKED_OF_LIMIT))
    answer_room = _answer_room(asked, limits)
    used = _rules_size(prompt, asked, count) + answer_room
    room = int(limits.window_tokens * _USED_OF_WINDOW) - used
    each = max(_CONTEXT_TOKENS_MIN, room // _CONTEXT_OF_ROOM)
    fitting = tuple(clip(one, each, lambda record: cost_of(record, count)) for one in context)
    room -= sum(cost_of(one, count) for one in fitting)
    if room < _ROOM_TOKENS_MIN:
        # A quarter of what is added goes to the answer.
        missing = (_ROOM_TOKENS_MIN - room) / (_USED_OF_WINDOW - 1 / _ANSWER_OF_WINDOW)
        raise TooSmall(limits.window_tokens + int(missing) + 1)
    return Layout(asked, answer_room, room, fitting)


def more_room(room: int, request_tokens: int, limits: Limits) -> int:
    """Return the answer room for another try, when an answer was cut."""
    left = int(limits.window_tokens * _USED_AGAIN) - request_tokens
    return max(room, min(_MORE_ROOM * room, limits.output_tokens, left))


def cost_of(record: Record, count: Callable[[str], int]) -> int:
    """Return what a record takes in a request."""
    return tokens_of(requests.written(record), count)


def size_of(request: Request, count: Callable[[str], int]) -> int:
    """Return what a request takes, without its answer."""
    texts = (message["content"] for message in request.messages)
    return sum(tokens_of(text, count) for text in texts) + _FRAMING_TOKENS


def tokens_of(text: str, count: Callable[[str], int]) -> int:
    """Count by the given counter, but no less than any tokenizer makes of such a text."""
    ascii_chars = len(text.encode("ascii", "ignore"))
    rough = ascii_chars / _ASCII_PER_TOKEN + (len(text) - ascii_chars) / _OTHERS_PER_TOKEN
    return max(count(text), int(rough))


def _answer_room(asked: int, limits: Limits) -> int:
    wanted = 2 * asked + _ANSWER_SPARE_TOKENS
    return max(1, min(wanted, limits.output_tokens, limits.window_tokens // _ANSWER_OF_WINDOW))


def _rules_size(prompt: str, asked: int, count: Callable[[str], int]) -> int:
    """Return what a request takes without data, at its longest: with notes, and asked once more."""
    note = max(read("part"), read("merge"), key=len)
    values = {"part": "100", "parts": "100", "fault": "wrote 10000 tokens where 1000 were wanted"}
    wish = requests.Wish(prompt, asked, 1_000_000, (fill(note, values),))
    return size_of(requests.make((), wish, fill(read("again"), values)), count)
