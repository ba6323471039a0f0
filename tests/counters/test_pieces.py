from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ctxcompact.counters.encodings import PATTERNS, load_encoding
from ctxcompact.counters.pieces import PIECE_CHARS, SAFE_CUT, cut

# What the word patterns look at, so that a wrong cut finds its word soon.
TRICKY = st.text(st.sampled_from("aZé你\u0301ʰ17'sdtlv.;_/-|\n\r\t \u00a0\u3000\x1c\x85\u2028"))
LINES = "for name in names:\n    print(name)\n\n# and so on; see a/b\n" * 20_000


@given(TRICKY)
@example("x;\n/y")
@example("it 's \n\n you  'll\r\n\t go")
def test_a_safe_cut_changes_no_token(text: str) -> None:
    for name in PATTERNS:
        encode = load_encoding(name).encode_ordinary
        whole = encode(text)
        for place in SAFE_CUT.finditer(text):
            stop = place.end()
            assert encode(text[:stop]) + encode(text[stop:]) == whole


@given(TRICKY, st.integers(1, 12))
def test_pieces_are_the_text_and_never_too_long_nor_empty(text: str, piece_chars: int) -> None:
    pieces = list(cut(text, piece_chars))
    assert "".join(pieces) == text
    assert all(0 < len(piece) <= piece_chars for piece in pieces)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(LINES, id="lines"),
        pytest.param(LINES.replace("\n", ";"), id="one line with blanks"),
        pytest.param("deadbeef\n" * 150_000, id="lines without blanks"),
    ],
)
def test_a_long_text_is_cut_at_safe_places_only(text: str) -> None:
    pieces = list(cut(text))
    assert len(pieces) > 1
    for name in PATTERNS:
        encode = load_encoding(name).encode_ordinary
        assert sum(len(encode(piece)) for piece in pieces) == len(encode(text))


@pytest.mark.parametrize("unit", ["a", " ", "\n", "x y\n", "x\n/"])
@pytest.mark.parametrize("length", [PIECE_CHARS, 1_200_000, 4_800_000])
def test_the_work_grows_with_the_text_and_no_faster(unit: str, length: int) -> None:
    sizes = [len(piece) for piece in cut((unit * length)[:length])]
    assert sum(sizes) == length
    assert max(sizes) <= PIECE_CHARS
    assert len(sizes) <= 1 + 2 * length // PIECE_CHARS
