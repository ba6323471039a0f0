"""Credentials are named instead of told, and what is none stays as it is."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact import redaction
from ctxcompact.core.tasks import Called, Got, Said
from ctxcompact.engine.masking import masked
from ctxcompact.errors import UsageError
from ctxcompact.redaction import kinds_in, mask, require

HEX = "0123456789abcdef"
KEY = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIEpAIBAAKCAQEA\nq1Zv==\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "id AKIA" + "Q3EGRIZJ5KLMN7XY rest"[:21],
            "id [redacted: AWS Access Key] rest",
            id="an AWS key id",
        ),
        pytest.param(
            "token=ghp_" + HEX * 2 + "abcd", "token=[redacted: token]", id="a GitHub token"
        ),
        pytest.param(
            "xoxb-" + "1" * 12 + "-" + "2" * 12 + "-" + "aB3" * 8,
            "[redacted: Slack Token]",
            id="a Slack token",
        ),
        pytest.param("sk-ant-api03-" + HEX * 3, "[redacted: API key]", id="a model's key"),
        pytest.param(
            f"Authorization: Bearer {HEX * 2}\nHost: x",
            "Authorization: Bearer [redacted: token]\nHost: x",
            id="a header",
        ),
        pytest.param(f"eyJ{HEX}.eyJ{HEX}.{HEX}", "[redacted: JSON Web Token]", id="a signed token"),
        pytest.param(
            "https://me:pa55w0rd9@host/x",
            "https://me:[redacted: Basic Auth Credentials]@host/x",
            id="an address",
        ),
        pytest.param("DB_PASSWORD=s3cr3t;x", "DB_PASSWORD=[redacted: password];x", id="a setting"),
        pytest.param(
            'secret: "correct-horse"', 'secret: "[redacted: password]"', id="words in quotes"
        ),
        pytest.param(
            f"{KEY}-----END RSA PRIVATE KEY-----\nok", "[redacted: private key]\nok", id="a key"
        ),
        pytest.param(KEY, "[redacted: private key]", id="a key that is cut off"),
        pytest.param("password hunter2x9 is set; hunter2x9", None, id="no sign between"),
        pytest.param("def check(password: str) -> bool: ...", None, id="code"),
        pytest.param("the secret of tokens: patience", None, id="prose"),
        pytest.param(f"commit {HEX * 2}01234567", None, id="a hash"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_a_credential_is_named_and_nothing_else_changes(text: str, expected: str | None) -> None:
    assert mask(text) == (text if expected is None else expected)


def test_what_a_name_gave_away_is_masked_where_it_stands_alone() -> None:
    assert "hunter2x9" not in mask("password=hunter2x9\nlogin me hunter2x9\n")
    assert mask('token="letters" letters') == 'token="[redacted: password]" letters'


@given(st.text(max_size=200))
def test_masking_ends_and_is_done_once(text: str) -> None:
    assert mask(mask(text)) == mask(text)


def test_entries_are_masked_in_every_text_and_by_the_names_of_members() -> None:
    key = "sk-ant-api03-" + HEX * 3
    arguments = {"env": [{"password": "hunter2x9"}, key, 7], "cmd": f"curl -H 'X: {key}'"}
    assert masked(Called("c", "Bash", arguments), mask) == Called(
        "c",
        "Bash",
        {
            "env": [{"password": "[redacted: password]"}, "[redacted: API key]", 7],
            "cmd": "curl -H 'X: [redacted: API key]'",
        },
    )
    assert masked(Got("c", "Bash", key), mask) == Got("c", "Bash", "[redacted: API key]")
    assert masked(Said("user", "Use it."), mask) == Said("user", "Use it.")


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        pytest.param(b'{"a":[{"text":"DB_PASSWORD=s3cr3t"}]}', ("password",), id="in a text"),
        pytest.param(b'{"password":"hunter2x9"}', ("password",), id="by the name of its member"),
        pytest.param(
            b'{"a":"{\\"token\\": \\"hunter2x9\\"}"}', ("password",), id="in JSON inside a text"
        ),
        pytest.param(
            b'["npm_%b","passwd=hunter2x9"]' % (HEX * 2).encode(),
            ("token", "password"),
            id="of two kinds",
        ),
        pytest.param(b'{"k":"-----BEGIN PRIVATE KEY-----\\nMII\\n"}', ("private key",), id="a key"),
        pytest.param(b'passwd=hunter2x9 {"', ("password",), id="in what is no JSON"),
        pytest.param(b"\xff\0passwd=hunter2x9", ("password",), id="among bytes"),
        pytest.param(b'{"password":7,"x":null,"y":{"token":[true]}}', (), id="no text"),
        pytest.param(b"", (), id="nothing"),
        pytest.param(b"[" * 5000, (), id="never closed"),
        pytest.param(b"[" * 1000 + b'"a"' + b"]" * 1000, (), id="deep"),
    ],
)
def test_the_kinds_in_a_record_are_named(record: bytes, expected: tuple[str, ...]) -> None:
    assert kinds_in(record) == expected


@given(st.text(max_size=100))
def test_what_is_masked_has_a_kind_and_nothing_else(text: str) -> None:
    record = json.dumps([text]).encode()
    assert bool(kinds_in(record)) == (mask(text) != text)


def test_without_the_patterns_it_is_said_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "detect_secrets.plugins.base", None)
    redaction._known.cache_clear()
    for ask in (lambda: mask("anything"), require, lambda: kinds_in(b'"anything"')):
        with pytest.raises(UsageError, match="--redact and --no-store-secrets need") as caught:
            ask()
    assert "ctxcompact[redact]" in str(caught.value.hint)
    redaction._known.cache_clear()
