"""What a model sent back, put together from the events of a stream or from one whole reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

FINISHED = "stop"
CUT = "length"


class Answer(NamedTuple):
    """A reply as far as it matters here. `finish` is the provider's word in OpenAI's spelling.

    `usage` is litellm's record of tokens, None where the provider does not tell.
    """

    text: str
    finish: str
    called_tool: bool = False
    reasoned: bool = False
    usage: Any = None

    @property
    def is_void(self) -> bool:
        """Tell whether nothing whatever came: so looks a stream that was none."""
        told = self.text or self.called_tool or self.reasoned or self.usage
        return self.finish == FINISHED and not told


def gather(events: Iterable[Any], max_chars: int) -> Answer:
    """Put an answer together; one of more than `max_chars` is not read on, and counts as cut."""
    texts: list[str] = []
    finish, called_tool, reasoned, usage = "", False, False, None
    for event in events:
        usage = getattr(event, "usage", None) or usage
        for choice in event.choices[:1]:
            said = getattr(choice, "delta", None) or getattr(choice, "message", None)
            texts.append(getattr(said, "content", None) or "")
            called_tool = called_tool or _has_call(said)
            reasoned = reasoned or bool(getattr(said, "reasoning_content", None))
            finish = choice.finish_reason or finish
        max_chars -= len(texts[-1]) if texts else 0
        if max_chars < 0:
            finish = CUT
            break
    return Answer("".join(texts), finish, called_tool, reasoned, usage)


def _has_call(said: Any) -> bool:
    return bool(getattr(said, "tool_calls", None) or getattr(said, "function_call", None))
