"""A talk as the records of the session files of Gemini CLI and of its child, Qwen Code."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from tests.properties.parts import human

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.properties.talks import Call, Step, Talk


class GeminiLines:
    """Gemini CLI: a message as it comes, again with its calls, again as the client's next start has it."""

    def __init__(self) -> None:
        self._live: list[Any] = []
        self._numbers = count(1)
        self._is_new = True

    def records(self, talk: Talk) -> Iterator[Any]:
        """Write a talk; now and then the client starts anew in between."""
        if self._is_new:
            yield {"sessionId": "s", "projectHash": "h", "kind": "main"}
            self._is_new = False
        for n, turn in enumerate(talk.rounds):
            if turn.human:
                yield self._message("user", _gemini_parts(human(turn, GEMINI_PICTURE)))
            for step in turn.steps:
                yield from self._step(step)
            if turn.answer:
                tokens = {"input": 900, "output": 3}
                yield self._message("gemini", turn.answer, model="gemini-x", tokens=tokens)
            yield {"$set": {"lastUpdated": "t"}}
            if turn.with_picture or n == 1:
                self._live = [again for one in self._live for again in _after_start(one)]
                yield {"$set": {"messages": self._live}}

    def _step(self, step: Step) -> Iterator[Any]:
        thoughts = [{"subject": "", "description": step.thought}] if step.thought else []
        message = self._message("gemini", step.said, model="gemini-x", thoughts=thoughts)
        yield dict(message)
        message["toolCalls"] = [
            {
                "id": call.id,
                "name": call.tool,
                "args": {"what": call.argument},
                **({"result": [_response(call)]} if call.result else {}),
                "resultDisplay": call.result.text if call.result else "",
            }
            for call in step.calls
            if not call.is_orphan
        ]
        yield message
        if results := [_response(call) for call in step.calls if call.result]:
            yield self._message("user", results)

    def _message(self, kind: str, content: Any, **more: Any) -> Any:
        own = f"m{next(self._numbers)}"
        message = {"id": own, "timestamp": "t", "type": kind, "content": content, **more}
        self._live.append(message)
        return message


def _after_start(message: Any) -> list[Any]:
    """Return what the client makes of a message when it starts again."""
    calls = message.get("toolCalls", [])
    if not calls:
        return [message]
    parts = [{"text": x["description"], "thought": True} for x in message["thoughts"]]
    parts += [{"text": message["content"]}] if message["content"] else []
    keys = ("id", "name", "args")
    parts += [{"functionCall": {key: call[key] for key in keys}} for call in calls]
    results = [part for call in calls for part in call.get("result", [])]
    said = {"id": message["id"], "type": "gemini", "content": parts}
    after = {"id": message["id"] + "_response", "type": "user", "content": results}
    return [said, after] if results else [said]


def _response(call: Call) -> Any:
    assert call.result
    response = {"output": call.result.text}
    return {"functionResponse": {"id": call.id, "name": call.tool, "response": response}}


def _gemini_parts(content: Any) -> list[Any]:
    if isinstance(content, str):
        return [{"text": content}]
    return [{"text": x["text"]} if "text" in x else x for x in content]


GEMINI_PICTURE = {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}


class QwenLines:
    """Qwen Code: a content of Gemini's a line, results apart; now and then a branch that was left."""

    def __init__(self) -> None:
        self._parent: str | None = None
        self._numbers = count(1)

    def records(self, talk: Talk) -> Iterator[Any]:
        """Write a talk."""
        for turn in talk.rounds:
            if turn.human:
                yield self._line("user", "user", _gemini_parts(human(turn, GEMINI_PICTURE)))
            for step in turn.steps:
                parts = [{"text": step.thought, "thought": True}] if step.thought else []
                parts += _gemini_parts(step.said) if step.said else []
                yield self._line("assistant", "model", parts + _gemini_calls(step), model="qwen-x")
                for call in step.calls:
                    if call.result:
                        shown = {"callId": call.id, "resultDisplay": call.result.text}
                        parts = [_response(call)]
                        yield self._line("tool_result", "user", parts, toolCallResult=shown)
            if turn.answer:
                usage = {"promptTokenCount": 900, "totalTokenCount": 903}
                parts = _gemini_parts(turn.answer)
                yield self._line("assistant", "model", parts, model="q", usageMetadata=usage)
                here = self._parent
                yield self._line("user", "user", _gemini_parts("No."))
                self._parent = here
                yield self._line("system", "system", [], subtype="ui_telemetry")

    def _line(self, kind: str, role: str, parts: list[Any], **more: Any) -> Any:
        own = f"q{next(self._numbers)}"
        place = {"uuid": own, "parentUuid": self._parent, "sessionId": "s", "timestamp": "t"}
        self._parent = own
        return {**place, "type": kind, "message": {"role": role, "parts": parts}, **more}


def _gemini_calls(step: Step) -> list[Any]:
    return [
        {"functionCall": {"id": call.id, "name": call.tool, "args": {"what": call.argument}}}
        for call in step.calls
        if not call.is_orphan
    ]
