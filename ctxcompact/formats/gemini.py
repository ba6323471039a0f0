"""Gemini API contents: one `{"role", "parts"}` a line, or a whole request (`{"contents": […]}`) a line.

Files for tuning and for batches hold requests; each is a conversation of its own. The parts of a
content are read in `gemini_parts`. A legacy `function` role is a user's, as it is for the API.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.format import Format, Rules
from ctxcompact.core.model import Conversation, Message, Recorded, Role
from ctxcompact.formats.content import origin_of
from ctxcompact.formats.conversation_lines import ConversationReader, Listed, ReadMessage
from ctxcompact.formats.fields import dict_at, list_at, text_at
from ctxcompact.formats.gemini_parts import ROLES, Calls, read_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.blocks import Gauge
    from ctxcompact.core.splice import Path

RULES = Rules(results_from=Role.USER, user_first=True, calls_after_user=True, results_first=False)
_NAMES = {Role.USER: "user", Role.ASSISTANT: "model"}


def score(sample: Sequence[Any]) -> float:
    """Say how many records are contents, or requests that hold nothing else."""
    return sum(map(_is_own, sample)) / len(sample) if sample else 0.0


def _is_own(data: Any) -> bool:
    found = find(data)
    if found is None:
        return is_content(data) and "role" in data
    return bool(found.messages) and all(map(is_content, found.messages))


def is_content(data: Any) -> bool:
    """Tell whether this is a content; other APIs give their parts a `type`."""
    if not isinstance(data, dict) or not isinstance(data.get("parts"), list):
        return False
    known = data.get("role", "user") in ROLES if isinstance(data.get("role", ""), str) else False
    return known and all("type" not in part for part in data["parts"] if isinstance(part, dict))


def find(data: Any) -> Listed | None:
    """Return the contents of a request, None if there are none."""
    if not isinstance(data, dict):
        return None
    path: Path
    for path, holder in (((), data), (("request",), dict_at(data, "request"))):
        if isinstance(contents := holder.get("contents"), list):
            return Listed((*path, "contents"), contents, holder)
    return None


class Dialogue:
    """Reads the contents of one conversation, in order."""

    def __init__(self, gauge: Gauge) -> None:
        self._gauge = gauge
        self._calls = Calls()
        self._before = Role.USER

    def read(self, record: int, line: int, path: Path, data: Any) -> Message | None:
        """Read the content at `path` of a record; None for what is none."""
        role = ROLES.get(text_at(data, "role") or "user") if isinstance(data, dict) else None
        if role is None or "parts" not in data:
            return None
        if role is Role.ASSISTANT and self._before is not role:
            self._calls.turn()
        self._before = role
        gauge, parts = self._gauge, data["parts"]
        blocks = read_parts(gauge, self._calls, record, (*path, "parts"), parts)
        said = [text_at(part, "text") for part in list_at(data, "parts")[:1] if _is_dict(part)]
        origin = origin_of(role, blocks, "".join(said))
        return Message(role, origin, line, blocks, gauge.message_tokens, gauge.take_hit())


def _is_dict(part: Any) -> bool:
    return isinstance(part, dict)


class ContentsReader:
    """Reads one content a record, and requests as conversations of their own."""

    def __init__(self, gauge: Gauge) -> None:
        self._dialogue = Dialogue(gauge)
        self._requests = ConversationReader(gauge, find, _dialogue, _recorded)
        self._messages: list[Message] = []

    def feed(self, record: int, line: int, data: Any) -> None:
        """Take a record; anything but a content or a request is none of ours."""
        if find(data) is not None:
            self._requests.feed(record, line, data)
        elif isinstance(data, dict) and "role" in data:
            message = self._dialogue.read(record, line, (), data)
            if message is not None:
                self._messages.append(message)

    def finish(self) -> list[Conversation]:
        """Return the conversation of the file, and those of its requests."""
        found = self._requests.finish()
        return [Conversation(self._messages), *found] if self._messages or not found else found


def _dialogue(gauge: Gauge) -> ReadMessage:
    return Dialogue(gauge).read


def _recorded(data: Any, line: int) -> Recorded | None:
    """Return the prompt's size by the provider's own count, where a response is kept with it."""
    usage = dict_at(dict_at(data, "response"), "usageMetadata")
    tokens = usage.get("promptTokenCount")
    return Recorded(line, tokens) if isinstance(tokens, int) and tokens > 0 else None


def compose(role: Role, text: str, first: Any, last: Any, model: str) -> dict[str, Any]:
    """Make a content of one text."""
    del first, last, model
    return {"role": _NAMES[role], "parts": [{"text": text}]}


FORMAT = Format(
    name="gemini",
    recognised_by="role user or model and parts, or such contents on each line",
    score=score,
    reader=ContentsReader,
    rules=RULES,
    compose=compose,
    composed_path=("parts", 0, "text"),
    model="gemini",
)
