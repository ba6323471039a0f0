"""What every counter is: a name, how far to trust it, what framing costs, and a rule for a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Framing(NamedTuple):
    """Tokens around the texts: once a message, more for each call and each result in it."""

    message: int = 0
    call: int = 0
    result: int = 0


@dataclass(frozen=True, slots=True)
class TextCounter:
    """Counts texts by `rule`.

    `exact` only where the tokens of the texts are the model's own; `error_pct` is 0 then. Otherwise
    the true count lies within that many percent for nine of ten texts.
    """

    name: str
    exact: bool
    error_pct: float
    framing: Framing
    rule: Callable[[str], int]

    @property
    def message_tokens(self) -> int:
        """Tokens added once a message."""
        return self.framing.message

    @property
    def call_tokens(self) -> int:
        """Tokens added for each tool call."""
        return self.framing.call

    @property
    def result_tokens(self) -> int:
        """Tokens added for each tool result."""
        return self.framing.result

    def count(self, text: str) -> int:
        """Count the tokens of `text`, in linear time; 0 for an empty one, and no tokenizer loaded.

        No text makes it raise. A broken installation does: CtxCompactError.
        """
        return self.rule(text) if text else 0
