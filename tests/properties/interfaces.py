"""A talk as the records of further model interfaces, and of training files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.properties.parts import IMAGE_URL, human, payload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.properties.talks import Call, Payload, Step, Talk

INPUT_IMAGE = {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="}
INLINE = {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}
SIGNATURE = "c2ln" * 20


def responses(talk: Talk) -> list[Any]:
    """Write an item a line; the model's turn is several of them."""
    return list(_items(talk))


def _items(talk: Talk) -> Iterator[Any]:
    if talk.system:
        yield _message("developer", talk.system, "input_text")
    for turn in talk.rounds:
        if turn.human:
            yield {"role": "user", "content": _inputs(human(turn, INPUT_IMAGE))}
        for step in turn.steps:
            yield from _turn_items(step)
        if turn.answer:
            yield _message("assistant", turn.answer, "output_text")


def _turn_items(step: Step) -> Iterator[Any]:
    if step.thought:
        summary = [{"type": "summary_text", "text": step.thought}]
        yield {"type": "reasoning", "summary": summary, "encrypted_content": SIGNATURE}
    if step.said:
        yield _message("assistant", step.said, "output_text")
    for call in step.calls:
        if not call.is_orphan:
            named = {"call_id": call.id, "name": call.tool, "arguments": call.argument}
            yield {"type": "function_call", **named}
    for call in step.calls:
        if call.result:
            output = payload(call.result, INPUT_IMAGE)
            output = output if isinstance(output, str) else _inputs(output)
            yield {"type": "function_call_output", "call_id": call.id, "output": output}


def _message(role: str, text: str, kind: str) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def _inputs(content: Any) -> Any:
    if isinstance(content, str):
        return content
    return [{**part, "type": "input_text"} if part["type"] == "text" else part for part in content]


def gemini(talk: Talk) -> list[Any]:
    """Write a content a line, or all of them as one request."""
    rows = list(_contents(talk))
    if len(talk.rounds) % 2:
        return rows
    return [{"systemInstruction": {"parts": []}, "contents": rows}]


def _contents(talk: Talk) -> Iterator[Any]:
    for turn in talk.rounds:
        if turn.human:
            said = {"text": turn.human}
            yield {"role": "user", "parts": [INLINE, said] if turn.with_picture else [said]}
        for step in turn.steps:
            yield {"role": "model", "parts": list(_said(step))}
            if answers := [_response(call) for call in step.calls if call.result]:
                yield {"role": "user", "parts": answers}
        if turn.answer:
            yield {"role": "model", "parts": [{"text": turn.answer}]}


def _said(step: Step) -> Iterator[Any]:
    if step.thought:
        yield {"text": step.thought, "thought": True}
    if step.said:
        yield {"text": step.said}
    for n, call in enumerate(call for call in step.calls if not call.is_orphan):
        made = {"functionCall": {"name": call.tool, "args": {"what": call.argument}}}
        yield made if n else {**made, "thoughtSignature": SIGNATURE}


def _response(call: Call) -> dict[str, Any]:
    assert call.result
    return {"functionResponse": {"name": call.tool, "response": _object(call.result)}}


def _object(found: Payload) -> dict[str, Any]:
    if found.shape == "two":
        return {"output": found.text, "exitCode": 0, "error": None}
    content = payload(found, IMAGE_URL)
    return {"output" if isinstance(content, str) else "content": content}


def sharegpt(talk: Talk) -> dict[str, Any]:
    """Write a conversation a line; calls are objects here, so that their words can be found."""
    return {"conversations": list(_turns(talk)), "tools": "[]"}


def _turns(talk: Talk) -> Iterator[Any]:
    if talk.system:
        yield _turn("system", talk.system)
    for turn in talk.rounds:
        if turn.human:
            yield _turn("human", turn.human)
        for step in turn.steps:
            yield from _step_turns(step)
        if turn.answer:
            yield _turn("gpt", turn.answer)


def _step_turns(step: Step) -> Iterator[Any]:
    for call in step.calls:
        if not call.is_orphan:
            yield _turn("function_call", {"name": call.tool, "arguments": call.argument})
        if call.result:
            yield _turn("observation", payload(call.result, IMAGE_URL))


def _turn(speaker: str, value: Any) -> dict[str, Any]:
    return {"from": speaker, "value": value}


INTERFACES: dict[str, Callable[[Talk], list[Any]]] = {
    "openai-responses": responses,
    "gemini": gemini,
}
