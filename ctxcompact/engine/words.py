"""People's own words, kept as they are beside a full summary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# A standing rule is worth more than a question that was answered long ago. English and Chinese.
_RULE = re.compile(
    r"\b(always|never|must|do not|don't|from now on|from here on|only ever|make sure"
    r"|please keep|ask me before)\b"
    r"|必须|不要|不得|禁止|总是|务必|从现在起|以后",
    re.IGNORECASE,
)


def verbatim(
    spoken: Sequence[str], tokens: int, count: Callable[[str], int], *, newest_stays: bool
) -> str:
    """Return what people said, in order, under a line that says so; "" if nobody spoke.

    The first message is always there, and so is the newest unless it stays in the conversation.
    Others follow while they fit into `tokens`: standing rules first, then the newest.
    """
    texts = [text for text in spoken if text.strip()]
    if not texts:
        return ""
    chosen = {0} if newest_stays else {0, len(texts) - 1}
    left = tokens - sum(count(texts[at]) for at in chosen)
    rest = [at for at in range(len(texts)) if at not in chosen]
    for at in sorted(rest, key=lambda at: (not _RULE.search(texts[at]), -at)):
        size = count(texts[at])
        if size <= left:
            chosen.add(at)
            left -= size
    said = "\n\n".join(texts[at] for at in sorted(chosen))
    more = len(texts) - len(chosen)
    left_out = f" ({more} more are in the transcript)" if more else ""
    return f"\n\nWhat the person said, word for word{left_out}:\n\n{said}"
