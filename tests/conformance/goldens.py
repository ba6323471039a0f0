"""Numbers that the reference gives for whole messages, and why ours are others."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tests.conformance.reads import called, counts, got, human, reply
from tests.conformance.rows import Verdict
from tests.conformance.shapes import ANTHROPIC

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FIXED = "DESIGN 8: framing is a fixed sum a message, a call, a result;"
UNSEEN = "7.1 #1525: every block counts;"


class Golden(NamedTuple):
    """A number of the reference, and why ours is another one."""

    name: str
    tokens: int
    reason: str
    experiment: Callable[[Path], None]
    verdict: Verdict = Verdict.DECIDED


SEARCH = called('{"query":"test query","limit":10}')
PICTURE = {
    "role": "user",
    "content": [
        {
            "type": "image",
            "source": {"type": "base64", "media_type": "image/png", "data": "A" * 100_000},
        }
    ],
}
THOUGHT = {
    "role": "assistant",
    "content": [{"type": "thinking", "thinking": "t" * 45, "signature": "s"}],
}
NESTED = called('{"filter":{"kind":"a","tags":["x","y"]},"limit":10}')
BOTH = called('{"query":"test query","limit":10}', text="Let me search.")
TWO_TEXTS = got([{"type": "text", "text": "First"}, {"type": "text", "text": "Second"}])

GOLDENS = (
    Golden(
        "user Hello World", 14, f"{FIXED} role 2 and name 2 are not counted", counts(10, human())
    ),
    Golden("user empty", 9, f"{FIXED} role 2 and name 2 are not counted", counts(5, human(""))),
    Golden(
        "user without content",
        9,
        f"{FIXED} role 2 and name 2 are not counted",
        counts(5, human(None)),
    ),
    Golden("user 100 x A", 49, f"{FIXED} role 2, name 2", counts(45, human("A" * 100))),
    Golden(
        "ten users",
        130,
        f"{FIXED} role 2 and name 2, ten times",
        counts(90, *(human(f"Message {n}") for n in range(10))),
    ),
    Golden(
        "user and assistant",
        28,
        f"{FIXED} roles 2 and 4, names 2 and 4",
        counts(16, human("Hello"), reply()),
    ),
    Golden(
        "thinking of 45 characters",
        18,
        f"{UNSEEN} there any thinking is 5, here its text",
        counts(23, THOUGHT, form=ANTHROPIC),
        Verdict.BETTER,
    ),
    Golden(
        "image of 100000 characters",
        14,
        f"{UNSEEN} there any picture is 5, here a bounded price by its size",
        counts(505, PICTURE, form=ANTHROPIC),
        Verdict.BETTER,
    ),
    Golden("ten Chinese characters", 13, f"{FIXED} role 2, name 2", counts(9, human("漢" * 10))),
    Golden("call with two arguments", 48, f"{FIXED} role 4, name 4, id 6", counts(34, SEARCH)),
    Golden(
        "call with an empty map",
        34,
        f"{FIXED} role 4, name 4, id 6; the empty arguments are two characters of JSON, 1",
        counts(21, called("{}", "simple_tool", "tool-call-456")),
    ),
    Golden(
        "call with nested arguments",
        82,
        "DESIGN 8: arguments count as the JSON that is sent, not as a map prints itself; other input",
        counts(41, NESTED),
    ),
    Golden(
        "result",
        40,
        f"{FIXED} role 2, name 2, tool 5, id 6",
        counts(25, got("The search returned 5 results.")),
    ),
    Golden("result with empty output", 27, f"{FIXED} role, names, id", counts(13, got(""))),
    Golden(
        "result with two outputs",
        39,
        f"{FIXED} the outputs count joined by a line feed; other texts",
        counts(18, TWO_TEXTS),
    ),
    Golden("text and call", 53, f"{FIXED} role, name, id; other text", counts(40, BOTH)),
    Golden(
        "call without name and id",
        30,
        f"{FIXED} role 4, name 4",
        counts(22, called('{"query":"test"}', "", "")),
    ),
    Golden(
        "result without name and id", 20, f"{FIXED} role 2, name 2", counts(16, got("Result", ""))
    ),
    Golden("no name", 12, f"{FIXED} role 2", counts(10, human())),
    Golden(
        "no role",
        14,
        "DESIGN 8: a record without a role is no message; what the model never sees does not count",
        counts(0, {"name": "test", "content": "Hello World"}, messages=0),
    ),
)

BY_NAME = {golden.name: golden for golden in GOLDENS}

# Section 6.6 gives its numbers in this order; what the number 26 was measured on it does not say.
IN_ORDER = (
    "user Hello World",
    "user empty",
    "thinking of 45 characters",
    "call with two arguments",
    "call with an empty map",
    "result",
    "result with empty output",
    "text and call",
    "user and assistant",
    "no role",
    "no name",
    "user without content",
    "user 100 x A",
    "call with nested arguments",
    "result with two outputs",
    "ten Chinese characters",
    None,
    "call without name and id",
    "result without name and id",
    "ten users",
)
