"""What a run did, as its receipt tells it later: sizes, levels and lines, nothing that was said.

No clock has a say in it, so that the same run leaves the same receipt: when it was is the time of
the receipt's file, and the seconds a model took are in the report alone.
"""

from __future__ import annotations

from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.tasks import Spending

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ctxcompact.core.events import Step
    from ctxcompact.core.measure import Counter

MOST_STRETCHES = 10_000
"""A list of lines is cut after so many stretches, so that a receipt's first row stays small."""

CUT = "…"


class Counted(NamedTuple):
    """The counter of some sizes, and how far it is to be trusted."""

    name: str
    exact: bool
    error_pct: float


class Size(NamedTuple):
    """The size of a transcript, as a model sees it."""

    messages: int
    tokens: int


class Deed(NamedTuple):
    """What one level did in a run, in all passes and conversations of it.

    `edits` blocks or stretches were changed, which are of `messages` messages; their `lines` in the
    input are spelled as in "66,81-90". `llm` is what a model was used for, also where nothing came
    of it; its seconds are not told.
    """

    level: int | str
    name: str
    edits: int
    messages: int
    lines: str
    tokens_saved: int
    llm: Spending | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it in the shape that scripts rely on."""
        llm = self.llm and self.llm._asdict()
        if llm:
            del llm["seconds"]
        return self._asdict() | {"llm": llm}


class Journal(NamedTuple):
    """What a run did to the transcript `input`; `pack` holds what it was the first to keep."""

    input: str
    counter: Counted
    before: Size
    after: Size
    target: int | None
    archive: str | None
    deeds: tuple[Deed, ...]
    pack: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it in the shape in which a receipt keeps it; `decode` reads it back."""
        sizes = {"before": self.before._asdict(), "after": self.after._asdict()}
        shown = self._asdict() | sizes | {"counter": self.counter._asdict()}
        del shown["deeds"]
        return shown | {"steps": [deed.as_json() for deed in self.deeds]}


def trusted(counter: Counter) -> Counted:
    """Name a counter, without what it counts with."""
    return Counted(counter.name, counter.exact, counter.error_pct)


def deeds(steps: Iterable[Step]) -> tuple[Deed, ...]:
    """Sum up by level what changed something, and what a model was used for."""
    groups: dict[int | str, list[Step]] = {}
    for step in steps:
        if step.status == "applied" or step.spending is not None:
            groups.setdefault(step.level, []).append(step)
    return tuple(map(_sum, groups.values()))


def _sum(steps: Sequence[Step]) -> Deed:
    llm: Spending | None = None
    for step in steps:
        if step.spending is not None:
            llm = step.spending.plus(llm)
    return Deed(
        steps[0].level,
        steps[0].name,
        sum(step.edits for step in steps),
        sum(len(step.touched) for step in steps),
        spell_lines(chain.from_iterable(step.touched for step in steps)),
        sum(step.tokens_before - step.tokens_after for step in steps),
        llm,
    )


def spell_lines(lines: Iterable[int]) -> str:
    """Write numbers of lines in order and each once: "66,81-90"."""
    told: list[str] = []
    for start, stop in _stretches(sorted(lines)):
        if len(told) == MOST_STRETCHES:
            told.append(CUT)
            break
        told.append(str(start) if start == stop else f"{start}-{stop}")
    return ",".join(told)


def _stretches(lines: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each stretch of lines, which are in order and count from 1."""
    start = stop = 0
    for line in lines:
        if start and line > stop + 1:
            yield start, stop
            start = 0
        start, stop = start or line, line
    if start:
        yield start, stop


def decode(fields: Any) -> Journal | None:
    """Read what stands in a receipt; None for what `Journal.as_json` did not give."""
    try:
        return Journal(
            input=_as(fields["input"], str),
            counter=_counted(fields["counter"]),
            before=_size(fields["before"]),
            after=_size(fields["after"]),
            target=_as(fields["target"], int, type(None)),
            archive=_as(fields["archive"], str, type(None)),
            deeds=tuple(map(_deed, _as(fields["steps"], list))),
            pack=_as(fields["pack"], str, type(None)),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _as(value: Any, *types: type) -> Any:
    """Return a value of one of these very types; to Python, true is an integer."""
    if type(value) not in types or (type(value) is float and not isfinite(value)):
        raise TypeError
    return value


def _counted(fields: Any) -> Counted:
    name, exact = _as(fields["name"], str), _as(fields["exact"], bool)
    return Counted(name, exact, _as(fields["error_pct"], int, float))


def _size(fields: Any) -> Size:
    return Size(_as(fields["messages"], int), _as(fields["tokens"], int))


def _deed(fields: Any) -> Deed:
    llm = fields["llm"]
    return Deed(
        _as(fields["level"], int, str),
        _as(fields["name"], str),
        _as(fields["edits"], int),
        _as(fields["messages"], int),
        _as(fields["lines"], str),
        _as(fields["tokens_saved"], int),
        None if llm is None else _spending(llm),
    )


def _spending(fields: Any) -> Spending:
    return Spending(
        _as(fields["model"], str),
        _as(fields["calls"], int),
        _as(fields["input_tokens"], int),
        _as(fields["output_tokens"], int),
        0.0,
        _as(fields["cost_usd"], int, float, type(None)),
    )
