"""A recorded session with facts planted in it, and how to build one from a seed.

What the sessions are about belongs to the families: `workshop`, `office`, `harbor`, `observatory`.
"""

from __future__ import annotations

import json
import random
import string
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Message = dict[str, Any]
"""A message as OpenAI's chat API writes it."""


class Fact(NamedTuple):
    """Something a reader may need later: `needles` have to stand close together.

    `message` is where it was planted, `cue` what has to stand beside a mark for a reader to look there.
    """

    kind: str
    needles: tuple[str, ...]
    message: int
    cue: tuple[str, ...] = ()
    weight: float = 1.0


class Session(NamedTuple):
    """The messages of a session and the facts in them."""

    messages: list[Message]
    facts: list[Fact]


class Make(Protocol):
    """Makes a session of some rounds from a seed."""

    def __call__(self, seed: int, rounds: int = 5) -> Session: ...


@dataclass(slots=True)
class Story:
    """Writes a session down; all chance comes from the seed."""

    seed: int
    words: Sequence[str]
    messages: list[Message] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)  # noqa: S311 - stories, not secrets

    def word(self) -> str:
        """Return a word of this world."""
        return self.chance.choice(self.words)

    def number(self, low: int, high: int) -> int:
        """Return a number from `low` to `high`."""
        return self.chance.randint(low, high)

    def hex(self, length: int) -> str:
        """Return hexadecimal digits."""
        return "".join(self.chance.choices("0123456789abcdef", k=length))

    def code(self, length: int) -> str:
        """Return letters and digits, the first a letter."""
        rest = self.chance.choices(string.ascii_lowercase + string.digits, k=length - 1)
        return self.chance.choice(string.ascii_lowercase) + "".join(rest)

    def mix(self, usual: Sequence[str], *planted: str) -> str:
        """Put each planted line at some place among the usual ones."""
        lines = list(usual)
        for line in planted:
            lines.insert(self.number(0, len(lines)), line)
        return "\n".join(lines)

    def says(self, role: str, text: str) -> None:
        """Add a message of words."""
        self.messages.append({"role": role, "content": text})

    def plant(
        self, kind: str, *needles: object, cue: Iterable[str] = (), weight: float = 1.0
    ) -> None:
        """Note a fact of the message that comes next."""
        texts = tuple(map(str, needles))
        self.facts.append(Fact(kind, texts, len(self.messages), tuple(cue), weight))

    def call(
        self, tool: str, arguments: dict[str, Any], result: str, *found: tuple[str, ...]
    ) -> None:
        """Add a call and its result; each of `found` is a kind and needles of a fact in the result.

        Facts of kind effect weigh two.
        """
        number = f"call_{len(self.messages):04d}"
        function = {"name": tool, "arguments": json.dumps(arguments, ensure_ascii=False)}
        calls = [{"id": number, "type": "function", "function": function}]
        self.messages.append({"role": "assistant", "content": "", "tool_calls": calls})
        main = next(str(value) for value in arguments.values())
        for kind, *needles in found:
            weight = 2.0 if kind == "effect" else 1.0
            self.plant(kind, *needles, cue=(tool, main.split("\n")[0][:40]), weight=weight)
        self.messages.append(
            {"role": "tool", "content": result, "tool_call_id": number, "name": tool}
        )


Scene = "Callable[[Story], str]"
"""Plays one call and returns a value from it which the agent may mention later, "" if there is none."""


class Cast(NamedTuple):
    """What a family is made of: its words, its scenes, and how people and agent speak."""

    words: Sequence[str]
    scenes: Sequence[Callable[[Story], str]]
    system: str
    goals: Sequence[str]
    rules: Sequence[str]
    answers: Sequence[str]
    ending: str


def play(cast: Cast, seed: int, rounds: int) -> Session:
    """Play a session: each round a wish, five to eight calls and an answer which names some of what was seen."""
    story = Story(seed, cast.words)
    story.says("system", cast.system)
    waiting: list[Callable[[Story], str]] = []
    for number in range(rounds):
        _ask(story, cast, with_rule=number % 2 == 0)
        seen = []
        for _ in range(story.number(5, 8)):
            if not waiting:
                waiting = story.chance.sample(cast.scenes, len(cast.scenes))
            seen.append(waiting.pop()(story))
        _answer(story, cast, [value for value in seen if value and story.chance.random() < 0.5])
    story.says("user", cast.ending)
    return Session(story.messages, story.facts)


def _ask(story: Story, cast: Cast, *, with_rule: bool) -> None:
    goal = f"{story.word()}-{story.code(4)}"
    text = story.chance.choice(cast.goals).format(goal=goal)
    story.plant("goal", goal, weight=2.0)
    if with_rule:
        limit = f"{story.word()}-{story.number(100, 999)}"
        text += " " + story.chance.choice(cast.rules).format(limit=limit)
        story.plant("rule", limit, weight=3.0)
    story.says("user", text)


def _answer(story: Story, cast: Cast, mentioned: list[str]) -> None:
    choice = f"{story.word()} {story.code(5)}"
    story.plant("decision", choice, weight=2.0)
    for value in mentioned:
        story.plant("mentioned", value)
    said = story.chance.choice(cast.answers).format(
        choice=choice, seen=", ".join(mentioned) or "nothing new"
    )
    story.says("assistant", said)
