"""What a reader would see of a text: no terminal codes, nothing unprintable, and none of our own marks.

Where a text is cut into rows belongs to `rows`.
"""

from __future__ import annotations

import re

_TERMINAL = re.compile(
    r"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\-_])"
)
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
_BREAKS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_OVERTYPED = re.compile(r"[^\n]*\r(?=[^\n])")
_FRAMES = re.compile("[\u2500-\u259f]+")
_MARKS = re.compile(
    r"<\s*context_offload\b[^<>]{0,200}(?:/?>)?|<!--\s*CONTEXT_OFFLOAD[^<>]{0,200}(?:-->)?|CONTEXT_OFFLOAD:"
    r"|\[Previous: used [^\]\n]{0,200}\]?|\[Previous: used|\[Conversation compressed[^\]\n]{0,400}\]?",
    re.IGNORECASE,
)
_GAP = "…"


def visible(text: str) -> str:
    """Return the text as a terminal would show it, with a newline for every line break."""
    if "\x1b" in text:
        text = _TERMINAL.sub("", text)
    if "\r" in text:
        text = _OVERTYPED.sub("", text.replace("\r\n", "\n"))
    return _FRAMES.sub(" ", _UNPRINTABLE.sub("", _BREAKS.sub("\n", text)))


def inert(text: str) -> str:
    """Put an ellipsis in the place of everything that looks like a mark of ours."""
    return _MARKS.sub(_GAP, text) if "[" in text or "OFFLOAD" in text.upper() else text


def even(text: str) -> str:
    """Put one blank in the place of any white space."""
    return " ".join(text.split())


def clip(text: str, chars: int) -> str:
    """Cut a text to at most `chars` characters, between words where there is a blank, and say so with an ellipsis."""
    if len(text) <= chars:
        return text
    cut = text[:chars].rpartition(" ")[0].rstrip(" ,;")
    return (cut if 2 * len(cut) > chars else "") + _GAP
