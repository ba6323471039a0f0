"""Measure how many planted facts survive a compaction, at several budgets, and how long choosing them takes.

    python -m tests.bench.retention                    all families, 4 sessions each: about two minutes
    python -m tests.bench.retention --bars             the whole program, each figure beside its bar; 1 if one is missed
    python -m tests.bench.retention --families workshop,harbor --budgets 10,20 --missed

"offline" is the summarizer by itself, every past round one span; "compact" is the whole program by its defaults.
A budget is a share of the tokens (cl100k_base) of the whole session. Figures are percent by weight; facts named
"ordinary" are rows nobody could tell from others, there to be reachable only. Time is given as a ratio to one exact
count of the same texts, taken in the same run.
"""

from __future__ import annotations

import argparse
from functools import partial
from statistics import mean
from time import process_time
from typing import TYPE_CHECKING

from ctxcompact import counters
from ctxcompact.core.settings import Mode
from ctxcompact.core.tasks import Style
from ctxcompact.summarizers.offline import Offline
from tests.bench import figures
from tests.bench.retention import bars, baselines, harbor, observatory, office, shared, workshop
from tests.bench.retention.folding import fold, text_of, tokens_of
from tests.bench.retention.product import compact
from tests.bench.retention.scoring import missed, score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tests.bench.retention.folding import Context
    from tests.bench.retention.sessions import Make, Message, Session

    Way = Callable[[Sequence[Message], int], Context]
    Count = Callable[[str], int]

FAMILIES: dict[str, Make] = {
    "workshop": workshop.make,
    "office": office.make,
    "harbor": harbor.make,
    "observatory": observatory.make,
}


def main() -> int:
    """Measure and print; return the exit code."""
    given = _arguments()
    count = counters.choose("cl100k_base").count
    count("load the tables")
    families = {**shared.families(), **FAMILIES}
    wanted = {name: families[name] for name in given.families.split(",") if name} or families
    return _judge(wanted, given, count) if given.bars else _compare(wanted, given, count)


def _judge(families: Mapping[str, Make], given: argparse.Namespace, count: Count) -> int:
    """Show each figure of the whole program beside its bar; return 1 if one is missed."""
    is_missed = False
    turns = bars.Turns(given.chain, given.to)
    for family, make in families.items():
        _say(f"{family}: {given.sessions} sessions")
        for figure in bars.figures(family, make, given.sessions, turns, count):
            figures.show(figure)
            is_missed |= figure.is_over
    return int(is_missed)


def _compare(families: Mapping[str, Make], given: argparse.Namespace, count: Count) -> int:
    """Show for each family a table of ways and budgets."""
    style = Style[given.style]
    ways: dict[str, Way] = {
        "offline": lambda messages, budget: fold(messages, budget, Offline(), count, style),
        "compact": lambda messages, budget: compact(messages, budget, Mode.CHAIN).context,
        "compact, manual": lambda messages, budget: compact(messages, budget, Mode.MANUAL).context,
        "heads and tails": partial(baselines.heads_and_tails, count=count),
        "previews": partial(baselines.previews, count=count),
        "first and newest": partial(baselines.first_and_newest, count=count),
        "newest": partial(baselines.newest, count=count),
    }
    budgets = [int(share) for share in given.budgets.split(",")]
    for family, make in families.items():
        sessions = [make(seed) for seed in range(given.sessions)]
        sizes = [tokens_of(session.messages, count) for session in sessions]
        facts = mean(len(session.facts) for session in sessions)
        _say(f"\n{family}: {given.sessions} sessions, {mean(sizes):,.0f} tokens, {facts:.0f} facts")
        _say("  way              budget   kept  reachable   cued  faithful   used  times one count")
        for name, way in ways.items():
            for share in budgets:
                _show(name, way, share, sessions, sizes, count, given)
    return 0


def _show(
    name: str,
    way: Way,
    share: int,
    sessions: Sequence[Session],
    sizes: Sequence[int],
    count: Count,
    given: argparse.Namespace,
) -> None:
    """Compact all sessions one way and print the means."""
    scores, used, slow = [], [], []
    for session, size in zip(sessions, sizes, strict=True):
        start = process_time()
        context = way(session.messages, size * share // 100)
        took = process_time() - start
        start = process_time()
        tokens_of(session.messages, count)
        slow.append(took / max(process_time() - start, 1e-6))
        scores.append(score(session, context))
        used.append(sum(count(text) + 4 for text in context.texts) / size)
        if given.missed and name == "offline":
            _list_missed(session, context)
    figures = [100 * mean(column) for column in zip(*scores, strict=True)]
    told = "  ".join(f"{figure:7.1f}" for figure in figures)
    _say(f"  {name:16} {share:5} % {told}   {100 * mean(used):5.1f}   {mean(slow):8.1f}")


def _list_missed(session: Session, context: Context) -> None:
    for fact in missed(session, context):
        at = text_of(session.messages[fact.message])[:60].replace("\n", " ")
        needles = " | ".join(fact.needles)
        _say(f"      not kept: {fact.kind} {needles} (message {fact.message}: {at})")


def _say(line: str) -> None:
    print(line)  # noqa: T201 - a command


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.retention",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--bars", action="store_true", help="show bars")
    parser.add_argument("--sessions", type=int, help="sessions of each family (4; with --bars 10)")
    parser.add_argument("--families", default="", help="names with commas (all)")
    parser.add_argument("--budgets", default="5,10,20,30,50", help="percent with commas")
    parser.add_argument("--style", default="ROUND", choices=[style.name for style in Style])
    parser.add_argument("--missed", action="store_true", help="list what is not kept")
    parser.add_argument(
        "--chain", type=int, default=5, help="with --bars: compactions in a row (5)"
    )
    parser.add_argument("--to", type=int, default=12_000, help="... and to how many tokens (12000)")
    given = parser.parse_args()
    given.sessions = given.sessions or (10 if given.bars else 4)
    return given


if __name__ == "__main__":
    raise SystemExit(main())
