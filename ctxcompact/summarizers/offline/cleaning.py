"""What a reader would see of a text: no terminal codes, nothing unprintable, and none of our own marks.

Where a text is cut into rows belongs to `rows`.
"""

from __future__ import annotations

import re

from ctxcompact.core import tags

_TERMINAL = re.compile(
    r"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\-_])"
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]+")
_UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
_BREAKS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_FRAMES = re.compile("[\u2500-\u259f]+")
_MARKS = re.compile(
    r"<\s*context_offload\b[^<>]{0,200}(?:/?>)?|<!--\s*CONTEXT_OFFLOAD[^<>]{0,200}(?:-->)?|CONTEXT_OFFLOAD:|"
    + "|".join(
        re.escape(start) + r"(?:[^\]\n]{0,400}\])?"
        for start in (tags.PLACEHOLDER_START, tags.FULL_SUMMARY_START, tags.SUMMARY_LABEL[:-1])
    ),
    re.IGNORECASE,
)
_GAP = "…"


def visible(text: str) -> str:
    r"""Return the text as a terminal would show it, with `\n` for every line break."""
    if "\x1b" in text:
        text = _TERMINAL.sub("", text)
    if "\r" in text:
        lines = text.replace("\r\n", "\n").split("\n")
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)
    return _UNSEEN.sub("", _FRAMES.sub(" ", _CONTROL.sub(" ", _BREAKS.sub("\n", text))))


def inert(text: str) -> str:
    """Put an ellipsis in the place of everything that looks like a mark of ours."""
    return _MARKS.sub(_GAP, text) if "[" in text or "OFFLOAD" in text.upper() else text


def even(text: str) -> str:
    """Put one blank in the place of any white space."""
    return " ".join(text.split())


def clip(text: str, chars: int) -> str:
    """Cut a text to about `chars` characters, never inside a word, and say so with an ellipsis.

    Of a long path the end stays, for that names the file.
    """
    if len(text) <= chars:
        return text
    kept: list[str] = []
    words = text.split(" ", chars)
    for at, word in enumerate(words):
        if len(word) > chars:
            end = _end_of_path(word, chars)
            kept.append(end or (word if at == 0 and len(word) <= 2 * chars else ""))
            return " ".join(kept).rstrip(" ,;") + (_GAP if at < len(words) - 1 or not end else "")
        kept.append(word)
        chars -= len(word) + 1
    return " ".join(kept) + _GAP


def _end_of_path(word: str, chars: int) -> str:
    """Keep as many last parts of a path as fit, but one at least; "" for what is no path."""
    tail = word[-chars:].partition("/")[2] or word.rpartition("/")[2]
    return f"{_GAP}/{tail}" if "/" in word and len(tail) <= 2 * chars else ""
