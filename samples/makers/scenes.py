"""The scenes of a conversation in no particular transcript format."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call with what came back."""

    tool: str
    arguments: Json
    result: str | list[Json]
    """What the model is shown: text, or Anthropic content blocks."""
    screen: Any = None
    """The second copy that Claude Code keeps for its own screen."""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """Something a person says. ``note`` is the rest of its cue line."""

    text: str
    note: str = ""


@dataclass(slots=True)
class Step:
    """One message of the model; its calls run in parallel."""

    thought: str = ""
    text: str = ""
    calls: list[Call] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Cue:
    """One instruction of a screenplay: ``::kind head`` and the lines below it."""

    kind: str
    head: str
    body: str


Scene = Prompt | Step
Stage = Callable[[Cue], Call]


def cues(screenplay: str) -> Iterator[Cue]:
    """Cut a screenplay at the lines that begin with ``::``; what stands before them is a note."""
    for part in ("\n" + screenplay).split("\n::")[1:]:
        line, _, body = part.partition("\n")
        kind, _, head = line.partition(" ")
        yield Cue(kind, head.strip(), body.strip("\n"))


def perform(script: Iterable[Cue], stage: Stage) -> Iterator[Scene]:
    """Play a script: people speak, the model thinks, speaks and calls the tools of the stage.

    ``think``, ``say`` and ``next`` begin a new message as soon as the last one has calls.
    """
    step = Step()
    for cue in script:
        ends = cue.kind == "user" or (step.calls and cue.kind in {"think", "say", "next"})
        if ends and step != Step():
            yield step
            step = Step()
        if cue.kind == "user":
            yield Prompt(cue.body, cue.head)
        else:
            follow(step, cue, stage)
    if step != Step():
        yield step


def follow(step: Step, cue: Cue, stage: Stage) -> None:
    """Add to a message what one cue of the model says."""
    if cue.kind == "think":
        step.thought = cue.body
    elif cue.kind == "say":
        step.text = cue.body
    elif cue.kind != "next":
        step.calls.append(stage(cue))
