"""The sample transcripts: the same bytes everywhere, and what samples/README.md promises."""

import base64
import json
import os
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
FERRY, DAIRY = "claude-code-session.jsonl", "anthropic-agent.jsonl"
TEA, DESK = "openai-chat.jsonl", "openai-conversations.jsonl"
NAMES = (FERRY, DAIRY, TEA, DESK)

Json = dict[str, Any]


def generate(*arguments: str, hash_seed: str = "0") -> int:
    command = [sys.executable, str(SAMPLES / "generate.py"), *arguments]
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    return subprocess.run(command, env=environment, check=False, capture_output=True).returncode


def lines(name: str) -> list[Json]:
    text = (SAMPLES / name).read_bytes()
    assert text.endswith(b"\n")
    return [json.loads(line) for line in text.removesuffix(b"\n").split(b"\n")]


def chain() -> list[Json]:
    return [line for line in lines(FERRY) if "uuid" in line]


def blocks(messages: list[Json], kind: str) -> Iterator[Json]:
    for message in messages:
        if isinstance(message["content"], list):
            yield from (block for block in message["content"] if block["type"] == kind)


def chats() -> list[Any]:
    conversations = [pytest.param(lines(TEA), id="the tea chat")]
    for number, line in enumerate(lines(DESK), start=1):
        conversations.append(pytest.param(line["messages"], id=f"desk conversation {number}"))
    return conversations


def text_chars(message: Json) -> int:
    content = message.get("content") or ""
    if isinstance(content, str):
        return len(content) + len(json.dumps(message.get("tool_calls", "")))
    return sum(block_chars(block) for block in content)


def block_chars(block: Json) -> int:
    if block["type"] == "tool_use":
        return len(json.dumps(block["input"], ensure_ascii=False))
    shown = block.get("text") or block.get("thinking") or block.get("content") or ""
    return len(shown) if isinstance(shown, str) else 0


@pytest.mark.parametrize("seed", ["0", "4242"])
def test_the_same_bytes_come_out_whatever_the_hash_seed(tmp_path: Path, seed: str) -> None:
    assert generate("--out", str(tmp_path), hash_seed=seed) == 0
    for name in NAMES:
        assert (tmp_path / name).read_bytes() == (SAMPLES / name).read_bytes()


def test_a_check_passes_on_what_was_written() -> None:
    assert generate("--check") == 0


def test_a_check_fails_when_one_file_was_changed(tmp_path: Path) -> None:
    for name in NAMES:
        added = b"{}\n" if name == TEA else b""
        (tmp_path / name).write_bytes((SAMPLES / name).read_bytes() + added)
    assert generate("--check", "--out", str(tmp_path)) == 1


@pytest.mark.parametrize("name", NAMES)
def test_every_line_is_compact_json(name: str) -> None:
    again = [json.dumps(x, ensure_ascii=False, separators=(",", ":")) for x in lines(name)]
    assert ("\n".join(again) + "\n").encode() == (SAMPLES / name).read_bytes()


def test_every_parent_stands_above_its_child_and_there_is_one_root() -> None:
    seen: set[str] = set()
    roots = 0
    for line in chain():
        roots += line["parentUuid"] is None
        assert line["parentUuid"] is None or line["parentUuid"] in seen
        seen.add(line["uuid"])
    assert roots == 1
    assert len(seen) == len(chain())


def test_the_clock_of_the_session_only_goes_forward() -> None:
    stamps = [line["timestamp"] for line in chain()]
    assert stamps == sorted(stamps)


def test_a_result_of_the_session_hangs_on_the_line_of_its_call() -> None:
    calls, answered = {}, []
    for line in chain():
        for block in blocks([line.get("message", {"content": ""})], "tool_use"):
            calls[block["id"]] = line["uuid"]
        for block in blocks([line.get("message", {"content": ""})], "tool_result"):
            assert line["parentUuid"] == calls[block["tool_use_id"]]
            answered.append(block["tool_use_id"])
    assert sorted(answered) == sorted(calls)


def test_lines_of_one_message_repeat_its_usage_and_the_context_grows() -> None:
    usage: dict[str, Json] = {}
    for line in chain():
        if line["type"] == "assistant":
            message = line["message"]
            assert usage.setdefault(message["id"], message["usage"]) == message["usage"]
    read = [u["cache_read_input_tokens"] + u["cache_creation_input_tokens"] for u in usage.values()]
    assert read == sorted(read)
    assert 100_000 < read[-1] < 200_000


def test_the_session_is_long_and_its_results_are_of_all_sizes() -> None:
    messages = [line["message"] for line in chain() if "message" in line]
    prompts = [m for m in messages if m["role"] == "user" and isinstance(m["content"], str)]
    sizes = [len(block["content"]) for block in blocks(messages, "tool_result")]
    assert sum(map(text_chars, messages)) > 300_000
    assert len(prompts) >= 8
    assert len(sizes) >= 150
    assert sum(size > 5_000 for size in sizes) >= 8
    assert sum(size < 200 for size in sizes) >= 40
    assert {block["name"] for block in blocks(messages, "tool_use")} >= {"TodoWrite", "Edit"}


def test_calls_of_the_dairy_are_answered_in_order_by_the_next_message() -> None:
    messages = lines(DAIRY)
    assert messages[0]["role"] == "user"
    for asked, told in zip(messages, [*messages[1:], {"content": ""}], strict=True):
        calls = [block["id"] for block in blocks([asked], "tool_use")]
        results = [block["tool_use_id"] for block in blocks([told], "tool_result")]
        assert results == calls


def test_the_dairy_has_a_failed_call_and_pictures_that_open() -> None:
    results = list(blocks(lines(DAIRY), "tool_result"))
    pictures = [
        block["source"]["data"]
        for result in results
        if isinstance(result["content"], list)
        for block in result["content"]
        if block["type"] == "image"
    ]
    assert any(result.get("is_error") for result in results)
    assert pictures
    for picture in map(base64.b64decode, pictures):
        width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
        start = picture.index(b"IDAT") + 4
        assert len(zlib.decompress(picture[start:-16])) == height * (1 + width // 8)


@pytest.mark.parametrize("messages", chats())
def test_calls_of_a_chat_are_answered_at_once_and_in_order(messages: list[Json]) -> None:
    due: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] == due.pop(0)
            continue
        assert due == []
        for call in message.get("tool_calls", []):
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
            due.append(call["id"])
    assert due == []


def test_a_supplier_writes_chinese_in_the_tea_chat() -> None:
    texts = [m["content"] for m in lines(TEA) if m.get("name") == "lin_wei"]
    assert any(text.count("。") >= 5 and "FY26-L7" in text for text in texts)


def test_the_desk_offers_every_tool_that_it_calls_and_one_talk_is_large() -> None:
    sizes = []
    for line in lines(DESK):
        offered = {tool["function"]["name"] for tool in line["tools"]}
        called = [call for m in line["messages"] for call in m.get("tool_calls", [])]
        assert {call["function"]["name"] for call in called} <= offered
        sizes.append(sum(map(text_chars, line["messages"])))
    assert 6 <= len(sizes) <= 10
    assert max(sizes) > 4 * sorted(sizes)[len(sizes) // 2]


@pytest.mark.parametrize(
    ("name", "least", "most", "least_chars"),
    [(DAIRY, 60, 120, 80_000), (TEA, 60, 120, 70_000)],
)
def test_a_list_of_messages_is_as_long_as_promised(
    name: str, least: int, most: int, least_chars: int
) -> None:
    assert least <= len(lines(name)) <= most
    assert sum(map(text_chars, lines(name))) > least_chars


def test_the_folder_stays_small() -> None:
    files = [path for path in SAMPLES.rglob("*") if path.suffix in {".jsonl", ".py", ".txt"}]
    assert sum(path.stat().st_size for path in files) <= 2_500_000


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        pytest.param(FERRY, "2026-03-30 |         237 |     226 |      11 | 6346,00", id="Monday"),
        pytest.param(FERRY, "TRAILER;2026-03-31;14;7130,00", id="the correction of Tuesday"),
        pytest.param(FERRY, "skipped 17 rows outside 2026-03-31", id="the guard on Wednesday"),
        pytest.param(DAIRY, '"from": "2026-03-13T03:40",\n   "minutes": 55', id="the open door"),
        pytest.param(
            TEA, '"kg_by_article": {"T1": 890, "T2": 230, "T3": 340, "T4": 1370}', id="tea"
        ),
        pytest.param(TEA, '"laboratory": 20, "total": 1786}', id="the price of white peony"),
    ],
)
def test_tools_tell_the_figures_that_the_story_is_built_on(name: str, fact: str) -> None:
    quoted = json.dumps(fact, ensure_ascii=False)[1:-1]
    assert quoted in (SAMPLES / name).read_text(encoding="utf-8")
