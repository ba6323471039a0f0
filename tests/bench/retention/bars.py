"""The whole program by its defaults, each figure beside its bar.

The bars are those of families which the summarizer was tuned on; any other is judged as one it has never seen.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import mean
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from ctxcompact.core.settings import Mode
from tests.bench.figures import Figure
from tests.bench.retention.folding import tokens_of
from tests.bench.retention.product import compact, compact_in_turn
from tests.bench.retention.scoring import score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.bench.retention.product import Made
    from tests.bench.retention.scoring import Score
    from tests.bench.retention.sessions import Make, Message, Session

    Count = Callable[[str], int]

SHARES = (10, 20, 30)
KEPT_LEAST = {"A": (80, 95, 99), "B": (78, 91, 95)}
UNSEEN_KEPT_LEAST = (75, 86, 92)
ROOMY = 20
"""From this share on, all that is not kept has to be reachable."""

CUED_LEAST = 95
TURNS_KEPT_LEAST = 72
TURNS_ROUNDS = 10
SECONDS_MOST = 0.3
"""Of one processor; the best run of each share counts, so that a busy machine matters less."""

_SECONDS_TOKENS = 40_000


class Turns(NamedTuple):
    """A session which is compacted so many times while it grows, each time to so many tokens."""

    number: int
    tokens: int


def figures(family: str, make: Make, seeds: int, turns: Turns, count: Count) -> Iterator[Figure]:
    """Measure a family."""
    sessions = [make(seed) for seed in range(seeds)]
    kept_least = dict(zip(SHARES, KEPT_LEAST.get(family, UNSEEN_KEPT_LEAST), strict=True))
    scores: list[Score] = []
    sound: list[tuple[bool, bool, bool]] = []
    best: list[float] = []
    for share in SHARES:
        found, seconds = [], []
        for session in sessions:
            size = tokens_of(session.messages, count)
            start = process_time()
            made = compact(session.messages, size * share // 100, Mode.CHAIN)
            seconds.append((process_time() - start) * _SECONDS_TOKENS / size)
            found.append(score(session, made.context))
            sound.append(_soundness(session, made, size * share // 100, count))
        scores += found
        best.append(min(seconds))
        yield from _of_share(share, found, kept_least[share])
    found = [_in_turn(make(seed, TURNS_ROUNDS), turns) for seed in range(seeds)]
    yield from _of_turns(turns, found)
    yield _percent("faithful", [one.faithful for one in scores + found], 100)
    for at, name in enumerate(("people's words stay", "valid", "within budget")):
        yield _percent(name, [one[at] for one in sound], 100)
    yield Figure(f"{_SECONDS_TOKENS:,} tokens, the best run", mean(best), "s", SECONDS_MOST)


def _of_share(share: int, found: Sequence[Score], kept_least: float) -> Iterator[Figure]:
    yield _percent(f"{share} %: kept", [one.kept for one in found], kept_least)
    reachable_least = 100 if share >= ROOMY else None
    yield _percent(f"{share} %: reachable", [one.reachable for one in found], reachable_least)
    yield _percent(f"{share} %: cued", [one.cued for one in found], CUED_LEAST)


def _of_turns(turns: Turns, found: Sequence[Score]) -> Iterator[Figure]:
    name = f"{turns.number} times to {turns.tokens:,}, first part"
    yield _percent(f"{name}: kept", [one.kept for one in found], TURNS_KEPT_LEAST)
    yield _percent(f"{name}: reachable", [one.reachable for one in found], 100)


def _percent(name: str, shares: Sequence[float], least: float | None) -> Figure:
    return Figure(name, 100 * mean(shares), "%", least=least)


def _in_turn(session: Session, turns: Turns) -> Score:
    """Compact a session as it grows, and score what its first part came to."""
    parts = list(_parts(session.messages, turns.number))
    first = [fact for fact in session.facts if fact.message < len(parts[0])]
    made = compact_in_turn(parts, turns.tokens, Mode.CHAIN)
    return score(session._replace(facts=first), made.context)


def _parts(messages: Sequence[Message], number: int) -> Iterator[Sequence[Message]]:
    """Cut a session in parts about alike, never between a call and its result."""
    cuts = [0]
    for at in range(1, number + 1):
        cut = len(messages) * at // number
        while cut < len(messages) and messages[cut]["role"] == "tool":
            cut += 1
        cuts.append(cut)
    for start, stop in pairwise(cuts):
        yield messages[start:stop]


def _soundness(session: Session, made: Made, budget: int, count: Count) -> tuple[bool, bool, bool]:
    """Tell whether all that people said stands as it was, whether results follow their calls, and whether all fits."""
    said = [message["content"] for message in session.messages if message["role"] == "user"]
    stay = all(words in made.context.texts for words in said)
    return stay, _is_valid(made.messages), tokens_of(made.messages, count) <= budget


def _is_valid(messages: Sequence[Message]) -> bool:
    """Tell whether every result stands right after its call, and every call has one."""
    waiting: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                return False
            waiting.remove(message["tool_call_id"])
        elif waiting:
            return False
        else:
            waiting = {call["id"] for call in message.get("tool_calls") or ()}
    return not waiting
