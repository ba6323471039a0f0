from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ctxcompact.core.tasks import Called, Got, Said, Style
from ctxcompact.summarizers.llm.records import Record, units
from tests.summarizers.llm.fakes import call, got, span

if TYPE_CHECKING:
    from ctxcompact.core.tasks import Entry

A, B = call("a", "c1"), call("b", "c2")
GOT_A, GOT_B = got("of a", "c1"), got("of b", "c2")


def titles(*entries: Entry, style: Style = Style.TOOL_RUN) -> list[list[str]]:
    """List the records of each unit by title and body, in short."""
    return [
        [f"{record.title}: {record.body}" for pair in unit for record in pair.records]
        for unit in units(span(*entries, style=style))
    ]


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        pytest.param(
            (A, GOT_A),
            [["call of read_file: path=a", "result of read_file: of a"]],
            id="a call and its result are one unit",
        ),
        pytest.param(
            (A, B, GOT_A, GOT_B),
            [
                [
                    "call of read_file: path=a",
                    "result of read_file: of a",
                    "call of read_file: path=b",
                    "result of read_file: of b",
                ]
            ],
            id="parallel calls are one, each with its result",
        ),
        pytest.param(
            (A, B, GOT_B, GOT_A),
            [
                [
                    "call of read_file: path=a",
                    "result of read_file: of a",
                    "call of read_file: path=b",
                    "result of read_file: of b",
                ]
            ],
            id="also with results in another order",
        ),
        pytest.param(
            (A, GOT_A, B, GOT_B),
            [
                ["call of read_file: path=a", "result of read_file: of a"],
                ["call of read_file: path=b", "result of read_file: of b"],
            ],
            id="one after the other are two",
        ),
        pytest.param(
            (Said("user", "hi"), Said("assistant", "ho")),
            [["user: hi"], ["assistant: ho"]],
            id="texts stand alone",
        ),
        pytest.param((GOT_A,), [["result of read_file: of a"]], id="a result without a call"),
        pytest.param(
            (Said("user", "hi"), GOT_A),
            [["user: hi"], ["result of read_file: of a"]],
            id="a result after a text is not part of it",
        ),
        pytest.param((A,), [["call of read_file: path=a"]], id="a call without a result"),
        pytest.param(
            (call("a", "c1"), call("b", "c1"), got("1", "c1"), got("2", "c1")),
            [
                [
                    "call of read_file: path=a",
                    "result of read_file: 1",
                    "call of read_file: path=b",
                    "result of read_file: 2",
                ]
            ],
            id="ids used twice are answered in order",
        ),
        pytest.param(
            (A, got("1", "c1"), got("2", "c1")),
            [["call of read_file: path=a", "result of read_file: 1", "result of read_file: 2"]],
            id="a call with two results keeps both",
        ),
        pytest.param(
            (Said("user", " \n"), got("\x1b[0m")), [], id="without a readable word is nothing"
        ),
    ],
)
def test_calls_stand_with_their_results(
    entries: tuple[Entry, ...], expected: list[list[str]]
) -> None:
    assert titles(*entries) == expected


@pytest.mark.parametrize(
    ("arguments", "body"),
    [
        pytest.param({"path": "a", "limit": 3}, "path=a\nlimit=3", id="one a line"),
        pytest.param(
            {"text": 'say "hi"\nthere'}, 'text=say "hi"\nthere', id="texts without escapes"
        ),
        pytest.param(
            {"tags": ["ä", None], "on": True}, 'tags=["ä", null]\non=true', id="others as JSON"
        ),
        pytest.param("not { json", "not { json", id="what is no JSON as it is"),
        pytest.param([1, 2], "[1, 2]", id="a list"),
        pytest.param({}, "", id="none"),
    ],
)
def test_arguments_are_written_with_their_exact_values(arguments: object, body: str) -> None:
    [[pair]] = units(span(Called("c1", "run", arguments)))
    assert pair.call == Record("call of run", body)


def test_a_failed_result_says_so() -> None:
    assert titles(Got("c1", "run", "exit 1", failed=True)) == [["result of run, failed: exit 1"]]


def test_ids_are_given_for_a_payload_alone() -> None:
    assert titles(A, GOT_A, style=Style.PAYLOAD) == [
        ["call of read_file (c1): path=a", "result of read_file (c1): of a"]
    ]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        pytest.param("a]\n[user", "result of a) [user", id="cannot begin another entry"),
        pytest.param("", "result of an unknown tool", id="may be missing"),
        pytest.param("n" * 500, "result of " + "n" * 80, id="is bounded"),
    ],
)
def test_the_name_of_a_tool_stays_on_its_line(name: str, title: str) -> None:
    [[pair]] = units(span(Got("c1", name, "text")))
    assert pair.rest[0].title == title
