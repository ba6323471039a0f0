"""The trigger, the stop rule, and what the report says of a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact.core.edits import Placeholder, Plan, Rewrite
from ctxcompact.core.settings import Mode, Settings, Until
from ctxcompact.engine import chain as chain_module
from ctxcompact.engine.compaction import report, run
from ctxcompact.engine.outcomes import trigger_of
from ctxcompact.engine.writing import write
from ctxcompact.levels import Level
from ctxcompact.stores.transaction import measure
from tests.fakes import MARK, FakeCounter, MemorySource, MemoryStaging, answer, ports, talk, user

if TYPE_CHECKING:
    from ctxcompact.core.events import Report

LONG = "words " * 100
MINUTES: dict[str, Any] = {
    "large_payload_chars": 50,
    "preview_chars": 10,
    "last_keep": 0,
    "levels": (2, 3),
}


def jsonl(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def turns(*texts: str) -> bytes:
    """Write a call and a result for each text, and an answer in the end."""
    rows: list[Any] = [{"role": "user", "content": "Go."}]
    for n, text in enumerate(texts):
        use = {"type": "tool_use", "id": f"c{n}", "name": "Read", "input": {}}
        result = {"type": "tool_result", "tool_use_id": f"c{n}", "content": text}
        rows += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    return jsonl(*rows, {"role": "assistant", "content": "Done."})


def compacted(
    data: bytes, settings: Settings, form: str = "anthropic", **options: Any
) -> tuple[Report, bytes]:
    """Run in memory; return the report and the bytes of the output."""
    done = run(MemorySource(data), settings, ports(form, **options))
    pieces: list[bytes] = []
    write(done.draft, pieces.append, lambda *_: None)
    content = measure(lambda sink, note: write(done.draft, sink, note))
    return report(done, content, "out.jsonl"), b"".join(pieces)


@pytest.mark.parametrize(
    ("settings", "by"),
    [
        pytest.param(Settings(target=9), "tokens", id="one token over the target"),
        pytest.param(Settings(target=10), "tokens", id="exactly the target"),
        pytest.param(Settings(target=11), None, id="one token below the target"),
        pytest.param(
            Settings(target=5, max_tokens=20, token_ratio=0.5), "tokens", id="at the ratio"
        ),
        pytest.param(
            Settings(target=5, max_tokens=22, token_ratio=0.5), None, id="below the ratio"
        ),
        pytest.param(Settings(msg_threshold=2), "messages", id="exactly as many messages"),
        pytest.param(Settings(msg_threshold=3), None, id="one message too few"),
        pytest.param(Settings(target=10, msg_threshold=2), "tokens", id="tokens are named first"),
        pytest.param(Settings(force=True), "force", id="forced"),
        pytest.param(Settings(), None, id="small, by default"),
    ],
)
def test_the_trigger_fires_at_its_thresholds(settings: Settings, by: str | None) -> None:
    found = trigger_of(talk(user("12345"), answer("67890")), 10, settings)
    assert (found.fired, found.by) == (by is not None, by)


@pytest.mark.parametrize(
    ("max_tokens", "settings_tokens"), [(None, 98304), (1000, 750)], ids=["default", "given"]
)
def test_the_trigger_is_three_quarters_of_the_window(
    max_tokens: int | None, settings_tokens: int
) -> None:
    found = trigger_of(talk(user()), 1, Settings(max_tokens=max_tokens))
    assert found.tokens == settings_tokens


def test_below_the_trigger_nothing_happens() -> None:
    data = turns(LONG, LONG)
    found, output = compacted(data, Settings(**MINUTES))
    assert output == data
    assert (found.status, found.trigger.fired, found.steps, found.reached) == (
        "unchanged",
        False,
        (),
        True,
    )


def test_exactly_at_the_target_the_trigger_fires_and_nothing_is_left_to_do() -> None:
    data = turns(LONG)
    tokens = compacted(data, Settings())[0].input.tokens
    found, output = compacted(data, Settings(target=tokens, **MINUTES))
    assert output == data
    assert (found.trigger.by, found.status, found.reached) == ("tokens", "unchanged", True)


def test_a_target_that_is_reached_ends_the_chain() -> None:
    found, _ = compacted(turns(LONG, LONG, LONG), Settings(target=600, **MINUTES))
    assert (found.status, found.reached, found.blocked_by) == ("ok", True, ())
    assert found.output.tokens <= 600


def test_a_missed_target_says_what_stands_in_the_way() -> None:
    found, _ = compacted(turns(LONG), Settings(target=10, **MINUTES))
    assert (found.status, found.reached) == ("over_target", False)
    assert any("previews and placeholders" in said for said in found.blocked_by)


def test_a_missed_target_without_any_edit_is_missed_all_the_same() -> None:
    data = jsonl({"role": "user", "content": LONG}, {"role": "assistant", "content": "Yes."})
    found, output = compacted(data, Settings(target=10, **MINUTES))
    assert output == data
    assert (found.status, found.blocked_by[0]) == (
        "over_target",
        "newest human message: 600 tokens",
    )


def test_the_first_level_that_changes_something_ends_the_chain() -> None:
    settings = Settings(target=10, until=Until.FIRST, **{**MINUTES, "last_keep": 3})
    found, _ = compacted(turns(LONG, LONG), settings)
    assert [step.level for step in found.steps if step.status == "applied"] == [2]
    assert sum(step.edits for step in found.steps) == 1
    assert found.status == "ok"


def test_a_level_without_anything_to_do_hands_on_to_the_next() -> None:
    settings = Settings(target=10, until=Until.FIRST, **{**MINUTES, "last_keep": 99})
    found, _ = compacted(turns(LONG), settings)
    assert [(step.level, step.status) for step in found.steps][-1] == (3, "applied")


def test_overhead_counts_towards_trigger_and_target() -> None:
    data = turns(LONG)
    tokens = compacted(data, Settings())[0].input.tokens
    settings = Settings(target=tokens + 50, overhead_tokens=60, **MINUTES)
    found, _ = compacted(data, settings)
    assert found.trigger.by == "tokens"
    assert found.input.tokens == tokens
    assert found.steps[0].tokens_before == tokens + 60


@pytest.mark.parametrize(
    ("more", "status", "reason"),
    [(0, "applied", ""), (1, "skipped", "1 edit would not save enough")],
    ids=["just enough", "one too few"],
)
def test_an_edit_has_to_save_the_least_gain(more: int, status: str, reason: str) -> None:
    gain = 150 - len(f"{'x' * 10}...\n{MARK}")
    settings = Settings(target=10, min_gain_tokens=gain + more, **{**MINUTES, "levels": (3,)})
    found, _ = compacted(turns("x" * 150), settings)
    assert [(step.status, step.reason) for step in found.steps] == [(status, reason)]


@pytest.mark.parametrize(
    ("chars", "kept", "tagged"),
    [
        pytest.param(300, False, True, id="with a mark where that saves enough"),
        pytest.param(80, False, False, id="without one where only that does"),
        pytest.param(50, True, False, id="not at all where neither does"),
    ],
)
def test_micro_leaves_a_mark_where_it_pays(chars: int, kept: bool, tagged: bool) -> None:  # noqa: FBT001
    settings = Settings(mode=Mode.MICRO, keep_recent=0, micro_min_chars=10, min_gain_tokens=40)
    staging = MemoryStaging()
    _, output = compacted(turns("x" * chars), settings, staging=staging)
    assert (b"x" * chars in output) is kept
    assert (b"context_offload" in output) is tagged
    assert len(staging.kept) == (0 if kept else 1)


def test_an_original_is_stored_also_where_no_mark_is_left() -> None:
    settings = Settings(mode=Mode.MICRO, keep_recent=0, micro_tag=False)
    staging = MemoryStaging()
    data = turns(LONG)
    found, output = compacted(data, settings, staging=staging)
    assert b"context_offload" not in output
    assert [original for _, original in staging.kept] == [data.split(b"\n")[2]]
    assert found.steps[0].offloads == (staging.kept[0][0],)


def test_micro_has_no_target_unless_one_is_given() -> None:
    settings = Settings(mode=Mode.MICRO, keep_recent=0)
    assert compacted(turns(LONG), settings)[0].target is None
    found = compacted(turns(LONG), Settings(mode=Mode.MICRO, keep_recent=0, target=5))[0]
    assert (found.target, found.status, found.reached) == (5, "over_target", False)


def emptying(conversation: Any, settings: Settings) -> Plan:
    """Plan what no level would: the answer becomes a text without any words."""
    del settings
    last = len(conversation.messages) - 1
    return Plan("emptying", (Rewrite(last, 0, Placeholder("", tagged=False)),))


def test_a_level_that_would_add_a_problem_is_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain_module, "LEVELS", (Level(2, "emptying", emptying),))
    data, staging = turns("ok").replace(b"Done.", b"Done. " * 40), MemoryStaging()
    found, output = compacted(data, Settings(target=10, **MINUTES), staging=staging)
    assert output == data
    assert staging.kept == []
    assert [step.status for step in found.steps] == ["undone"]
    assert "line 4" in found.steps[0].reason
    assert found.problems_after == found.problems_before == ()


def forbidden(conversation: Any, settings: Settings) -> Plan:
    """Plan to take away every block there is."""
    del settings
    nothing = Placeholder("gone")
    edits = [
        Rewrite(at, position, nothing)
        for at, message in enumerate(conversation.messages)
        for position, _ in enumerate(message.blocks)
    ]
    return Plan("forbidden", tuple(edits))


def test_a_level_cannot_take_what_must_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain_module, "LEVELS", (Level(2, "forbidden", forbidden),))
    data = jsonl(
        {"role": "system", "content": LONG},
        {"role": "user", "content": LONG},
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "a", "name": LONG, "input": {}}],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": LONG}]},
    )
    _, output = compacted(data, Settings(target=10, **MINUTES))
    assert output == data


def test_problems_of_the_input_are_told_before_and_after() -> None:
    orphan = {"type": "tool_result", "tool_use_id": "zz", "content": LONG}
    data = turns(LONG) + jsonl(
        {"role": "user", "content": [orphan]}, {"role": "assistant", "content": "Hm."}
    )
    found, output = compacted(data, Settings(target=10, **MINUTES))
    assert output != data
    assert [(p.line, p.code) for p in found.problems_before] == [(5, "orphan_result")]
    assert found.problems_after == found.problems_before


def test_conversations_of_one_file_have_a_trigger_and_a_target_each() -> None:
    def one(text: str) -> Any:
        call = {"id": "a", "type": "function", "function": {"name": "Read", "arguments": "{}"}}
        return {
            "messages": [
                {"role": "user", "content": "Go."},
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "a", "content": text},
                {"role": "assistant", "content": "Done."},
            ]
        }

    data = jsonl(one("short"), one(LONG), one(LONG * 2))
    found, output = compacted(data, Settings(target=300, **MINUTES), "openai-conversations")
    assert output.split(b"\n")[0] == data.split(b"\n")[0]
    assert {step.conversation for step in found.steps} == {2, 3}
    assert found.reached


def test_framing_is_counted_and_cannot_be_saved() -> None:
    counter = FakeCounter(message_tokens=7, call_tokens=3, result_tokens=2)
    found, _ = compacted(turns(LONG), Settings(target=10, **MINUTES), counter=counter)
    plain, _ = compacted(turns(LONG), Settings(target=10, **MINUTES))
    assert found.output.tokens == plain.output.tokens + 4 * 7 + 3 + 2
