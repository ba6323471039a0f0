"""Calls and their results in the session files of Gemini CLI and of its child, Qwen Code."""

from __future__ import annotations

from ctxcompact.core.pairs import Tools
from ctxcompact.formats.gemini_parts import Calls


class Ids(Calls):
    """Pairs by id, for files where ids are unique and lines may stand twice; by name without one."""

    def __init__(self) -> None:
        super().__init__()
        self._tools = Tools()

    def call(self, call_id: str, tool: str) -> str:
        """Note a call; return the id it goes by."""
        self._tools.call(call_id or tool, tool)
        return call_id or tool

    def answer(self, call_id: str, tool: str) -> tuple[str, str]:
        """Return the id of the call answered, and its tool."""
        found, known = self._tools.pair(call_id or tool)
        return found, known or tool
