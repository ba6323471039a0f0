"""Whether an answer may stand in a transcript. What happens to a refused one is not said here.

Faults are worded to follow "the model" or "the answer": "called a tool instead of writing".
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ctxcompact.core import tags
from ctxcompact.summarizers.llm.echoes import longest_copy
from ctxcompact.summarizers.llm.replies import CUT, FINISHED
from ctxcompact.summarizers.llm.scrubbing import has_mark, sanitize

if TYPE_CHECKING:
    from ctxcompact.summarizers.llm.replies import Answer
    from ctxcompact.summarizers.llm.requests import Request

_THOUGHT = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL)
_FENCE_LINE = re.compile(r"^[ \t]*(?:```|~~~)[^\n`]*$\n?", re.MULTILINE)
_HEADING = re.compile(
    r"^[ \t]{0,3}(?:#{1,6}[ \t]+([^\n]*?)[ \t]*#*|\*\*([^*\n]+)\*\*)[ \t]*$", re.MULTILINE
)
_BULLET = re.compile(r"^[ \t]*[*\N{BULLET}][ \t]+", re.MULTILINE)
_DASH = re.compile(r"^[ \t]*-[ \t]+", re.MULTILINE)
_ADDED = re.compile(r"^\+", re.MULTILINE)
# Not the stars of a glob (src/**/*.py) or of a power.
_STRONG = re.compile(r"(?<![\w*/])\*\*(?=[^\s/*])([^\n]+?)(?<=[^\s/*])\*\*(?![\w*/])")
_GAPS = re.compile(r"\n{3,}")

_NOTHING = re.compile(
    r"(?:none|nothing(?: \w+){0,3}|n/?a|null|empty|no data|-+|\.+|\N{EM DASH}"
    r"|not (?:specified|available|applicable|provided)"
    r"|keine?|nichts|aucune?|rien|ninguno|nada|nessuno|нет"
    r"|无|無|没有|沒有|暂无|なし|없음)?"
)
_AROUND = " \t()[]<>*_.（）。"
_LABELS = re.compile("[:\N{FULLWIDTH COLON}]")
_LABEL_CHARS = 60

_DECLINED = re.compile(
    r"\W*(?:(?:i'?m|i am) (?:\w+ )?sorry\b|(?:i )?apologi[sz]e|sorry,|as an ai\b"
    r"|i (?:can'?t|can ?not|could not|couldn'?t|won'?t|will not|do not|don'?t)\b"
    r"|(?:i'?m|i am) (?:unable|not able)\b|unfortunately,? i\b"
    r"|(?:there (?:is|was) )?no (?:conversation|transcript|text|content)\b.{0,20}\b"
    r"(?:provided|given|found|shared|to summari[sz]e)"
    r"|(?:(?:could|can) you )?(?:please )?(?:provide|share|paste|send) (?:me |the |your )"
    r"|es tut mir leid|leider kann ich|je suis désolée?|je ne peux pas|lo siento|no puedo"
    r"|desculpe|não posso|mi dispiace|non posso|извините|к сожалению"
    r"|抱歉|对不起|對不起|很遗憾|我无法|我無法|我不能|申し訳|죄송)",
    re.IGNORECASE,
)
_OURS = (tags.FULL_SUMMARY_START, tags.SUMMARY_LABEL, tags.PLACEHOLDER_START)

_COPIED_RULES_CHARS = 64
_COPIED_DATA_CHARS = 160
_COPIED_DATA_SHARE = 0.6
_LETTERS_MIN = 8
_WIDE_WEIGHT = 3


def fault_of(answer: Answer) -> str:
    """Say why an answer is no summary whatever its words are, or "".

    Only a text which ended by itself is one; reasoning and tool calls are not the text that was
    asked for.
    """
    if answer.finish == CUT:
        return "stopped at its output limit"
    if answer.called_tool or answer.finish in {"tool_calls", "function_call"}:
        return "called a tool instead of writing"
    if answer.finish == "content_filter":
        return "was stopped by the content filter of its provider"
    if answer.finish != FINISHED:
        return f"did not finish by itself ({answer.finish or 'no reason given'})"
    if clean(answer.text):
        return ""
    thought = answer.reasoned or answer.text.strip()
    return "gave its reasoning but no text" if thought else "gave no text"


def fault_in(text: str, request: Request, *, is_copy_fine: bool = False) -> str:
    """Say why a cleaned text cannot stand for the data of a request, or "".

    A model may quote; `is_copy_fine` lifts the bound on it, where the data is to be kept as it is.
    """
    if fault := _fault_alone(text):
        return fault
    if has_mark(text) or request.mark in text or any(one in text for one in _OURS):
        return "wrote a mark that only the program may write"
    rules = f"{request.rules}\n{request.closing}"
    if longest_copy(text, rules, besides=request.data) >= _COPIED_RULES_CHARS:
        return "repeated its instructions"
    if not is_copy_fine and _copies(text, request.data):
        return "copied a passage instead of summarizing"
    return ""


def _fault_alone(text: str) -> str:
    """Say what is wrong with a text whatever it is about, or ""."""
    if _letters(text) < _LETTERS_MIN:
        return "gave no text to speak of"
    if _is_empty_form(text):
        return "filled in a form with nothing"
    if _DECLINED.match(text):
        return "declined, or saw nothing to summarize"
    return "gave JSON instead of plain text" if _is_json(text) else ""


def clean(text: str) -> str:
    """Make a text plain: no reasoning before it, no Markdown, nothing unprintable."""
    text = _THOUGHT.sub("", sanitize(text.replace("\r\n", "\n")))
    text = _HEADING.sub(_as_label, _FENCE_LINE.sub("", text))
    text = _STRONG.sub(r"\1", _BULLET.sub("", text))
    if not _ADDED.search(text):  # in a diff a dash says what was taken away
        text = _DASH.sub("", text)
    lines = (line.rstrip() for line in text.split("\n"))
    return _GAPS.sub("\n\n", "\n".join(lines)).strip()


def _as_label(found: re.Match[str]) -> str:
    title = (found[1] or found[2] or "").strip()
    return title if title.endswith((":", ".")) or not title else f"{title}:"


def _letters(text: str) -> int:
    """Count letters and digits; one of a script without blanks says about as much as three."""
    return sum(1 if char.isascii() else _WIDE_WEIGHT for char in text if char.isalnum())


def _is_empty_form(text: str) -> bool:
    """Tell whether each line is a label, or says that there is nothing."""
    return all(_says_nothing(line) for line in text.split("\n"))


def _says_nothing(line: str) -> bool:
    label, colon, rest = line.partition((_LABELS.search(line) or [":"])[0])
    said = rest if colon and len(label) <= _LABEL_CHARS else line
    return _NOTHING.fullmatch(said.strip(_AROUND).lower()) is not None


def _is_json(text: str) -> bool:
    if text[0] not in "{[":
        return False
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def _copies(text: str, data: str) -> bool:
    copied = longest_copy(text, data)
    return copied >= max(_COPIED_DATA_CHARS, _COPIED_DATA_SHARE * len(text))
