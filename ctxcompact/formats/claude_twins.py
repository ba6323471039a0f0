"""The copies of a payload inside its own line of a Claude Code session.

Beside each result stands `toolUseResult`, made for the screen and never sent. It must lose the
bytes that the result loses, and keep its shape: version 2.0.77 dies at its start where an object
has become a string.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.formats.claude_attachments import PROMPT, RENDERED
from ctxcompact.formats.copies import Removed, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ctxcompact.core.splice import Path


def twins(data: Any, path: Path, text: str) -> list[tuple[Path, Any]]:
    """List what else has to change in a line when the payload at `path` becomes `text`.

    Where one line has several results, only what repeats this one goes.
    """
    if path[: len(PROMPT)] == PROMPT:
        return list(_rendered(data, path, text))
    if len(path) != _RESULT_STEPS or path[:2] != ("message", "content") or path[3] != "content":
        return []
    content = data["message"]["content"]
    payload = content[path[2]].get("content")
    alone = sum(_is_result(part) for part in content) == 1
    removed = Removed(payload)
    return [
        put
        for key in ("toolUseResult", "mcpMeta")
        for put in shortened((key,), data.get(key), removed, text, alone=alone)
    ]


_RESULT_STEPS = 4


def _is_result(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "tool_result"


def _rendered(data: Any, path: Path, text: str) -> Iterator[tuple[Path, Any]]:
    """Yield the message that the client made from a prompt typed while the model worked."""
    prompt = data
    for key in path:
        prompt = prompt[key]
    parts = data.get(RENDERED)
    for n, part in enumerate(parts if isinstance(parts, list) else ()):
        said = part.get("content") if isinstance(part, dict) else None
        if isinstance(said, str) and prompt in said:
            yield (RENDERED, n, "content"), said.replace(prompt, text)
