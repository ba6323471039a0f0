"""The names of the package."""

from __future__ import annotations

import re

import pytest

import ctxcompact
from ctxcompact import api, errors, kept
from ctxcompact.core.events import Report
from ctxcompact.core.settings import Settings


def test_each_public_name_is_there() -> None:
    assert all(getattr(ctxcompact, name) is not None for name in ctxcompact.__all__)
    assert sorted(ctxcompact.__all__) == dir(ctxcompact)


def test_public_names_are_those_of_their_homes() -> None:
    assert (ctxcompact.Settings, ctxcompact.Report) == (Settings, Report)
    assert (ctxcompact.compact, ctxcompact.reload) == (api.compact, kept.reload)


def test_each_error_is_public() -> None:
    names = {name for name, one in vars(errors).items() if isinstance(one, type)}
    assert names <= set(ctxcompact.__all__)


def test_the_version_is_a_version() -> None:
    assert re.match(r"\d+", ctxcompact.__version__)


def test_another_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = ctxcompact.nonsense
