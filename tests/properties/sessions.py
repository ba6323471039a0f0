"""A talk as the records of clients' own session files, most of which hang on one another.

Asked again, a session goes on where it stopped.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from tests.properties.gemini_sessions import GeminiLines, QwenLines
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


class CodexRecords:
    """Codex: an item a record; events repeat words and results, and tell the size of the context."""

    def __init__(self) -> None:
        self._ordinals = count(0)

    def records(self, talk: Talk) -> Iterator[Any]:
        """Write a talk."""
        yield self._record("turn_context", model="gpt-5-codex")
        for turn in talk.rounds:
            if turn.human:
                yield self._said("user", _inputs(human(turn, CODEX_PICTURE)))
                yield self._event("user_message", message=turn.human, text_elements=[])
            for step in turn.steps:
                yield from self._step(step)
            if turn.answer:
                yield self._said("assistant", [{"type": "output_text", "text": turn.answer}])
                yield self._event("task_complete", last_agent_message=turn.answer)

    def _step(self, step: Step) -> Iterator[Any]:
        if step.thought:
            summary = [{"type": "summary_text", "text": step.thought}]
            yield self._item("reasoning", summary=summary, encrypted_content="c2ln" * 20)
        if step.said:
            yield self._event("agent_message", message=step.said)
            yield self._said("assistant", [{"type": "output_text", "text": step.said}])
        for call in step.calls:
            if not call.is_orphan:
                named = {"call_id": call.id, "name": call.tool}
                yield self._item("function_call", arguments=call.argument, **named)
        for call in step.calls:
            if call.result is None:
                continue
            shown = {"call_id": call.id, "aggregated_output": call.result.text, "stderr": ""}
            yield self._event("exec_command_end", **shown)
            output = payload(call.result, CODEX_PICTURE)
            output = output if isinstance(output, str) else _inputs(output)
            yield self._item("function_call_output", call_id=call.id, output=output)
        usage = {"input_tokens": 900, "cached_input_tokens": 0, "total_tokens": 990}
        yield self._event("token_count", info={"last_token_usage": usage})

    def _said(self, role: str, content: Any) -> Any:
        return self._item("message", role=role, content=content)

    def _item(self, kind: str, **fields: Any) -> Any:
        return self._record("response_item", type=kind, **fields)

    def _event(self, kind: str, **fields: Any) -> Any:
        return self._record("event_msg", type=kind, **fields)

    def _record(self, kind: str, /, **fields: Any) -> Any:
        envelope = {"timestamp": "t", "ordinal": next(self._ordinals), "type": kind}
        return {**envelope, "payload": fields}


def _inputs(content: Any) -> list[Any]:
    return [
        {**part, "type": "input_text"} if part["type"] == "text" else part
        for part in _parts(content)
    ]


def _parts(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


CODEX_PICTURE = {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}
PI_PICTURE = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
SESSIONS: dict[str, Callable[[], Session]] = {
    "claude-code": ClaudeLines,
    "codex": CodexRecords,
    "pi": PiEntries,
    "gemini-cli": GeminiLines,
    "qwen-code": QwenLines,
}
