"""A talk as the records of clients' own session files, whose records hang on one another.

Asked again, a session goes on where it stopped.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from tests.properties.parts import PICTURE, anthropic_result, anthropic_said, human, payload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.properties.talks import Step, Talk


class Session(Protocol):
    """What writes one file."""

    def records(self, talk: Talk) -> Iterator[Any]: ...


class ClaudeLines:
    """Claude Code: a block a line; a result hangs on its call, the next message on the last result."""

    def __init__(self) -> None:
        self._parent: str | None = None
        self._numbers = count(1)
        self._messages = count(1)

    def records(self, talk: Talk) -> Iterator[Any]:
        """Write a talk."""
        yield {"type": "mode", "mode": "normal", "sessionId": "s"}
        for turn in talk.rounds:
            if turn.human:
                content = human(turn, PICTURE)
                yield self._line("user", {"role": "user", "content": content})
            for step in turn.steps:
                yield from self._step(step)
            if turn.answer:
                yield self._reply(next(self._messages), {"type": "text", "text": turn.answer})
        yield {"type": "last-prompt", "lastPrompt": "…", "sessionId": "s", "leafUuid": self._parent}

    def _step(self, step: Step) -> Iterator[Any]:
        number = next(self._messages)
        callers = {}
        for part in anthropic_said(step):
            yield (line := self._reply(number, part))
            callers[part.get("id")] = line["uuid"]
        for call in step.calls:
            if call.result is None:
                continue
            parent = callers.get(call.id, self._parent)
            message = {"role": "user", "content": [anthropic_result(call)]}
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


class PiEntries:
    """pi: a message an entry; now and then a branch that was left, and what the model is not told."""

    def __init__(self) -> None:
        self._parent: str | None = None
        self._numbers = count(1)

    def records(self, talk: Talk) -> Iterator[Any]:
        """Write a talk."""
        if self._parent is None:
            yield {"type": "session", "version": 3, "id": "s", "timestamp": "t", "cwd": "/"}
            yield self._entry("model_change", provider="p", modelId="pi-x")
        for turn in talk.rounds:
            if turn.human:
                yield self._message("user", _parts(human(turn, PI_PICTURE)))
            for step in turn.steps:
                yield from self._step(step)
            if turn.answer:
                yield self._message("assistant", _parts(turn.answer), **self._source())
                yield from self._left_branch()

    def _step(self, step: Step) -> Iterator[Any]:
        parts: list[Any] = []
        if step.thought:
            parts.append({"type": "thinking", "thinking": step.thought, "thinkingSignature": "c2"})
        if step.said:
            parts += _parts(step.said)
        parts += [
            {"type": "toolCall", "id": x.id, "name": x.tool, "arguments": {"what": x.argument}}
            for x in step.calls
            if not x.is_orphan
        ]
        yield self._message("assistant", parts, **self._source())
        for call in step.calls:
            if call.result is None:
                continue
            content = payload(call.result, PI_PICTURE)
            shown = {"details": {"diff": call.result.text}} if call.tool == "grep" else {}
            said = {"toolCallId": call.id, "toolName": call.tool, **shown}
            yield self._message("toolResult", _parts(content), **said)
            yield self._entry("custom", customType="x", data={"n": 1})

    def _left_branch(self) -> Iterator[Any]:
        here = self._parent
        yield self._message("user", "No.")
        self._parent = here
        yield self._entry("label", targetId=here, label="here")

    def _source(self) -> dict[str, Any]:
        usage = {"input": 900, "output": 3, "cacheRead": 90, "cacheWrite": 0, "totalTokens": 993}
        return {"api": "a", "provider": "p", "model": "pi-x", "usage": usage, "stopReason": "stop"}

    def _message(self, role: str, content: Any, **more: Any) -> Any:
        return self._entry("message", message={"role": role, "content": content, **more})

    def _entry(self, kind: str, **fields: Any) -> Any:
        own = f"e{next(self._numbers)}"
        entry = {"type": kind, "id": own, "parentId": self._parent, "timestamp": "t", **fields}
        self._parent = own
        return entry


def _parts(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


PI_PICTURE = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
SESSIONS: dict[str, Callable[[], Session]] = {"claude-code": ClaudeLines, "pi": PiEntries}
