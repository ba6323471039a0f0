"""What is said in a made-up conversation, before any format or spelling: rounds, steps, calls.

Each payload begins with a number of its own, so that a test can look for it in any output. What
must stay word for word is said here, from how the talk was made, not from how the program reads it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from tests.fakes import MARK

if TYPE_CHECKING:
    from collections.abc import Iterator

PROTECTED_TOOL = "vault_read"
PROTECT_TOOL = "vault_*"
PROTECT = r"KEEP-\d"
PLAN_TOOL = "TodoWrite"

_TOOLS = st.sampled_from(("Read", "Bash", "Bash", "grep", PLAN_TOOL, PROTECTED_TOOL))
_BODIES = st.sampled_from(
    (
        "some words of no weight ",
        "some words of no weight ",
        "error at /srv/app/main.py:41\n",
        "設定を読み込みました。",
        "\U0001f469\u200d\U0001f469\u200d\U0001f467 family ",
        "line\r\n",
        'quo"ted \\ back\\slash\t',
        "<|endoftext|> e\u0301\u0301 ",
        "half \ud83d pair ",
    )
)
_ENDINGS = ("", "", "", "", "", "", " KEEP-1", f"\n{MARK}")
_SHAPES = st.sampled_from(("string", "string", "list", "two", "picture", "odd", "empty"))


@dataclass
class Payload:
    """The result of a call, and how it is written."""

    text: str
    shape: str


@dataclass
class Call:
    """A call; without a result it is pending, an orphan is a result that nobody asked for."""

    id: str
    tool: str
    argument: str
    result: Payload | None
    is_orphan: bool = False


@dataclass
class Step:
    """A message of the model with calls, and their results."""

    thought: str
    said: str
    calls: list[Call]


@dataclass
class Round:
    """What a person says, what the model does about it, what it answers in the end."""

    human: str
    with_picture: bool
    steps: list[Step]
    answer: str


@dataclass
class Talk:
    """A whole conversation."""

    system: str
    rounds: list[Round] = field(default_factory=list)

    def events(self) -> Iterator[tuple[str, str, str]]:
        """Yield who speaks, the words, and the tool, in order."""
        yield "system", self.system, ""
        for turn in self.rounds:
            yield "human", turn.human, ""
            for step in turn.steps:
                yield "model", step.said, ""
                for call in step.calls:
                    if call.result:
                        yield "result", call.result.text, call.tool
            yield "model", turn.answer, ""

    def bound(self) -> list[str]:
        """List the words that may go with their whole message only: reasoning and arguments."""
        steps = [step for turn in self.rounds for step in turn.steps]
        bound = [step.thought for step in steps]
        bound += [call.argument for step in steps for call in step.calls if not call.is_orphan]
        return [text for text in bound if text]

    def kept(self) -> list[str]:
        """List the words that no run may take away."""
        humans = [turn.human for turn in self.rounds if turn.human]
        kept = [self.system, *humans[:1], *humans[-1:]]
        answers = [turn.answer for turn in self.rounds if turn.answer]
        kept += [*answers[-1:], *self._unread()]
        kept += [
            text
            for _, text, tool in self.events()
            if tool == PLAN_TOOL or text.endswith((" KEEP-1", MARK))
        ]
        return [text for text in kept if text]

    def guarded(self) -> list[str]:
        """List the results of tools that the person protects."""
        return [text for _, text, tool in self.events() if tool == PROTECTED_TOOL]

    def _unread(self) -> list[str]:
        """List the results after which the model has said nothing."""
        unread: list[str] = []
        for turn in self.rounds:
            for step in turn.steps:
                unread = [call.result.text for call in step.calls if call.result]
            if turn.answer:
                unread = []
        return unread


class _Maker:
    """Draws one talk; every text gets the next number."""

    def __init__(self, draw: st.DrawFn, *, unique_ids: bool, first: int = 1) -> None:
        self._draw = draw
        self._numbers = count(first)
        self._ids = count(first)
        self._unique_ids = unique_ids or draw(st.booleans())

    def talk(self, *, rounds: int) -> Talk:
        draw = self._draw
        talk = Talk(self.text(20) if draw(st.booleans()) else "")
        for at in range(rounds):
            silent = at == 0 and draw(st.integers(0, 9)) == 0
            talk.rounds.append(self._round(silent=silent))
        return talk

    def _round(self, *, silent: bool) -> Round:
        draw = self._draw
        if not self._unique_ids:
            self._ids = count(1)
        steps = [self._step() for _ in range(draw(st.integers(0, 3)))]
        human = "" if silent else self.text(60)
        reply = self.text(60) if draw(st.integers(0, 3)) or not (steps or human) else ""
        return Round(human, draw(st.integers(0, 5)) == 0, steps, reply)

    def _step(self) -> Step:
        draw = self._draw
        thought = self.text(10, ("",)) if draw(st.booleans()) else ""
        said = self.text(40) if draw(st.integers(0, 2)) == 0 else ""
        more = draw(st.integers(0, 2))
        calls = [self._call(), *(self._call(may_be_orphan=True) for _ in range(more))]
        return Step(thought, said, calls)

    def _call(self, *, may_be_orphan: bool = False) -> Call:
        draw = self._draw
        odd = draw(st.integers(0, 19))
        shape = draw(_SHAPES)
        text = "" if shape == "empty" else self.text(60)
        payload = None if odd == 0 else Payload(text, shape)
        is_orphan = may_be_orphan and odd == 1
        tool = "nobody" if is_orphan else draw(_TOOLS)
        argument = f"#{next(self._numbers)}# argument"
        return Call(f"call_{next(self._ids)}", tool, argument, payload, is_orphan)

    def text(self, repeats_max: int, endings: tuple[str, ...] = _ENDINGS) -> str:
        draw = self._draw
        body = draw(_BODIES) * draw(st.integers(1, repeats_max))
        return f"#{next(self._numbers)}# {body}{draw(st.sampled_from(endings))}"


@st.composite
def talks(
    draw: st.DrawFn, *, unique_ids: bool = False, rounds_max: int = 4, first: int = 1
) -> Talk:
    """Draw a talk; its numbers start at `first`."""
    maker = _Maker(draw, unique_ids=unique_ids, first=first)
    return maker.talk(rounds=draw(st.integers(1, rounds_max)))
