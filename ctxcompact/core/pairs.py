"""Calls and their results, paired while a transcript is read."""

from __future__ import annotations

_ONE_CALL = 2  # an id and the tool of its only open call


class Pairs:
    """Which call a result answers: the nearest earlier open call with its id.

    Ids and names are handed out as one string each: they are many, and every result repeats its call's.
    """

    def __init__(self) -> None:
        self._open: dict[str, tuple[str, ...]] = {}
        self._tools: dict[str, str] = {}

    def call(self, call_id: str, tool: str) -> str:
        """Note a call; return the tool's name."""
        tool = self._tools.setdefault(tool, tool)
        before = self._open.get(call_id)
        self._open[call_id] = (call_id, tool) if before is None else (*before, tool)
        return tool

    def answer(self, call_id: str) -> str:
        """Return the tool whose call is answered, "" if no call with this id is open."""
        return self.pair(call_id)[1]

    def pair(self, call_id: str) -> tuple[str, str]:
        """Return the id as the call has it, and the tool whose call is answered ("" if no call is open)."""
        found = self._open.pop(call_id, None)
        if found is None:
            return call_id, ""
        if len(found) > _ONE_CALL:
            self._open[call_id] = found[:-1]
        return found[0], found[-1]


class Tools(Pairs):
    """The tool of each call, for files where ids are unique and lines may stand twice."""

    def __init__(self) -> None:
        super().__init__()
        self._called: dict[str, tuple[str, str]] = {}

    def call(self, call_id: str, tool: str) -> str:
        """Note a call; return the tool's name."""
        tool = self._tools.setdefault(tool, tool)
        self._called[call_id] = call_id, tool
        return tool

    def pair(self, call_id: str) -> tuple[str, str]:
        """Return the id as the call has it, and the tool ("" if no call with this id came before)."""
        return self._called.get(call_id, (call_id, ""))
