"""The entry with which pi itself marks that it has compacted a session.

It stands at the end, and names the first entry that is kept; where that is none, itself, as the
client does for extensions (and says so in `fromHook`). Since 1.x a session holds its system prompts:
the ones so far go into it as one, as the client joins them. Read from 0.73 and 1.6. In files of the
first version entries have no ids, and what is kept is named by its line, the header being line 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.core.payloads import text_of
from ctxcompact.formats.fields import dict_at, dicts_at, text_at
from ctxcompact.formats.times import later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.format import Closing


def closing(mark: Closing) -> dict[str, Any]:
    """Make the entry."""
    time = text_at(mark.last, "timestamp")
    return {
        "type": "compaction",
        **({"id": mark.id, "parentId": mark.parent} if mark.parent else {}),
        **({"timestamp": later(time, 1)} if time else {}),
        "summary": mark.summary,
        **_kept(mark),
        "tokensBefore": mark.tokens,
        "fromHook": True,
        **({"systemMessage": _joined(mark.prompts)} if mark.prompts else {}),
    }


def _kept(mark: Closing) -> dict[str, Any]:
    if mark.parent:
        return {"firstKeptEntryId": mark.first[0] if mark.first else mark.id}
    return {"firstKeptEntryIndex": mark.first[1]} if mark.first else {}


def _joined(prompts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the prompt that counts: contents are added up, sections and tools replaced by name."""
    first, *later_ones = prompts
    if not later_ones:
        return first
    sections: dict[str, Any] = {}
    tools: dict[str, Any] = {}
    for prompt in prompts:
        sections |= dict_at(prompt, "sections")
        for tool in dicts_at(prompt, "toolsRemoved"):
            tools.pop(text_at(tool, "name"), None)
        tools |= {text_at(tool, "name"): tool for tool in dicts_at(prompt, "toolsAdded")}
    sections = {name: text for name, text in sections.items() if text is not None}
    return {
        "role": "system",
        "content": "\n\n".join(filter(None, (text_of(x.get("content")) for x in prompts))),
        **({"sections": sections} if sections else {}),
        **({"toolsAdded": list(tools.values())} if tools else {}),
        **({"timestamp": first["timestamp"]} if "timestamp" in first else {}),
    }
