"""Flushing is for the tests of `stores` and `crash`; elsewhere it would take most of the time."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module", autouse=True)
def no_flushing() -> Iterator[None]:
    """Serve each room whose conftest imports it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield
