"""Section 6.3: MsgUtils, which turns messages into JSON, replaces them, and tells what they are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ctxcompact import kept
from ctxcompact.core import tags
from ctxcompact.core.apply import Folded, apply
from ctxcompact.core.outline import trace
from ctxcompact.core.units import is_tool_message
from tests.conformance.experiments import Compacts, passes_through, run
from tests.conformance.reads import called, counts, got, human, measures, no, reply, yes
from tests.conformance.regimes import ROUNDS_OF_FIVE, SMALL, TIGHT
from tests.conformance.rows import Row, better, decided, not_applicable, same
from tests.conformance.shapes import (
    ANTHROPIC,
    CONVERSATIONS,
    LONG_PAIR,
    NOTHING,
    OPENAI,
    PAIR,
    USE,
    A,
    T,
    U,
    t,
    write,
)
from tests.fakes import MARK, answer, user

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ctxcompact.core.model import Message

NO_NULL = "a message that is read is never null; a line of null is no message (6.1/16)"
ONLY_PLANS = "edits are made by our own planners on the very conversation they are applied to"
SUMMARY = f"{tags.SUMMARY_LABEL}\nAll went well.\n{MARK}"
PICTURE = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
COMPLEX = {
    "role": "assistant",
    "content": [
        {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
        {"type": "text", "text": "漢😀\ud800", "later": None},
        {"type": "tool_use", "id": "x", "name": "f", "input": {"a": [1e5, {"b": None}]}},
    ],
    "more": {"nested": [True, 10**30]},
}
ANSWER_IN_REPLY = {
    "role": "assistant",
    "content": [{"type": "tool_result", "tool_use_id": "x", "content": "ok"}],
}


def offloads_come_back(root: Path) -> None:
    given = write([U, A, USE, t(300), USE, t(400), A, U, A], OPENAI)
    ran = run(root, given, TIGHT)
    behind = [original.data for original in kept.reload(ran.ids, root=root)]
    lines = given.splitlines()
    assert behind == [lines[3], lines[5]]


def nothing_is_kept_of_nothing(root: Path) -> None:
    ran = run(root, write([U, A], OPENAI), SMALL)
    assert (ran.ids, list(kept.entries(root))) == ([], [])


def folds_come_back(root: Path) -> None:
    given = write([*3 * [U, *LONG_PAIR, A], U], OPENAI)
    ran = run(root, given, ROUNDS_OF_FIVE)
    behind = [original.data.splitlines() for original in kept.reload(ran.ids, root=root)]
    lines = given.splitlines()
    assert sorted(behind) == [lines[1:4], lines[5:8]]


def replaces(start: int, stop: int, size: int, left: int) -> Callable[[Path], None]:
    """Expect the messages from `start` up to `stop` to become one, at `start`."""

    def check(_: Path) -> None:
        new = answer("new")
        made = apply([user(str(n)) for n in range(size)], (), [Folded(start, stop, new)]).messages
        assert len(made) == left
        assert made[start] is new

    return check


def a_report_goes_through_json(root: Path) -> None:
    ran = run(root, write([*3 * [U, *LONG_PAIR, A], U], OPENAI), ROUNDS_OF_FIVE)
    said = ran.report.as_json()
    assert json.loads(json.dumps(said)) == said
    applied = [step for step in said["steps"] if step["status"] == "applied"]
    assert [(step["level"], step["edits"]) for step in applied] == [(4, 2)]


def a_run_that_does_nothing_has_no_step(root: Path) -> None:
    assert run(root, write([U, A], OPENAI), SMALL).report.as_json()["steps"] == []


def calls(message: Message) -> bool:
    return message.has_calls


def answers(message: Message) -> bool:
    return message.has_results


def is_final(message: Message) -> bool:
    return trace([message]).newest_answer == 0


def row(name: str, reference: str, *experiments: Callable[[Path], None]) -> Row:
    return same(f"6.3/{name}", reference, *experiments)


def none(name: str, reference: str, reason: str) -> Row:
    return not_applicable(f"6.3/{name}", reference, reason)


ROWS = (
    row("round-trip/empty", "equal", passes_through(NOTHING, form=CONVERSATIONS)),
    row("round-trip/text", "equal", Compacts([U], SMALL), passes_through(human(), form=ANTHROPIC)),
    row("round-trip/use", "equal", Compacts([U, USE], SMALL)),
    row("round-trip/result", "equal", Compacts([U, *PAIR], SMALL)),
    row("round-trip/mixed", "equal", Compacts([U, USE._replace(text="Now."), T, A], SMALL)),
    row("round-trip/map", "equal", offloads_come_back),
    row("round-trip/empty-map", "equal", nothing_is_kept_of_nothing),
    row("round-trip/complex", "equal", passes_through(human(), COMPLEX, form=ANTHROPIC)),
    row("round-trip/complex-map", "equal", folds_come_back),
    row(
        "round-trip/order-of-ten",
        "same order",
        passes_through(*map(human, "0123456789"), form=ANTHROPIC),
    ),
    row("converter/to-json/no-list", "as it was", passes_through(human(), "text", form=OPENAI)),
    row("converter/to-json/no-map", "as it was", passes_through(human(), [1, 2], form=OPENAI)),
    row("converter/from-json/no-list", "as it was", passes_through(human(), 5, form=OPENAI)),
    row("converter/from-json/no-map", "as it was", passes_through(human(), {"a": 1}, form=OPENAI)),
    row("replace/one", "3 messages, new one at start", replaces(1, 2, 3, 3)),
    row("replace/two", "3 messages, new one at start", replaces(1, 3, 4, 3)),
    row("replace/all", "1 message", replaces(0, 3, 3, 1)),
    none("replace/null-list", "unchanged", ONLY_PLANS),
    none("replace/null-message", "unchanged", ONLY_PLANS),
    none("replace/negative-start", "unchanged", ONLY_PLANS),
    none("replace/start-past-end", "unchanged", ONLY_PLANS),
    none("replace/end-before-start", "unchanged", ONLY_PLANS),
    none("replace/end-past-list", "clamped: 1 message", ONLY_PLANS),
    row("tool-message/role", "yes", yes(is_tool_message, got(""))),
    row("tool-message/use", "yes", yes(is_tool_message, called("{}"))),
    row("tool-message/result", "yes", yes(is_tool_message, ANSWER_IN_REPLY, ANTHROPIC)),
    row("tool-message/text", "no", no(is_tool_message, human())),
    none("tool-message/null", "no", NO_NULL),
    row("tool-use/use", "yes", yes(calls, called("{}"))),
    row("tool-use/text", "no", no(calls, reply())),
    none("tool-use/null", "no", NO_NULL),
    row("tool-result/role", "yes", yes(answers, got(""))),
    row("tool-result/inside-assistant", "yes", yes(answers, ANSWER_IN_REPLY, ANTHROPIC)),
    row("tool-result/user-text", "no", no(answers, human())),
    none("tool-result/null", "no", NO_NULL),
    row("final/text", "yes", yes(is_final, reply())),
    row("final/use", "no", no(is_final, called("{}"))),
    row("final/user", "no", no(is_final, human())),
    none("final/null", "no", NO_NULL),
    better(
        "6.3/final/flagged",
        "no, where the flag is compressed_current_round; other summaries count as final",
        "7.2 #14: no summary of ours is a final answer, whatever its role",
        no(is_final, human(SUMMARY)),
        no(is_final, reply(SUMMARY)),
    ),
    row("final/null-metadata", "yes", yes(is_final, {**reply(), "metadata": None})),
    row("final/other-metadata", "yes", yes(is_final, {**reply(), "metadata": {"a": 1}})),
    row("final/no-compress-meta", "yes", yes(is_final, {**reply(), "metadata": {}})),
    decided(
        "6.3/final/result-inside",
        "no",
        "DESIGN 3: a final answer is an assistant message without calls; no provider sends this one",
        yes(is_final, ANSWER_IN_REPLY, ANTHROPIC),
    ),
    row("events/round-trip", "equal", a_report_goes_through_json),
    row("events/empty", "empty", a_run_that_does_nothing_has_no_step),
    none("events/to-json/no-list", "unchanged", "steps are typed records, nothing else is one"),
    none("events/from-json/no-list", "unchanged", "reports are written, never read back"),
    none("events/old-format", "100/50", "there is no older format; tokens stand under their names"),
    row("characters/text", "11", measures([11], human())),
    decided(
        "6.3/characters/use",
        "36",
        "DESIGN 4: name and id are no payload",
        measures([18], called('{"a":1,"b":"test"}', "calculator", "call-123")),
    ),
    decided(
        "6.3/characters/result",
        "32",
        "DESIGN 4: name and id are no payload",
        measures([16], got("The result is 42", "call-123")),
    ),
    none("characters/null", "0", NO_NULL),
    row("characters/no-content", "0", measures([0], got("")), counts(5, human(None))),
    row("characters/empty", "0", measures([0], human(""))),
    row(
        "characters/list",
        "14: 5, 5 and 4",
        measures([5, 5, 4], human("Hello"), human("World"), human("Test")),
    ),
    none("characters/null-list", "0", NO_NULL),
    row("characters/empty-list", "0", measures([])),
    decided(
        "6.3/characters/two-blocks",
        "23, joined",
        "DESIGN 4: each block by its own size (7.2 #2, #19)",
        measures(
            [11, 11],
            human(
                [{"type": "text", "text": "Hello World"}, {"type": "text", "text": "Hello Again"}]
            ),
        ),
    ),
)
