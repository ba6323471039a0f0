"""What became of one conversation, and why it was begun at all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ctxcompact.core.events import Step, Trigger

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ctxcompact.core.model import Conversation, Problem
    from ctxcompact.core.settings import Settings


@dataclass(slots=True)
class Outcome:
    """What became of one conversation; tokens include the overhead that is not in the file."""

    trigger: Trigger
    tokens_before: int
    tokens_after: int
    problems_before: list[Problem] = field(default_factory=list)
    problems_after: list[Problem] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def edited(self) -> bool:
        """Whether any level changed anything."""
        return any(step.status == "applied" for step in self.steps)

    def add(self, steps: Iterable[Step], *, only_applied: bool) -> None:
        """Add the steps of a pass; a level that does something now was not skipped after all."""
        for step in steps:
            if only_applied and step.status != "applied":
                continue
            self.steps = [s for s in self.steps if s.level != step.level or s.status != "skipped"]
            self.steps.append(step)


def trigger_of(conversation: Conversation, tokens: int, settings: Settings) -> Trigger:
    """Say whether the conversation is large enough to do anything about it."""
    messages = len(conversation.messages)
    by = None
    if tokens >= settings.trigger_tokens:
        by = "tokens"
    elif messages >= settings.msg_threshold:
        by = "messages"
    elif settings.force:
        by = "force"
    fired = by is not None
    return Trigger(
        fired=fired, by=by, tokens=settings.trigger_tokens, messages=settings.msg_threshold
    )
