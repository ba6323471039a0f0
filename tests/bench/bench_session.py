"""What a session costs before each call of the model, early and late in a long loop.

10,000 messages, 1,000 calls: ten messages a call, a person speaks before every tenth. Compactions are
part of the loop; they cost what the conversation then amounts to, so they are told apart.
"""

from __future__ import annotations

import time
from statistics import mean, median
from typing import TYPE_CHECKING, Any

from ctxcompact import Session, Settings
from ctxcompact.core.settings import Until

if TYPE_CHECKING:
    from collections.abc import Iterator

CALLS = 1000
_WINDOW = 100
_PAIRS = 5


def measure() -> tuple[float, float, float]:
    """Return seconds of CPU: of a call around the 100th and the 1,000th, and of all, with compactions."""
    session = Session("anthropic", Settings(until=Until.FIRST, counter="chars4"))
    costs = []
    for call in range(CALLS):
        messages = list(_turn(call))
        start = time.process_time()
        session.extend(messages)
        session.compact_if_needed()
        session.messages()
        costs.append(time.process_time() - start)
    early, late = costs[_WINDOW // 2 : _WINDOW * 3 // 2], costs[-_WINDOW:]
    return median(early), median(late), mean(costs)


def _turn(call: int) -> Iterator[dict[str, Any]]:
    if call % 10 == 0:
        yield {
            "role": "user",
            "content": f"Look into case {call}: which port does it use, and why?",
        }
    else:
        yield {"role": "assistant", "content": f"Going on with case {call // 10}."}
    for step in range(_PAIRS):
        uuid = f"call_{call}_{step}"
        use = {
            "type": "tool_use",
            "id": uuid,
            "name": "read",
            "input": {"path": f"/etc/{call}.{step}"},
        }
        said = f"case {call} step {step}: port {9000 + call} is taken by worker {step}\n" * 6
        yield {"role": "assistant", "content": [use]}
        yield {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": uuid, "content": said}],
        }
    yield {"role": "assistant", "content": f"Case {call} uses port {9000 + call}."}
