"""Sections 3 and 6.6: tokens and characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcompact.counters.estimates import count_agentscope
from tests.conformance.goldens import (
    BY_NAME,
    FIXED,
    GOLDENS,
    IN_ORDER,
    PICTURE,
    SEARCH,
    THOUGHT,
    UNSEEN,
    Golden,
)
from tests.conformance.reads import called, counts, got, human, measures, reply
from tests.conformance.rows import Row, better, decided, not_applicable, same
from tests.conformance.shapes import ANTHROPIC

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def tok(expected: int, text: str) -> Callable[[Path], None]:
    def check(_: Path) -> None:
        assert count_agentscope(text) == expected

    return check


def _golden(row_id: str, golden: Golden) -> Row:
    return Row(row_id, str(golden.tokens), golden.verdict, golden.reason, (golden.experiment,))


def _in_order(number: int, name: str | None) -> Row:
    row_id = f"6.6/{number}"
    if name is None:
        return not_applicable(row_id, "26", "the reference tells the number, not what it counts")
    return _golden(row_id, BY_NAME[name])


FORMULAS = [
    same(
        "3/tok",
        "0 if empty, else ceil(UTF-16 units / 2.5)",
        tok(0, ""),
        tok(1, "a"),
        tok(1, "ab"),
        tok(2, "abc"),
        tok(2, "abcde"),
        tok(3, "abcdef"),
        tok(2, "😀😀"),
    ),
    decided("3/message", "5 + role + name + blocks", f"{FIXED} 5", counts(5, human(""))),
    decided(
        "3/role",
        "USER 2, ASSISTANT 4, TOOL 2, SYSTEM 3",
        f"{FIXED} the role is in it",
        counts(20, human(""), reply(""), {"role": "system", "content": ""}, human("")),
    ),
    same("3/text", "a text block is tok(text)", counts(5 + 45, human("A" * 111))),
    decided(
        "3/tool-use",
        "10 + name + id + arguments + raw content",
        f"{FIXED} 10 and the name and the arguments; the id is not counted, raw content is not sent",
        counts(5 + 10 + 5 + 14, SEARCH),
        counts(5 + 10 + 5 + 14, called('{"query":"test query","limit":10}', call_id="i" * 90)),
    ),
    decided(
        "3/map-text",
        "arguments as a Java map prints itself, an empty map costs nothing",
        "DESIGN 8: arguments count as the JSON that is sent",
        counts(5 + 10 + 1 + 1, called("{}", "t")),
        counts(5 + 10 + 1 + 6, called('{"a":{"b":[1]}}', "t")),
    ),
    decided(
        "3/tool-result",
        "8 + name + id + outputs",
        f"{FIXED} 8 and the output",
        counts(5 + 8 + 12, got("The search returned 5 results.")),
    ),
    better(
        "3/other-block",
        "thinking, image, audio, video: 5 each",
        f"{UNSEEN} thinking by its text, pictures and sound at a bounded price",
        counts(5 + 18, THOUGHT, form=ANTHROPIC),
        counts(5 + 500, PICTURE, form=ANTHROPIC),
    ),
    same("3/list", "the sum; null or empty is 0", counts(0), counts(20, human(), human())),
    same("3/characters/text", "its length", measures([11], human())),
    decided(
        "3/characters/use",
        "name + id + JSON of the arguments + raw content",
        "DESIGN 4: only the payload is measured, and calls are never moved",
        measures([18], called('{"a":1,"b":"test"}', "calculator", "call-123")),
    ),
    decided(
        "3/characters/result",
        "name + id + text outputs",
        "DESIGN 4: only the payload that would move is measured",
        measures([16], got("The result is 42", "call-123")),
    ),
    same(
        "3/characters/else",
        "0; pictures and thinking cannot be moved by their size",
        measures([0], PICTURE, form=ANTHROPIC),
    ),
]
CHARACTER_GOLDENS = [
    decided(
        "3/characters/golden/calculator",
        "36",
        "DESIGN 4: name (10) and id (8) are no payload",
        measures([18], called('{"a":1,"b":"test"}', "calculator", "call-123")),
    ),
    decided(
        "3/characters/golden/result",
        "32",
        "DESIGN 4: name and id are no payload",
        measures([16], got("The result is 42", "call-123")),
    ),
    decided(
        "3/characters/golden/thinking",
        "0",
        "DESIGN 2 law 3: measured as its text, and never moved",
        measures([45], THOUGHT, form=ANTHROPIC),
    ),
]

ROWS = (
    *FORMULAS,
    *(_golden(f"3/golden/{golden.name}", golden) for golden in GOLDENS),
    *CHARACTER_GOLDENS,
    same("6.6/null", "0", counts(0)),
    same("6.6/empty", "0", counts(0)),
    *(_in_order(number, name) for number, name in enumerate(IN_ORDER, 1)),
)
