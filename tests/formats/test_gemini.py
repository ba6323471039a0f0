"""Gemini contents: parts in both spellings, calls without ids, signatures, requests a line."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact import api
from ctxcompact.core import laws
from ctxcompact.core.model import Block, Kind, Message, Origin, Recorded, Role
from ctxcompact.core.settings import Mode, Settings
from ctxcompact.core.splice import value_at
from ctxcompact.formats import gemini
from tests.fakes import MARK
from tests.formats.builders import read

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = gemini.FORMAT
SIGNATURE = "c2lnbmVk" * 21  # 168 characters, 40 tokens by what was measured
PICTURE = {"inlineData": {"mimeType": "image/png", "data": "A" * 60_000}}


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "parts": [{"text": x} if isinstance(x, str) else x for x in parts]}


def model(*parts: Any) -> dict[str, Any]:
    return {**user(*parts), "role": "model"}


def call(name: str, call_id: str = "", **beside: Any) -> dict[str, Any]:
    ids = {"id": call_id} if call_id else {}
    return {"functionCall": {**ids, "name": name, "args": {"a": 1}}, **beside}


def response(name: str, said: Any = "four", call_id: str = "") -> dict[str, Any]:
    ids = {"id": call_id} if call_id else {}
    said = {"output": said} if isinstance(said, str) else said
    return {"functionResponse": {**ids, "name": name, "response": said}}


def messages(*records: Any, **protected: list[str]) -> list[Message]:
    (conversation,) = read(FORMAT, *records, **protected)
    return conversation.messages


def one(part: Any) -> tuple[Block, ...]:
    return messages(user(part))[0].blocks


def pairs(found: list[Message], kind: Kind) -> list[tuple[str, str]]:
    return [(b.call_id, b.tool) for message in found for b in message.blocks if b.kind is kind]


@pytest.mark.parametrize(
    ("part", "kind", "path", "chars", "tokens", "fixed"),
    [
        pytest.param({"text": "four"}, Kind.TEXT, ("text",), 4, 4, False, id="text"),
        pytest.param(
            {"text": "four", "thoughtSignature": SIGNATURE},
            Kind.TEXT,
            ("text",),
            4,
            4 + 40,
            True,
            id="a text that is signed keeps its bytes",
        ),
        pytest.param(
            {"text": "four", "thought": True}, Kind.THINKING, (), 4, 4, True, id="a thought"
        ),
        pytest.param(call("sh"), Kind.CALL, ("functionCall",), 7, 2 + 7 + 200, False, id="a call"),
        pytest.param(
            {"function_call": {"name": "sh", "args": {}}, "thought_signature": SIGNATURE},
            Kind.CALL,
            ("function_call",),
            0,
            2 + 200 + 40,
            False,
            id="a signed call, as Python dumps it",
        ),
        pytest.param(
            response("sh"),
            Kind.RESULT,
            ("functionResponse", "response", "output"),
            4,
            104,
            False,
            id="a response that is a text",
        ),
        pytest.param(
            response("sh", {"content": [{"type": "text", "text": "four"}]}),
            Kind.RESULT,
            ("functionResponse", "response", "content"),
            4,
            104,
            False,
            id="a response of parts, as MCP has them",
        ),
        pytest.param(
            response("sh", {"a": [1, 2], "b": "x"}),
            Kind.RESULT,
            ("functionResponse", "response"),
            19,
            119,
            False,
            id="a response that is an object counts as JSON",
        ),
        pytest.param(
            response("sh", {"a": [1, 2]}),
            Kind.RESULT,
            ("functionResponse", "response"),
            11,
            111,
            False,
            id="an object of one key that is no text",
        ),
        pytest.param(
            response("sh", {"output": MARK, "more": "x"}),
            Kind.RESULT,
            ("functionResponse", "response"),
            len(json.dumps({"output": MARK, "more": "x"}, separators=(",", ":"))),
            100 + len(json.dumps({"output": MARK, "more": "x"}, separators=(",", ":"))),
            True,
            id="an object with a mark in it stays",
        ),
        pytest.param(
            {"functionResponse": {"name": "sh"}},
            Kind.RESULT,
            ("functionResponse", "response"),
            0,
            100,
            True,
            id="no response at all",
        ),
        pytest.param(PICTURE, Kind.MEDIA, ("inlineData",), 0, 300, True, id="a picture"),
        pytest.param(
            {"file_data": {"file_uri": "gs://x", "mime_type": "video/mp4"}},
            Kind.MEDIA,
            ("file_data",),
            0,
            1600,
            True,
            id="a file that is elsewhere",
        ),
        pytest.param(
            {"inline_data": {"mime_type": "application/pdf", "data": "A" * 2_000_000}},
            Kind.MEDIA,
            ("inline_data",),
            0,
            10_000,
            True,
            id="a document may cost more than a picture",
        ),
        pytest.param(
            {"executableCode": {"code": "1"}},
            Kind.OPAQUE,
            (),
            0,
            31,
            True,
            id="a part of another kind",
        ),
        pytest.param("text", Kind.OPAQUE, (), 0, 4, True, id="a part that is none"),
    ],
)
def test_what_a_part_becomes(
    part: Any, kind: Kind, path: tuple[str, ...], chars: int, tokens: int, *, fixed: bool
) -> None:
    (conversation,) = read(FORMAT, {"role": "user", "parts": [part]})
    (block,) = conversation.messages[0].blocks
    assert (block.kind, block.path) == (kind, ("parts", 0, *path))
    assert (block.chars, block.tokens, block.fixed) == (chars, tokens, fixed)


@pytest.mark.parametrize(
    ("beside", "tokens"),
    [
        pytest.param({"exitCode": 0}, [14], id="a number"),
        pytest.param({"error": None, "ok": True, "more": ""}, [34], id="nothing, a truth, no text"),
        pytest.param({"rows": []}, [11], id="an empty list"),
        pytest.param({}, [], id="nothing"),
    ],
)
def test_the_one_text_of_a_response_is_what_it_says_and_what_is_beside_it_counts(
    beside: dict[str, Any], tokens: list[int]
) -> None:
    result, *rest = one(response("sh", {**beside, "output": f"x\n{MARK}"}))
    assert result.path[-1] == "output"
    assert not result.fixed
    assert result.tag in MARK
    assert [(x.kind, x.path[-1], x.tokens) for x in rest] == [
        (Kind.OPAQUE, "response", x) for x in tokens
    ]


def test_pictures_beside_a_response_stay_apart_from_its_text() -> None:
    part = response("shot")
    part["functionResponse"]["parts"] = [PICTURE, {"odd": 1}]
    kinds = [(block.kind, block.fixed) for block in one(part)]
    assert kinds == [(Kind.RESULT, False), (Kind.MEDIA, True), (Kind.OPAQUE, True)]


@pytest.mark.parametrize(
    ("record", "role", "origin"),
    [
        pytest.param(user("go"), Role.USER, Origin.PERSON, id="a person"),
        pytest.param(model("yes"), Role.ASSISTANT, Origin.MODEL, id="the model"),
        pytest.param(user(response("sh")), Role.USER, Origin.TOOL, id="responses"),
        pytest.param(
            {**user(response("sh")), "role": "function"}, Role.USER, Origin.TOOL, id="the old role"
        ),
        pytest.param(
            user(response("sh", {"output": "x", "exitCode": 0})),
            Role.USER,
            Origin.TOOL,
            id="a response with a number beside its text",
        ),
        pytest.param(
            user({"functionResponse": {**response("")["functionResponse"], "parts": [PICTURE]}}),
            Role.USER,
            Origin.TOOL,
            id="a response with a picture",
        ),
        pytest.param(user(response("sh"), PICTURE), Role.USER, Origin.PERSON, id="a picture"),
        pytest.param(user(call("sh")), Role.USER, Origin.PERSON, id="a call, oddly"),
        pytest.param(user(response("sh"), "stop"), Role.USER, Origin.PERSON, id="words beside it"),
        pytest.param(
            user("[Conversation compressed. Transcript: /srv/a.jsonl]"),
            Role.USER,
            Origin.SUMMARY,
            id="a summary of ours",
        ),
    ],
)
def test_who_speaks(record: dict[str, Any], role: Role, origin: Origin) -> None:
    (message,) = messages(record)
    assert (message.role, message.origin) == (role, origin)


@pytest.mark.parametrize(
    ("called", "answered", "expected"),
    [
        pytest.param(
            [call("a"), call("b")],
            [response("b"), response("a")],
            [("b#2", "b"), ("a#1", "a")],
            id="by name",
        ),
        pytest.param(
            [call("a"), call("a")],
            [response("a"), response("a")],
            [("a#1", "a"), ("a#2", "a")],
            id="of one name, in order",
        ),
        pytest.param(
            [call("a", "1"), call("a", "2")],
            [response("a", call_id="2"), response("a", call_id="1")],
            [("2", "a"), ("1", "a")],
            id="by id",
        ),
        pytest.param(
            [call("a", "1"), call("a", "2")],
            [response("a", call_id="2"), response("a")],
            [("2", "a"), ("1", "a")],
            id="an id on one of them only",
        ),
        pytest.param([call("a")], [response("c")], [("c", "c")], id="nobody asked for it"),
        pytest.param(
            [call("a")],
            [response("a"), response("a")],
            [("a#1", "a"), ("a", "a")],
            id="one too many",
        ),
    ],
)
def test_which_call_a_response_answers(
    called: list[Any], answered: list[Any], expected: list[tuple[str, str]]
) -> None:
    found = messages(user("go"), model(*called), user(*answered))
    assert pairs(found, Kind.RESULT) == expected


def test_ids_made_up_for_calls_are_never_used_again() -> None:
    turn = [model(call("a")), user(response("a"))]
    found = pairs(messages(user("go"), *turn, *turn), Kind.CALL)
    assert len(set(found)) == len(found) == 2


def test_a_call_waits_no_longer_once_the_model_begins_anew() -> None:
    found = messages(user("go"), model(call("a")), user("no"), model("well"), user(response("a")))
    assert pairs(found, Kind.RESULT) == [("a", "a")]
    codes = [problem.code for problem in laws.problems(found, FORMAT.rules)]
    assert codes == ["unanswered_call", "orphan_result"]


@pytest.mark.parametrize(
    ("records", "codes"),
    [
        pytest.param([user("x"), model(call("a")), user(response("a")), model("y")], [], id="fine"),
        pytest.param([model("y")], ["first_not_user"], id="the model begins"),
        pytest.param(
            [user("x"), model(call("a")), user("words", response("a"))],
            [],
            id="words before results",
        ),
        pytest.param([user("x"), model("y"), model("z")], [], id="the model goes on"),
        pytest.param(
            [user("x"), model("y"), model(call("a"))],
            ["call_after_assistant"],
            id="a call after words of the model",
        ),
    ],
)
def test_what_the_api_refuses(records: list[Any], codes: list[str]) -> None:
    found = laws.problems(messages(*records), FORMAT.rules)
    assert [problem.code for problem in found] == codes


@pytest.mark.parametrize(
    ("record", "start"),
    [
        pytest.param({"contents": [user("go"), model("x")]}, ("contents",), id="a request"),
        pytest.param(
            {"key": "1", "request": {"contents": [user("go"), model("x")]}},
            ("request", "contents"),
            id="a request of a batch",
        ),
    ],
)
def test_a_request_a_line_is_a_conversation_of_its_own(
    record: dict[str, Any], start: tuple[str, ...]
) -> None:
    found = read(FORMAT, record, {"note": 1}, record)
    assert [conversation.line for conversation in found] == [1, 3]
    paths = [message.blocks[0].path for message in found[1].messages]
    assert paths == [(*start, 0, "parts", 0, "text"), (*start, 1, "parts", 0, "text")]
    assert [value_at(record, path) for path in paths] == ["go", "x"]


def test_what_is_sent_beside_contents_counts_with_the_first() -> None:
    request = {"contents": [{"parts": [{"text": "go"}]}], "systemInstruction": "four", "tools": [1]}
    response = {"usageMetadata": {"promptTokenCount": 12}}
    (found,) = read(FORMAT, {"request": request, "response": response})
    assert [message.framing for message in found.messages] == [1000 + 4 + 3]
    assert found.recorded == Recorded(1, 12)


@pytest.mark.parametrize(
    ("sample", "share"),
    [
        pytest.param([user("x"), model("y"), None, {"a": 1}], 0.5, id="contents among others"),
        pytest.param([{"contents": [user("x")]}, {"contents": []}], 0.5, id="an empty request"),
        pytest.param([{"contents": "x"}, {"contents": [7]}], 0.0, id="contents that are none"),
        pytest.param([{"parts": [{"text": "x"}]}], 0.0, id="parts of nobody"),
        pytest.param(
            [{"role": "user", "parts": [{"type": "text", "text": "x"}]}],
            0.0,
            id="typed parts, as others have them",
        ),
        pytest.param([{"role": "assistant", "parts": []}], 0.0, id="a role of others"),
        pytest.param([{"role": ["user"], "parts": []}], 0.0, id="a role that is a list"),
        pytest.param([], 0.0, id="nothing"),
    ],
)
def test_what_is_claimed(sample: list[Any], share: float) -> None:
    assert FORMAT.score(sample) == share


LONG = "12C and rain\n" * 80


def compacted(rows: list[Any], tmp_path: Path, settings: Settings) -> list[Any]:
    """Compact, go back, and return the records of the output."""
    source, output, stream = tmp_path / "in.jsonl", tmp_path / "out.jsonl", io.BytesIO()
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    report = api.compact(source, output, settings, root=tmp_path)
    api.restore(output, stream, root=tmp_path)
    assert stream.getvalue() == source.read_bytes()
    assert not [step for step in report.steps if step.status == "undone"]
    return [json.loads(line) for line in output.read_text().splitlines()]


def session(*said: Any) -> list[Any]:
    rows: list[Any] = [user("first")]
    for one_said in said:
        rows += [
            model({**call("sh"), "thoughtSignature": SIGNATURE}),
            user(response("sh", one_said)),
        ]
    return [*rows, model("done"), user("second"), model("yes")]


def test_without_the_name_of_a_model_one_of_gemini_is_meant(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps(user("go")) + "\n")
    found = api.stats(source, Settings(), root=tmp_path)
    assert (found.counter.name, found.counter.exact) == ("gemini", False)


def test_old_responses_are_cleared_and_stay_objects(tmp_path: Path) -> None:
    rows = session(
        LONG, {"rows": [LONG], "more": "x"}, {"result": [{"type": "text", "text": LONG}]}
    )
    settings = Settings(mode=Mode.MICRO, counter="chars4", keep_recent=0)
    made = compacted(rows, tmp_path, settings)
    said = [made[at]["parts"][0]["functionResponse"]["response"] for at in (2, 4, 6)]
    assert [list(x) for x in said] == [["output"], ["output"], ["result"]]
    texts = [said[0]["output"], said[1]["output"], said[2]["result"][0]["text"]]
    assert all(text.startswith("[Previous: used sh]") for text in texts)
    assert [made[n] for n in (0, 1, 3, 5, 7, 8, 9)] == [rows[n] for n in (0, 1, 3, 5, 7, 8, 9)]


def test_a_summary_before_a_call_is_said_by_the_user(tmp_path: Path) -> None:
    rows = session(*[LONG] * 3)
    rows[5]["parts"][0]["functionCall"]["name"] = rows[6]["parts"][0]["functionResponse"][
        "name"
    ] = "TodoWrite"
    settings = Settings(
        counter="chars4",
        levels=(1,),
        target=300,
        last_keep=2,
        min_consecutive_tool_messages=1,
        min_compression_tokens=50,
        min_gain_tokens=1,
        floor_tokens=0,
    )
    made = compacted(rows, tmp_path, settings)
    assert [row["role"] for row in made] == [
        "user",
        "user",
        "model",
        "user",
        "model",
        "user",
        "model",
    ]
    assert "context_offload" in made[1]["parts"][0]["text"]


FIELDS = [
    "role",
    "parts",
    "text",
    "thought",
    "thoughtSignature",
    "functionCall",
    "functionResponse",
    "name",
    "id",
    "args",
    "response",
    "output",
    "inlineData",
    "data",
    "mimeType",
    "contents",
]
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["user", "model", "sh", ""]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=3)
    ),
    max_leaves=7,
)
RECORDS = st.builds(
    lambda role, parts: {"role": role, "parts": parts},
    st.sampled_from(["user", "model", "function", None]),
    st.lists(st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=3), max_size=3) | VALUES,
)


@given(st.lists(RECORDS | VALUES, max_size=4))
def test_whatever_stands_in_a_content_it_is_read(records: list[Any]) -> None:
    for conversation in read(FORMAT, *records):
        for message in conversation.messages:
            assert all(_is_sound(block, records) for block in message.blocks)


def _is_sound(block: Block, records: list[Any]) -> bool:
    if block.fixed or block.kind not in {Kind.TEXT, Kind.RESULT}:
        return block.tokens >= 0
    value = value_at(records[block.record], block.path)
    return isinstance(value, str if block.kind is Kind.TEXT else (str, list, dict))
