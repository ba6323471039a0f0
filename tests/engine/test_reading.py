"""From bytes to conversations: what is damaged is said and kept, what is no JSONL is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ctxcompact.core.settings import Settings
from ctxcompact.engine.reading import read
from ctxcompact.errors import InputChanged, InputError, UnknownFormat
from tests.fakes import MARK, FakeCounter, MemorySource, ports

if TYPE_CHECKING:
    from ctxcompact.engine.reading import Reading

HI = b'{"role":"user","content":"Hi."}'
YES = b'{"role":"assistant","content":[{"type":"text","text":"Yes."}]}'


def reading(data: bytes, form: str = "anthropic", **options: Any) -> Reading:
    return read(MemorySource(data), Settings(), ports(form, **options))


@pytest.mark.parametrize(
    ("data", "damage"),
    [
        pytest.param(HI + b"\n" + YES + b"\n", [], id="a clean file"),
        pytest.param(HI + b"\n" + YES, [], id="without a last newline"),
        pytest.param(HI + b"\r\n" + YES + b"\r\n", [], id="CR LF"),
        pytest.param(HI + b"\n\n  \n\t\n" + YES + b"\n\n", [], id="blank lines"),
        pytest.param(b"\xef\xbb\xbf" + HI + b"\n" + YES, [(1, "bom")], id="a byte order mark"),
        pytest.param(HI + YES + b"\n", [(1, "two_records")], id="two records on a line"),
        pytest.param(HI + b"\0\0\n" + YES, [(1, "nul_bytes")], id="NULs"),
        pytest.param(HI + b"\n" + YES + b'\n{"role"', [(3, "unparsed_line")], id="a torn end"),
        pytest.param(
            HI + b'\n{"role"\n' + YES + b"\n", [(2, "unparsed_line")], id="a torn line in between"
        ),
        pytest.param(
            HI.replace(b"Hi", b"\xff") + b"\n" + YES, [(1, "invalid_utf8")], id="bytes of no text"
        ),
        pytest.param(HI + b'\n[1]\n"x"\n42\nnull\n' + YES, [], id="values that are no objects"),
        pytest.param(HI + b'\n{"type":"note"}\n' + YES, [], id="records of another kind"),
    ],
)
def test_two_messages_are_read_whatever_stands_around_them(
    data: bytes, damage: list[tuple[int, str]]
) -> None:
    found = reading(data)
    assert found.messages == 2
    assert [(problem.line, problem.code) for problem in found.damage] == damage
    assert found.problems() == found.damage


def test_every_record_can_be_read_again_with_its_own_bytes() -> None:
    found = reading(b" " + HI + YES + b"\r\n\n" + HI)
    assert [found.record(n) for n in range(3)] == [HI, YES, HI]
    assert list(found.index.lines) == [1, 1, 3]
    assert [message.line for message in found.conversations[0].messages] == [1, 1, 3]


def test_a_line_that_is_no_longer_what_it_was_is_noticed() -> None:
    found = reading(HI + b"\n" + YES + b"\n")
    found.source.data = (HI + b"\n" + YES + b"\n").replace(b"Yes", b"No.")  # type: ignore[attr-defined]
    assert found.record(0) == HI
    with pytest.raises(InputChanged) as caught:
        found.record(1)
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("data", "said", "hint"),
    [
        pytest.param(
            json.dumps([{"a": 1}] * 3).encode(), "array of 3 values", "jq", id="one array"
        ),
        pytest.param(
            json.dumps([{"a": 1}] * 3, indent=2).encode(),
            "array of 3 values",
            "jq",
            id="an array over many lines",
        ),
        pytest.param(
            json.dumps({"sessions": []}, indent=2).encode(), "one JSON object", "jq", id="an object"
        ),
    ],
)
def test_a_file_that_is_one_unknown_json_value_is_refused_with_a_way_out(
    data: bytes, said: str, hint: str
) -> None:
    with pytest.raises(InputError, match=said) as caught:
        reading(data, form="")
    assert hint in caught.value.hint
    assert caught.value.path == "talk.jsonl"


@pytest.mark.parametrize(
    ("data", "seen"),
    [
        pytest.param(b"", "the file is empty", id="an empty file"),
        pytest.param(b"\n\n", "none of 2 lines holds JSON", id="blank lines"),
        pytest.param(b"no json\nat all\n", "begins with 'no json", id="prose"),
        pytest.param(b'{"a":1}\n{"a":2}\n', "no format is clear", id="records of no format"),
        pytest.param(
            b'{"a":1}\n{"a":2,\n{"a":3}\n',
            "no format is clear.*; line 2 is damaged: ",
            id="a damaged line among them",
        ),
    ],
)
def test_a_file_of_no_known_format_is_refused_and_told_what_was_seen(
    data: bytes, seen: str
) -> None:
    with pytest.raises(UnknownFormat, match=seen) as caught:
        reading(data, form="")
    assert caught.value.path == "talk.jsonl"
    assert caught.value.hint


def test_a_format_that_is_named_is_not_asked_for() -> None:
    assert reading(b"").messages == 0
    assert reading(b'{"a":1}\n').messages == 0


def test_the_model_is_told_to_the_choice_of_the_counter() -> None:
    asked: list[str] = []

    def choose(model: str) -> FakeCounter:
        asked.append(model)
        return FakeCounter()

    record = b'{"role":"assistant","model":"claude-x","content":"Yes."}\n'
    chosen = ports("anthropic")._replace(counter=choose)
    read(MemorySource(HI + b"\n" + record), Settings(), chosen)
    assert asked == ["claude-x"]


@pytest.mark.parametrize(
    ("is_known", "protected"), [(True, False), (False, True)], ids=["known", "not known"]
)
def test_marks_that_no_store_knows_protect_their_message(
    is_known: bool,  # noqa: FBT001
    protected: bool,  # noqa: FBT001
) -> None:
    record = json.dumps({"role": "assistant", "content": f"Something.\n{MARK}"}).encode()
    found = reading(HI + b"\n" + record, is_known=lambda _: is_known)
    assert [message.protected for message in found.conversations[0].messages] == [False, protected]


def test_a_mark_in_the_middle_of_a_text_is_text() -> None:
    record = json.dumps({"role": "assistant", "content": f"It wrote {MARK} there."}).encode()
    found = reading(record, is_known=lambda _: False)
    assert not found.conversations[0].messages[0].protected


def test_many_records_before_the_format_is_told_are_all_read() -> None:
    found = reading((HI + b"\n" + YES + b"\n") * 300, form="")
    assert found.messages == 600
    assert found.format.name == "anthropic"
