"""What a summary of each style looks like, in English and Chinese."""

from __future__ import annotations

import json

import pytest

from ctxcompact.core.tasks import Called, Got, Style
from tests.summarizers.offline.spans import call, said, span, text_of

CONFIG = "\n".join([*(f"key_{n} = on" for n in range(30)), "auth.listen_port = 34567"])
LOG = "\n".join(
    [
        *(f"2026-03-01T10:00:{n:02d}Z INFO GET /v1/items/{n} 200" for n in range(40)),
        "2026-03-01T10:00:41Z ERROR cannot reach db-4.internal:5432 (E7741)",
    ]
)
RUN = (
    call("read_file", {"path": "/etc/app.conf"}, CONFIG),
    call("bash", {"command": "tail -n 41 /var/log/app.log"}, LOG, failed=True),
    call("write_file", {"path": "/srv/fix.py", "content": "x = 1"}, "wrote 4096 bytes"),
)


@pytest.mark.parametrize("style", [Style.TOOL_RUN, Style.CURRENT_ROUND])
def test_a_run_of_calls_names_each_tool_with_arguments_and_result(style: Style) -> None:
    lines = text_of(span(style, *RUN)).splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("Called read_file with path=/etc/app.conf; result: ")
    assert "auth.listen_port = 34567" in lines[0]
    assert "ERROR cannot reach db-4.internal:5432 (E7741)" in lines[1]
    assert lines[2].startswith("Called write_file with path=/srv/fix.py")
    assert lines[2].endswith("result: wrote 4096 bytes")


def test_a_round_is_told_without_tools_the_answer_first() -> None:
    answer = said("Let me check with read_file. I chose plan B because the port was 34567. 完成。")
    text = text_of(span(Style.ROUND, *RUN, answer))
    assert text.startswith("I chose plan B because the port was 34567.")
    assert "/etc/app.conf: " in text
    assert "auth.listen_port = 34567" in text
    for word in ("Called", "read_file", "write_file", "Let me", "result:"):
        assert word not in text


def test_what_the_person_wished_is_no_part_of_the_current_round() -> None:
    words = said("The user wants a report by noon. The limit is 4096.")
    text = text_of(span(Style.CURRENT_ROUND, *RUN, words))
    assert "The limit is 4096." in text
    assert "user wants" not in text


def test_a_payload_keeps_its_rows_and_shows_where_some_are_gone() -> None:
    code = "\n".join(
        ["def first():", *(f"    step_{n}()" for n in range(60)), "    raise DiskFullError(28)"]
    )
    text = text_of(span(Style.PAYLOAD, (Got("1", "read_file", code),)), budget=60)
    lines = text.splitlines()
    assert lines[0].startswith("Result of read_file:")
    assert "    raise DiskFullError(28)" in lines
    assert "…" in lines


def test_a_full_summary_parts_rules_decisions_work_and_state() -> None:
    text = text_of(
        span(
            Style.FULL,
            said("Never restart host prod-77. Look at the export.", "user"),
            said("I decided to raise LIMIT because rows are wide."),
            *RUN,
            said("The export runs again."),
        )
    )
    parts = [line.partition(": ")[0] for line in text.splitlines() if not line.startswith("Called")]
    assert parts == ["Rules", "Asked", "Decisions", "Accomplished", "Found", "State"]
    assert "Rules: Never restart host prod-77." in text
    assert "Accomplished: Called write_file" in text
    assert "State: The export runs again." in text


def test_chinese_results_and_answers_are_summarized_alike() -> None:
    rows = [f"第{n}条：系统运行正常，节点{n}，耗时{n}毫秒。" for n in range(1, 40)]
    rows.insert(20, "订单62682175退款失败，原因：账户余额不足，金额30154元。")
    text = text_of(
        span(
            Style.ROUND,
            call("查询日志", {"关键字": "退款", "行数": 40}, "\n".join(rows)),
            said("结论：采用方案二，因为余额不足。需要我继续吗？"),
        ),
        budget=60,
    )
    assert "结论：采用方案二，因为余额不足。" in text
    assert "订单62682175退款失败" in text
    assert "查询日志" not in text
    assert "第9条" not in text


def test_calls_alike_become_one_with_a_count() -> None:
    polls = [
        (
            Called(str(n), "status", {"id": "dep-1"}),
            Got(str(n), "status", json.dumps({"state": state})),
        )
        for n, state in enumerate(["pending"] * 4 + ["rolled back to v3.1.4"])
    ]
    text = text_of(span(Style.TOOL_RUN, *polls))
    assert text == (
        "Called status with id=dep-1 (×5); earlier: state=pending; result: state=rolled back to v3.1.4"
    )


def test_calls_with_no_more_to_say_than_one_head_share_it() -> None:
    path = "/srv/" + "deep/" * 40 + "x.py"
    edits = [call("edit", {"path": path, "line": n}, "") for n in range(3)]
    assert text_of(span(Style.TOOL_RUN, *edits), budget=60).endswith("x.py (×3)")


def test_results_which_differ_in_their_times_alone_are_told_once() -> None:
    polls = [
        (
            Called(str(n), "ping", {}),
            Got(str(n), "ping", f'{{"ok": true, "checked_at": "2026-03-01T10:0{n}:00Z"}}'),
        )
        for n in range(3)
    ]
    assert text_of(span(Style.TOOL_RUN, *polls)).count("ok=true") == 1


@pytest.mark.parametrize(
    ("style", "result", "mark"),
    [
        pytest.param(
            Style.CURRENT_ROUND, '{"state": "fai', "[UNPARSED OUTPUT]", id="broken JSON, current"
        ),
        pytest.param(Style.TOOL_RUN, '{"state": "fai', "[TRUNCATED]", id="broken JSON, past"),
        pytest.param(
            Style.TOOL_RUN, "error 17\n... [output truncated]", "[TRUNCATED]", id="says so"
        ),
        pytest.param(Style.TOOL_RUN, "[INFO] started", "", id="a bracket is no JSON"),
    ],
)
def test_a_result_that_is_not_whole_is_marked(style: Style, result: str, mark: str) -> None:
    text = text_of(span(style, call("bash", {"command": "x"}, result)))
    assert text.partition("result: ")[2].startswith(mark)
    assert ("[" in text.partition("result: ")[2][:1]) is bool(mark or result.startswith("["))


@pytest.mark.parametrize("style", list(Style))
def test_every_style_is_plain_text(style: Style) -> None:
    markdown = (
        '# Title\n\n- **one** `x_1`\n- two\n\n```json\n{"a": 1}\n```\n1. first\n> quoted E1234'
    )
    rows = json.dumps([{"id": f"a{n}", "n": n} for n in range(9)])
    parts = (call("bash", {"command": "x"}, rows), call("cat", {"p": "y"}, markdown))
    text = text_of(span(style, *parts, said(markdown)))
    assert text
    for line in text.splitlines() if style is not Style.PAYLOAD else ():
        assert not line.startswith(("#", "- ", "* ", "```", "> ", "{", "["))
