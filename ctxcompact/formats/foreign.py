"""Transcripts of other systems: known by their shape, so that they are refused by name.

Nothing is read here. Some look so much like what we read that a rewrite would damage them:
droid and Cursor wrap Anthropic's messages. Those with a format are counted (`counted`); one
that may be rewritten leaves this list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.formats import counted_files as files
from ctxcompact.formats import counted_kimi as kimi
from ctxcompact.formats import counted_sessions as sessions
from ctxcompact.formats.openai_conversations import has_anthropic_messages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ctxcompact.core.format import Format

Record = dict[str, Any]


class Shape(NamedTuple):
    """A system's name, how one of its records is told, and how its transcripts are counted.

    `fits` wants what no other system writes; the format knows all of its records.
    """

    name: str
    fits: Callable[[Record], bool]
    format: Format | None = None


def name_of(record: Record) -> str:
    """Return the system that writes such a record, "" if it is none of those listed here."""
    return next((shape.name for shape in SHAPES if shape.fits(record)), "")


def _is_stream_json(record: Record) -> bool:
    return "session_id" in record and (
        "parent_tool_use_id" in record or record.get("type") in ("system", "result")
    )


def _is_droid(record: Record) -> bool:
    kind = record.get("type")
    return kind == "session_start" or (
        kind == "message"
        and any(_type(part) in ("tool_use", "tool_result") for part in _wrapped_parts(record))
    )


def _is_copilot(record: Record) -> bool:
    return "." in _type(record) and isinstance(record.get("data"), dict)


def _is_kimi(record: Record) -> bool:
    if _type(record).startswith(("context.", "turn.", "llm.")):
        return True
    role = record.get("role")
    return isinstance(role, str) and role.startswith("_")


def _is_swe_agent(record: Record) -> bool:
    return isinstance(record.get("trajectory"), list)


def _is_openhands(record: Record) -> bool:
    if isinstance(record.get("history"), list):
        return "git_patch" in record or "test_result" in record
    return "source" in record and ("action" in record or "observation" in record)


def _is_opencode(record: Record) -> bool:
    inside = "messages" in record or "parts" in record
    return inside and isinstance(record.get("info"), dict)


def _is_cursor(record: Record) -> bool:
    wrapped = "content" in _dict(record, "message")
    return wrapped and "role" in record and "type" not in record


def _is_grok(record: Record) -> bool:
    kind = record.get("type")
    if kind == "backend_tool_call":
        return True
    return kind in _GROK_TYPES and "content" in record and _BARE.isdisjoint(record)


def _type(part: Record) -> str:
    kind = part.get("type")
    return kind if isinstance(kind, str) else ""


def _dict(record: Record, key: str) -> Record:
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def _dicts(parts: Any) -> Iterator[Record]:
    return (part for part in (parts if isinstance(parts, list) else ()) if isinstance(part, dict))


def _wrapped_parts(record: Record) -> Iterator[Record]:
    return _dicts(_dict(record, "message").get("content"))


_GROK_TYPES = ("system", "user", "assistant", "tool_result")
_BARE = frozenset({"role", "uuid", "id", "timestamp", "message"})

# The first that fits names a record; where several look alike, the narrower comes first.
SHAPES = (
    Shape("Claude Code's stream-json output", _is_stream_json),
    Shape("a droid session", _is_droid, sessions.DROID),
    Shape("Copilot CLI events", _is_copilot, sessions.COPILOT),
    Shape("a Kimi session", _is_kimi, kimi.KIMI),
    Shape("a SWE-agent trajectory", _is_swe_agent, files.SWE_AGENT),
    Shape("OpenHands output", _is_openhands, files.OPENHANDS),
    Shape("an opencode session", _is_opencode, files.OPENCODE),
    Shape("a Cursor agent transcript", _is_cursor, sessions.CURSOR),
    Shape("a Grok chat history", _is_grok, sessions.GROK),
    Shape("Anthropic requests", has_anthropic_messages),
)
