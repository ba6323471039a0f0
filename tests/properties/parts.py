"""Pieces of messages that the records of several formats are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.properties.talks import Call, Payload, Round, Step

PICTURE = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="},
}
IMAGE_URL = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}


def human(turn: Round, picture: Any) -> Any:
    """Write what a person says."""
    if not turn.with_picture:
        return turn.human
    return [picture, {"type": "text", "text": turn.human}]


def anthropic_said(step: Step) -> list[Any]:
    """Write a step's words and calls as Anthropic's blocks."""
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


def anthropic_result(call: Call) -> Any:
    """Write a result as Anthropic's block."""
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
