"""The options, as a table: how each is spelled and explained. Their rules are in `config`.

On the command line every default is "not given", so that the other sources have their say. What the
help calls the default is said here again; a test compares.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Annotated, Any

import typer

Command = Callable[..., None]

IN_OUT = "Input and output"
REACH = "What to reach"
LEVELS = "Levels (mode chain)"
LAYERS = "Layers (modes micro, auto and manual)"
PROTECT = "Protection"
SUMMARIES = "Summaries"
COUNTING = "Counting"


def takes(*parameters: Parameter) -> Callable[[Command], Command]:
    """Give a function that takes any keywords the parameters that typer is to see."""

    def dress(function: Command) -> Command:
        function.__dict__["__signature__"] = Signature(parameters)
        return function

    return dress


def argument(name: str, metavar: str, said: str, *, many: bool = False) -> Parameter:
    """Make a positional argument that may be left out."""
    kind = (list[str] if many else str) | None
    shape = typer.Argument(metavar=metavar, help=said, show_default=False)
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, shape])


def option(name: str, kind: Any, metavar: str, said: str, panel: str, short: str = "") -> Parameter:
    """Make an option that may be left out."""
    plain = name.replace("_", "-")
    long = f"--{plain}"
    if kind is bool:
        long += f"/--{plain.removeprefix('no-') if plain.startswith('no-') else f'no-{plain}'}"
    shape = typer.Option(
        *([short] if short else []),
        long,
        help=said,
        metavar=metavar or None,
        rich_help_panel=panel,
        show_default=False,
    )
    annotation = Annotated[kind | None, shape]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _switch(name: str, said: str, panel: str, short: str = "") -> Parameter:
    return option(name, bool, "", said, panel, short)


def _count(name: str, said: str, panel: str) -> Parameter:
    return option(name, int, "N", said, panel)


def _ratio(name: str, said: str, panel: str) -> Parameter:
    return option(name, float, "R", said, panel)


ID = argument("id", "UUID", "An id, as it stands in a mark.")
INPUT = argument("source", "INPUT", "The transcript, one JSON value a line; - is standard input.")
INPUTS = argument("sources", "INPUT...", "Transcripts; - is standard input.", many=True)
OUTPUT = option("output", str, "FILE", "Write here. [default: -]", IN_OUT, "-o")
IN_PLACE = _switch("in_place", "Replace INPUT in one step.", IN_OUT, "-i")
FORMAT = option("format", str, "NAME", "See `ctxcompact formats`. [default: auto]", IN_OUT, "-f")
ROOT = option(
    "root",
    str,
    "DIR",
    "Where .offload/ and .transcripts/ are. [default: the working directory]",
    IN_OUT,
)
JSON = _switch("json", "One JSON object instead of words.", IN_OUT)
QUIET = _switch("quiet", "Print errors only.", IN_OUT, "-q")
VERBOSE = _switch("verbose", "All ids, rows and lines, and the configuration used.", IN_OUT, "-v")
COUNTER = option(
    "counter",
    str,
    "NAME",
    "auto goes by the model recorded in the transcript; or o200k_base, cl100k_base, claude, "
    "gemini, chars4, agentscope. [default: auto]",
    COUNTING,
)
MAX_TOKENS = _count("max_tokens", "The model's window. [default: 131072]", REACH)

CHOICES = (
    _count("target", "Tokens wanted afterwards; without --max-tokens also the trigger.", REACH),
    MAX_TOKENS,
    _ratio("token_ratio", "The trigger, as a part of the window. [default: 0.75]", REACH),
    _ratio("target_ratio", "The target, as a part of the window. [default: 0.5]", REACH),
    _count("msg_threshold", "This many messages are a trigger, too. [default: 100]", REACH),
    _switch("force", "Do not ask the trigger.", REACH),
    option("until", str, "first|target", "When the chain stops. [default: target]", REACH),
    _count("overhead_tokens", "What is not in the file: system prompt, tools. [default: 0]", REACH),
    _count(
        "floor_tokens",
        "Mode chain: a smaller transcript gets no offline summaries, except with --force. "
        "[default: 8000]",
        REACH,
    ),
    _count("min_gain_tokens", "An edit that saves less is not made. [default: 40]", REACH),
    option("levels", str, "N,N", "Which; always tried in order. [default: 1,2,3,4,5,6]", LEVELS),
    _count("last_keep", "Newest messages that levels 1 and 2 spare. [default: 50]", LEVELS),
    _count("large_payload_chars", "Longer than this is large. [default: 5120]", LEVELS),
    _count("preview_chars", "What stays of a large payload. [default: 200]", LEVELS),
    _count(
        "min_consecutive_tool_messages", "Level 1: a run is longer than this. [default: 6]", LEVELS
    ),
    _count(
        "min_compression_tokens",
        "Levels 1 and 4: a smaller span is left alone. [default: 5000]",
        LEVELS,
    ),
    _ratio("summary_ratio", "With --until first: part of what was there. [default: 0.3]", LEVELS),
    _ratio("current_round_ratio", "The same for a summary of level 6. [default: 0.3]", LEVELS),
    _count("keep_recent", "Newest tool results that stay. [default: 3]", LAYERS),
    _count("micro_min_chars", "Longer ones are replaced. [default: 100]", LAYERS),
    _switch("micro_tag", "Leave the id of the original. [default: micro-tag]", LAYERS),
    _count("threshold", "Mode auto: a full summary above this. [default: 50000]", LAYERS),
    option("focus", str, "TEXT", "What a full summary must keep.", LAYERS),
    option("protect_tool", list[str], "GLOB", "Tools whose results stay; repeatable.", PROTECT),
    option("protect", list[str], "REGEX", "Messages that stay; repeatable.", PROTECT),
    _switch("keep_usage", "Leave recorded token counts as they are.", PROTECT),
    _switch("keep_twins", "Leave duplicates of a cleared result as they are.", PROTECT),
    _switch("redact", "Mask credentials in previews and summaries.", PROTECT),
    _switch(
        "no_store_secrets",
        "Refuse to keep credentials outside of the transcript's own root.",
        PROTECT,
    ),
    option("model", str, "NAME", "A model, as litellm names it.", SUMMARIES),
    option("api_base", str, "URL", "An OpenAI-compatible server.", SUMMARIES),
    option(
        "summarizer",
        str,
        "NAME",
        "offline, llm or none; llm if a model is named, else offline.",
        SUMMARIES,
    ),
    option("on_failure", str, "NAME", "offline, skip or fail. [default: offline]", SUMMARIES),
    _count("timeout_s", "Seconds to wait. [default: 60]", SUMMARIES),
    _count("retries", "Further tries of a request. [default: 2]", SUMMARIES),
    _count("max_llm_calls", "Requests in one run.", SUMMARIES),
    _count("max_input_tokens", "The summarizer's own window.", SUMMARIES),
    COUNTER,
)
COMPACT = (
    INPUT,
    OUTPUT,
    IN_PLACE,
    option("mode", str, "MODE", "chain, micro, auto or manual. [default: chain]", IN_OUT, "-m"),
    FORMAT,
    option(
        "write",
        str,
        "HOW",
        "edit or native: change lines, or add the client's own record. Without it lines are changed, "
        "but not those of codex in place.",
        IN_OUT,
    ),
    ROOT,
    _switch("follow_appends", "Carry over lines that are appended meanwhile.", IN_OUT),
    _switch("dry_run", "Plan and report; write nothing.", IN_OUT),
    JSON,
    option("report", str, "FILE", "Write the JSON report here as well.", IN_OUT),
    QUIET,
    VERBOSE,
    *CHOICES,
)
RESTORE = (
    INPUT,
    OUTPUT,
    IN_PLACE,
    ROOT,
    option("receipt", str, "NAME", "Undo this one run only.", IN_OUT),
    JSON,
    QUIET,
)
RELOAD = (
    argument("ids", "UUID...", "Ids, as they stand in the marks.", many=True),
    ROOT,
    _switch("text", "Only the text that was taken out.", IN_OUT),
    _switch("recursive", "Follow every mark that stands in them, quoted ones too.", IN_OUT),
    JSON,
)
SEARCH = (
    argument("wanted", "TEXT", "What to look for, as it stands in the original's text."),
    _switch("regex", "TEXT is a regular expression, as Python reads them.", IN_OUT),
    _switch("ignore_case", "Upper and lower case are one.", IN_OUT, "-i"),
    _count("limit", "How many originals to show. [default: 20]", IN_OUT),
    ROOT,
    JSON,
)
STATS = (
    INPUTS,
    option("by", str, "role|kind|tool|round", "Only this table.", IN_OUT),
    _count("top", "How many rows of the long tables. [default: 10]", IN_OUT),
    _switch("plan", "What levels without a summary would save now, each by itself.", IN_OUT),
    FORMAT,
    ROOT,
    JSON,
    VERBOSE,
    COUNTER,
)
DIFF = (
    argument("before", "[BEFORE]", "The transcript as it was; - is standard input."),
    argument("after", "AFTER", "The transcript as it is."),
    FORMAT,
    ROOT,
    JSON,
    QUIET,
    COUNTER,
)
CHECK = (
    INPUTS,
    option("max_tokens", int, "N", "More tokens are a finding.", IN_OUT),
    _count("max_messages", "More messages are a finding.", IN_OUT),
    FORMAT,
    ROOT,
    JSON,
    QUIET,
    VERBOSE,
    COUNTER,
)
STORE = (ROOT, JSON)
GC = (
    argument(
        "sources",
        "TRANSCRIPT...",
        "Files, or folders of *.jsonl, that may need originals.",
        many=True,
    ),
    option("older_than", int, "DAYS", "Only what is older than that.", IN_OUT),
    _switch("dry_run", "Say what would go; remove nothing.", IN_OUT),
    *STORE,
)
