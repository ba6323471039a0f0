"""The line that stands for a folded stretch of a Claude Code session.

It reuses the id, the time and the envelope of the last line it stands for, so that lines appended
later still hang on something once the stretch is restored. What a client needs at resume is in it,
and nothing that told of the old content.
"""

from __future__ import annotations

from typing import Any

from ctxcompact.core.model import Role

ENVELOPE = (
    "parentUuid",
    "isSidechain",
    "agentId",
    "userType",
    "entrypoint",
    "cwd",
    "sessionId",
    "version",
    "gitBranch",
    "slug",
    "uuid",
    "timestamp",
)
_NO_USAGE = {"input_tokens": 0, "output_tokens": 0}


def compose(role: Role, text: str, first: Any, last: Any, model: str) -> dict[str, Any]:
    """Make the line, in the dress of the last line of the stretch."""
    line = {key: last[key] for key in ENVELOPE if key in last}
    message: dict[str, Any] = {"role": role.value, "content": [{"type": "text", "text": text}]}
    if role is Role.ASSISTANT:
        message |= {
            "id": "msg_" + str(last.get("uuid", "")).replace("-", ""),
            "type": "message",
            "model": _model(first) or _model(last) or model,
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": _NO_USAGE,
        }
    return {**line, "type": role.value, "message": message}


def _model(line: Any) -> str:
    message = line.get("message")
    model = message.get("model") if isinstance(message, dict) else None
    return model if isinstance(model, str) else ""
