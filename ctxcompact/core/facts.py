"""Facts: what a reader of a transcript would need verbatim, and which of it is still there.

Values (paths, ids, numbers ...) are the atoms of `core.atoms`; here they get their weight from where they
stand: in the words of a person, in the arguments of a call, in a line that reports an error. How a summary
is chosen and written belongs to `summarizers`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.atoms import atoms
from ctxcompact.core.tasks import Called, Got, Said
from ctxcompact.core.words import gives_decision, gives_rule, tells_trouble, writes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ctxcompact.core.tasks import Entry

PHRASE_CHARS = 160
"""Longest error message, sentence or command that is one fact; the rest of it is left out."""

CUE_CHARS = 160
"""Longest cue line."""

_ARGUMENT_CHARS = 48
_WORDY = frozenset({"name", "option", "date"})  # too common in results to be needed verbatim
_COMMAND_KEYS = frozenset({"command", "cmd", "script", "code", "sql", "query"})
MAIN_KEY = re.compile(
    r"path|file|ur[il]$|command|cmd|query|pattern|sql|^to$|^q$|keyword|_id$|^id$|关键|路径|文件"
)
_TERMINAL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_ESCAPES = re.compile(r"\\[nrt]")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n+")
_STAMP = re.compile(r"^\W?\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\W?\s*")
_OPEN_END = re.compile(r"[0-9A-Za-z]+\Z")
_RUN = re.compile(r"[0-9A-Za-z]+")
_MARK = re.compile(r"<context_offload|CONTEXT_OFFLOAD|\[Previous: used|\[Conversation compressed")


class Fact(NamedTuple):
    """A text to be found verbatim (white space aside) and what it is.

    `kind` is a kind of atom, or rule, decision, effect (an argument of a call that changed something), command
    or error.
    """

    kind: str
    text: str


class FactScore(NamedTuple):
    """How many facts there are, stand in the context, stand behind a mark only, and are gone."""

    total: int
    kept: int
    reachable: int
    lost: int


def facts(entries: Iterable[Entry]) -> tuple[Fact, ...]:
    """List the facts of some entries, each text once: rules, decisions, effects, commands, errors, then values.

    Takes time linear in the texts.
    """
    ranked: list[list[Fact]] = [[], [], []]
    for entry in entries:
        match entry:
            case Said():
                _add_said(entry, ranked)
            case Called():
                _add_called(entry, ranked)
            case Got():
                _add_got(entry, ranked)
    found: dict[str, Fact] = {}
    for fact in (fact for rank in ranked for fact in rank):
        found.setdefault(fact.text, fact)
    found.pop("", None)
    return tuple(found.values())


def score(wanted: Sequence[Fact], kept_texts: Iterable[str], *, reachable: bool) -> FactScore:
    """Count which facts stand in the texts that are left.

    `reachable` says whether the originals can be had through a mark: then what is not kept is not lost.
    """
    gone = len(missing(wanted, kept_texts))
    behind = gone if reachable else 0
    return FactScore(len(wanted), len(wanted) - gone, behind, gone - behind)


def missing(wanted: Iterable[Fact], kept_texts: Iterable[str]) -> list[Fact]:
    """List the facts which stand in none of the texts, in order.

    A fact has to stand on word boundaries: 404 is not in 14045.
    """
    text = _even(_visible("\n".join(kept_texts)))
    runs = set(_RUN.findall(text))
    return [fact for fact in wanted if not _stands(fact.text, text, runs)]


def cue(entries: Iterable[Entry]) -> str:
    """Say in one short line what one would look for behind a mark: tools and their main arguments.

    Without calls it is the beginning of what was said; "" if there is nothing.
    """
    said = ""
    tools: dict[str, list[str]] = {}
    for entry in entries:
        if isinstance(entry, Called):
            name = _even(_visible(entry.tool))[:_ARGUMENT_CHARS]
            main = _short(_visible(main_argument(entry.arguments)))
            if main not in tools.setdefault(name, []):
                tools[name].append(main)
        elif isinstance(entry, Said):
            said = said or _even(_visible(entry.text[: 2 * CUE_CHARS]))
    line = _cue_of_tools(tools) if tools else _clip(said, CUE_CHARS)
    return _MARK.sub("…", line)


def main_argument(arguments: Any) -> str:
    """Return the argument a call is known by: a path, address, command or the like, else the first text or number."""
    pairs = list(arguments.items()) if isinstance(arguments, dict) else [("", arguments)]
    known = [value for key, value in pairs if isinstance(value, str) and MAIN_KEY.search(str(key))]
    texts = [value for _, value in pairs if isinstance(value, str)]
    plain = [str(value) for _, value in pairs if isinstance(value, int | float)]
    return next(filter(None, map(_even, [*known, *texts, *plain])), "")


def _add_said(said: Said, ranked: list[list[Fact]]) -> None:
    text = _visible(said.text)
    for sentence in filter(None, map(_even, _SENTENCE.split(text))):
        if said.speaker == "user" and gives_rule(sentence):
            ranked[0].append(Fact("rule", _clip(sentence, PHRASE_CHARS)))
        elif said.speaker == "assistant" and gives_decision(sentence):
            ranked[0].append(Fact("decision", _clip(sentence, PHRASE_CHARS)))
    ranked[1].extend(Fact(*atom) for atom in atoms(text))


def _add_called(called: Called, ranked: list[list[Fact]]) -> None:
    command = next((text for key, text in _leaves(called.arguments) if key in _COMMAND_KEYS), "")
    effect = writes(called.tool, command)
    if effect and (main := _clip(main_argument(called.arguments), PHRASE_CHARS)):
        ranked[0].append(Fact("effect", main))
    if command.strip():
        ranked[0].append(Fact("command", _clip(_even(command), PHRASE_CHARS)))
    for _, text in _leaves(called.arguments):
        ranked[1 if effect else 2].extend(Fact(*atom) for atom in atoms(_visible(text)))


def _add_got(got: Got, ranked: list[list[Fact]]) -> None:
    for line in filter(str.strip, _unescaped(_visible(got.text)).splitlines()):
        if tells_trouble(line[: 2 * PHRASE_CHARS]) and (message := _even(_STAMP.sub("", line))):
            ranked[1].append(Fact("error", _clip(message, PHRASE_CHARS)))
        ranked[2].extend(Fact(*atom) for atom in atoms(line) if atom.kind not in _WORDY)


def _leaves(value: Any) -> Iterator[tuple[str, str]]:
    """Yield every scalar below a parsed JSON value as text, with the key it stands under."""
    stack = [("", value)]
    while stack:
        key, item = stack.pop()
        if isinstance(item, dict):
            stack.extend((str(name), below) for name, below in reversed(item.items()))
        elif isinstance(item, list | tuple):
            stack.extend((key, below) for below in reversed(item))
        elif item is not None and not isinstance(item, bool):
            yield key, str(item)


def _cue_of_tools(tools: dict[str, list[str]]) -> str:
    """Name all tools first; arguments fill what is left, one of each tool in turn."""
    shown: dict[str, list[str]] = {name: [] for name in tools}
    room = CUE_CHARS - sum(len(name) + 2 for name in tools)
    for turn in range(max(map(len, tools.values()))):
        for name, mains in tools.items():
            if turn < len(mains) and mains[turn] and len(mains[turn]) + 2 <= room:
                shown[name].append(mains[turn])
                room -= len(mains[turn]) + 2
    line = "; ".join(f"{name} {', '.join(mains)}".strip() for name, mains in shown.items())
    return _clip(line, CUE_CHARS)


def _short(main: str) -> str:
    """Shorten an argument; of a path the end stays, for that names the file."""
    if len(main) > _ARGUMENT_CHARS and "/" in main and " " not in main:
        return "…/" + main[-_ARGUMENT_CHARS:].partition("/")[2]
    return _clip(main, _ARGUMENT_CHARS)


def _visible(text: str) -> str:
    """Take out what a terminal would not show."""
    return _CONTROL.sub(" ", _TERMINAL.sub("", text))


def _unescaped(text: str) -> str:
    """Let the line feeds inside the strings of JSON part words."""
    return _ESCAPES.sub(" ", text) if text.lstrip()[:1] in ("{", "[") else text


def _even(text: str) -> str:
    return " ".join(text.split())


def _clip(text: str, chars: int) -> str:
    """Cut a text between words, at a blank if there is one; "" if it is one endless word."""
    if len(text) <= chars:
        return text
    cut = text[: chars + 1].rpartition(" ")[0]
    return cut if len(cut) > chars // 2 else _OPEN_END.sub("", text[:chars])


def _stands(fact: str, text: str, runs: set[str]) -> bool:
    parts = _RUN.findall(fact)
    if not all(part in runs for part in parts):
        return False
    if len(parts) == 1 and parts[0] == fact:
        return True
    at = text.find(fact)
    while at >= 0:
        if _bounded(text, at, at + len(fact)):
            return True
        at = text.find(fact, at + 1)
    return False


def _bounded(text: str, start: int, stop: int) -> bool:
    before, after = text[start - 1 : start], text[stop : stop + 1]
    left = _RUN.match(text[start]) and _RUN.match(before)
    right = _RUN.match(text[stop - 1]) and _RUN.match(after)
    return not left and not right
