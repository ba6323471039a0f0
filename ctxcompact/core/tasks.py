"""What a summarizer is given, and what it gives back.

The summarizers themselves live in `summarizers`.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Said(NamedTuple):
    """Words of a message: `speaker` is user, assistant or system."""

    speaker: str
    text: str


class Called(NamedTuple):
    """A tool call; `arguments` is the parsed value, or the text where it is no JSON."""

    call_id: str
    tool: str
    arguments: Any


class Got(NamedTuple):
    """The result of a call as text.

    `failed` is what the transcript itself says, not a guess from the text.
    """

    call_id: str
    tool: str
    text: str
    failed: bool = False


Entry = Said | Called | Got


class Style(Enum):
    """What kind of text is wanted; the values name the prompts."""

    TOOL_RUN = "tool_run"
    ROUND = "past_round"
    PAYLOAD = "current_payload"
    CURRENT_ROUND = "current_round"
    FULL = "full"


class Span(NamedTuple):
    """Entries in order that become one text.

    `tokens` is what the span costs now. `question` is the person's message that a round answers: it
    stays in the transcript, and is given for its sense alone.
    """

    style: Style
    entries: tuple[Entry, ...]
    tokens: int
    question: str = ""


class Task(NamedTuple):
    """Spans that share a budget, oldest first.

    `budget_tokens` is for all texts together, without labels and marks. `focus` says what matters
    most, `plan` is the newest plan in the transcript, "" if there is none. `seed_words` are texts
    that the agent or the person wrote elsewhere in the transcript: what they name is likelier to be
    needed again.
    """

    spans: tuple[Span, ...]
    budget_tokens: int
    focus: str = ""
    plan: str = ""
    seed_words: tuple[str, ...] = ()


class Spending(NamedTuple):
    """What a model was used for."""

    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    seconds: float
    cost_usd: float | None

    def plus(self, other: Spending | None) -> Spending:
        """Return what both come to; what costs nothing known is left out of the cost."""
        if other is None:
            return self
        costs = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Spending(
            self.model,
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.seconds + other.seconds,
            sum(costs) if costs else None,
        )


class Summary(NamedTuple):
    """One text for one span, "" if there is none; `reason` says why, `spending` what it cost."""

    text: str
    reason: str = ""
    spending: Spending | None = None


class Summarizer(Protocol):
    """Writes summaries.

    `summarize` returns one summary a span, in order. It never returns a text that is larger than
    its span; together the texts stay within the budget as counted by `count`. It raises
    `SummarizerError` only where the run has to stop. `uses_model` says whether a call can cost
    money or time.
    """

    @property
    def name(self) -> str: ...
    @property
    def uses_model(self) -> bool: ...
    def summarize(self, task: Task, count: Callable[[str], int]) -> Sequence[Summary]: ...
