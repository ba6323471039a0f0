"""What the library's types promise to whoever uses them: looked at by mypy, never run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_type

from ctxcompact import Event, Report, Session, Settings, Size, compact, reload, tools
from ctxcompact.stores.offloads import Original

if TYPE_CHECKING:
    from pathlib import Path


def of_functions(path: Path) -> None:
    assert_type(compact(path, None, Settings(target=1000)), Report)
    assert_type(reload(["id"]), list[Original])
    compact(path)  # type: ignore[call-arg]
    Settings(target="1000")  # type: ignore[arg-type]


def of_sessions(path: Path) -> None:
    session = Session("anthropic", Settings(), model="claude-opus-4-5")
    assert_type(Session.open(path, "openai-chat"), Session)
    assert_type(Session.load(path), Session)
    assert_type(session.messages(), list[dict[str, Any]])
    assert_type(session.compact_if_needed(), Event | None)
    assert_type(session.micro(), Event | None)
    assert_type(session.size, Size)
    assert_type(session.reload_text("id"), str)
    assert_type(tools.call(session, "compact", {"focus": "ports"}), str)
    assert_type(tools.definitions("mcp"), list[dict[str, Any]])
    session.append("Hello.")  # type: ignore[arg-type]
    session.request_compaction(focus=3)  # type: ignore[arg-type]
