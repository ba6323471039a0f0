"""What attachments say to the model, and which of them a person wrote."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcompact.core.model import Kind, Message, Origin, Role
from tests.formats.claude_session import conversation, line

PICTURE = {"type": "image", "source": {"type": "base64", "data": "A" * 100_000}}


def messages(*lines: Any) -> list[Message]:
    return conversation(*lines).messages


def attachment(uuid: str, parent: str | None, **body: Any) -> dict[str, Any]:
    return line("attachment", uuid, parent, attachment=body)


@pytest.mark.parametrize(
    ("body", "tokens"),
    [
        pytest.param({"type": "skill_listing", "content": "skills"}, 6, id="a text"),
        pytest.param({"type": "x", "addedLines": ["ab", "cd"]}, 5, id="lines"),
        pytest.param({"type": "x", "addedNames": ["ab"], "addedLines": ["ab"]}, 2, id="repeated"),
        pytest.param(
            {"type": "file", "filename": "a.md", "content": {"file": {"content": "words"}}},
            10,
            id="a file",
        ),
        pytest.param(
            {"type": "hook_success", "hookEvent": "SessionStart", "content": "hello"},
            5,
            id="what a hook says at the start",
        ),
    ],
)
def test_an_attachment_is_a_message_of_the_client(body: dict[str, Any], tokens: int) -> None:
    (message,) = messages(attachment("a", None, **body))
    assert (message.role, message.origin) == (Role.USER, Origin.CLIENT)
    assert [(block.kind, block.tokens, block.fixed) for block in message.blocks] == [
        (Kind.OPAQUE, tokens, True)
    ]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"type": "prompt_snapshot", "systemPrompt": ["long"]}, id="the system prompt"),
        pytest.param({"type": "hook_success", "hookEvent": "Stop", "content": "ok"}, id="a hook"),
        pytest.param(
            {"type": "hook_success", "hookEvent": "SessionStart", "content": "", "stdout": "x"},
            id="a silent hook",
        ),
        pytest.param({"type": "hook_system_message", "content": "x"}, id="a word to the person"),
        pytest.param({"type": "session_context", "context": {}}, id="nothing in it"),
    ],
)
def test_what_the_model_never_hears_is_no_message(body: dict[str, Any]) -> None:
    assert messages(attachment("a", None, **body)) == []


def test_of_an_attachment_that_was_written_down_as_rendered_that_counts() -> None:
    (message,) = messages(
        {
            **attachment("a", None, type="date", date="2026"),
            "rendered": [{"content": "Today: 2026"}],
        }
    )
    (block,) = message.blocks
    assert (block.path, block.tokens) == (("rendered",), 11)


def test_a_picture_in_an_attachment_counts_by_its_size() -> None:
    file = {"type": "image", "file": {"base64": "A" * 100_000}}
    (message,) = messages(attachment("a", None, type="file", content=file))
    assert message.blocks[0].tokens == 500


@pytest.mark.parametrize(
    ("body", "origin", "kind"),
    [
        pytest.param({"commandMode": "prompt"}, Origin.PERSON, Kind.TEXT, id="a prompt"),
        pytest.param({}, Origin.PERSON, Kind.TEXT, id="of an older version"),
        pytest.param({"commandMode": "bash"}, Origin.CLIENT, Kind.OPAQUE, id="a shell command"),
        pytest.param(
            {"commandMode": "task-notification"}, Origin.CLIENT, Kind.OPAQUE, id="a notification"
        ),
        pytest.param({"isMeta": True}, Origin.CLIENT, Kind.OPAQUE, id="meta"),
        pytest.param(
            {"prompt": "<task-notification>b7</task-notification>"},
            Origin.CLIENT,
            Kind.OPAQUE,
            id="a notification by its words",
        ),
    ],
)
def test_words_typed_while_the_model_worked(
    body: dict[str, Any], origin: Origin, kind: Kind
) -> None:
    (message,) = messages(
        attachment("a", None, **{"type": "queued_command", "prompt": "And the tests.", **body})
    )
    (block,) = message.blocks
    assert (message.role, message.origin, block.kind) == (Role.USER, origin, kind)


def test_a_queued_prompt_with_a_picture_is_read_block_by_block() -> None:
    prompt = [{"type": "text", "text": "Like this."}, PICTURE]
    (message,) = messages(attachment("a", None, type="queued_command", prompt=prompt))
    assert [(block.kind, block.path) for block in message.blocks] == [
        (Kind.TEXT, ("attachment", "prompt", 0, "text")),
        (Kind.MEDIA, ("attachment", "prompt", 1)),
    ]
