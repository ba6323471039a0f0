"""What an interrupt is told about the output, and an error about what the system said."""

from __future__ import annotations

import errno
import io
from typing import TYPE_CHECKING

import pytest

from ctxcompact.stores.faults import explain
from ctxcompact.stores.interrupts import PART_SENT, noted, notes_of, telling_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def make(path: Path) -> None:
    path.write_bytes(b"new")


def replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(b"new")
    other.replace(path)


def leave(_: Path) -> None:
    """Change nothing."""


@pytest.mark.parametrize(
    ("before", "meanwhile", "told"),
    [
        pytest.param(leave, leave, "was not written", id="none before, none after"),
        pytest.param(leave, make, "is complete", id="a new one"),
        pytest.param(make, leave, "is as it was", id="one that stays"),
        pytest.param(make, replace, "is complete", id="one that was replaced"),
    ],
)
def test_an_interrupt_is_told_what_stands_at_the_output(
    tmp_path: Path,
    before: Callable[[Path], None],
    meanwhile: Callable[[Path], None],
    told: str,
) -> None:
    path = tmp_path / "out"
    before(path)

    def interrupted() -> None:
        with telling_of(path):
            meanwhile(path)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        interrupted()
    assert notes_of(caught.value) == [f"{path} {told}"]


def test_an_interrupt_of_a_stream_is_told_whether_anything_was_sent() -> None:
    with pytest.raises(KeyboardInterrupt) as caught, telling_of(io.BytesIO()):
        raise KeyboardInterrupt
    assert notes_of(caught.value) == ["nothing was sent on"]
    with (
        pytest.raises(KeyboardInterrupt) as caught,
        telling_of(io.BytesIO()),
        noted(PART_SENT),
    ):
        raise KeyboardInterrupt
    assert notes_of(caught.value) == [PART_SENT]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        pytest.param(OSError(errno.ENOSPC, "No space"), "the disk is full", id="known"),
        pytest.param(OSError(errno.EXDEV, "Invalid Link"), "invalid Link", id="unknown"),
        pytest.param(OSError("Strange things"), "strange things", id="without a number"),
    ],
)
def test_what_the_system_says_is_explained(error: OSError, said: str) -> None:
    what, hint = explain(error)
    assert what == said
    assert hint
