"""The promises, on made-up transcripts in every format, for each way of running without a model."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcompact import kept
from tests.properties import witness
from tests.properties import words as words_of
from tests.properties.bench import anything, bench, in_lines, said, steady, written
from tests.properties.makers import FORMATS, Transcript, share, transcripts
from tests.properties.sessions import SESSIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ctxcompact.core.settings import Settings
    from ctxcompact.core.splice import Path
    from ctxcompact.stores.offloads import Original

EXAMPLES = 100
MANY_EXAMPLES = 500
_MESSAGE = r"/content(/\d+/(text|content))?"
_PART = r"(text|functionResponse/response(/output)?)"
_CALLED = rf"/toolCalls/\d+/(result/\d+/{_PART}|resultDisplay)"
_RESPONSE = r"functionResponse/response(/output|/content(/\d+/text)?)?"
ADDRESSES = {
    "anthropic": _MESSAGE,
    "openai-chat": _MESSAGE,
    "openai-conversations": r"/messages/\d+" + _MESSAGE,
    "claude-code": rf"/message{_MESSAGE}|/toolUseResult/stdout|/message/usage/\w*input_tokens",
    "codex": r"/payload(/output|/content/\d+/text|/\w*message|/aggregated_output|/info/.*_usage/\w+)",
    "gemini-cli": rf"(/\$set/messages/\d+)?(/content(/\d+/{_PART})?|{_CALLED})",
    "qwen-code": rf"/message/parts/\d+/{_PART}|/toolCallResult/resultDisplay|/usageMetadata/\w+",
    "pi": r"/message(/content(/\d+/text)?|/details/diff|/usage/\w+)",
    "openai-responses": r"/content(/\d+/text)?|/output(/\d+/text)?",
    "gemini": rf"(/contents/\d+)?/parts/\d+/(text|{_RESPONSE})",
    "sharegpt": r"/conversations/\d+/value",
    "agentscope": r"/content(/\d+/(text|output))?",
    "langchain": rf"/data({_MESSAGE}|/artifact/text)|/kwargs({_MESSAGE}|/artifact/text)",
}


def nothing_is_lost(given: Transcript, settings: Settings) -> None:
    with bench(given) as made:
        before = given.data
        report = made.run(settings)
        ids = [uuid for step in report.steps for uuid in step.offloads]
        records = {raw for line in before.split(b"\n") for raw, *_ in witness.records(line)}
        if report.receipt is None:  # a restore would ask for the marks that were there before
            assert made.read() == before
        else:
            assert made.restored() == before
        assert {original.data for original in kept.reload(ids, root=made.root)} <= records
        assert not kept.check(made.root)


def marks_lead_to_what_they_replaced(given: Transcript, settings: Settings) -> None:
    with bench(given) as made:
        made.run(settings)
        for change in witness.compare(given.data, made.read()):
            if change.uuid and not change.is_copy:
                (original,) = kept.reload([change.uuid], root=made.root)
                if "functionResponse" in change.path and change.path != _spelled(original.path):
                    continue  # a result that its client repeats
                assert said_by(original, change.before) == witness.text_in(change.before)
                assert original.data == change.record


def _spelled(path: Path) -> str:
    return "".join(f"/{key}" for key in path)


def said_by(original: Original, before: Any) -> str:
    """Return the text of what was replaced; an object is told as JSON."""
    text = kept.reload_text(original)
    return witness.text_in(json.loads(text)) if isinstance(before, dict) else text


def nothing_else_changes(given: Transcript, settings: Settings) -> None:
    with bench(given) as made:
        report = made.run(settings)
        after = _without_added_newline(given, made.read(), is_changed=report.receipt is not None)
        address = re.compile(ADDRESSES[given.format])
        for change in witness.compare(given.data, after):
            assert address.fullmatch(change.path), witness.pretty(change)
            if "usage" in change.path:
                assert int(change.after) <= int(change.before)
            elif not change.is_copy:
                assert change.uuid or change.is_placeholder, witness.pretty(change)


def _without_added_newline(given: Transcript, after: bytes, *, is_changed: bool) -> bytes:
    """Take away the newline that a client's session file is given at its end."""
    if given.format not in SESSIONS or not is_changed or given.data.endswith(b"\n"):
        return after
    assert after.endswith(b"\n")
    return after[:-1]


def pairs_stay(given: Transcript, settings: Settings) -> None:
    with bench(given) as made:
        made.run(settings)
        assert words_of.pairing(made.read()) == words_of.pairing(given.data)


def what_matters_stays(given: Transcript, settings: Settings) -> None:
    with bench(given) as made:
        made.run(settings)
        words = set(words_of.spoken(made.read()))
        assert [text for text in given.kept if text not in words] == []


def protected_tools_keep_their_results(given: Transcript, settings: Settings) -> None:
    with bench(given) as made:
        made.run(settings)
        words = {"", *words_of.spoken(made.read())}
        assert [text for text in given.guarded if text not in words] == []


def reasoning_and_arguments_stay(given: Transcript, settings: Settings) -> None:
    with bench(given) as made:
        made.run(settings)
        words = set(words_of.spoken(made.read()))
        assert [text for text in given.bound if text not in words] == []


def it_never_grows(given: Transcript, settings: Settings) -> None:
    with bench(given) as made:
        before = made.stats(settings).facts
        report = made.run(settings)
        after = made.stats(settings).facts
        assert (before.tokens, before.messages) == (report.input.tokens, report.input.messages)
        assert (after.tokens, after.messages) == (report.output.tokens, report.output.messages)
        assert (after.bytes, after.lines, after.sha256) == (
            report.output.bytes,
            report.output.lines,
            report.output.sha256,
        )
        gain = sum(step.edits for step in report.steps) * max(settings.min_gain_tokens, 1)
        assert after.tokens <= before.tokens - gain


def a_second_run_changes_nothing(given: Transcript, settings: Settings) -> None:
    with bench(given) as made:
        first = made.run(settings)
        after = made.listing()
        second = made.run(settings)
        assert made.listing() == after
        assert second.receipt is None
        assert not any(step.edits for step in second.steps)
        assert second.reached == first.reached


def the_same_input_gives_the_same_output(given: Transcript, settings: Settings) -> None:
    with bench(given) as one, bench(given) as other:
        assert steps_of(one.run(settings)) == steps_of(other.run(settings))
        assert one.listing() == other.listing()


def steps_of(report: Any) -> Any:
    return report.as_json()["steps"]


def a_dry_run_tells_what_a_real_one_does(given: Transcript, settings: Settings) -> None:
    with bench(given) as made:
        before = made.listing()
        dry = made.run(settings, dry_run=True)
        assert made.listing() == before
        assert said(made.run(settings)) == said(dry)


def no_problem_is_added(given: Transcript, settings: Settings) -> None:
    with bench(given) as made:
        report = made.run(settings)
        before, after = set(report.problems_before), set(report.problems_after)
        assert after <= before
        # A torn last line may have been ended, and is told of in other words then.
        assert {x[:2] for x in made.stats(settings).problems} <= {x[:2] for x in before}
        assert not [step for step in report.steps if step.status == "undone"]


Law: TypeAlias = "Callable[[Transcript, Settings], None]"

LAWS: dict[Law, st.SearchStrategy[Settings]] = {
    nothing_is_lost: anything,
    marks_lead_to_what_they_replaced: in_lines,
    nothing_else_changes: in_lines,
    pairs_stay: in_lines,
    what_matters_stays: in_lines,
    protected_tools_keep_their_results: in_lines,
    reasoning_and_arguments_stay: in_lines,
    it_never_grows: anything,
    a_second_run_changes_nothing: steady,
    the_same_input_gives_the_same_output: anything,
    a_dry_run_tells_what_a_real_one_does: anything,
    no_problem_is_added: in_lines,
}


by_format = pytest.mark.parametrize("form", FORMATS)
by_law = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__.replace("_", " "))


@by_format
@by_law
@settings(max_examples=share(EXAMPLES))
@given(data=st.data())
def test_a_law_holds(law: Law, form: str, data: st.DataObject) -> None:
    law(data.draw(transcripts(form)), data.draw(written(form, LAWS[law])))


@pytest.mark.slow
@by_format
@by_law
@settings(max_examples=MANY_EXAMPLES)
@given(data=st.data())
def test_a_law_holds_for_long(law: Law, form: str, data: st.DataObject) -> None:
    law(data.draw(transcripts(form)), data.draw(written(form, LAWS[law])))
