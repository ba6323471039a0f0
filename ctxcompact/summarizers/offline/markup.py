"""HTML and XML to lines of text. Not a parser: it reads tags as they come, and never fails."""

from __future__ import annotations

import html
import re

_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]{0,60})((?:\s[^<>]{0,4000})?)/?>|<[!?][^<>]{0,2000}>")
_ATTRIBUTE = re.compile(r"([\w:-]{1,60})\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_SILENT = re.compile(r"</(?:script|style|svg|noscript)\s*>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:nbsp|lt|gt|quot|apos|#\d{1,6}|#x[0-9a-fA-F]{1,5});")
_INLINE = frozenset(
    "a b i u s em strong span small code sub sup abbr time label font big mark kbd img input button".split()
)
_BLOCK = frozenset(
    "html head body div p ul ol li table thead tbody tfoot tr td th section article header footer nav main aside form "
    "h1 h2 h3 h4 h5 h6 br hr pre blockquote title meta link dl dt dd option select textarea iframe figure figcaption "
    "details summary script style svg path noscript center".split()
)
_CELLS = frozenset(("td", "th"))
_TELLING = frozenset("href src alt title value content aria-label datetime name".split())
_SAMPLE_CHARS = 3000
_FEWEST_TAGS = 8


def is_markup(text: str) -> bool:
    """Tell whether a text is mostly tags: it has many, and the first thing in it is one."""
    start = text[:_SAMPLE_CHARS].lstrip()
    return start.startswith("<") and len(_TAG.findall(text, 0, _SAMPLE_CHARS)) >= min(
        _FEWEST_TAGS, 2 + len(text) // 400
    )


def to_lines(text: str) -> str:
    """Return what the tags hold, a line for each block; what HTML does not know keeps its name and attributes."""
    parts: list[str] = []
    at = 0
    while tag := _TAG.search(text, at):
        parts.append(_plain(text[at : tag.start()]))
        at = tag.end()
        name = (tag[2] or "").lower()
        parts.append(_spoken(tag, name))
        if not tag[1] and name in ("script", "style", "svg", "noscript"):
            end = _SILENT.search(text, at)
            at = end.end() if end else len(text)
    parts.append(_plain(text[at:]))
    return "".join(parts)


def _spoken(tag: re.Match[str], name: str) -> str:
    """Say what a tag says: a line break, a blank, or its name and attributes."""
    if not name:
        return " "
    known = name in _INLINE or name in _BLOCK
    gap = " " if name in _INLINE or (known and tag[1]) or name in _CELLS else "\n"
    if tag[1]:
        return gap if known else " "
    pairs = [(key, first or second) for key, first, second in _ATTRIBUTE.findall(tag[3] or "")]
    told = (
        [value for key, value in pairs if value and key.lower() in _TELLING]
        if known
        else [f"{key}={value}" for key, value in pairs]
    )
    return gap + " ".join(([] if known else [tag[2]]) + told) + " "


def _plain(text: str) -> str:
    return _ENTITY.sub(_meant, text) if "&" in text else text


def _meant(entity: re.Match[str]) -> str:
    """Return the sign an entity stands for; one that may be part of a word stays as it is spelled."""
    sign = html.unescape(entity[0])
    return entity[0] if sign.isalnum() else sign
