"""Marks: how they are written, and which texts end in one."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.tags import (
    ACKNOWLEDGEMENT,
    FULL_SUMMARY_START,
    SUMMARY_LABEL,
    canonical,
    closing,
    closing_in,
    find,
    is_placeholder,
    is_summary,
    render,
)
from ctxcompact.errors import UsageError

ID = "0f8fad5b-d9cb-869f-a165-70867728950e"
MARK = f'<context_offload uuid="{ID}"/>'
COMMENT = f"<!-- CONTEXT_OFFLOAD: uuid={ID} -->"


def test_a_mark_is_written_as_the_contract_says() -> None:
    assert render(ID) == MARK


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(MARK, id="nothing but the mark"),
        pytest.param(f"some words\n{MARK}", id="on a line of its own"),
        pytest.param(f"some words\nmore {MARK}", id="at the end of the last line"),
        pytest.param(f"some words\n{MARK} \t\r\n\n", id="white space after it"),
        pytest.param(f"some words\n{COMMENT}", id="the spelling of a comment"),
        pytest.param(
            f"some words\n{MARK.upper().replace('CONTEXT_OFFLOAD UUID', 'context_offload uuid')}",
            id="capitals",
        ),
        pytest.param("x" * 100_000 + f"\n{MARK}", id="after a very long text"),
        pytest.param(f"{MARK}\n{MARK}", id="two of them"),
    ],
)
def test_a_text_that_ends_in_a_mark_is_known_by_it(text: str) -> None:
    assert closing(text) == ID


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="no text"),
        pytest.param("some words", id="no mark"),
        pytest.param("some <b>words</b>", id="another tag"),
        pytest.param(f"{MARK} and more", id="words after it"),
        pytest.param(f"{MARK}\nand more", id="a line after it"),
        pytest.param('<context_offload uuid="1234"/>', id="an id that is none"),
        pytest.param(f'<context_offload uuid="{ID}">', id="not closed"),
        pytest.param(f'<context_offload id="{ID}"/>', id="another attribute"),
        pytest.param(f'<context_offload uuid="{ID}0"/>', id="one digit too many"),
        pytest.param(MARK + " " * 5000, id="very far from the end"),
    ],
)
def test_any_other_text_is_text(text: str) -> None:
    assert closing(text) == ""


def test_of_two_marks_on_the_last_line_the_last_counts() -> None:
    other = ID.replace("0f", "1f")
    assert closing(f"{render(other)} {MARK}") == ID


def test_marks_anywhere_are_listed_once_and_in_order() -> None:
    other = ID.replace("0f", "1f")
    assert find(f"a {COMMENT} b {render(other.upper())}\n{MARK} c") == [ID, other]
    assert find("no mark here") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("[Previous: used Bash]", True, id="without a mark"),
        pytest.param(f"[Previous: used Bash]\n{MARK}", True, id="with its mark"),
        pytest.param("[Previous: used Bash] and words", False, id="words after it"),
        pytest.param("words [Previous: used Bash]", False, id="words before it"),
        pytest.param("[Previous: used " + "x" * 5000 + "]", False, id="far too long"),
        pytest.param("", False, id="no text"),
    ],
)
def test_a_placeholder_is_known_with_and_without_its_mark(text: str, expected: bool) -> None:  # noqa: FBT001
    assert is_placeholder(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(f"{SUMMARY_LABEL}\nwords\n{MARK}", True, id="a summary with its mark"),
        pytest.param(f"{SUMMARY_LABEL}\nwords", False, id="a summary without its mark"),
        pytest.param(f"{SUMMARY_LABEL}\n{MARK}\nwords", False, id="words after the mark"),
        pytest.param(f"words\n{MARK}", False, id="a mark without a label"),
        pytest.param(f"{FULL_SUMMARY_START}a.jsonl]", True, id="a full summary"),
        pytest.param(ACKNOWLEDGEMENT, True, id="its acknowledgement"),
        pytest.param(f"{ACKNOWLEDGEMENT} Next.", False, id="more than an acknowledgement"),
        pytest.param("", False, id="no text"),
    ],
)
def test_a_summary_is_known_by_how_it_begins_and_ends(text: str, expected: bool) -> None:  # noqa: FBT001
    assert is_summary(text) is expected


def test_an_id_is_read_in_either_case_and_given_in_lower_case() -> None:
    assert canonical(ID.upper()) == ID


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param(ID.replace("-", ""), id="without dashes"),
        pytest.param(f"{{{ID}}}", id="in braces"),
        pytest.param(f"urn:uuid:{ID}", id="as a URN"),
        pytest.param(f" {ID}", id="a blank before it"),
        pytest.param(f"{ID}\n", id="a newline after it"),
        pytest.param("../../etc/passwd", id="a path"),
        pytest.param(ID[:-1] + "٣", id="a digit of another script"),
        pytest.param("*", id="a glob"),
    ],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=re.escape(repr(text[:60]))) as caught:
        canonical(text)
    assert caught.value.hint


@given(st.uuids(), st.text())
def test_a_written_mark_is_found_again(uuid: object, text: str) -> None:
    marked = f"{text}\n{render(str(uuid))}"
    assert closing(marked) == str(uuid)
    assert str(uuid) in find(marked)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(f"as it was\n{MARK}", True, id="at the end"),
        pytest.param(f"{MARK} \n", True, id="before white space"),
        pytest.param(f"<!-- CONTEXT_OFFLOAD: uuid={ID.upper()} -->", True, id="as a comment"),
        pytest.param(f"see {MARK} there", False, id="in a sentence"),
        pytest.param(f'it says "{MARK}"', False, id="in quotes"),
        pytest.param("no mark at all", False, id="none"),
    ],
)
def test_a_mark_closes_a_string_of_json_or_is_quoted_in_it(text: str, *, found: bool) -> None:
    assert closing_in(json.dumps({"content": [text, "more"]})) == [ID] * found
