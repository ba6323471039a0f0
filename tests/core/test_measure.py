"""What a picture or a document costs, by the length of its base64 text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.measure import MEDIA_TOKENS_MAX, MEDIA_TOKENS_MIN, media_tokens


@pytest.mark.parametrize(
    ("chars", "document", "expected"),
    [
        pytest.param(0, False, MEDIA_TOKENS_MAX, id="of unknown size"),
        pytest.param(0, True, MEDIA_TOKENS_MAX, id="a document of unknown size"),
        pytest.param(1, False, MEDIA_TOKENS_MIN, id="tiny"),
        pytest.param(200_100, False, 1000, id="in between"),
        pytest.param(20_000_000, False, MEDIA_TOKENS_MAX, id="a huge picture"),
        pytest.param(2_000_000, True, 10_000, id="a document has more to read"),
        pytest.param(200_000_000, True, 30_000, id="a huge document"),
    ],
)
def test_media_have_a_bounded_price(chars: int, document: bool, expected: int) -> None:  # noqa: FBT001
    assert media_tokens(chars, document=document) == expected
    assert media_tokens(chars) <= MEDIA_TOKENS_MAX


@given(st.integers(1, 10**9), st.booleans())
def test_more_data_never_costs_less(chars: int, document: bool) -> None:  # noqa: FBT001
    assert media_tokens(chars, document=document) <= media_tokens(chars + 200, document=document)
