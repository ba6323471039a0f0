"""Where a text is cut: never inside what a reader sees as one character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.preview import cut

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
WAVE = "\U0001f44b\U0001f3fd"
HEART = "\u2764\ufe0f"
GERMANY, JAPAN = "\U0001f1e9\U0001f1ea", "\U0001f1ef\U0001f1f5"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
ACCENT = "e\u0300\u0323"
KEYCAP = "1\ufe0f\u20e3"
DEVANAGARI = "\u0915\u093e"
CLUSTERS = [
    FAMILY,
    WAVE,
    HEART,
    GERMANY,
    SCOTLAND,
    ACCENT,
    KEYCAP,
    DEVANAGARI,
    "\r\n",
    "\ud800\udc00",
    "\udbff\udfff",
]


@pytest.mark.parametrize(
    ("text", "chars", "expected"),
    [
        pytest.param("", 0, "", id="nothing"),
        pytest.param("abc", 0, "", id="no room"),
        pytest.param("abc", 2, "ab", id="plain letters"),
        pytest.param("abc", 3, "abc", id="exactly as long"),
        pytest.param("abc", 4, "abc", id="longer than the text"),
        pytest.param("日本語", 2, "日本", id="one code point a character"),
        pytest.param(GERMANY + JAPAN, 2, GERMANY, id="between two flags"),
        pytest.param(GERMANY + JAPAN, 3, GERMANY, id="inside the second flag"),
        pytest.param("a\r\nb", 2, "a", id="between CR and LF"),
        pytest.param("a\r\nb", 3, "a\r\n", id="after CR LF"),
        pytest.param("a\n\rb", 2, "a\n", id="LF CR are two"),
        pytest.param("a\rb", 2, "a\r", id="a lone CR"),
        pytest.param("a\ud83db", 2, "a\ud83d", id="after a lone half of a pair"),
        pytest.param("a\ude00b", 1, "a", id="before one"),
        pytest.param("a" + "\u0301" * 100, 80, "a" + "\u0301" * 79, id="a character without end"),
        pytest.param("\u0301\u0301\u0301", 2, "\u0301\u0301", id="marks without a base"),
        pytest.param(ACCENT, 1, "e", id="no edge before the first one"),
    ],
)
def test_a_text_is_cut_at_the_edge_of_a_character(text: str, chars: int, expected: str) -> None:
    assert cut(text, chars) == expected


@pytest.mark.parametrize("before", [2, 301], ids=["near", "far"])
@pytest.mark.parametrize("cluster", CLUSTERS, ids=[ascii(x).strip("'") for x in CLUSTERS])
def test_no_cut_falls_inside_a_character(cluster: str, before: int) -> None:
    text = "a" * before + cluster + "bc"
    for chars in range(before - 2, len(text) + 1):
        is_inside = before <= chars < before + len(cluster)
        assert cut(text, chars) == text[: before if is_inside else chars]


_texts = st.text(
    alphabet=st.one_of(st.characters(), st.sampled_from("".join(CLUSTERS) + "\u0301")), max_size=100
)


@given(_texts, st.integers(0, 120))
def test_a_cut_is_the_beginning_and_no_longer_than_asked(text: str, chars: int) -> None:
    found = cut(text, chars)
    assert text.startswith(found)
    assert len(found) <= chars
    assert bool(found) or chars == 0 or not text


@given(_texts, st.integers(0, 120))
def test_a_cut_of_a_cut_changes_nothing(text: str, chars: int) -> None:
    assert cut(cut(text, chars), chars) == cut(text, chars)
