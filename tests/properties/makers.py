"""A talk as the records of each format."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import strategies as st

from tests.properties.spelling import Style, styles, write
from tests.properties.talks import Call, Payload, Round, Step, Talk, talks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PICTURE = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="},
}
IMAGE_URL = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}


class Transcript(NamedTuple):
    """The bytes of a file, its format, the words that must stay, and those no edit may take out.

    `guarded` are the results of protected tools.
    """

    data: bytes
    format: str
    kept: tuple[str, ...]
    bound: tuple[str, ...]
    guarded: tuple[str, ...]
    style: Style


def anthropic(talk: Talk) -> list[Any]:
    """Write a message a line; results and a person's words may share one."""
    rows: list[Any] = [{"role": "system", "content": talk.system}] if talk.system else []
    for turn in talk.rounds:
        if turn.human:
            _say(rows, _human(turn, PICTURE))
        for step in turn.steps:
            rows.append({"role": "assistant", "content": _said(step)})
            if results := [_result(call) for call in step.calls if call.result]:
                rows.append({"role": "user", "content": results})
        if turn.answer:
            rows.append({"role": "assistant", "content": turn.answer})
    return rows


def _say(rows: list[Any], content: Any) -> None:
    before = rows[-1] if rows else {}
    if before.get("role") == "user" and isinstance(before["content"], list):
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        before["content"] = [*before["content"], *parts]
    else:
        rows.append({"role": "user", "content": content})


def _human(turn: Round, picture: Any) -> Any:
    if not turn.with_picture:
        return turn.human
    return [picture, {"type": "text", "text": turn.human}]


def _said(step: Step) -> list[Any]:
    parts: list[Any] = []
    if step.thought:
        parts.append({"type": "thinking", "thinking": step.thought, "signature": "c2ln" * 20})
    if step.said:
        parts.append({"type": "text", "text": step.said})
    return parts + [
        {"type": "tool_use", "id": call.id, "name": call.tool, "input": {"what": call.argument}}
        for call in step.calls
        if not call.is_orphan
    ]


def _result(call: Call) -> Any:
    assert call.result
    content = payload(call.result, PICTURE)
    return {"type": "tool_result", "tool_use_id": call.id, "content": content}


def payload(found: Payload, picture: Any) -> Any:
    """Write a result in its shape."""
    text = {"type": "text", "text": found.text}
    match found.shape:
        case "list":
            return [text]
        case "two":
            return [{**text, "cache_control": {"type": "ephemeral"}}, {"type": "text", "text": "."}]
        case "picture":
            return [text, picture]
        case "odd":
            return [text, {"type": "tool_reference", "tool_name": "Grep"}]
        case _:
            return found.text


def openai_chat(talk: Talk) -> list[Any]:
    """Write a message a line, each result a message of its own."""
    rows: list[Any] = [{"role": "developer", "content": talk.system}] if talk.system else []
    for turn in talk.rounds:
        if turn.human:
            rows.append({"role": "user", "content": _human(turn, IMAGE_URL)})
        for step in turn.steps:
            rows.append(_chat_step(step))
            rows += [_chat_result(call) for call in step.calls if call.result]
        if turn.answer:
            rows.append({"role": "assistant", "content": turn.answer})
    return rows


def _chat_step(step: Step) -> dict[str, Any]:
    row: dict[str, Any] = {"role": "assistant", "content": step.said or None}
    if step.thought:
        row["reasoning_content"] = step.thought
    calls = [call for call in step.calls if not call.is_orphan]
    row["tool_calls"] = [
        {"id": x.id, "type": "function", "function": {"name": x.tool, "arguments": x.argument}}
        for x in calls
    ]
    return row


def _chat_result(call: Call) -> dict[str, Any]:
    assert call.result
    content = payload(call.result, IMAGE_URL)
    return {"role": "tool", "tool_call_id": call.id, "content": content}


def claude_code(talk: Talk) -> list[Any]:
    """Write a block a line; a result hangs on its call, the next message on the last result."""
    return list(ClaudeLines().lines(talk))


class ClaudeLines:
    """Writes a session; asked again, it goes on where it stopped."""

    def __init__(self) -> None:
        self._parent: str | None = None
        self._numbers = count(1)
        self._messages = count(1)

    def lines(self, talk: Talk) -> Iterator[Any]:
        yield {"type": "mode", "mode": "normal", "sessionId": "s"}
        for turn in talk.rounds:
            if turn.human:
                content = _human(turn, PICTURE)
                yield self._line("user", {"role": "user", "content": content})
            for step in turn.steps:
                yield from self._step(step)
            if turn.answer:
                yield self._reply(next(self._messages), {"type": "text", "text": turn.answer})
        yield {"type": "last-prompt", "lastPrompt": "…", "sessionId": "s", "leafUuid": self._parent}

    def _step(self, step: Step) -> Iterator[Any]:
        number = next(self._messages)
        callers = {}
        for part in _said(step):
            yield (line := self._reply(number, part))
            callers[part.get("id")] = line["uuid"]
        for call in step.calls:
            if call.result is None:
                continue
            parent = callers.get(call.id, self._parent)
            message = {"role": "user", "content": [_result(call)]}
            shown = {"stdout": call.result.text, "stderr": "", "interrupted": False}
            yield self._line("user", message, parent, toolUseResult=shown)
            if call.tool == "grep":
                yield {"type": "api-request-blob", "sessionId": "s", "message": message}

    def _reply(self, number: int, part: Any) -> Any:
        usage = {"input_tokens": 4, "cache_read_input_tokens": 900 * number, "output_tokens": 7}
        message = {"id": f"msg_{number}", "role": "assistant", "model": "claude-x"}
        return self._line("assistant", {**message, "content": [part], "usage": usage})

    def _line(self, kind: str, message: Any, parent: str | None = None, **more: Any) -> Any:
        uuid = f"u{next(self._numbers)}"
        line = {"parentUuid": parent or self._parent, "isSidechain": False, "type": kind}
        self._parent = uuid
        return {**line, "message": message, "uuid": uuid, **more}


MAKERS: dict[str, Callable[[Talk], list[Any]]] = {
    "anthropic": anthropic,
    "openai-chat": openai_chat,
    "claude-code": claude_code,
}
CONVERSATIONS = "openai-conversations"
FORMATS = (*MAKERS, CONVERSATIONS)


@st.composite
def transcripts(draw: st.DrawFn, form: str) -> Transcript:
    """Draw a file of one format."""
    style = draw(styles)
    if form == CONVERSATIONS:
        sizes = range(draw(st.integers(1, 3)))
        found = [draw(talks(rounds_max=3, first=at * 1000 + 1)) for at in sizes]
        records = [{"messages": openai_chat(talk), "tag": at} for at, talk in enumerate(found)]
    else:
        found = [draw(talks(unique_ids=form == "claude-code"))]
        records = MAKERS[form](found[0])
    if form == "claude-code":
        found[0].system = ""  # a session file holds none
    kept = tuple(text for talk in found for text in talk.kept())
    bound = tuple(text for talk in found for text in talk.bound())
    guarded = tuple(text for talk in found for text in talk.guarded())
    return Transcript(write(records, style), form, kept, bound, guarded, style)
