"""`ctxcompact compact`: what is asked is checked here; the report is in `report`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ctxcompact.cli import options, streams
from ctxcompact.cli.talk import Talk, perform

if TYPE_CHECKING:
    from ctxcompact.cli.exits import Exit
    from ctxcompact.config import Config

NO_SUMMARIES = "this version has no summarizer yet: levels 1, 4, 5 and 6 are skipped"


@options.takes(*options.COMPACT)
def compact(**flags: Any) -> None:
    """Shrink a transcript, and keep a way back.

    Large and old parts are taken out and kept in .offload/; a mark with their id stays in
    their place. Below the trigger the output equals the input. `ctxcompact restore` undoes it all.
    """
    name = flags.pop("source")

    def work(config: Config, talk: Talk) -> Exit:
        return _compact(name, config, talk)

    raise typer.Exit(perform("compact", flags, work, transcript=True, source=name))


def _compact(name: str | None, config: Config, talk: Talk) -> Exit:
    from ctxcompact import api  # noqa: PLC0415 - `--help` needs none of these
    from ctxcompact.cli import places  # noqa: PLC0415
    from ctxcompact.cli.exits import Exit  # noqa: PLC0415
    from ctxcompact.cli.report import Telling, told  # noqa: PLC0415

    asked = config.options
    talk.report_to(asked.report, name, asked.output)
    _refuse_what_is_to_come(config)
    given = streams.incoming(places.path_of(name))
    output = places.destination(given, asked)
    if asked.model or asked.api_base or asked.summarizer not in {None, "none"}:
        talk.note(NO_SUMMARIES)
    report = api.compact(
        given,
        output,
        config.settings,
        format_name=asked.format,
        root=asked.root,
        dry_run=asked.dry_run,
    )
    telling = Telling(report, asked.root, config.files, verbose=talk.verbose)
    talk.result(report.as_json, told(telling))
    return Exit.OVER_TARGET if report.status == "over_target" else Exit.DONE


def _refuse_what_is_to_come(config: Config) -> None:
    """Raise `UsageError` for what the command line knows and this version cannot do."""
    from ctxcompact.errors import UsageError  # noqa: PLC0415 - `--help` needs no errors

    mode, write = config.settings.mode.value, config.options.write.value
    if mode in {"auto", "manual"}:
        message = f"--mode {mode}: this version cannot write full summaries yet"
        raise UsageError(message, hint="use --mode chain (previews) or --mode micro (placeholders)")
    if write == "native":
        message = "--write native: this version cannot append a client's own record yet"
        raise UsageError(message, hint="use --write edit, which `ctxcompact restore` undoes")
