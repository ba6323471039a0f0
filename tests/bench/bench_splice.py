"""Time the splice of a tool result, as a multiple of `orjson.loads` of the same line.

Usage: python tests/bench/bench_splice.py

Ratios are taken within one run, so that a slow or busy machine cancels out.
"""

from __future__ import annotations

import json
from itertools import cycle, islice
from timeit import timeit
from typing import TYPE_CHECKING

import orjson

from ctxcompact.core.lines import parse_line
from ctxcompact.core.splice import by_search, by_walk, splice

if TYPE_CHECKING:
    from collections.abc import Callable

    from ctxcompact.core.lines import Json
    from ctxcompact.core.splice import Path

PARSE = "orjson.loads"
PLACEHOLDER = "[Previous: used Bash]"
SURROGATE = b"\\ud83d"
CONTENT: Path = ("message", "content", 0, "content")
OUTPUT: Path = ("toolUseResult", "stdout")
SOURCE = (
    "def area(width: float, height: float) -> float:\n",
    '    """Return the area of a "box"."""\n',
    "\treturn width * height  # in m\n",
    "\n",
)


def result_line(text: str, *, twin: bool = False) -> Json:
    """Make a record as Claude Code writes it: `twin` repeats the text in its own field."""
    return {
        "parentUuid": "5967629b-a208-4c4f-b55e-b0e51ece5db6",
        "isSidechain": False,
        "type": "user",
        "message": {
            "role": "user",
            "content": [
                {"tool_use_id": "toolu_01", "type": "tool_result", "content": text},
            ],
        },
        "uuid": "2c7febbc-6e9f-4841-84cf-8243c0a808f8",
        "timestamp": "2026-05-11T15:11:17.636Z",
        "toolUseResult": {"stdout": text if twin else "", "stderr": "", "interrupted": False},
        "cwd": "/home/user/project",
        "version": "2.1.138",
    }


def text_of(size: int) -> str:
    """Make source code of about `size` characters."""
    return "".join(islice(cycle(SOURCE), size // 31))


def best_us(ways: dict[str, Callable[[], object]], times: int) -> dict[str, float]:
    """Return the shortest mean time of each way in microseconds; the ways take turns."""
    rounds = [{way: timeit(ways[way], number=times) for way in ways} for _ in range(9)]
    return {way: min(took[way] for took in rounds) / times * 1e6 for way in ways}


def compare(name: str, raw: bytes, puts: dict[Path, Json], times: int = 500) -> None:
    """Print the time of each way, and its ratio to one parse."""
    parsed = raw.replace(SURROGATE, b"zzzzzz")  # orjson refuses it: the same line without
    took_us = best_us(
        {
            PARSE: lambda: orjson.loads(parsed),
            "parse_line": lambda: parse_line(raw),
            "splice": lambda: splice(raw, puts),
            "by_search": lambda: by_search(raw, puts),
            "by_walk": lambda: by_walk(raw, puts),
        },
        times,
    )
    declines = "" if by_search(raw, puts) else " (by_search declines)"
    print(f"{name}: {len(raw):,} bytes{declines}")  # noqa: T201
    for way, us in took_us.items():
        print(f"  {way:12} {us:8.1f} us {us / took_us[PARSE]:6.1f} x")  # noqa: T201


def main() -> None:
    """Compare the ways on the lines that transcripts hold, and on one long line."""
    small = text_of(2_400)
    compact = orjson.dumps(result_line(small))
    spaced = json.dumps(result_line(small)).encode()
    accents = orjson.dumps(result_line(small.replace("area", "área")))
    twins = orjson.dumps(result_line(small[:1_200], twin=True))
    surrogate = compact.replace(b"2.1.138", SURROGATE)
    one: dict[Path, Json] = {CONTENT: PLACEHOLDER}
    compare("tool result, as JavaScript writes", compact, one)
    compare("tool result, as Python writes", spaced, one)
    compare("tool result, not ASCII", accents, one)
    compare("tool result and its twin", twins, {**one, OUTPUT: PLACEHOLDER})
    compare("tool result with a lone surrogate", surrogate, one)
    many = orjson.dumps({"messages": [result_line(text_of(15_000)) for _ in range(100)]})
    hundred: dict[Path, Json] = {("messages", i, *CONTENT): PLACEHOLDER for i in range(100)}
    compare("100 puts in one line", many, hundred, 3)


if __name__ == "__main__":
    main()
