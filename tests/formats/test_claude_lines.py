"""Who really speaks in a line of a Claude Code session, and what must keep its bytes."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcompact.core import laws
from ctxcompact.core.model import Message, Origin, Role
from ctxcompact.formats.claude_code import FORMAT
from tests.formats.claude_session import (
    answered,
    boundary,
    conversation,
    line,
    said,
    summary,
    user,
)

CALL = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}
PICTURE = {"type": "image", "source": {"type": "base64", "data": "A" * 100_000}}


def messages(*lines: Any) -> list[Message]:
    return conversation(*lines).messages


@pytest.mark.parametrize(
    ("content", "fields", "origin"),
    [
        pytest.param("Fix the bug.", {}, Origin.PERSON, id="a prompt"),
        pytest.param(
            [{"type": "text", "text": "Fix it."}], {}, Origin.PERSON, id="a prompt's block"
        ),
        pytest.param([PICTURE], {}, Origin.PERSON, id="a picture"),
        pytest.param(
            "<command-message>review</command-message>\n<command-name>/review</command-name>",
            {},
            Origin.PERSON,
            id="a slash command that runs a prompt",
        ),
        pytest.param(
            [
                {"type": "tool_result", "tool_use_id": "t1", "content": "x"},
                {"type": "text", "text": "No, the other one."},
            ],
            {},
            Origin.PERSON,
            id="results and words",
        ),
        pytest.param(
            "<system-reminder>be brief</system-reminder>\nFix it.",
            {},
            Origin.PERSON,
            id="words after a reminder",
        ),
        pytest.param(
            [{"type": "tool_result", "tool_use_id": "t1", "content": "x"}],
            {},
            Origin.TOOL,
            id="results",
        ),
        pytest.param(
            [
                {"type": "tool_result", "tool_use_id": "t1", "content": "x"},
                {"type": "text", "text": "<system-reminder>be brief</system-reminder>"},
            ],
            {},
            Origin.TOOL,
            id="results and a reminder",
        ),
        pytest.param("Base directory for this skill", {"isMeta": True}, Origin.CLIENT, id="meta"),
        pytest.param("The story so far.", {"isCompactSummary": True}, Origin.CLIENT, id="summary"),
        pytest.param(
            "This session is being continued from a previous conversation that ran out.",
            {},
            Origin.CLIENT,
            id="a summary without its flag",
        ),
        pytest.param(
            "<command-name>/exit</command-name>\n<command-message>exit</command-message>",
            {},
            Origin.CLIENT,
            id="a command of the client",
        ),
        pytest.param(
            "<local-command-stdout>bye</local-command-stdout>", {}, Origin.CLIENT, id="its output"
        ),
        pytest.param("<bash-input>ls</bash-input>", {}, Origin.CLIENT, id="a shell escape"),
        pytest.param(
            "<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>",
            {},
            Origin.CLIENT,
            id="its print",
        ),
        pytest.param(
            [{"type": "text", "text": "[Request interrupted by user for tool use]"}],
            {},
            Origin.CLIENT,
            id="an interruption",
        ),
        pytest.param(
            "<task-notification>\n<task-id>b7</task-id>\n</task-notification>",
            {},
            Origin.CLIENT,
            id="the end of a task",
        ),
        pytest.param(
            "\n<system-reminder>one</system-reminder>\n<system-reminder>two</system-reminder>\n",
            {},
            Origin.CLIENT,
            id="reminders only",
        ),
        pytest.param("", {}, Origin.CLIENT, id="nothing"),
        pytest.param(
            "[Conversation compressed. Transcript: x]\n\nAll.", {}, Origin.SUMMARY, id="our summary"
        ),
    ],
)
def test_who_speaks_in_a_user_line(content: Any, fields: dict[str, Any], origin: Origin) -> None:
    (message,) = messages(user("a", None, content, **fields))
    assert (message.role, message.origin) == (Role.USER, origin)


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"message": {"model": "<synthetic>"}}, id="synthetic"),
        pytest.param({"isApiErrorMessage": True}, id="an error of the API"),
    ],
)
def test_a_notice_written_as_if_by_the_model_is_the_clients(fields: dict[str, Any]) -> None:
    reply = said("b", "a", "m1", "No response requested.", prompt=70)
    reply["message"].update(fields.get("message", {}))
    found = conversation(user("a", None, "hi"), {**reply, **fields, "message": reply["message"]})
    assert found.messages[-1].origin is Origin.CLIENT
    assert (found.recorded, found.counts, found.model) == (None, (), "")


@pytest.mark.parametrize(
    "told",
    [
        pytest.param(summary("y", "x"), id="flagged"),
        pytest.param(
            user("y", "x", "This session is being continued from a previous conversation."),
            id="told by its first words",
        ),
    ],
)
def test_the_summary_of_the_client_keeps_its_bytes(told: Any) -> None:
    (message,) = messages(boundary("x"), told)
    assert all(block.fixed for block in message.blocks)


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        pytest.param("[Old tool result content cleared]", True, id="cleared"),
        pytest.param("<persisted-output>\nOutput too large", True, id="moved to a file"),
        pytest.param("The word <persisted-output> in a result", False, id="only a word of it"),
    ],
)
def test_what_the_client_took_out_itself_is_left_alone(text: str, *, fixed: bool) -> None:
    found = messages(
        user("a", None, "hi"), said("b", "a", "m1", CALL), answered("c", "b", "t1", text=text)
    )
    assert found[-1].blocks[0].fixed is fixed


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        pytest.param("\n\n", [], id="blank, as models write beside their thinking"),
        pytest.param("", ["empty_content"], id="empty"),
    ],
)
def test_a_text_of_the_model_without_words(text: str, codes: list[str]) -> None:
    found = conversation(user("a", None, "hi"), said("b", "a", "m1", text, "hello"))
    assert [problem.code for problem in laws.problems(found.messages, FORMAT.rules)] == codes


def test_the_output_of_a_local_command_is_a_message_of_the_client() -> None:
    (message,) = messages(line("system", "a", None, subtype="local_command", content="Done."))
    assert (message.role, message.origin) == (Role.USER, Origin.CLIENT)
