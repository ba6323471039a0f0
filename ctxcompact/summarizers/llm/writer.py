"""The llm summarizer: a text for each span, each at its share of the budget.

What happens to a span without a text is for the caller to say.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from ctxcompact.core.tasks import Said, Spending, Summary
from ctxcompact.summarizers.llm.chat import Account, CapReached, Chat
from ctxcompact.summarizers.llm.drafts import Draft, Refused
from ctxcompact.summarizers.llm.failures import CallFailed, Kind
from ctxcompact.summarizers.llm.records import Record
from ctxcompact.summarizers.llm.scrubbing import scrub
from ctxcompact.summarizers.llm.wording import prompt_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ctxcompact.core.tasks import Span, Task
    from ctxcompact.errors import SummarizerError
    from ctxcompact.summarizers.llm.settings import LlmSettings

NO_ROOM = "its share of the budget is too small for a text"
"""The reason of a span that no model was asked about: nothing failed, there is no room."""

_SMALLEST_SHARE_TOKENS = 24
_SAMPLE_CHARS = 300


def shares(task: Task) -> tuple[int, ...]:
    """Part the budget of a task among its spans by their size; each stays below its span."""
    total = sum(span.tokens for span in task.spans)
    budget = max(0, task.budget_tokens)
    return tuple(
        max(0, min(budget * span.tokens // max(total, 1), span.tokens - 1)) for span in task.spans
    )


@dataclass
class Llm:
    """Summaries by a model; keeps the `Summarizer` contract.

    A span without an acceptable text gets a reason; its calls are accounted for all the same.
    Raises `SummarizerError` where no call can succeed, or none ever did: a wrong key, model or
    address, a server that is down. After that, and after a server stopped answering, no further
    request is made. `tell` hears of progress, in a few words a time.
    """

    settings: LlmSettings
    chat: Chat
    tell: Callable[[str], None] = field(default=lambda _: None)
    _stopped: SummarizerError | None = None

    @classmethod
    def of(cls, settings: LlmSettings, tell: Callable[[str], None] = lambda _: None) -> Llm:
        """Wire one to litellm and the clock."""
        return cls(settings, Chat(settings), tell)

    @property
    def name(self) -> str:
        """How the report names it."""
        return "llm"

    @property
    def uses_model(self) -> bool:
        """A call costs time, and may cost money."""
        return True

    @property
    def spent(self) -> Spending:
        """What all requests took, also those of a task that ended in an error."""
        return self.chat.spending_since(Account())

    @property
    def note(self) -> str:
        """Which window was taken, for the report; "" as long as no model was asked."""
        return self.chat.window_note

    def summarize(self, task: Task, count: Callable[[str], int]) -> list[Summary]:
        """Return a summary for each span, in order."""
        made = []
        for number, (span, limit) in enumerate(zip(task.spans, shares(task), strict=True), 1):
            if limit < _SMALLEST_SHARE_TOKENS:
                made.append(Summary("", NO_ROOM))
                continue
            place = f"text {number} of {len(task.spans)}"
            self.tell(place)
            draft = Draft(
                span,
                prompt_for(span.style, self.settings.prompts),
                tuple(_context(task, span)),
                limit,
                self.chat,
                count,
                partial(self._tell, place),
            )
            made.append(self._summary(draft))
        return made

    def _tell(self, place: str, words: str) -> None:
        self.tell(f"{place}, {words}")

    def _summary(self, draft: Draft) -> Summary:
        before = copy(self.chat.account)
        text, reason = "", ""
        try:
            text = self._write(draft)
        except (Refused, CapReached) as refused:
            reason = str(refused)
        except CallFailed as failure:
            self._stopped = failure
            if failure.kind is not Kind.AGAIN or not self.chat.account.answers:
                raise
            reason = failure.message
        spent = self.chat.spending_since(before)
        return Summary(text, reason, spent if spent.calls else None)

    def _write(self, draft: Draft) -> str:
        if self._stopped is None:
            return draft.write()
        if self.chat.account.answers and _may_pass(self._stopped):
            raise Refused(f"not asked again after: {self._stopped.message}")
        raise self._stopped


def _may_pass(error: SummarizerError) -> bool:
    return isinstance(error, CallFailed) and error.kind is Kind.AGAIN


def _context(task: Task, span: Span) -> Iterator[Record]:
    """Yield what helps to understand a span: titled so that it is not summarized."""
    if task.focus.strip():
        yield Record("focus: what matters most to the reader", scrub(task.focus))
    if task.plan.strip():
        yield Record("the newest plan, for orientation alone", scrub(task.plan))
    if span.question.strip():
        yield Record("the user's question, which stays in the transcript", scrub(span.question))
    elif sample := _words_of_the_user(task, span):
        yield Record("words from elsewhere, for the language of the answer alone", scrub(sample))


def _words_of_the_user(task: Task, span: Span) -> str:
    """Find some words in the user's language, unless the span itself has some."""
    if _spoken(span.entries):
        return ""
    elsewhere = [text for other in task.spans for text in (other.question, *_spoken(other.entries))]
    known = (text.strip() for text in (*elsewhere, *task.seed_words))
    return next((text[:_SAMPLE_CHARS] for text in known if text), "")


def _spoken(entries: Sequence[object]) -> list[str]:
    return [one.text for one in entries if isinstance(one, Said) and one.speaker == "user"]
