"""Whether a text repeats another: looking for long passages that stand in both, word for word."""

from __future__ import annotations

_PROBE_CHARS = 48
_STEP_CHARS = 16


def longest_copy(text: str, source: str, besides: str = "") -> int:
    """Return about how many characters the longest passage of `text` has that stands in `source`.

    What stands in `besides` too does not count. Below 64 characters it may see none;
    the size is right to within 32. Blanks count as one.
    """
    text, source, besides = _flat(text), _flat(source), _flat(besides)
    longest = run = 0
    at = 0
    while at + _PROBE_CHARS <= len(text):
        probe = text[at : at + _PROBE_CHARS]
        if probe in source and probe not in besides:
            run = run + _STEP_CHARS if run else _PROBE_CHARS
            longest = max(longest, run)
        else:
            run = 0
        at += _STEP_CHARS
    return longest


def _flat(text: str) -> str:
    return " ".join(text.split())
