"""A litellm that answers from a list, and spans to have summarized. One character is one token."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ctxcompact.core.tasks import Called, Entry, Got, Said, Span, Style, Task
from ctxcompact.summarizers.llm.chat import Chat
from ctxcompact.summarizers.llm.settings import LlmSettings
from ctxcompact.summarizers.llm.writer import Llm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

GOOD = "Called read_file with path=a.py; result: 14 lines, port 8443."


class Refusal(Exception):  # noqa: N818 - stands for the many classes of litellm
    """What litellm raises: a text, a status, perhaps headers."""

    def __init__(self, text: str, status: int | None = None, retry_after: str = "") -> None:
        super().__init__(text)
        self.status_code = status
        self.response = SimpleNamespace(headers={"retry-after": retry_after})


def usage(sent: int = 100, got: int = 10) -> Any:
    return SimpleNamespace(prompt_tokens=sent, completion_tokens=got)


def event(text: str = "", finish: str | None = "stop", **more: Any) -> Any:
    """Make one event that is a whole answer; `more` are fields of its message, or `usage`."""
    used = more.pop("usage", None)
    delta = SimpleNamespace(content=text, **more)
    choice = SimpleNamespace(delta=delta, finish_reason=finish)
    return SimpleNamespace(choices=[choice], usage=used)


@dataclass
class FakeLitellm:
    """Gives its answers in turn, the last one for ever: texts, events, errors, or functions."""

    answers: list[Any]
    model_cost: dict[str, dict[str, Any]] = field(default_factory=dict)
    requests: list[dict[str, Any]] = field(default_factory=list)
    suppress_debug_info: bool = False

    def completion(self, **request: Any) -> Any:
        self.requests.append(request)
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if callable(answer) and not isinstance(answer, type):
            answer = answer(request)
        if isinstance(answer, Exception):
            raise answer
        made = event(answer, usage=usage()) if isinstance(answer, str) else answer
        return [made] if request.get("stream") else made

    def cost_per_token(self, **_: Any) -> tuple[float, float]:
        return 0.25, 0.5

    def prompt(self, number: int = -1) -> str:
        return "\n".join(message["content"] for message in self.requests[number]["messages"])


@dataclass
class Naps:
    """Sleeps that take no time."""

    taken: list[float] = field(default_factory=list)

    def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


def chat(litellm: FakeLitellm, naps: Callable[[float], None] | None = None, **more: Any) -> Chat:
    settings = LlmSettings(**{"model": "openai/stub", **more})
    return Chat(settings, load=lambda: litellm, sleep=naps or Naps())


def llm(litellm: FakeLitellm, **more: Any) -> Llm:
    talk = chat(litellm, **more)
    return Llm(talk.settings, talk)


def call(path: str = "a.py", call_id: str = "c1", tool: str = "read_file") -> Called:
    return Called(call_id, tool, {"path": path})


def got(text: str = "port = 8443", call_id: str = "c1", tool: str = "read_file") -> Got:
    return Got(call_id, tool, text)


def span(*entries: Entry, style: Style = Style.TOOL_RUN, tokens: int = 4000, **more: Any) -> Span:
    return Span(style, entries or (call(), got()), tokens, **more)


def task(*spans: Span, budget: int = 1000, **more: Any) -> Task:
    return Task(spans or (span(),), budget, **more)


def long_talk(rounds: int, words: int = 60) -> tuple[Entry, ...]:
    """Make rounds of a call and a result, each with a word that stands nowhere else."""
    entries: list[Entry] = [Said("user", "Please read all the files.")]
    for number in range(rounds):
        text = f"CODE-{number:03} " + "and then some more of it " * words
        entries += [call(f"f{number}.py", f"c{number}"), got(text, f"c{number}")]
    return tuple(entries)


def data_of(prompts: Iterable[str]) -> str:
    return "\n".join(prompts)
