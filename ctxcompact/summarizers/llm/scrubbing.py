"""What is changed in a text before a model sees it: binary, control characters, words that act.

Nothing here decides what is summarized; a text keeps all its readable words.
"""

from __future__ import annotations

import re

# A mark of ours in the data is text like any other. The model must not learn to write it.
_MARKS = re.compile(
    r"<\s*(/?)\s*context_offload\b([^<>\n]{0,200})>?"
    r"|<!--\s*CONTEXT_OFFLOAD\s*:\s*([^<>\n]{0,200}?)-->",
    re.IGNORECASE,
)
# Words that end a turn in common chat templates. Servers exist that read them as such inside a
# text.
_TURNS = re.compile(
    r"<(?=\|[A-Za-z_][\w ]{0,40}\|>|/?s>|(?:start|end)_of_turn>|<SYS>>|</SYS>>)|\[(?=/?INST\])"
)
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]{0,300}(?:\x07|\x1b\\)|[@-Z\\-_])")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LONE_SURROGATES = re.compile(r"[\ud800-\udfff]")
_BINARY = re.compile(
    r"data:[\w.+/-]{1,80}(?:;[\w=.-]{1,60})*;base64,[A-Za-z0-9+/=_-]*"
    r"|(?<![^\n])[ \t]*(?:[A-Za-z0-9+/]{60,}+\r?\n[ \t]*){3,}+[A-Za-z0-9+/]*={0,2}"
    r"|(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{200,}+={0,2}"
)
_SEPARATORS = "/-_"
_SEPARATOR_SHARE = 16


def scrub(text: str) -> str:
    """Make a text fit to be sent: readable, encodable, and inert."""
    return without_binary(_TURNS.sub(_apart, _MARKS.sub(_as_words, sanitize(text))))


def sanitize(text: str) -> str:
    """Take out escape sequences and control characters; lone surrogates are replaced."""
    text = _CONTROLS.sub("", _ANSI.sub("", text))
    return _LONE_SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)


def without_binary(text: str) -> str:
    """Put a note in the place of base64. Long names, paths and runs of one character stay."""
    return _BINARY.sub(_binary_note, text)


def has_mark(text: str) -> bool:
    """Tell whether a text has anything that looks like a mark of ours, well-formed or not."""
    return _MARKS.search(text) is not None


def _as_words(found: re.Match[str]) -> str:
    content = found[3] if found[2] is None else found[2].strip(" /")
    return f"[offload reference {content.strip()}]"


def _apart(found: re.Match[str]) -> str:
    return found[0] + " "


def _binary_note(found: re.Match[str]) -> str:
    text = found[0]
    if not text.startswith("data:") and not _is_binary(text):
        return text
    return f"[base64, {len(text):,} characters]"


def _is_binary(text: str) -> bool:
    """Tell base64 from long names: it mixes cases and digits, and has few separators."""
    if any(text.count(one) > len(text) // _SEPARATOR_SHARE for one in _SEPARATORS):
        return False
    mixed = (str.islower, str.isupper, str.isdigit)
    return all(any(is_one(char) for char in text) for is_one in mixed)
