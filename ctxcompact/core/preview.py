"""Where a text may be cut: never inside what a reader sees as one character."""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_TAG_END = 0xE007F
_FIRST_MARK = 0x300
_REGIONAL = range(0x1F1E6, 0x1F200)
_SKIN = range(0x1F3FB, 0x1F400)
_TAGS = range(0xE0020, _TAG_END + 1)
_CLUSTER_CHARS_MAX = 64


def cut(text: str, chars: int) -> str:
    """Return at most the first `chars` code points, moved back to the edge of a character.

    Kept whole: CR LF, a base with its combining marks, emoji with joiners, skin tones, flags, and
    the two halves of a surrogate pair. A cluster longer than a reader would know is cut all the
    same.
    """
    if len(text) <= chars:
        return text
    at = chars
    while at > 0 and chars - at < _CLUSTER_CHARS_MAX and not _may_cut(text, at):
        at -= 1
    if at == 0 or chars - at >= _CLUSTER_CHARS_MAX:
        at = chars
    return text[:at]


def _may_cut(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if before == "\r" and after == "\n":
        return False
    if before == _JOINER or _extends(after):
        return False
    if "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff":
        return False
    return not (ord(after) in _REGIONAL and _odd_flags_before(text, at))


def _extends(char: str) -> bool:
    code = ord(char)
    if code < _FIRST_MARK:
        return False
    return char == _JOINER or code in _SKIN or code in _TAGS or unicodedata.category(char)[0] == "M"


def _odd_flags_before(text: str, at: int) -> bool:
    start = at
    while start > 0 and ord(text[start - 1]) in _REGIONAL:
        start -= 1
    return (at - start) % 2 == 1
