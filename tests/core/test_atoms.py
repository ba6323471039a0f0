from __future__ import annotations

import pytest

from ctxcompact.core.atoms import Atom, atoms, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(
            "see https://x.test/a?b=c&d=1, please",
            ("url", "https://x.test/a?b=c&d=1"),
            id="an address",
        ),
        pytest.param(
            "at src/app_main.py:33 it stops",
            ("path", "src/app_main.py"),
            id="a path before a line number",
        ),
        pytest.param("open README.md now", ("path", "README.md"), id="a bare file"),
        pytest.param(
            r"in C:\temp\log.txt it says", ("path", r"C:\temp\log.txt"), id="a path of Windows"
        ),
        pytest.param("pid=12345", ("number", "12345"), id="a value after its key"),
        pytest.param("paid 11,754.50 today", ("number", "11,754.50"), id="a number with commas"),
        pytest.param("on 2026-03-01T00:13:45Z", ("date", "2026-03-01T00:13:45Z"), id="a time"),
        pytest.param("db-raven.internal:5432 is down", ("number", "5432"), id="a port"),
        pytest.param("commit 0a1b2c3d4e", ("hash", "0a1b2c3d4e"), id="a commit"),
        pytest.param(
            "id 0f8fad5b-d9cb-469f-a165-70867728950e",
            ("id", "0f8fad5b-d9cb-469f-a165-70867728950e"),
            id="a UUID",
        ),
        pytest.param(
            "raised ConnectionResetError here", ("error", "ConnectionResetError"), id="an exception"
        ),
        pytest.param("code E5512", ("error", "E5512"), id="an error code"),
        pytest.param("uses v2.14.0 of it", ("version", "v2.14.0"), id="a version"),
        pytest.param("run with --dry-run", ("option", "--dry-run"), id="an option"),
        pytest.param(
            "write to ann.lee@corp.test", ("address", "ann.lee@corp.test"), id="a mail address"
        ),
        pytest.param(
            "call plumbing.NewReference()", ("id", "plumbing.NewReference"), id="a member"
        ),
        pytest.param("订单12345678退款失败", ("number", "12345678"), id="a number inside Chinese"),
    ],
)
def test_a_value_is_found_with_its_kind(text: str, found: tuple[str, str]) -> None:
    assert Atom(*found) in list(atoms(text))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The quick brown fox jumps over the lazy dog.", id="English"),
        pytest.param("系统运行正常，任务按计划执行。", id="Chinese"),
        pytest.param("(), [] {} -- == |", id="punctuation"),
    ],
)
def test_plain_words_are_no_values(text: str) -> None:
    assert list(atoms(text)) == []


def test_words_come_without_the_punctuation_around_them() -> None:
    assert words('Note: "disk_full" (x2), see `log`...') == [
        "Note",
        "disk_full",
        "x2",
        "see",
        "log",
    ]


def test_an_endless_word_is_left_out() -> None:
    assert words("before " + "x" * 5_000 + " after") == ["before", "after"]
