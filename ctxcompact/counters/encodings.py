"""Exact tokens of OpenAI's two encodings, from the tables in `ranks/`; no network, no cache folder.

The `tiktoken.Encoding` is built by hand. Asking tiktoken for it by name would download the ranks.
"""

from __future__ import annotations

import gc
import pkgutil
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING

from ctxcompact.counters.pieces import cut
from ctxcompact.errors import CtxCompactError

if TYPE_CHECKING:
    import tiktoken

_HEADER_BYTES = 4
# How each encoding splits a text into words before it looks for tokens, from tiktoken's
# `openai_public`: public facts, and a test holds them against the installed tiktoken.
PATTERNS = {
    "o200k_base": (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n/]*"
        r"|\s*[\r\n]+"
        r"|\s+(?!\S)"
        r"|\s+"
    ),
    "cl100k_base": (
        r"'(?i:[sdmt]|ll|ve|re)"
        r"|[^\r\n\p{L}\p{N}]?+\p{L}++"
        r"|\p{N}{1,3}+"
        r"| ?[^\s\p{L}\p{N}]++[\r\n]*+"
        r"|\s++$"
        r"|\s*[\r\n]"
        r"|\s+(?!\S)"
        r"|\s"
    ),
}


def count_tokens(name: str, text: str) -> int:
    """Count the tokens of `text` in encoding `name`; what looks like a special token is plain text.

    Exact up to 400,000 characters, and beyond wherever `pieces` finds a safe place to cut. A lone
    surrogate counts as the replacement character. Raises CtxCompactError without a sound table.
    """
    encode = load_encoding(name).encode_ordinary
    return sum(len(encode(piece)) for piece in cut(text))


@cache
def load_encoding(name: str) -> tiktoken.Encoding:
    """Build encoding `name` once a process: about 0.2 s, most of it the tokenizer's own."""
    was_enabled = gc.isenabled()
    gc.disable()  # 200,000 tokens come at once and all stay: nothing to collect meanwhile
    try:
        import tiktoken  # noqa: PLC0415 - not before something is counted

        # No special tokens: a transcript may quote them, and then they are words like others.
        return tiktoken.Encoding(
            name,
            pat_str=PATTERNS[name],
            mergeable_ranks=unpack(read_table(name)),
            special_tokens={},
        )
    finally:
        if was_enabled:
            gc.enable()


def read_table(name: str) -> bytes:
    """Read the rank table of encoding `name`, wherever this package lies."""
    try:
        table = pkgutil.get_data("ctxcompact.counters", f"ranks/{name}.bin")
    except OSError:
        table = None
    if table is None:
        message = f"the rank table of {name} is not where ctxcompact was installed"
        raise CtxCompactError(message, hint="Install ctxcompact again.")
    return table


def unpack(table: bytes) -> dict[bytes, int]:
    """Turn a table as `build_ranks` wrote it into rank by token."""
    start = _HEADER_BYTES + int.from_bytes(table[:_HEADER_BYTES], "little")
    lengths = table[_HEADER_BYTES:start]
    if len(table) != start + sum(lengths):
        message = "a rank table of ctxcompact is damaged"
        raise CtxCompactError(message, hint="Install ctxcompact again.")
    # One struct of all tokens cuts them in two thirds of the time that slicing takes.
    tokens = Struct("s".join([*map(str, lengths), ""])).unpack_from(table, start)
    return dict(zip(tokens, range(len(tokens)), strict=True))
