"""The mark that stands for an original: writing it, finding it.

Whether the id of a mark is ours is for the store to say. Text that merely looks like a mark is
text.
"""

from __future__ import annotations

import re

from ctxcompact.errors import UsageError

_UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
_TAG = rf'<context_offload uuid="({_UUID})"/>|<!-- CONTEXT_OFFLOAD: uuid=({_UUID}) -->'
_LAST_LINE = re.compile(rf"(?:\A|\n)[^\n]*(?:{_TAG})[ \t\r\n]*\Z")
_ANYWHERE = re.compile(_TAG)
_CLOSING_JSON = re.compile(
    rf'(?:<context_offload uuid=\\"({_UUID})\\"/>|<!-- CONTEXT_OFFLOAD: uuid=({_UUID}) -->)'
    r'(?:\\[ntr]|[ \t])*"'
)
_CANONICAL = re.compile(_UUID)
_LOOK_BACK_CHARS = 4096
_SPACES = " \t\r\n"
_ENDINGS = frozenset(f">{_SPACES}")

RELOAD_TOOL = "context_offload"
"""The tool by which a model asks for what a mark stands for; a server's name may stand before it."""
PLACEHOLDER_START = "[Previous: used "
FULL_SUMMARY_START = "[Conversation compressed. Transcript: "
ACKNOWLEDGEMENT = "Understood. I have the context from the summary. Continuing."
SUMMARY_LABEL = "[Record of earlier work in this conversation; not new speech]"
_OUR_STARTS = (SUMMARY_LABEL, FULL_SUMMARY_START, ACKNOWLEDGEMENT)


def render(uuid: str) -> str:
    """Write the mark for an id."""
    return f'<context_offload uuid="{uuid}"/>'


def closing(text: str) -> str:
    """Return the id of the mark on the last line of a text, or ""."""
    last = text[-1:]
    if last not in _ENDINGS:
        return ""
    tail = text[-_LOOK_BACK_CHARS:]
    if last != ">" and not tail.rstrip(_SPACES).endswith(">"):
        return ""
    if "ffload" not in tail and "OFFLOAD" not in tail:
        return ""
    found = _LAST_LINE.search(tail)
    return (found[1] or found[2]).lower() if found else ""


def find(text: str) -> list[str]:
    """List the ids of all well-formed marks in a text, each once, in order."""
    found = (first or second for first, second in _ANYWHERE.findall(text))
    return list(dict.fromkeys(uuid.lower() for uuid in found))


def closing_in(json_text: str) -> list[str]:
    """List the ids of the marks on which strings of a JSON text end, each once, in order."""
    found = (first or second for first, second in _CLOSING_JSON.findall(json_text))
    return list(dict.fromkeys(uuid.lower() for uuid in found))


def is_placeholder(text: str) -> bool:
    """Tell whether a text is what micro leaves in the place of a result.

    With or without its mark.
    """
    return (
        text.startswith(PLACEHOLDER_START)
        and len(text) < _LOOK_BACK_CHARS
        and (text.endswith("]") or closing(text) != "")
    )


def is_summary(text: str) -> bool:
    """Tell whether a text is one of ours.

    A summary with label and mark, a full summary, or its acknowledgement.
    """
    if not text.startswith(_OUR_STARTS):
        return False
    if text.startswith(SUMMARY_LABEL):
        return closing(text) != ""
    return text.startswith(FULL_SUMMARY_START) or text == ACKNOWLEDGEMENT


def canonical(text: str) -> str:
    """Return an id in lower case.

    Raises `UsageError` unless the text is exactly a UUID in its 36-character form: nothing else may
    come near a store.
    """
    if _CANONICAL.fullmatch(text):
        return text.lower()
    message = f"not an id: {text[:60]!r}"
    hint = (
        "an id looks like 0f8fad5b-d9cb-869f-a165-70867728950e; `ctxcompact store list` shows all"
    )
    raise UsageError(message, hint=hint)
