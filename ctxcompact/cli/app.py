"""The commands, put together. What each does is in the file of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ctxcompact.cli import streams
from ctxcompact.cli.check import check
from ctxcompact.cli.compact import compact
from ctxcompact.cli.diff import diff
from ctxcompact.cli.exits import Exit
from ctxcompact.cli.formats import formats
from ctxcompact.cli.gc import gc
from ctxcompact.cli.help import GroupedCommand, examples
from ctxcompact.cli.log import log
from ctxcompact.cli.reload import reload
from ctxcompact.cli.restore import restore
from ctxcompact.cli.search import search
from ctxcompact.cli.stats import stats
from ctxcompact.cli.store import list_, show, verify

if TYPE_CHECKING:
    from collections.abc import Sequence

# What typer raises for a command line it cannot parse: it has no public name, and its home changes.
_Refusal: type[Exception] = typer.BadParameter.__mro__[1]

_ID = "0f8fad5b-d9cb-869f-a165-70867728950e"
_LOOK: dict[str, Any] = {
    "rich_markup_mode": None,  # rich would double the time that --help takes
    "pretty_exceptions_enable": False,
    "add_completion": False,
}
_SOURCES = (
    "Every option can also be set by CTXCOMPACT_<NAME>, in ctxcompact.toml, and under "
    "[tool.ctxcompact] in pyproject.toml; the command line wins. --no-NAME takes a switch back. "
    "Files of a project may not set what would send transcripts away."
)

app = typer.Typer(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "ctxcompact stats session.jsonl",
        "ctxcompact compact session.jsonl -o smaller.jsonl",
    ),
    invoke_without_command=True,
    **_LOOK,
)
_store = typer.Typer(
    help="Look at the originals and receipts kept under a root.",
    epilog=examples("ctxcompact store list", "ctxcompact store verify --root ~/project"),
    **_LOOK,
)
app.command(
    cls=GroupedCommand,
    epilog=f"{_SOURCES}\n\n"
    + examples(
        "ctxcompact compact session.jsonl -o smaller.jsonl --target 60000",
        "cat session.jsonl | ctxcompact compact --mode micro > smaller.jsonl",
    ),
)(compact)
app.command(
    cls=GroupedCommand,
    epilog=examples(f"ctxcompact reload {_ID}", f"ctxcompact reload --text {_ID} > original.txt"),
)(reload)
app.command(
    cls=GroupedCommand,
    epilog=examples(
        "ctxcompact search 'connection refused'",
        r"ctxcompact search -i --regex 'error: .*\.py' --limit 5",
    ),
)(search)
app.command(
    cls=GroupedCommand,
    epilog=examples(
        "ctxcompact restore smaller.jsonl -o session.jsonl",
        "ctxcompact restore -i session.jsonl",
    ),
)(restore)
app.command(
    cls=GroupedCommand,
    epilog=examples(
        "ctxcompact stats session.jsonl --plan",
        "ctxcompact stats --json *.jsonl | jq '.files[].tokens'",
    ),
)(stats)
app.command(
    cls=GroupedCommand,
    epilog=examples(
        "ctxcompact check session.jsonl",
        "ctxcompact check fixtures/*.jsonl --max-tokens 50000",
    ),
)(check)
app.command(
    cls=GroupedCommand,
    epilog=examples(
        "ctxcompact diff smaller.jsonl",
        "ctxcompact diff session.jsonl smaller.jsonl --json",
    ),
)(diff)
app.command(
    cls=GroupedCommand,
    epilog=examples("ctxcompact formats", "ctxcompact formats --json"),
)(formats)
_store.command(
    "list",
    cls=GroupedCommand,
    epilog=examples("ctxcompact store list", "ctxcompact store list --json --root ~/project"),
)(list_)
_store.command(
    cls=GroupedCommand,
    epilog=examples(
        "ctxcompact store log", "ctxcompact store log --json | jq -r '.runs[0].receipt'"
    ),
)(log)
_store.command(
    cls=GroupedCommand,
    epilog=examples(f"ctxcompact store show {_ID}", f"ctxcompact store show --json {_ID}"),
)(show)
_store.command(
    cls=GroupedCommand,
    epilog=examples("ctxcompact store verify", "ctxcompact store verify --root ~/project"),
)(verify)
_store.command(
    cls=GroupedCommand,
    epilog=examples(
        "ctxcompact store gc --dry-run ~/elsewhere/smaller.jsonl",
        "ctxcompact store gc --older-than 30",
    ),
)(gc)
app.add_typer(_store, name="store")


def _tell_version(asked: bool) -> None:  # noqa: FBT001 - typer calls it so
    if asked:
        import ctxcompact  # noqa: PLC0415 - the package asks its metadata, which takes a while

        streams.print_out(f"ctxcompact {ctxcompact.__version__}")
        raise typer.Exit


@app.callback()
def _top(
    context: typer.Context,
    *,
    version: Annotated[  # noqa: ARG001 - its callback looks at it
        bool,
        typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Make a recorded agent conversation fit a token budget, and keep a way back."""
    if context.invoked_subcommand is None:
        streams.print_err(context.get_help())
        raise typer.Exit(Exit.USAGE)


def run(arguments: Sequence[str]) -> int:
    """Run one command line to its exit code."""
    try:
        code = typer.main.get_command(app).main(
            list(arguments), prog_name="ctxcompact", standalone_mode=False
        )
    except _Refusal as refusal:
        return _refuse(refusal, arguments)
    return int(code or 0)


def _refuse(refusal: Any, arguments: Sequence[str]) -> int:
    """Say what cannot be parsed, as every other error is said."""
    from ctxcompact.cli.talk import Talk  # noqa: PLC0415 - a rare end
    from ctxcompact.errors import UsageError  # noqa: PLC0415

    path = refusal.ctx.command_path if refusal.ctx else "ctxcompact"
    said = refusal.format_message().rstrip(".")
    command = path.removeprefix("ctxcompact").strip()
    writes_elsewhere = any(one.startswith(("-o", "--output", "-i", "--in-")) for one in arguments)
    talk = Talk(
        command=command,
        json="--json" in arguments,
        aside=command in {"compact", "restore"} and not writes_elsewhere,
    )
    hint = f"`{path} --help` shows what there is"
    return talk.error(UsageError(said[:1].lower() + said[1:], hint=hint))
