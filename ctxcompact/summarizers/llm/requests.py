"""What is sent to a model: rules, data between lines that cannot occur in it, the task again.

The last words are ours, so that an instruction in the data is never the last that a model reads.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.summarizers.llm.wording import fill, read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.summarizers.llm.records import Record

# Used where only the size matters; a mark of letters and digits costs as many tokens as any other.
ANY_MARK = "a1b2c3d4"
_MARK_CHARS = len(ANY_MARK)
_WORDS_PER_TOKEN = 0.7
_CHARS_PER_TOKEN = 0.9


class Request(NamedTuple):
    """Rules for the system, data and closing words for the user; `mark` names the delimiters."""

    rules: str
    data: str
    closing: str
    mark: str

    @property
    def messages(self) -> list[dict[str, str]]:
        """The messages of a chat completion."""
        opened = f"<transcript-{self.mark}>\n{self.data}</transcript-{self.mark}>"
        return [
            {"role": "system", "content": self.rules},
            {"role": "user", "content": f"{opened}\n\n{self.closing}"},
        ]


class Wish(NamedTuple):
    """What is asked for: `tokens` of `original_tokens`, by a prompt; `notes` are more rules."""

    prompt: str
    tokens: int
    original_tokens: int
    notes: tuple[str, ...] = ()


def make(records: Sequence[Record], wish: Wish, remark: str = "") -> Request:
    """Put a request together. `remark` says what was wrong with an earlier answer."""
    mark = _unused_mark(records)
    values = _values(wish) | {"mark": mark}
    rules = [fill(read("frame"), values), fill(wish.prompt, values), *wish.notes]
    closing = [fill(read("closing"), values), *([remark] if remark else [])]
    data = "".join(written(one, mark) for one in records)
    return Request("\n\n".join(rules), data, "\n\n".join(closing), mark)


def written(record: Record, mark: str = ANY_MARK) -> str:
    """Write a record as it stands in the data."""
    return f"[{mark} {record.title}]\n{record.body}\n"


def _unused_mark(records: Sequence[Record]) -> str:
    """Derive the mark from the data, which cannot know it; again if it occurs there."""
    texts = [text for record in records for text in record]
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode() + b"\0")
    mark = digest.hexdigest()[:_MARK_CHARS]
    while any(mark in text for text in texts):
        digest.update(b"again")
        mark = digest.hexdigest()[:_MARK_CHARS]
    return mark


def _values(wish: Wish) -> dict[str, str]:
    share = wish.tokens / max(wish.original_tokens, 1)
    return {
        "tokens": str(wish.tokens),
        "original_tokens": str(wish.original_tokens),
        "percent": str(max(1, round(100 * share))),
        "words": str(max(1, round(wish.tokens * _WORDS_PER_TOKEN))),
        "chars": str(max(1, round(wish.tokens * _CHARS_PER_TOKEN))),
    }
