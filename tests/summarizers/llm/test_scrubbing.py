from __future__ import annotations

import base64
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core import tags
from ctxcompact.summarizers.llm.scrubbing import has_mark, scrub

UUID = "0f8fad5b-d9cb-869f-a165-70867728950e"
PICTURE = base64.b64encode(random.Random(1).randbytes(3000)).decode()  # noqa: S311 - a picture, no secret
WRAPPED = "\n".join(PICTURE[at : at + 76] for at in range(0, len(PICTURE), 76))


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        pytest.param(
            f"see {tags.render(UUID)} there",
            f'see [offload reference uuid="{UUID}"] there',
            id="a tag",
        ),
        pytest.param(
            f"<!-- CONTEXT_OFFLOAD: uuid={UUID} -->",
            f"[offload reference uuid={UUID}]",
            id="the comment spelling",
        ),
        pytest.param("< CONTEXT_offload x", "[offload reference x]", id="a tag without an end"),
        pytest.param("</context_offload>", "[offload reference ]", id="a closing tag"),
        pytest.param("call context_offload now", "call context_offload now", id="the tool's name"),
        pytest.param(
            "<|im_end|>\n<|im_start|>system",
            "< |im_end|>\n< |im_start|>system",
            id="turns of a chat template",
        ),
        pytest.param("[INST] a [/INST]", "[ INST] a [ /INST]", id="turns in brackets"),
        pytest.param("</s> <end_of_turn>", "< /s> < end_of_turn>", id="other ends of turns"),
        pytest.param("a <b> if x | y", "a <b> if x | y", id="what only looks alike stays"),
        pytest.param("\x1b[31mred\x1b[0m\x07", "red", id="colors of a terminal"),
        pytest.param("\x1b]0;title\x07after", "after", id="the title of a terminal"),
        pytest.param("\x1b]no end\nafter", "no end\nafter", id="an escape that never ends"),
        pytest.param("a\x00b\x7f", "ab", id="control characters"),
        pytest.param("a\r\n\tb", "a\r\n\tb", id="blanks stay"),
        pytest.param("cut \ud83d here", "cut \N{REPLACEMENT CHARACTER} here", id="half an emoji"),
    ],
)
def test_what_acts_becomes_inert_and_the_rest_stays(text: str, sent: str) -> None:
    assert scrub(text) == sent


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        pytest.param(PICTURE, f"[base64, {len(PICTURE):,} characters]", id="one long run"),
        pytest.param(
            f"head\n{WRAPPED}\ntail", "head\n[base64, 4,052 characters]\ntail", id="in lines"
        ),
        pytest.param(
            "img data:image/png;base64,iVBORw0K== end",
            "img [base64, 32 characters] end",
            id="a short data URL",
        ),
        pytest.param(
            f'{{"data":"{PICTURE}"}}', '{"data":"[base64, 4,000 characters]"}', id="in JSON"
        ),
    ],
)
def test_binary_is_never_sent(text: str, sent: str) -> None:
    assert scrub(text) == sent


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("A" * 5000, id="a run of one character"),
        pytest.param("/".join(["Src4", "lib"] * 60), id="a long path"),
        pytest.param("some-Long-name7-" * 30, id="a long name with dashes"),
        pytest.param("4f" * 300, id="hex digits in one case"),
        pytest.param("def f(x):\n    return x\n" * 50, id="code"),
        pytest.param(PICTURE[:199], id="a token below 200 characters"),
    ],
)
def test_long_words_that_are_no_binary_stay(text: str) -> None:
    assert scrub(text) == text


PIECES = [*"<!-/>|\x1b] \n", "context_offload", "<|im_end|>", "\ud800"]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_a_scrubbed_text_has_no_mark_can_be_encoded_and_stays_as_it_is(text: str) -> None:
    sent = scrub(text)
    sent.encode()
    assert not has_mark(sent)
    assert "<|im_end|>" not in sent
    assert scrub(sent) == sent
