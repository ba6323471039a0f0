"""What else goes when a result goes: the client's copies lose its bytes and keep their shape."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.splice import value_at
from ctxcompact.formats.claude_code import FORMAT
from ctxcompact.formats.claude_twins import twins
from tests.formats.claude_session import conversation, line, user

PATH = ("message", "content", 0, "content")
TEXT = '[Previous: used Bash]\n<context_offload uuid="0f8fad5b-d9cb-469f-a165-70867728950e"/>'
LONG = "first line of the output\n" * 20
SHORT = "12 files, none of them changed"
GONE = "[cleared]"


def result(payload: Any, copy: Any, *more: Any, **fields: Any) -> dict[str, Any]:
    first = {"type": "tool_result", "tool_use_id": "t1", "content": payload}
    return user("a", None, [first, *more], toolUseResult=copy, **fields)


def put(data: dict[str, Any], copy: str = "toolUseResult") -> Any:
    """Return the copy as it becomes."""
    value = data[copy]
    for path, new in twins(data, PATH, TEXT):
        assert value_at(data, path) != new
        if path[0] == copy:
            value = replaced(value, path[1:], new)
    return value


def replaced(value: Any, path: tuple[str | int, ...], new: Any) -> Any:
    if not path:
        return new
    key: Any = path[0]
    items = dict(value) if isinstance(value, dict) else list(value)
    items[key] = replaced(value[key], path[1:], new)
    return items


@pytest.mark.parametrize("payload", [LONG, SHORT], ids=["long", "short"])
def test_the_copy_of_the_payload_becomes_the_same_text(payload: str) -> None:
    copy = {"stdout": payload + "\n", "stderr": "", "interrupted": False, "isImage": False}
    assert put(result(payload, copy)) == {**copy, "stdout": TEXT}


@pytest.mark.parametrize(
    ("payload", "copy", "after"),
    [
        pytest.param(LONG, "Error: " + LONG, TEXT, id="a string"),
        pytest.param(SHORT, "Error: other words", TEXT, id="a string that says something else"),
        pytest.param(
            "\n".join(f"{n:6}→{x}" for n, x in enumerate(LONG.split("\n"))),
            {"type": "text", "file": {"filePath": "/a/b.py", "content": LONG, "numLines": 20}},
            {"type": "text", "file": {"filePath": "/a/b.py", "content": GONE, "numLines": 20}},
            id="a file as Read numbers it",
        ),
        pytest.param(
            "1\tpassword = hunter2",
            {"type": "text", "file": {"filePath": "/a/b.py", "content": "password = hunter2\n"}},
            {"type": "text", "file": {"filePath": "/a/b.py", "content": GONE}},
            id="a short file",
        ),
        pytest.param(
            "The file has been updated.",
            {
                "filePath": "/a/b.py",
                "oldString": "a",
                "newString": "b" * 300,
                "originalFile": LONG,
                "structuredPatch": [{"oldStart": 1, "lines": [" " + LONG, "-old", "+new"]}],
                "userModified": False,
            },
            {
                "filePath": "/a/b.py",
                "oldString": "a",
                "newString": GONE,
                "originalFile": GONE,
                "structuredPatch": [{"oldStart": 1, "lines": [" ", "-", "+"]}],
                "userModified": False,
            },
            id="an edit",
        ),
        pytest.param(
            "Updated. Here is the part:\n     1→password = hunter2",
            {"structuredPatch": [{"lines": ["-password = x", "+password = hunter2"]}]},
            {"structuredPatch": [{"lines": ["-password = x", "+"]}]},
            id="a short edit",
        ),
        pytest.param(
            "Found 3 files\n/long/way/to/a.py\n/long/way/to/b.py",
            {"mode": "files_with_matches", "filenames": ["/long/way/to/a.py", "c.py"]},
            {"mode": "files_with_matches", "filenames": ["", "c.py"]},
            id="a few file names",
        ),
        pytest.param(
            "many",
            {"filenames": [f"/way/to/{n}.py" for n in range(50)], "numFiles": 50},
            {"filenames": [""] * 50, "numFiles": 50},
            id="many file names",
        ),
        pytest.param(
            [{"type": "text", "text": LONG}, {"type": "text", "text": "agentId: a1"}],
            {
                "status": "completed",
                "prompt": "p" * 300,
                "content": [{"type": "text", "text": LONG}],
                "totalTokens": 7,
            },
            {
                "status": "completed",
                "prompt": GONE,
                "content": [{"type": "text", "text": TEXT}],
                "totalTokens": 7,
            },
            id="a helper's report",
        ),
        pytest.param(
            [{"type": "image", "source": {"data": "A" * 9000}}],
            {"type": "image", "file": {"base64": "A" * 9000, "originalSize": 6000}},
            {"type": "image", "file": {"base64": GONE, "originalSize": 6000}},
            id="a picture",
        ),
        pytest.param(
            "<persisted-output>\nPreview\n</persisted-output>",
            {"stdout": LONG, "persistedOutputPath": "/a/" + "b" * 300, "persistedOutputSize": 500},
            {"stdout": GONE, "persistedOutputPath": "/a/" + "b" * 300, "persistedOutputSize": 500},
            id="an output in a file of its own",
        ),
        pytest.param(
            LONG,
            [{"type": "text", "text": LONG}, 7, None],
            [{"type": "text", "text": TEXT}, 7, None],
            id="a list of blocks",
        ),
        pytest.param(SHORT, {"stdout": "ok", "code": 0}, {"stdout": "ok", "code": 0}, id="nothing"),
        pytest.param(SHORT, None, None, id="no copy"),
    ],
)
def test_a_copy_keeps_its_shape(payload: Any, copy: Any, after: Any) -> None:
    assert put(result(payload, copy)) == after


def test_a_line_without_a_copy_needs_no_more() -> None:
    assert twins(user("a", None, [{"type": "tool_result", "content": LONG}]), PATH, TEXT) == []


def test_what_an_mcp_server_sent_beside_the_result_goes_too() -> None:
    data = result(LONG, LONG, mcpMeta={"structuredContent": {"rows": [LONG], "total": 1}})
    assert put(data, "mcpMeta") == {"structuredContent": {"rows": [TEXT], "total": 1}}


def test_where_a_line_has_several_results_the_others_copies_stay() -> None:
    other = "the other output, which is long as well\n" * 20
    more = {"type": "tool_result", "tool_use_id": "t2", "content": other}
    data = result(LONG, {"one": LONG, "two": other}, more)
    assert put(data) == {"one": TEXT, "two": other}
    assert put({**data, "toolUseResult": other}) == other


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(("message", "content"), id="a prompt"),
        pytest.param(("message", "content", 0, "text"), id="a text"),
        pytest.param(("content",), id="the output of a local command"),
    ],
)
def test_texts_have_no_copies(path: tuple[str | int, ...]) -> None:
    assert twins(result(LONG, LONG), path, TEXT) == []


def test_the_message_made_from_a_queued_prompt_follows_it() -> None:
    data = line(
        "attachment",
        "a",
        None,
        attachment={"type": "queued_command", "prompt": LONG},
        rendered=[{"content": f"The user said:\n{LONG}"}, {"content": [LONG]}, "x"],
    )
    (block,) = conversation(data).messages[0].blocks
    assert FORMAT.twins(data, block.path, "less") == [
        (("rendered", 0, "content"), "The user said:\nless")
    ]


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=3)
    | st.sampled_from([LONG, SHORT]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(VALUES, st.sampled_from([LONG, SHORT]))
def test_only_strings_change_and_the_payload_is_in_none(copy: Any, payload: str) -> None:
    after = put(result(payload, copy))
    assert shape(after) == shape(copy)
    assert payload not in strings(after)


def shape(value: Any) -> Any:
    """Return a value with its strings left out."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shape(item) for item in value]
    return "" if isinstance(value, str) else value


def strings(value: Any) -> str:
    """Return all strings inside a value."""
    if isinstance(value, dict | list):
        return "\0".join(map(strings, value.values() if isinstance(value, dict) else value))
    return value if isinstance(value, str) else ""
