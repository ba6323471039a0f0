"""The transcript formats, and telling which one a file is in. Each format is a file of its own.

What other systems write is known in `foreign`: some of it is counted, none of it rewritten.
Guessing a rewrite for a wrong format is worse than asking.
"""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core import counts
from ctxcompact.errors import UnknownFormat, UsageError
from ctxcompact.formats import (
    agentscope,
    anthropic,
    claude_code,
    codex,
    counted_files,
    counted_kimi,
    counted_sessions,
    foreign,
    gemini,
    gemini_cli,
    langchain,
    openai_chat,
    openai_conversations,
    openai_responses,
    pi,
    qwen_code,
    sharegpt,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxcompact.core.format import Format

FORMATS: tuple[Format, ...] = (
    claude_code.FORMAT,
    codex.FORMAT,
    anthropic.FORMAT,
    openai_chat.FORMAT,
    openai_conversations.FORMAT,
    openai_responses.FORMAT,
    gemini.FORMAT,
    sharegpt.FORMAT,
    pi.FORMAT,
    gemini_cli.FORMAT,
    qwen_code.FORMAT,
    langchain.FORMAT,
    agentscope.FORMAT,
)

COUNTED: tuple[Format, ...] = (
    *counted_sessions.FORMATS,
    counted_kimi.KIMI,
    *counted_files.FORMATS,
)
"""Those that are counted and never rewritten."""

_CLEAR = 0.5
_MARGIN = 0.2
# Role and plain text score low in both message formats; half the records have to be such messages.
_PLAIN = 0.2
_FOREIGN_ONE_IN = 10
_KEYS_SHOWN = 6
_KEY_CHARS_SHOWN = 30


class Detection(NamedTuple):
    """The format of a sample, how much each format claimed it (0 to 1), and a sentence on why."""

    format: Format
    scores: tuple[tuple[str, float], ...]
    said: str


def named(name: str) -> Format:
    """Return the format of this name. Raises `UsageError` if there is none."""
    for form in (*FORMATS, *COUNTED):
        if form.name == name:
            return form
    known = [form.name for form in (*FORMATS, *COUNTED)]
    near = get_close_matches(name.lower(), known, n=1)
    suggestion = f"did you mean {near[0]}? " if near else ""
    message = f"no format is called {name[:40]!r}"
    raise UsageError(message, hint=f"{suggestion}--format takes {', '.join(_names())}")


def detect(sample: Sequence[Any]) -> Detection:
    """Tell the format of the first records of a file.

    One stray record decides nothing, but where one record in ten is another system's the file is
    refused, or counted if most of it is of that kind. Messages of role and plain text alone fit
    both message formats: they are read as `anthropic`, whose rules are the stricter. Raises
    `UnknownFormat` unless one format is clear.
    """
    records = [data for data in sample if isinstance(data, dict)]
    if counted_files.CLINE.score(sample) >= _CLEAR:
        return _counted(counted_files.CLINE, sample)
    if not records:
        raise _refusal("no record is a JSON object" if sample else "no record to tell a format by")
    strangers = Counter(filter(None, map(foreign.name_of, records)))
    if strangers.total() * _FOREIGN_ONE_IN >= len(records):
        shape = next(shape for shape in foreign.SHAPES if shape.name in strangers)
        if shape.format is not None and shape.format.score(sample) >= _CLEAR:
            return _counted(shape.format, sample)
        looks = f"{_seen(records)}: looks like {shape.name}"
        raise _refusal(f"{looks}, which this version does not read yet")
    ranked = sorted(((form.score(sample), form) for form in FORMATS), key=_score, reverse=True)
    scores = tuple((form.name, score) for score, form in ranked)
    (best, winner), (second, other) = ranked[:2]
    if best >= _CLEAR and best - second >= _MARGIN:
        return Detection(winner, scores, _why(winner, sample))
    plain = {winner.name, other.name} == {anthropic.FORMAT.name, openai_chat.FORMAT.name}
    if plain and best < _CLEAR and second >= _PLAIN:
        return Detection(anthropic.FORMAT, scores, _why_plain(sample))
    raise _refusal(f"{_seen(records)}: no format is clear ({_closest(scores)})")


def _counted(form: Format, sample: Sequence[Any]) -> Detection:
    return Detection(form, ((form.name, form.score(sample)),), _why(form, sample))


def _score(pair: tuple[float, Format]) -> float:
    return pair[0]


def _names() -> list[str]:
    return [form.name for form in FORMATS]


def _why(form: Format, sample: Sequence[Any]) -> str:
    fitting = sum(form.score([data]) > 0 for data in sample)
    many = counts.counted(len(sample), "record")
    return f"{form.name}: {counts.number(fitting)} of {many} fit ({form.recognised_by})"


def _why_plain(sample: Sequence[Any]) -> str:
    name, other = anthropic.FORMAT.name, openai_chat.FORMAT.name
    fitting = sum(anthropic.FORMAT.score([data]) > 0 for data in sample)
    many = counts.counted(len(sample), "record")
    return (
        f"{name}: {counts.number(fitting)} of {many} are role and plain content, which {other} "
        f"has too; the stricter rules of {name} hold (--format {other} for the other)"
    )


def _seen(records: list[dict[str, Any]]) -> str:
    """Name the keys of the most frequent kind of record; never a value."""
    kinds = Counter(tuple(sorted(record)) for record in records)
    keys = [key[:_KEY_CHARS_SHOWN] for key in kinds.most_common(1)[0][0]]
    more = ", …" if len(keys) > _KEYS_SHOWN else ""
    return f"records with keys {', '.join(keys[:_KEYS_SHOWN])}{more}" if keys else "empty records"


def _closest(scores: tuple[tuple[str, float], ...]) -> str:
    near = [f"{name} {score:.2f}" for name, score in scores if score]
    return f"of 1: {', '.join(near)}" if near else "none claims any of it"


def _refusal(seen: str) -> UnknownFormat:
    hint = f"if you know the format, say so: --format takes {', '.join(_names())}"
    return UnknownFormat(seen, hint=hint)
