"""A bounded number of damaged transcripts in every run; `python -m tests.fuzz` tries as many as wanted."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

import pytest

from ctxcompact import api
from ctxcompact.core.settings import Mode, Settings
from tests.fuzz import mutations
from tests.fuzz.__main__ import Hung, ended_within, run_case
from tests.fuzz.mutations import mutate
from tests.fuzz.seeds import seeds
from tests.fuzz.trials import settings, try_out

if TYPE_CHECKING:
    from pathlib import Path

MICRO = Settings(mode=Mode.MICRO, counter="chars4", keep_recent=0)


@pytest.fixture
def sound() -> bytes:
    return next(seed.data for seed in seeds() if seed.name == "anthropic-agent.jsonl")


def broken(cases: range) -> list[str]:
    known = seeds()
    failures = (run_case(number, 1, known)[1] for number in cases)
    return [f"case {one.number} ({one.seed}): {one.what}" for one in failures if one]


def test_no_promise_is_broken_over_damaged_transcripts() -> None:
    assert broken(range(100)) == []


@pytest.mark.slow
def test_no_promise_is_broken_over_many_damaged_transcripts() -> None:
    assert broken(range(100, 5000)) == []


def test_a_case_comes_again(sound: bytes) -> None:
    assert mutate(sound, Random(3)) == mutate(sound, Random(3))
    assert settings(Random(3), 9000) == settings(Random(3), 9000)


@pytest.mark.parametrize(
    "mutation", dict.fromkeys(mutations._MUTATIONS), ids=lambda one: one.__name__
)
def test_every_mutation_changes_something_and_takes_anything(
    mutation: mutations.Mutation, sound: bytes
) -> None:
    assert any(mutation(sound, Random(n)) != sound for n in range(20))
    for odd in (b"", b"\n", b"null\n", b"\xff\n{", b'"x"\n7\n{}\n[]\n'):
        for n in range(20):
            mutation(odd, Random(n))


def test_a_run_that_cannot_be_undone_would_be_noticed(
    tmp_path: Path, sound: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "restore", lambda _source, output, **_: output.write(b"other"))
    with pytest.raises(AssertionError, match="restored otherwise"):
        try_out(sound, tmp_path, MICRO)


def test_a_report_that_is_not_true_would_be_noticed(
    tmp_path: Path, sound: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = api.check

    def check(*given: object, **named: object) -> object:
        found = told(*given, **named)  # type: ignore[arg-type]
        return found._replace(facts=told(tmp_path / "t.jsonl", Settings(), root=tmp_path).facts)

    monkeypatch.setattr(api, "check", check)
    with pytest.raises(AssertionError, match="not true"):
        try_out(sound, tmp_path, MICRO)


def test_a_case_that_hangs_is_ended() -> None:
    def hang() -> None:
        with ended_within(0.01):
            while True:
                with suppress(Exception):
                    sum(range(1000))

    with pytest.raises(Hung):
        hang()
