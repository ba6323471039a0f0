"""`ctxcompact compact`: what is asked is checked here; the report is in `report`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ctxcompact.cli import options, streams
from ctxcompact.cli.talk import Talk, perform

if TYPE_CHECKING:
    from ctxcompact.cli.exits import Exit
    from ctxcompact.config import Config
    from ctxcompact.config.options import Options
    from ctxcompact.summarizers.choosing import Wanted


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
    given = streams.incoming(places.path_of(name))
    output = places.destination(given, asked)
    report = api.compact(
        given,
        output,
        config.settings,
        format_name=asked.format,
        root=asked.root,
        dry_run=asked.dry_run,
        summaries=summaries(asked),
        follow_appends=asked.follow_appends,
    )
    telling = Telling(report, asked.root, config.files, verbose=talk.verbose)
    talk.result(report.as_json, told(telling))
    return Exit.OVER_TARGET if report.status == "over_target" else Exit.DONE


def summaries(asked: Options) -> Wanted:
    """Say who is to write summaries, from what is asked."""
    from ctxcompact.summarizers.choosing import Wanted  # noqa: PLC0415

    return Wanted(
        kind=asked.summarizer.value if asked.summarizer else "",
        on_failure=asked.on_failure.value,
        model=asked.model,
        api_base=asked.api_base,
        timeout_s=asked.timeout_s,
        retries=asked.retries,
        max_calls=asked.max_llm_calls,
        max_input_tokens=asked.max_input_tokens,
    )
