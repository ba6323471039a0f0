"""A session: what the model sees, what was said, and that nothing of it is ever lost."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact import Session, Settings, api
from ctxcompact.core import tags
from ctxcompact.core.settings import Mode, Until
from ctxcompact.errors import IdNotFound, InputError, OutputError, SummarizerError, UsageError
from ctxcompact.formats import named
from ctxcompact.keeping import InMemory
from ctxcompact.session import FORMATS, Message

if TYPE_CHECKING:
    from collections.abc import Iterator

GOLDEN = Path(__file__).parent / "golden"
SMALL = Settings(until=Until.FIRST, counter="chars4", max_tokens=4000, floor_tokens=0)


def turns(number: int, *, chars: int = 600) -> Iterator[Message]:
    """Say what a person asks, what the agent runs, and what it answers."""
    call = f"call_{number}"
    yield {"role": "user", "content": f"Look at service {number}."}
    function = {"name": "run", "arguments": json.dumps({"service": number})}
    yield {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call, "type": "function", "function": function}],
    }
    yield {
        "role": "tool",
        "tool_call_id": call,
        "content": f"port {9000 + number} " * (chars // 10),
    }
    yield {"role": "assistant", "content": f"Service {number} listens on {9000 + number}."}


def talk(rounds: int) -> list[Message]:
    return [message for number in range(rounds) for message in turns(number)]


def compacted(session: Session, rounds: int = 30) -> list[Message]:
    """Feed a session as a loop does, until it has been compacted; return all that was said."""
    said = talk(rounds)
    for message in said:
        session.append(message)
        session.compact_if_needed()
    assert any(event.after.tokens < event.before.tokens for event in session.events)
    return said


def marks(session: Session) -> list[str]:
    return tags.find(json.dumps(session.messages()).replace('\\"', '"'))


def test_the_model_sees_what_was_appended_and_what_was_given_may_change_later() -> None:
    session = Session("openai-chat", SMALL)
    message: Message = {"role": "user", "content": "Hello."}
    session.append(message)
    message["content"] = "changed"
    assert session.messages() == [{"role": "user", "content": "Hello."}]
    assert session.compact_if_needed() is None


@pytest.mark.parametrize("place", ["in memory", "over a file"])
def test_a_session_that_was_compacted_has_all_that_was_said(place: str, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    session = (
        Session("openai-chat", SMALL)
        if place == "in memory"
        else Session.open(file, "openai-chat", SMALL)
    )
    said = compacted(session)
    assert session.original() == said
    assert session.size.tokens < 4000
    ids = marks(session)
    originals = [message for uuid in ids for message in session.reload(uuid)]
    assert originals
    assert all(message in said for message in originals)


@pytest.mark.parametrize("place", ["in memory", "over a file"])
def test_one_reload_of_each_mark_brings_back_what_was_taken_out_in_two_runs(
    place: str, tmp_path: Path
) -> None:
    settings = replace(SMALL, until=Until.TARGET, target=1500)
    session = (
        Session("openai-chat", settings)
        if place == "in memory"
        else Session.open(tmp_path / "talk.jsonl", "openai-chat", settings)
    )
    calls = [message for number in range(50, 62) for message in list(turns(number))[1:3]]
    first = [*calls, {"role": "assistant", "content": "All of them listen."}]
    said = [{"role": "user", "content": "Look at all services."}, *first, *talk(25)]
    session.extend(said[:30])
    session.micro()
    session.extend(said[30:])
    session.compact_if_needed()
    stands = [*session.messages(), *(m for uuid in marks(session) for m in session.reload(uuid))]
    texts = "\n".join(session.reload_text(uuid) for uuid in marks(session))
    assert [message for message in said if message not in stands] == []
    assert all(message in session.messages() or said_by(message) in texts for message in said)


def said_by(message: Message) -> str:
    return str(message["content"] or message["tool_calls"][0]["id"])


def test_between_two_compactions_the_list_only_grows_at_its_end() -> None:
    session = Session("openai-chat", SMALL)
    before: list[Message] = []
    for message in talk(20):
        session.append(message)
        event = session.compact_if_needed()
        now = session.messages()
        if event is None:
            assert now[:-1] == before
        else:
            assert 0 <= event.prefix_kept <= 1
        before = now


def test_the_share_of_the_prefix_that_stays_is_told() -> None:
    session = Session("openai-chat", SMALL)
    session.extend(talk(3))
    text = "".join(json.dumps(message, separators=(",", ":")) + "\n" for message in talk(3))
    event = session.micro()
    assert event is not None
    assert event.prefix_kept == 1
    session.extend(turns(3))
    event = session.micro()
    assert event is not None
    first = text[: text.index('{"role":"tool"')]
    whole = "".join(json.dumps(m, separators=(",", ":")) + "\n" for m in session.original())
    assert event.prefix_kept == pytest.approx(len(first) / len(whole))


@pytest.mark.parametrize("name", FORMATS)
def test_messages_are_counted_as_the_whole_is(name: str, tmp_path: Path) -> None:
    file = GOLDEN / f"{name}.jsonl"
    lines = file.read_text().splitlines()
    session = Session(name, Settings(counter="o200k_base"))
    session.extend(map(json.loads, lines))
    facts = api.stats(file, Settings(counter="o200k_base"), format_name=name).facts
    assert session.size >= (facts.tokens, facts.messages)
    if name != "openai-responses":
        assert session.size == (facts.tokens, facts.messages)
    session.micro()
    file = tmp_path / "whole.jsonl"
    file.write_text("".join(json.dumps(message) + "\n" for message in session.messages()))
    facts = api.stats(file, Settings(counter="o200k_base"), format_name=name).facts
    assert session.size == (facts.tokens, facts.messages)
    assert session.original() == [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    "message",
    [
        pytest.param([], id="a list"),
        pytest.param({"role": "narrator", "content": "x"}, id="no known role"),
        pytest.param({"content": "x"}, id="no role"),
        pytest.param({"role": "user", "content": {1, 2}}, id="no JSON"),
    ],
)
def test_what_is_no_message_is_refused_and_leaves_nothing_behind(message: Any) -> None:
    session = Session("openai-chat")
    with pytest.raises(UsageError):
        session.append(message)
    assert session.messages() == session.original() == []


def test_what_orjson_refuses_is_carried_all_the_same() -> None:
    session = Session("openai-chat")
    message = {"role": "user", "content": "half \ud83d of a pair", "seed": 2**70}
    session.append(message)
    assert session.messages()[0]["content"] == message["content"]


def test_a_full_summary_is_made_where_it_is_asked_for_and_once() -> None:
    session = Session("openai-chat", SMALL)
    session.extend(talk(4))
    session.request_compaction("ports")
    event = session.compact_if_needed()
    assert event is not None
    assert (event.report["mode"], event.after.messages) == ("manual", 2)
    assert session.compact_if_needed() is None
    assert session.original() == talk(4)


def test_an_empty_session_has_nothing_to_compact(tmp_path: Path) -> None:
    for session in (Session("anthropic"), Session.open(tmp_path / "new.jsonl", "anthropic")):
        session.request_compaction()
        assert session.micro() is session.compact_if_needed() is None
        assert session.messages() == session.original() == []


def test_in_the_mode_auto_the_tool_compact_asks_for_it() -> None:
    session = Session("openai-chat", Settings(mode=Mode.AUTO, counter="chars4"))
    session.extend(talk(4))
    assert session.compact_if_needed() is None
    function = {"name": "compact", "arguments": '{"focus":"ports"}'}
    call = {"id": "c", "type": "function", "function": function}
    session.append({"role": "user", "content": "Go on."})
    session.append({"role": "assistant", "content": None, "tool_calls": [call]})
    event = session.compact_if_needed()
    assert event is not None
    assert event.report["trigger"]["by"] == "compact_tool"
    assert session.messages()[-1]["tool_calls"] == [call]


def test_what_cannot_be_made_smaller_is_not_tried_before_every_call() -> None:
    session = Session(
        "openai-chat", Settings(until=Until.FIRST, counter="chars4", msg_threshold=10)
    )
    for number in range(400):
        session.append({"role": "user", "content": f"Word {number}."})
        session.compact_if_needed()
    assert 10 < len(session.events) < 45


class Failing(InMemory):
    """A place that cannot compact."""

    def compact(self, *_: Any) -> Any:
        raise SummarizerError("no answer", hint="try again")


def test_a_failure_leaves_the_session_as_it_was_and_it_can_go_on() -> None:
    session = Session("openai-chat", SMALL, keeping=Failing(named("openai-chat")))
    session.extend(talk(4))
    session.request_compaction()
    before = session.messages(), session.size, session.events
    for _ in range(2):
        with pytest.raises(SummarizerError):
            session.compact_if_needed()
        assert (session.messages(), session.size, session.events) == before
    session.append({"role": "user", "content": "Still there?"})
    assert len(session.messages()) == 17


def test_many_threads_lose_nothing() -> None:
    session = Session("openai-chat", SMALL)

    def speak(thread: int) -> None:
        for number in range(15):
            session.append({"role": "user", "content": f"{thread}:{number} " + "x" * 600})
            session.compact_if_needed()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(speak, range(8)))
    said = [message["content"].split()[0] for message in session.original()]
    assert sorted(said) == sorted(f"{a}:{b}" for a in range(8) for b in range(15))
    for thread in range(8):
        own = [one for one in said if one.startswith(f"{thread}:")]
        assert own == [f"{thread}:{number}" for number in range(15)]


def test_the_file_of_a_session_is_up_to_date_at_every_moment(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    said = compacted(Session.open(file, "openai-chat", SMALL))
    again = Session.open(file, "openai-chat", SMALL)
    assert again.original() == said
    again.append({"role": "user", "content": "And now?"})
    api.restore(file, None, root=tmp_path)
    assert [json.loads(line) for line in file.read_text().splitlines()] == [
        *said,
        {"role": "user", "content": "And now?"},
    ]


def test_a_line_that_was_torn_stays_and_nothing_is_glued_to_it(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_bytes(b'{"role":"user","content":"one"}\n{"role":"us')
    session = Session.open(file, "openai-chat")
    session.append({"role": "user", "content": "two"})
    assert [message["content"] for message in session.messages()] == ["one", "two"]
    assert file.read_bytes().splitlines()[1] == b'{"role":"us'


def test_a_saved_session_comes_back_whole(tmp_path: Path) -> None:
    session = Session("openai-chat", SMALL)
    said = compacted(session)
    session.request_compaction()
    session.compact_if_needed()
    session.save(tmp_path / "state.jsonl")
    again = Session.load(tmp_path / "state.jsonl", SMALL)
    assert (again.messages(), again.original()) == (session.messages(), said)
    assert (again.events, again.size) == (session.events, session.size)
    steps = [step for event in again.events for step in event.report["steps"]]
    ids = [uuid for step in steps for uuid in step["offloads"]]
    assert ids
    for uuid in ids:
        assert again.reload(uuid) == session.reload(uuid)


def test_a_save_that_fails_leaves_the_one_before(tmp_path: Path) -> None:
    session = Session("openai-chat")
    state = tmp_path / "state.jsonl"
    session.save(state)
    state.chmod(0o400)
    session.append({"role": "user", "content": "Hello."})
    with pytest.raises(OutputError):
        session.save(state)
    assert Session.load(state).messages() == []


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"{}\n{}\n", id="another file"),
        pytest.param(b'{"ctxcompact":1,"session":"anthropic"}\n{"rows":2}\n', id="cut"),
        pytest.param(b'{"ctxcompact":1,"session":"none"}\n{"rows":1}\n', id="no format"),
        pytest.param(b'{"ctxcompact":1,"session":"anthropic"}\n[]\n{"rows":2}\n', id="odd row"),
        pytest.param(
            b'{"ctxcompact":1,"session":"anthropic"}\n{"event":{"before":1}}\n{"rows":2}\n',
            id="odd event",
        ),
    ],
)
def test_what_is_no_saved_session_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "state.jsonl").write_bytes(data)
    with pytest.raises(InputError, match="no saved session"):
        Session.load(tmp_path / "state.jsonl")


def test_what_a_session_cannot_do_is_refused_with_a_word_on_what_can_be_done(
    tmp_path: Path,
) -> None:
    with pytest.raises(UsageError, match="format"):
        Session("claude-code")
    with pytest.raises(UsageError, match="mode micro"):
        Session("anthropic", Settings(mode=Mode.MICRO))
    with pytest.raises(UsageError, match="nothing to save"):
        Session.open(tmp_path / "x.jsonl", "anthropic").save(tmp_path / "y")
    with pytest.raises(UsageError, match="nothing"):
        Session("anthropic").reload("nothing")
    with pytest.raises(IdNotFound):
        Session("anthropic").reload("0f8fad5b-d9cb-869f-a165-70867728950e")


NO_DISK = """
import os, sys
from ctxcompact import Session, Settings
session = Session("openai-chat", Settings(counter="chars4", max_tokens=2000))
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
def watch(event, arguments):
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITES:
        raise AssertionError(arguments)
def feed():
    for n in range(40):
        session.append({"role": "user", "content": f"Question {n}?"})
        session.append({"role": "assistant", "content": f"Answer {n}. " * 80})
        session.compact_if_needed()
    session.request_compaction()
    session.compact_if_needed()
feed()
sys.dont_write_bytecode = True
sys.addaudithook(watch)
feed()
assert len(session.original()) == 160
assert len(session.messages()) == 2
"""


def test_a_session_in_memory_opens_no_file_to_write() -> None:
    subprocess.run([sys.executable, "-c", NO_DISK], check=True, cwd=GOLDEN.parent.parent)
