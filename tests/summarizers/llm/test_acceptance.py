from __future__ import annotations

import pytest

from ctxcompact.core import tags
from ctxcompact.summarizers.llm.acceptance import clean, fault_in, fault_of
from ctxcompact.summarizers.llm.records import Record
from ctxcompact.summarizers.llm.replies import Answer
from ctxcompact.summarizers.llm.requests import Wish, make
from ctxcompact.summarizers.llm.wording import read
from tests.summarizers.llm.fakes import GOOD, usage

DATA = " ".join(f"line {number} of the log is fine" for number in range(60))
REQUEST = make([Record("result of run", DATA)], Wish(read("full"), 300, 1000))
TAG = tags.render("0f8fad5b-d9cb-869f-a165-70867728950e")
FORM = "## Goal\n(none)\n\n## Progress\n(none)\n\n**Next steps**\n- N/A\n"


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        pytest.param(Answer(GOOD, "stop"), "", id="a text that ended by itself"),
        pytest.param(
            Answer(GOOD, "stop", reasoned=True, usage=usage()), "", id="reasoning before it"
        ),
        pytest.param(Answer("", "stop"), "gave no text", id="empty"),
        pytest.param(Answer(" \n\t ", "stop"), "gave no text", id="blank"),
        pytest.param(
            Answer("", "stop", reasoned=True), "gave its reasoning but no text", id="reasoning"
        ),
        pytest.param(
            Answer("<think>First I", "stop"),
            "gave its reasoning but no text",
            id="reasoning in the text",
        ),
        pytest.param(
            Answer("", "tool_calls", called_tool=True),
            "called a tool instead of writing",
            id="a tool call",
        ),
        pytest.param(
            Answer(GOOD, "stop", called_tool=True),
            "called a tool instead of writing",
            id="a tool call beside a text",
        ),
        pytest.param(Answer(GOOD, "length"), "stopped at its output limit", id="cut"),
        pytest.param(
            Answer("", "length", reasoned=True),
            "stopped at its output limit",
            id="cut while it reasoned",
        ),
        pytest.param(
            Answer("", "content_filter"),
            "was stopped by the content filter of its provider",
            id="filtered",
        ),
        pytest.param(Answer(GOOD, ""), "did not finish by itself (no reason given)", id="no end"),
        pytest.param(
            Answer(GOOD, "pause"), "did not finish by itself (pause)", id="an unknown end"
        ),
    ],
)
def test_only_a_finished_text_is_an_answer(answer: Answer, fault: str) -> None:
    assert fault_of(answer) == fault


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Work went on.", id="a poor one"),
        pytest.param(GOOD, id="a good one"),
        pytest.param("已读取配置文件，端口为 8443。", id="Chinese"),
        pytest.param("Goal: port 8443.\nOpen: (none)", id="a form with something in it"),
        pytest.param("Sorry.py was renamed to regret.py.", id="a file that sounds like a refusal"),
        pytest.param(
            "No data was lost; the table has 14 rows.", id="a fact that sounds like a refusal"
        ),
        pytest.param(
            f"The log says: {DATA[:150]}; then it stopped for good.", id="a short quotation"
        ),
        pytest.param("[TRUNCATED] The rest of the list was cut.", id="a bracket that is no JSON"),
        pytest.param("Der Port ist 8443, die Datei heißt a.py.", id="German"),
    ],
)
def test_a_usable_text_has_no_fault(text: str) -> None:
    assert fault_in(text, REQUEST) == ""


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param("OK.", "gave no text to speak of", id="a nod"),
        pytest.param("---\n***", "gave no text to speak of", id="signs"),
        pytest.param(clean(FORM), "filled in a form with nothing", id="a form of headings"),
        pytest.param(
            "Goal: none\nProgress: nothing to report\nNext: n/a",
            "filled in a form with nothing",
            id="a form of labels",
        ),
        pytest.param(
            "目标：无\n进展：（暂无）\n下一步：没有",
            "filled in a form with nothing",
            id="Chinese form",
        ),
        pytest.param(
            "I'm sorry, but I cannot help with that.",
            "declined, or saw nothing to summarize",
            id="sorry",
        ),
        pytest.param(
            "I can't assist with this request.",
            "declined, or saw nothing to summarize",
            id="cannot",
        ),
        pytest.param(
            "There is no conversation to summarize.",
            "declined, or saw nothing to summarize",
            id="saw nothing",
        ),
        pytest.param(
            "Please provide the transcript you would like me to summarize.",
            "declined, or saw nothing to summarize",
            id="asks for it",
        ),
        pytest.param(
            "抱歉，我无法完成这个请求，请提供对话。",
            "declined, or saw nothing to summarize",
            id="in Chinese",
        ),
        pytest.param(f"{GOOD}\n{TAG}", "wrote a mark that only the program may write", id="a tag"),
        pytest.param(
            f"{GOOD} <context_offload x",
            "wrote a mark that only the program may write",
            id="a broken tag",
        ),
        pytest.param(
            f"{GOOD} </transcript-{REQUEST.mark}>",
            "wrote a mark that only the program may write",
            id="our delimiter",
        ),
        pytest.param(
            "[Previous: used read_file]",
            "wrote a mark that only the program may write",
            id="a placeholder",
        ),
        pytest.param(
            "[Conversation compressed. Transcript: x] All done.",
            "wrote a mark that only the program may write",
            id="a label of ours",
        ),
        pytest.param(
            f"{tags.SUMMARY_LABEL}\n{GOOD}",
            "wrote a mark that only the program may write",
            id="the label of a summary",
        ),
        pytest.param(
            '{"summary": "The file was read."}', "gave JSON instead of plain text", id="JSON"
        ),
        pytest.param(REQUEST.closing, "repeated its instructions", id="our last words"),
        pytest.param(f"Rules: {read('full')[:200]}", "repeated its instructions", id="our rules"),
        pytest.param(
            DATA[-400:], "copied a passage instead of summarizing", id="the end of the data"
        ),
    ],
)
def test_a_text_that_is_no_summary_is_told(text: str, fault: str) -> None:
    assert fault_in(text, REQUEST) == fault


def test_a_payload_may_be_quoted_at_length() -> None:
    assert fault_in(DATA[-400:], REQUEST, is_copy_fine=True) == ""


def test_words_of_our_rules_that_stand_in_the_data_may_be_quoted() -> None:
    sentence = read("full").split("\n")[0]
    request = make([Record("result of cat", sentence)], Wish(read("full"), 300, 1000))
    assert fault_in(f"The prompt begins with: {sentence}. " + "More words. " * 30, request) == ""


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        pytest.param(f"  {GOOD}\n\n", GOOD, id="blanks around"),
        pytest.param(f"```text\n{GOOD}\n```", GOOD, id="a fence around"),
        pytest.param(
            "Run:\n```sh\nmake all\n```\nDone.", "Run:\nmake all\nDone.", id="a fence inside"
        ),
        pytest.param(
            "## Goal\nBuild it.\n### Next ###\nTest it.",
            "Goal:\nBuild it.\nNext:\nTest it.",
            id="headings",
        ),
        pytest.param("**Goal**\n* a\n- b\n\N{BULLET} c", "Goal:\na\nb\nc", id="bullets"),
        pytest.param("The **port** is **8443**.", "The port is 8443.", id="strong words"),
        pytest.param("a\n\n\n\nb  \n", "a\n\nb", id="gaps"),
        pytest.param(
            "<think>Let me see.</think>\nThe port is 8443.", "The port is 8443.", id="reasoning"
        ),
        pytest.param(
            "\x1b[1mBold\x1b[0m \x00and \ud83d.",
            "Bold and \N{REPLACEMENT CHARACTER}.",
            id="what cannot be printed",
        ),
        pytest.param("one\r\ntwo", "one\ntwo", id="line ends of another system"),
        pytest.param("-old\n+new\n- a", "-old\n+new\n- a", id="a diff keeps its signs"),
        pytest.param(
            "src/**/*.py and lib/**/*.js, __init__ and 2**3**4",
            "src/**/*.py and lib/**/*.js, __init__ and 2**3**4",
            id="stars that mean something",
        ),
        pytest.param("1. first\n2. second", "1. first\n2. second", id="numbers"),
    ],
)
def test_markdown_is_made_plain(text: str, plain: str) -> None:
    assert clean(text) == plain
    assert clean(plain) == plain
