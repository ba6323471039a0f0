"""Which rows of results are chosen when there is little room."""

from __future__ import annotations

import json

import pytest

from ctxcompact.core.tasks import Style, Task
from ctxcompact.summarizers.offline import Offline
from tests.summarizers.offline.spans import BIG, call, count_words, said, span, text_of

PODS = ["NAME READY STATUS RESTARTS AGE"] + [
    f"web-{n}f{n}c 1/1 Running 0 {n}d" for n in range(1, 40)
]
JOBS = [{"id": f"job_{n:04d}", "queue": "bulk", "status": "done", "ms": 100 + n} for n in range(60)]
ORDERS = ["order,sku,qty,amount,state"] + [
    f"W{n},S{n},1,{n % 90 + 10}.50,shipped" for n in range(100, 160)
]


def with_row(rows: list[str], row: str) -> str:
    """Put a row in the middle of others."""
    return "\n".join([*rows[:25], row, *rows[25:]])


@pytest.mark.parametrize(
    ("result", "wanted"),
    [
        pytest.param(
            with_row(PODS, "api-7d9 0/1 CrashLoopBackOff 312 3d"),
            "api-7d9",
            id="a state among states",
        ),
        pytest.param(
            json.dumps(
                [*JOBS[:30], {**JOBS[0], "id": "job_x", "status": "dead_letter"}, *JOBS[30:]]
            ),
            "id=job_x, status=dead_letter",
            id="an item of JSON",
        ),
        pytest.param(
            "\n".join(
                json.dumps(row)
                for row in [*JOBS[:30], {**JOBS[0], "id": "job_y", "status": "lost"}, *JOBS[30:]]
            ),
            "id=job_y, status=lost",
            id="a line of JSON lines",
        ),
        pytest.param(
            with_row(ORDERS, "W999,S7,1,27351.32,shipped"), "27351.32", id="a number far off"
        ),
        pytest.param(
            with_row(ORDERS, "W998,S7,1,-40.50,shipped"), "W998", id="a number below zero"
        ),
        pytest.param(
            with_row([f"mode_{n} = off" for n in range(50)], "listen_port = 34567"),
            "listen_port = 34567",
            id="a setting",
        ),
        pytest.param(
            "<html><body>"
            + with_row(
                [f"<li><a href='/p/{n}'>chair {n}</a> in stock</li>" for n in range(50)],
                "<li><a href='/p/x9'>lamp</a> sold out</li>",
            )
            + "</body></html>",
            "/p/x9 lamp sold out",
            id="an item of a page",
        ),
        pytest.param(
            "<list>"
            + with_row(
                [f"<item no='{n}'><state>cleared</state></item>" for n in range(50)],
                "<item no='77'><state>held</state></item>",
            )
            + "</list>",
            "state held",
            id="an element of XML",
        ),
        pytest.param(
            with_row(
                ["at org.spring.Call.go(Call.java:11)"] * 40,
                "at com.acme.Worker.run(Worker.java:135)",
            ),
            "Worker.java:135",
            id="a frame of one's own code",
        ),
        pytest.param(
            " ".join(
                ["The team met and all went well as usual that day."] * 40
                + ["The contract with Greta Moor ends on 12 March."]
                + ["Nothing else came up."] * 9
            ),
            "Greta Moor ends on 12 March",
            id="a sentence in prose",
        ),
        pytest.param(
            "\x1b[32mok\x1b[0m step\n" * 40 + "\x1b[31mFAILED\x1b[0m step E4471",
            "FAILED step E4471",
            id="colors of a terminal",
        ),
        pytest.param("10%\r50%\rdone, exit code 3", "done, exit code 3", id="a progress bar"),
    ],
)
def test_the_odd_row_is_kept(result: str, wanted: str) -> None:
    text = text_of(span(Style.TOOL_RUN, call("run", {"a": "b"}, result)), budget=60)
    assert wanted in text


def test_what_the_agent_wrote_later_is_kept_from_a_row_like_any_other() -> None:
    listing = call("shell", {"cmd": "ls"}, "\n".join(f"file_{n}a.txt" for n in range(200)))
    plain = text_of(span(Style.TOOL_RUN, listing), budget=40)
    used = span(Style.TOOL_RUN, listing, call("read", {"path": "src/file_77a.txt"}, "ok"))
    assert "file_77a.txt" not in plain
    assert text_of(used, budget=60).count("file_77a.txt") == 2


def test_what_was_searched_for_is_kept_with_its_block() -> None:
    mails = [f"id: {n}a{n}b{n}c\nfrom: Ann Moor\nsubject: plans" for n in range(100, 130)]
    mails.insert(17, "id: 7f7f7f7\nfrom: Greta Holm\nsubject: plans")
    text = text_of(
        span(Style.TOOL_RUN, call("mail_search", {"query": "from:Greta Holm"}, "\n\n".join(mails))),
        budget=40,
    )
    assert "Greta Holm" in text
    assert "7f7f7f7" in text


def test_a_value_of_the_question_leads_to_its_row() -> None:
    rows = "\n".join(f"tenant t{n}x{n} ok" for n in range(100))
    text = text_of(
        span(Style.ROUND, call("list", {"a": "b"}, rows), question="What about t55x55?"), budget=20
    )
    assert "t55x55" in text


def test_the_focus_decides_between_rows_alike() -> None:
    rows = "\n".join(f"the {color} door is shut" for color in ("white", "green", "black") * 9)
    one = span(Style.TOOL_RUN, call("list", {"a": "b"}, rows))
    assert "green" in text_of(one, budget=22, focus="keep what is about the green one")
    assert "black" in text_of(one, budget=22, focus="keep what is about the black one")


def test_a_row_unlike_all_others_comes_before_values_that_stand_in_every_row() -> None:
    series = [
        {"time": f"2026-05-03T{n % 24:02}:{n:02}:00Z", "at": f"11.{n + 10}"} for n in range(60)
    ]
    series[31]["at"] = "743.0"
    names = "alder birch cedar elder hazel larch maple rowan".split()
    other = "\n".join(f"{' '.join(names[: n % 7])} {names[n % 8]}_{n} v{n}.2.1" for n in range(40))
    one = span(
        Style.TOOL_RUN,
        call("series", {"of": "wind"}, json.dumps(series)),
        call("scan", {"of": "ports"}, other),
    )
    assert "at=743.0" in text_of(one, budget=85)


def test_spans_compete_for_the_budget() -> None:
    dull = call("list", {"of": "users"}, "\n".join(["nothing to see here"] * 200))
    rich = call(
        "scan", {"of": "ports"}, "\n".join(f"host-{n}x open E{n}00{n}" for n in range(10, 60))
    )
    task = Task((span(Style.TOOL_RUN, dull), span(Style.TOOL_RUN, rich)), 200)
    first, second = Offline().summarize(task, count_words)
    assert first.text.startswith("Called list with of=users")
    assert count_words(second.text) > 3 * count_words(first.text)


def test_a_writing_call_keeps_its_head_longer_than_reading_ones() -> None:
    calls = [call("read", {"path": f"/a/{n}.txt"}, "x") for n in range(20)]
    calls.insert(3, call("write_file", {"path": "/b/out.txt"}, "written"))
    assert "/b/out.txt" in text_of(span(Style.TOOL_RUN, *calls), budget=60)


def test_every_span_keeps_a_head_while_there_is_room_for_one() -> None:
    spans = [
        span(
            Style.TOOL_RUN, *(call("read", {"path": f"/{at}/{n}.txt"}, "x" * 90) for n in range(9))
        )
        for at in range(5)
    ]
    made = Offline().summarize(Task(tuple(spans), 60), count_words)
    assert all(one.text.startswith("Called read with path=") for one in made)


@pytest.mark.parametrize(
    ("entries", "budget", "reason"),
    [
        pytest.param((), 100, "nothing in it to keep", id="nothing there"),
        pytest.param(said("   \n---\n"), 100, "nothing in it to keep", id="nothing said"),
        pytest.param(
            call("read", {"path": "/a/b.txt"}, "x"),
            2,
            "no room for it within 2 tokens",
            id="no room",
        ),
    ],
)
def test_an_empty_text_says_why(entries: tuple[()], budget: int, reason: str) -> None:
    task = Task((span(Style.TOOL_RUN, entries),), budget)
    assert Offline().summarize(task, count_words)[0] == ("", reason, None)


def test_a_text_is_never_larger_than_its_span() -> None:
    one = span(Style.TOOL_RUN, call("read", {"path": "/a"}, "ok\nfine"), tokens=6)
    assert count_words(text_of(one, budget=BIG)) <= 6


def test_a_long_path_keeps_its_end() -> None:
    path = "/home/user/projects/" + "deep/" * 12 + "window.py"
    calls = [call("read", {"path": path, "limit": n}, "x") for n in range(9)]
    text = text_of(span(Style.TOOL_RUN, *calls), budget=150)
    assert "…/" in text
    assert "window.py" in text
