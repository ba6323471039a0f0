r"""Where a long text may be cut without changing what it costs.

The tokenizer panics, past any `except Exception`, on white space unbroken for 1,000,000 characters:
its pattern `\s+(?!\S)` keeps one way back for each of them, and the engine allows a million ways.
A piece of `PIECE_CHARS` cannot get there, whatever it holds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE_CHARS = 400_000

# Both encodings split a text into words first, and no word of theirs goes on over these places:
# after a line feed, unless white space or a slash follows (o200k keeps `;\n/` together), and
# between a character and a blank or tab. Python's white space is a superset of the tokenizer's.
SAFE_CUT = re.compile(r"\n(?=[^\s/])|(?<=\S)(?=[ \t])")


def cut(text: str, piece_chars: int = PIECE_CHARS) -> Iterator[str]:
    """Yield `text` in pieces of at most `piece_chars` characters, and no empty one.

    A piece ends at a safe place where one lies in the second half of what it may hold. Elsewhere (a
    million letters without a blank) it ends where it is full, which costs about one token more.
    """
    start = 0
    while len(text) - start > piece_chars:
        full = start + piece_chars
        found = SAFE_CUT.search(text, full - piece_chars // 2, full)
        stop = found.end() if found else full
        yield text[start:stop]
        start = stop
    if start < len(text):
        yield text[start:]
