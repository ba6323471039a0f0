"""A session long enough to be summarized: rounds of calls with results of their own, written as plain chat messages."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

PORT = "db-primary.internal:{}"


def rounds(first: int, stop: int, calls: int = 4) -> bytes:
    """Write the rounds with these numbers: about 3,400 tokens each, with four calls."""
    lines = (json.dumps(row) for number in range(first, stop) for row in _round(number, calls))
    return "".join(f"{line}\n" for line in lines).encode()


def port(number: int) -> str:
    """Return what is found in a round, and nowhere else."""
    return PORT.format(5000 + number)


def wish(number: int) -> str:
    return f"Find out why job-{number} fails, and leave table {number} alone."


def verdict(number: int) -> str:
    return f"Job {number} waits for {port(number)}."


def _round(number: int, calls: int) -> Iterator[dict[str, Any]]:
    chance = random.Random(number)  # noqa: S311 - a story, not a secret
    yield {"role": "user", "content": wish(number)}
    for at in range(calls):
        name = f"c{number}x{at}"
        arguments = json.dumps({"command": f"tail /var/log/job-{number}-{at}.log"})
        call = {
            "id": name,
            "type": "function",
            "function": {"name": "bash", "arguments": arguments},
        }
        yield {"role": "assistant", "content": None, "tool_calls": [call]}
        yield {"role": "tool", "tool_call_id": name, "content": _log(number, at, chance)}
    yield {"role": "assistant", "content": verdict(number)}


def _log(number: int, at: int, chance: random.Random) -> str:
    lines = [
        f"12:{chance.randint(10, 59)}:{chance.randint(10, 59)} INFO worker {chance.randint(1, 9)}: batch "
        f"{chance.randint(10000, 99999)} done in {chance.randint(10, 900)} ms"
        for _ in range(30)
    ]
    if at == 0:
        lines.insert(chance.randint(0, 30), f"12:00:00 ERROR cannot reach {port(number)}: refused")
    return "\n".join(lines)
