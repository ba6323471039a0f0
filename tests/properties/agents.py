"""A talk as the records of agent frameworks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.properties.parts import IMAGE_URL, PICTURE, anthropic_said, human, payload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.properties.talks import Call, Step, Talk


def langchain(talk: Talk) -> list[Any]:
    """Write a message a line; each call stands three times, each result twice."""
    is_built = len(talk.rounds) % 2 == 0
    return [_lang_built(row) if is_built else row for row in _lang_rows(talk)]


def _lang_rows(talk: Talk) -> Iterator[Any]:
    if talk.system:
        yield _lang("system", talk.system)
    for turn in talk.rounds:
        if turn.human:
            yield _lang("human", human(turn, IMAGE_URL))
        for step in turn.steps:
            yield _lang_step(step)
            yield from (_lang_result(call) for call in step.calls if call.result)
        if turn.answer:
            yield _lang("ai", turn.answer)


def _lang_step(step: Step) -> dict[str, Any]:
    made = [call for call in step.calls if not call.is_orphan]
    calls = [
        {"name": x.tool, "args": {"what": x.argument}, "id": x.id, "type": "tool_call"}
        for x in made
    ]
    chat = [
        {"id": x.id, "type": "function", "function": {"name": x.tool, "arguments": x.argument}}
        for x in made
    ]
    more = {"tool_calls": chat, "reasoning_content": step.thought}
    return _lang("ai", anthropic_said(step), tool_calls=calls, additional_kwargs=more)


def _lang_result(call: Call) -> dict[str, Any]:
    assert call.result
    content, shown = payload(call.result, IMAGE_URL), {"text": call.result.text, "exit": 0}
    return _lang("tool", content, tool_call_id=call.id, artifact=shown, status="success")


def _lang(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": kind, "data": {"content": content, "type": kind, **more}}


def _lang_built(row: dict[str, Any]) -> dict[str, Any]:
    names = {"human": "HumanMessage", "ai": "AIMessage"}
    name = names.get(row["type"], f"{row['type'].title()}Message")
    path = ["langchain", "schema", "messages", name]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": row["data"]}


def agentscope(talk: Talk) -> list[Any]:
    """Write a message a line, as Java 1.x, Python 1.x or Python 2 spells it."""
    spellings = (_scope_java, _scope_python, _scope_replies)
    rows = list(spellings[len(talk.rounds) % 3](talk))
    return [{"id": f"m{n}", **row, "metadata": {}} for n, row in enumerate(rows)]


def _scope_java(talk: Talk) -> Iterator[Any]:
    for row in _scope_python(talk):
        content = row["content"]
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        is_tool = any(part["type"] == "tool_result" for part in content)
        role = "TOOL" if is_tool else row["role"].upper()
        yield {**row, "role": role, "content": content}


def _scope_python(talk: Talk) -> Iterator[Any]:
    if talk.system:
        yield _scope("system", talk.system)
    for turn in talk.rounds:
        if turn.human:
            yield _scope("user", human(turn, PICTURE))
        for step in turn.steps:
            yield _scope("assistant", anthropic_said(step))
            for call in step.calls:
                if call.result:
                    yield _scope("system", [_scope_result(call)])
        if turn.answer:
            yield _scope("assistant", turn.answer)


def _scope_replies(talk: Talk) -> Iterator[Any]:
    """Write all that the model does in a round as one message."""
    if talk.system:
        yield _scope("system", talk.system)
    for turn in talk.rounds:
        if turn.human:
            yield _scope("user", human(turn, PICTURE))
        parts: list[Any] = []
        for step in turn.steps:
            for part in anthropic_said(step):
                is_call = part["type"] == "tool_use"
                fields = {"type": "tool_call", "input": part["input"]["what"]} if is_call else {}
                parts.append({**part, **fields})
            parts += [_scope_result(call) for call in step.calls if call.result]
        if turn.answer:
            parts.append({"type": "text", "text": turn.answer})
        if parts:
            yield _scope("assistant", parts)


def _scope(role: str, content: Any) -> dict[str, Any]:
    return {"name": role, "role": role, "content": content, "timestamp": "2026-01-01 00:00:00.000"}


def _scope_result(call: Call) -> dict[str, Any]:
    assert call.result
    output = payload(call.result, PICTURE)
    return {"type": "tool_result", "id": call.id, "name": call.tool, "output": output}


AGENTS: dict[str, Callable[[Talk], list[Any]]] = {
    "langchain": langchain,
    "agentscope": agentscope,
}
