from __future__ import annotations

import pytest

from ctxcompact.core.words import (
    CHANGE,
    OUTLINE,
    TROUBLE,
    gives_decision,
    gives_rule,
    signals,
    tells_trouble,
    writes,
)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        pytest.param("dead_letter", TROUBLE, id="a part of a word"),
        pytest.param("CrashLoopBackOff", TROUBLE, id="a part of a camel"),
        pytest.param("退款失败", TROUBLE | CHANGE, id="two in Chinese"),
        pytest.param("deployed", CHANGE, id="a change"),
        pytest.param("deadline", OUTLINE, id="a word which only starts like trouble"),
        pytest.param("DEBUG", 0, id="a word which only ends like trouble"),
        pytest.param("→FAILED", TROUBLE, id="a word behind a sign"),
    ],
)
def test_a_word_tells_something(word: str, told: int) -> None:
    assert signals(word) == told


@pytest.mark.parametrize(
    ("tool", "command", "does"),
    [
        pytest.param("write_file", "", True, id="writes"),
        pytest.param("db_update", "", True, id="updates"),
        pytest.param("NotebookEdit", "", True, id="edits"),
        pytest.param("发送邮件", "", True, id="sends, in Chinese"),
        pytest.param("set_status", "", True, id="sets what else is only read"),
        pytest.param("deploy_status", "", False, id="asks for a status"),
        pytest.param("list_open_orders", "", False, id="lists"),
        pytest.param("get_settings", "", False, id="gets"),
        pytest.param("address_lookup", "", False, id="starts like add"),
        pytest.param("bash", "git commit -m done", True, id="a command which commits"),
        pytest.param("bash", "echo a > /tmp/x", True, id="a command which redirects"),
        pytest.param("bash", "grep x src 2>&1 | head", False, id="a command which reads"),
    ],
)
def test_a_call_changes_something_or_not(tool: str, command: str, does: bool) -> None:  # noqa: FBT001
    assert writes(tool, command) is does


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param("Never touch the host prod-1.", id="never"),
        pytest.param("From now on keep Ann in copy.", id="from now on"),
        pytest.param("以后不要联系供应商。", id="in Chinese"),
    ],
)
def test_rules_are_told_from_other_sentences(sentence: str) -> None:
    assert gives_rule(sentence)
    assert not gives_rule("Look into the broken build, it is urgent. 请看一下。")


def test_decisions_and_trouble_are_told_from_other_sentences() -> None:
    assert gives_decision("I chose the second plan because it needs no migration.")
    assert gives_decision("结论：采用方案二。")
    assert not gives_decision("Here is the list.")
    assert tells_trouble("cannot reach db:5432")
    assert not tells_trouble("GET /v1/users 200 12ms")
