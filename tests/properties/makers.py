"""A talk as the records of each format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import strategies as st

from tests.properties.agents import AGENTS
from tests.properties.interfaces import INTERFACES, sharegpt
from tests.properties.parts import (
    IMAGE_URL,
    PICTURE,
    anthropic_result,
    anthropic_said,
    human,
    payload,
)
from tests.properties.sessions import SESSIONS
from tests.properties.spelling import Style, styles, write
from tests.properties.talks import Call, Step, Talk, talks

if TYPE_CHECKING:
    from collections.abc import Callable


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
            _say(rows, human(turn, PICTURE))
        for step in turn.steps:
            rows.append({"role": "assistant", "content": anthropic_said(step)})
            if results := [anthropic_result(call) for call in step.calls if call.result]:
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


def openai_chat(talk: Talk) -> list[Any]:
    """Write a message a line, each result a message of its own."""
    rows: list[Any] = [{"role": "developer", "content": talk.system}] if talk.system else []
    for turn in talk.rounds:
        if turn.human:
            rows.append({"role": "user", "content": human(turn, IMAGE_URL)})
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


MAKERS: dict[str, Callable[[Talk], list[Any]]] = {
    "anthropic": anthropic,
    "openai-chat": openai_chat,
    **INTERFACES,
    **AGENTS,
}
LINES: dict[str, Callable[[Talk], dict[str, Any]]] = {
    "openai-conversations": lambda talk: {"messages": openai_chat(talk)},
    "sharegpt": sharegpt,
}
FORMATS = (*MAKERS, *SESSIONS, *LINES)


def share(examples: int) -> int:
    """Return what each format gets of a number of examples for all of them."""
    return max(examples // len(FORMATS), 6)


def writer(form: str) -> Callable[[Talk], list[Any]]:
    """Return what writes the next part of a file; a session's records hang on those before."""
    if form in LINES:
        return lambda talk: [LINES[form](talk)]
    if form in SESSIONS:
        session = SESSIONS[form]()
        return lambda talk: list(session.records(talk))
    return MAKERS[form]


@st.composite
def transcripts(draw: st.DrawFn, form: str) -> Transcript:
    """Draw a file of one format."""
    style = draw(styles)
    if form in LINES:
        sizes = range(draw(st.integers(1, 3)))
        found = [told(draw(talks(rounds_max=3, first=at * 1000 + 1)), form) for at in sizes]
        records = [{**LINES[form](talk), "tag": at} for at, talk in enumerate(found)]
    else:
        found = [told(draw(talks(unique_ids=form in SESSIONS)), form)]
        records = writer(form)(found[0])
    kept = tuple(text for talk in found for text in talk.kept())
    bound = tuple(text for talk in found for text in talk.bound())
    guarded = tuple(text for talk in found for text in talk.guarded())
    return Transcript(write(records, style), form, kept, bound, guarded, style)


def told(talk: Talk, form: str) -> Talk:
    """Take out of a talk what the maker of a format does not write."""
    if form in SESSIONS or form == "gemini":
        talk.system = ""
    if form == "sharegpt":
        for turn in talk.rounds:
            for step in turn.steps:
                step.thought = step.said = ""  # words apart from their calls would be an answer
                del step.calls[1:]  # there are no parallel calls
    return talk
