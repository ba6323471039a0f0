"""What an attachment line of a Claude Code session says to the model.

The client renders attachments into user messages: reminders, lists of tools, files, hook outputs.
Newer versions write down what they rendered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.measure import media_tokens
from ctxcompact.core.model import Block, Kind
from ctxcompact.formats.fields import text_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.blocks import Gauge

PROMPT = ("attachment", "prompt")
RENDERED = "rendered"

# No message to the model is made from these. `prompt_snapshot` repeats what stands before all
# messages, the system prompt and the tools.
_UNSENT = frozenset(
    {
        "prompt_snapshot",
        "hook_system_message",
        "hook_cancelled",
        "hook_error_during_execution",
        "hook_non_blocking_error",
        "hook_permission_decision",
        "hook_deferred_tool",
        "already_read_file",
        "command_permissions",
        "edited_image_file",
        "structured_output",
        "autocheckpointing",
        "background_task_status",
    }
)
_HEARD_HOOKS = frozenset({"SessionStart", "UserPromptSubmit"})
# What stands beside the words of an attachment, or repeats them.
_NOT_WORDS = frozenset(
    {
        "type",
        "hookName",
        "hookEvent",
        "toolUseID",
        "command",
        "stdout",
        "stderr",
        "displayPath",
        "names",
        "digests",
    }
)
_BASE64 = frozenset({"base64", "data"})


def queued_prompt(data: dict[str, Any]) -> Any:
    """Return what a person typed while the model worked, None if this line is no such thing."""
    body = data.get("attachment")
    if not isinstance(body, dict) or body.get("type") != "queued_command":
        return None
    if body.get("commandMode", "prompt") != "prompt" or body.get("isMeta"):
        return None
    return body.get("prompt")


def read(gauge: Gauge, record: int, data: dict[str, Any]) -> Block | None:
    """Read an attachment that no person wrote, None if it says nothing to the model.

    Each string inside counts once, and a picture by its size. Where the client adds words of its
    own that are not in the file, the count is low by those.
    """
    body = data.get("attachment")
    if not isinstance(body, dict) or not _is_sent(body):
        return None
    key = RENDERED if data.get(RENDERED) else "attachment"
    words: dict[str, None] = {}
    tokens = 0
    for name, text in _strings(data[key]):
        if name in _BASE64:
            tokens += media_tokens(len(text))
        elif name not in _NOT_WORDS:
            words[text] = None
    tokens += gauge.count("\n".join(words))
    return Block(Kind.OPAQUE, record, (key,), 0, tokens, fixed=True) if tokens else None


def _is_sent(body: dict[str, Any]) -> bool:
    """Tell whether the model hears of this; of a hook that went well, only what it said to it."""
    if body.get("type") == "hook_success":
        return text_at(body, "hookEvent") in _HEARD_HOOKS and bool(body.get("content"))
    return text_at(body, "type") not in _UNSENT


def _strings(value: Any) -> Iterator[tuple[str, str]]:
    """Yield the strings inside a value, each with the key it stands under."""
    stack = [("", value)]
    while stack:
        key, value = stack.pop()
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, dict):
            stack.extend(value.items())
        elif isinstance(value, list):
            stack.extend((key, item) for item in value)
