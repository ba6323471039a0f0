"""Atoms: single words of a text that nobody could guess back, each with its kind.

Only what a word looks like counts here. What its neighbors say is for `facts` and the summarizers.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

CACHED_WORDS = 1 << 16
"""So many words are remembered with what they are: transcripts repeat themselves."""

WORD_CHARS = 400
"""A longer word is no word: nobody copies it by hand."""

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
"""Chinese, Japanese and Korean letters, as the inside of a character class."""

_PUNCTUATION = "\u00b7\u00d7\u2018\u2019\u201c\u201d\u2022\u2026\u2190-\u21ff\u3000-\u303f\uff01-\uff0f\uff1a-\uff1f"
WORD = re.compile(
    r"[a-zA-Z][a-zA-Z0-9+.-]{0,19}://[^\s\"'<>()\[\]{}|\\^`" + CJK + _PUNCTUATION + r"]+"
    r"|[" + CJK + r"]+"
    r"|(?<![\w.,])[-+#$\u20ac\u00a3\u00a5]{0,2}\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])"
    r"|[^\s\"'`<>()\[\]{},;=|*" + CJK + _PUNCTUATION + r"]+"
)
"""One word: an address with its scheme, a run of CJK letters, or anything up to a delimiter."""

_EDGES = ".:!?&"
_DRIVE = re.compile(r"[A-Za-z]:\\")
_UNITS = r"(?:%|ms|us|ns|s|m|h|d|[KMGT]i?B?|[kmg]b?|px|x|st|nd|rd|th)?"
_NUMBER = re.compile(r"[-+#$\u20ac\u00a3\u00a5~]*\d[\d.,_]*" + _UNITS)
_DATE = re.compile(r"\d{4}[-/]\d\d?[-/]\d\d?(?:T[\d:.,+-]*Z?)?|\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?Z?")
_VERSION = re.compile(r"[v^~]?\d+\.\d+\.\d[\w.+-]*|v\d[\w.+-]*")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HASH = re.compile(r"(?:sha\d+[:-])?(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}\b[.…]*")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_FILE = re.compile(r"[\w.@+-]+\.[A-Za-z][A-Za-z0-9]{0,5}")
_ERROR = re.compile(
    r"(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Warning|Fault)|E[A-Z]{3,}\d?|ERR_\w+|E\d{3,}|SIG[A-Z]{3,}"
)
_CAMEL = re.compile(r"[A-Za-z][a-z0-9]+[A-Z]\w*|[A-Z]{2,}[a-z]\w*")
_LETTER = re.compile(r"[^\W\d_]")
_EXTENSIONS = frozenset(
    "py js ts tsx jsx mjs java go rs c h cc cpp hpp cs rb php kt swift scala sh ps1 bat sql html css scss md rst txt "
    "log "
    "csv tsv json jsonl xml yaml yml toml ini conf cfg env lock pdf png jpg svg zip gz tar whl so dll exe pem key crt "
    "docx xlsx ipynb proto tf gradle properties core bak tmp db sqlite".split()
)


class Atom(NamedTuple):
    """A word and what it looks like: url, address, path, version, hash, id, error, option, date, number or name."""

    kind: str
    text: str


def words(text: str) -> list[str]:
    """List the words of a text, in order, without the punctuation around them; endless ones are left out."""
    return [
        word
        for raw in WORD.findall(text)
        if len(raw) <= WORD_CHARS and (word := raw.strip(_EDGES).rstrip(",;"))
    ]


def atoms(text: str) -> Iterator[Atom]:
    """Yield the atoms of a text, in order, repetitions included."""
    for word in words(text):
        yield from atoms_of(word)


@lru_cache(CACHED_WORDS)
def atoms_of(word: str) -> tuple[Atom, ...]:
    """Return what one word holds: itself, or the parts which colons join (`file.py:12`)."""
    parts = word.split(":") if ":" in word and _joins(word) else [word]
    return tuple(Atom(kind, part) for part in parts if part and (kind := kind_of(part)))


def _joins(word: str) -> bool:
    """Tell whether the colon in a word stands between two words."""
    return "://" not in word and not any(whole.match(word) for whole in (_DATE, _HASH, _DRIVE))


@lru_cache(CACHED_WORDS)
def kind_of(word: str) -> str:
    """Tell what a word looks like, "" for a plain word of a language."""
    if word.isalpha():
        return _kind_of_letters(word)
    if "://" in word:
        return "url"
    if "@" in word and _MAIL.fullmatch(word):
        return "address"
    if any(character.isdigit() for character in word):
        return _kind_with_digits(word)
    return _kind_without_digits(word)


def _kind_of_letters(word: str) -> str:
    if word.islower() or word.istitle() or not word.isascii():
        return ""
    if _ERROR.fullmatch(word):
        return "error"
    return "id" if _CAMEL.fullmatch(word) else ""


def _kind_with_digits(word: str) -> str:
    if _NUMBER.fullmatch(word):
        return "version" if word.count(".") > 1 else "number"
    for kind, pattern in (
        ("date", _DATE),
        ("hash", _HASH),
        ("version", _VERSION),
        ("id", _UUID),
        ("error", _ERROR),
    ):
        if pattern.fullmatch(word):
            return kind
    if "/" in word or "\\" in word:
        return "path" if _LETTER.search(word) else "number"
    return "path" if _is_file(word) else "id"


def _kind_without_digits(word: str) -> str:
    if "/" in word or "\\" in word:
        return "path" if _is_path(word) else "name"
    if _ERROR.fullmatch(word):
        return "error"
    if word.startswith("--") and len(word) > 3:  # noqa: PLR2004 - more than one letter
        return "option"
    if _is_file(word):
        return "path"
    is_id = "_" in word.strip("_")
    if "." in word and not is_id:
        return "id" if any(_CAMEL.fullmatch(part) for part in word.split(".")) else "name"
    plain = "name" if "-" in word.strip("-") else ""
    return "id" if is_id else plain


def _is_file(word: str) -> bool:
    return _FILE.fullmatch(word) is not None and word.rpartition(".")[2].lower() in _EXTENSIONS


def _is_path(word: str) -> bool:
    return (
        word[0] in "~./\\" or word.count("/") + word.count("\\") > 1 or "." in word or "_" in word
    )
