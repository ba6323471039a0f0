from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from ctxcompact.summarizers.llm.waiting import bounded

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_everything_made_comes_through_in_order() -> None:
    assert list(bounded(lambda: iter(range(5)), silence_s=9, total_s=9)) == [0, 1, 2, 3, 4]


def test_an_error_comes_through_after_what_was_made_before_it() -> None:
    def start() -> Iterator[int]:
        yield 1
        raise KeyError("gone")

    seen: list[int] = []
    with pytest.raises(KeyError, match="gone"):
        seen.extend(bounded(start, silence_s=9, total_s=9))
    made = bounded(start, silence_s=9, total_s=9)
    assert next(made) == 1


def test_silence_ends_the_wait() -> None:
    never = threading.Event()
    with pytest.raises(TimeoutError):
        next(bounded(lambda: iter([never.wait()]), silence_s=0.01, total_s=9))
    never.set()


def test_a_stream_that_goes_on_and_on_ends_with_its_time() -> None:
    ticks = iter(range(1000))
    endless = iter(int, 1)
    made = bounded(lambda: endless, silence_s=9, total_s=20, clock=lambda: float(next(ticks)))
    with pytest.raises(TimeoutError):
        for _ in made:
            pass


def test_a_stream_that_is_left_is_read_no_further() -> None:
    read: list[int] = []
    go = threading.Event()

    def start() -> Iterator[int]:
        for number in range(1000):
            read.append(number)
            yield number
            go.wait()

    made = bounded(start, silence_s=9, total_s=9)
    next(made)
    made.close()
    go.set()
    for thread in threading.enumerate():
        if thread.name == "ctxcompact-llm":
            thread.join(5)
    assert len(read) <= 2
